"""Where gaps meet, a passage is found before any path; it leads the body itself."""

import numpy as np

from benchmarks.ladder import problem_of
from rmp3d.geometry import TriangleMesh
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.guide import SHRUNK_SHARE, TIGHT_SHARE, Guide
from rmp3d.planner.trees.thinner import inward_shift
from rmp3d.planner.trees.tight_places import TightPlaces


def tight_of(problem, rng=None):
    space = RigidBodySpace.of_problem(problem)
    ends, body = np.stack([problem.start, problem.goal]), problem.robot
    shift = inward_shift(body)

    def thinner(lack):
        return space.with_body(TriangleMesh(body.vertices + lack * shift, body.faces))

    half = float(np.median(np.linalg.norm(shift, axis=1)))
    return TightPlaces(space, ends, thinner, half, rng or np.random.default_rng(0))


def test_two_rings_come_apart_by_their_openings_alone():
    problem = problem_of("rings", 0.05)
    tight = tight_of(problem)
    while not tight.is_done:
        tight.advance()
    path, space = tight.answer, RigidBodySpace.of_problem(problem)
    np.testing.assert_array_equal(path[[0, -1]], np.stack([problem.start, problem.goal]))
    assert space.world.motions_are_free(path[:-1], path[1:]).all()
    assert tight.spent > 0.0


def test_a_seed_draws_the_same_and_leaves_the_draws_of_others_alone():
    problem = problem_of("rings", 0.05)
    answers = []
    for _ in range(2):
        rng = np.random.default_rng(3)
        tight = tight_of(problem, rng)
        while not tight.is_done:
            tight.advance()
        answers.append(tight.answer)
        assert rng.random() == np.random.default_rng(3).random()
    np.testing.assert_array_equal(*answers)


def test_without_a_gap_it_ends_at_once_and_asks_for_nothing():
    problem = problem_of("screw", 0.05)
    tight = tight_of(problem)
    tight.advance()
    assert tight.is_done
    assert tight.spent == 0.0
    assert len(tight.answer) == 0


def test_the_guide_gives_tight_places_their_share_while_there_are_some():
    problem = problem_of("rings", 0.005)
    space = RigidBodySpace.of_problem(problem)
    guide = Guide(space, problem.start, problem.goal, np.random.default_rng(0))
    assert guide.share == SHRUNK_SHARE + TIGHT_SHARE
    problem = problem_of("screw", 0.005)
    space = RigidBodySpace.of_problem(problem)
    guide = Guide(space, problem.start, problem.goal, np.random.default_rng(0))
    for _ in range(3):
        guide.advance()
    assert guide.share == SHRUNK_SHARE
