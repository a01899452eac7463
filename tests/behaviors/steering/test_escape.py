"""Hunter and quarry on the ground: the faster one round a pillar is never caught."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.neighbors import Neighbors
from rmp3d.behaviors.steering import Escape, Hunt
from rmp3d.behaviors.steering_behavior import (
    RESPONSE_TIME,
    KnownAgent,
    Surroundings,
    remember,
    steer,
)
from rmp3d.behaviors.terrain.routes import next_point
from rmp3d.behaviors.vehicles import attainable, hug
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import load_character
from rmp3d.scenes.build.shapes import floor


def chase(quarry, hunter, places, seconds, half=9.0, hole=4.0, dt=1.0 / 30.0):
    """The distance between the two, step by step, on a square floor round a square hole."""
    line = np.arange(-half, half + 0.5)
    middle = np.abs(0.5 * (line[1:] + line[:-1])) < hole
    surface = WalkableSurface(floor(line, line, ~(middle[:, None] & middle[None])))
    place, face = surface.locate(np.array(places, float))
    characters = [load_character(quarry), load_character(hunter)]
    flock = Flock.at_rest(characters, place, np.tile([1.0, 0, 0], (2, 1)), face)
    minds, memory, apart = [Escape(), Hunt()], [None, None], []
    for step in range(round(seconds / dt)):
        velocity = np.zeros((2, 3))
        for row, (one, role) in enumerate(zip(minds, ("threat", "quarry"), strict=True)):
            agent = flock.select(np.array([row]))
            around = Surroundings(
                neighbors=Neighbors.within(agent.position, 1.0, agent.bodies.radius),
                subgoal=agent.position, subgoal_velocity=np.zeros((1, 3)), surface=surface,
                others={role: KnownAgent.row_of(flock, np.array([1 - row]))}, time=step * dt, dt=dt,
                memory=memory[row],
            )  # fmt: skip
            around = remember(one, agent, around)
            memory[row] = around.memory
            force = steer(one, agent, around).force
            wanted = agent.velocity + force / agent.bodies.mass[:, None] * RESPONSE_TIME
            velocity[row] = attainable(agent, wanted, dt)[0]
        flock = hug(flock, velocity, surface, dt)
        apart.append(np.linalg.norm(flock.position[0] - flock.position[1]))
    return np.array(apart)


# Of the bodies of a sheep and a person, and `gap` between them [m].
KEPT = 2.5 + 0.52 + 0.28


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hunter", "quarry"),
    [([-7.0, 1, 0], [7.0, 0, 0]), ([3.0, -6, 0], [7.0, -6, 0]), ([6.0, 2, 0], [8.0, 8, 0])],
)
def test_who_is_faster_keeps_the_gap_and_gets_to_the_other_side_of_a_pillar(quarry, hunter):
    apart = chase("sheep", "pedestrian", [quarry, hunter], 15.0)
    assert apart.min() > min(KEPT, apart[0] - 0.1)
    # The hole is 8 m wide; in the last 3 s the two are on its two sides.
    assert apart[-90:].min() > 8.0


@pytest.mark.slow
def test_half_the_time_step_changes_the_distance_by_less_than_a_meter():
    coarse, fine = (
        chase("sheep", "pedestrian", [[7.0, 0, 0], [-7, 1, 0]], 15.0, dt=dt)[
            round(1 / dt) - 1 :: round(1 / dt)
        ]
        for dt in (1 / 30, 1 / 60)
    )
    np.testing.assert_allclose(coarse, fine, atol=1.0)


@pytest.mark.slow
def test_who_is_slower_is_caught_in_an_empty_square():
    apart = chase("pedestrian", "wolf", [[3.0, 0, 0], [-7, 1, 0]], 10.0, hole=0.0)
    assert apart.min() < 1.5


@pytest.mark.parametrize("make_one", [Escape, Hunt])
def test_a_cell_is_positive(make_one):
    with pytest.raises(InputError, match="`cell` must be positive, got 0"):
        make_one(cell=0)


def test_a_threat_beyond_the_panic_distance_is_left_alone(make):
    agents = make.flock([[0.0, 0, 0]], grounded=True)
    threat = KnownAgent.row_of(make.flock([[3.0, 0, 0]]), np.array([0]))
    around = replace(make.surroundings(agents), others={"threat": threat})
    assert not Escape(panic_distance=2.9).steering_force(agents, around).any()
    assert Escape(panic_distance=3.1).steering_force(agents, around)[0, 0] < 0.0


def test_a_route_is_shortened_to_lines_that_keep_off_what_is_beside_them(make):
    # The body clears the corner of the box by 0.1 m on the straight way to the second point.
    agents = make.flock([[0.0, 0, 0]], grounded=True)
    box = make.box([1.0, 0.4, -1.0], [2.0, 3.0, 3.0])
    around = make.surroundings(agents, obstacles=box)
    route = np.array([[0.8, -0.8, 0], [2.5, 0.0, 0]])
    np.testing.assert_array_equal(next_point(agents, around, 0, route), route[0])
    np.testing.assert_array_equal(next_point(agents, around, 0, route[1:]), route[1])
