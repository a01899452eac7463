"""Shepherds at work on an open floor: the flock comes to its goal, and what is told of it."""

from copy import copy
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rmp3d.behaviors.groups import Herding, Task
from rmp3d.behaviors.groups.herding import run as running
from rmp3d.behaviors.groups.herding.collecting import LEFT_AFTER, OVER_WALLS, Collecting
from rmp3d.behaviors.groups.herding.corners import ALONE, LONGEST, TRIED, Corners
from rmp3d.behaviors.groups.herding.grid import WalkableGrid
from rmp3d.behaviors.groups.herding.herd import Herd
from rmp3d.behaviors.groups.herding.mission import HerdView, Log, Post
from rmp3d.behaviors.groups.herding.patrol import _border, _depth
from rmp3d.behaviors.groups.herding.pushing import STUCK_AFTER, Pushing
from rmp3d.behaviors.groups.herding.run import HerdingRun
from rmp3d.behaviors.groups.task import Journey
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry import join
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import load_character
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import Simulation, simulate
from rmp3d.verification import verify

FLOCK_RADIUS, FEAR = 0.3, 4.0


def task_of(ways, space, count=1, groups=("sheep", "dogs"), goal=None):
    journeys = {}
    if goal is not None:
        path = CertifiedPath(
            np.linspace([-12.0, 0, 0], goal.center * [1, 1, 0], 60), np.full(60, 3.0), True
        )
        journeys["sheep"] = Journey(path, Roadmap.empty(space), goal)
    return Task(
        space=space, start=ways.Region.box("yard", [-18, -8, -1], [-15, 8, 2]), count=count,
        character=load_character("dog"), dt=0.1, rng=np.random.default_rng(0), groups=groups,
        own=len(groups) - 1, journeys=journeys,
    )  # fmt: skip


@pytest.fixture
def space(ways):
    return ways.space()


@pytest.fixture
def goal(ways):
    return ways.Region.sphere("goal", [14.0, 0, 0], 4.0)


def world_of(make, space, sheep, dogs, time=0.0):
    position = np.concatenate([sheep, dogs])
    flock = make.flock(position, grounded=True)
    kinds = np.array([0] * len(sheep) + [1] * len(dogs))
    return WorldState(
        flock, kinds, ("sheep", "dogs"), surface=space.surface,
        bounds=space.world.scene.bounds, time=time,
    )  # fmt: skip


def places(make, ways, space, goal, sheep, dogs, **options):
    """Where shepherds are sent first, and the run."""
    run = HerdingRun(
        task_of(ways, space, len(dogs), goal=goal), Herding(fear_distance=FEAR, **options)
    )
    world = world_of(make, space, sheep, dogs)
    rows = np.arange(len(sheep), len(sheep) + len(dogs))
    run.look(world, rows)
    run.step(world.flock.select(rows), 0.0)
    return np.array([run._posts[k].place for k in run._post_of]), run


def disc(center, count, seed=0, radius=1.5):
    rng = np.random.default_rng(seed)
    angle, out = rng.uniform(0, 2 * np.pi, count), radius * np.sqrt(rng.uniform(0, 1, count))
    return np.array(center) + np.stack([out * np.cos(angle), out * np.sin(angle), 0 * out], axis=1)


def test_one_shepherd_is_sent_straight_behind_a_flock_in_its_circle(make, ways, space, goal):
    sheep = disc([-5.0, 0, 0], 12)
    (place,), run = places(make, ways, space, goal, sheep, [[-12.0, 6, 0]])
    assert place[0] < sheep[:, 0].min()
    gap = np.linalg.norm(sheep - place, axis=1).min()
    assert 0.3 * FEAR < gap < 0.8 * FEAR
    assert [event.kind for event in run.events] == ["driving"]


@pytest.mark.parametrize("formation", ["line", "arc"])
def test_shepherds_take_places_behind_the_flock_side_by_side(make, ways, space, goal, formation):
    sheep = disc([-5.0, 0, 0], 12)
    dogs = [[-10.0, y, 0] for y in (-5.0, 0, 5.0)]
    found, _ = places(make, ways, space, goal, sheep, dogs, formation=formation)
    assert (found[:, 0] < sheep[:, 0].mean()).all()
    assert (np.diff(found[:, 1]) > 0.5).all()


def test_posts_that_are_there_still_are_not_exchanged_to_and_fro(make, ways, space, goal):
    # Priced ways round a flock differ from one decision to the next by more than any margin.
    sheep, dogs = disc([0.0, 0, 0], 10), [[-9.0, 2.0, 0], [-9.0, -2.0, 0]]
    run = places(make, ways, space, goal, sheep, dogs)[1]
    given = []
    for k in range(20):
        cost = np.array([[9.0, 1.0], [1.0, 9.0]])[:, :: 1 if k % 2 else -1]
        run._costs_and_routes = lambda view, posts, cost=cost: (cost, [[None, None]] * 2)
        run.look(world_of(make, space, sheep, dogs, time=0.2 * (k + 1)), np.array([10, 11]))
        given.append(tuple(run._post_of))
    changes = sum(a != b for a, b in pairwise(given))
    assert changes <= 0.2 * 20 / running.KEPT + 1


def test_no_shepherd_goes_back_to_what_it_has_passed_on_its_route():
    route = np.array([[0.5, 0.5, 0], [1.5, 0.5, 0], [2.5, 0.5, 0], [2.5, 4.5, 0]])
    for x in (0.2, 0.9, 1.6, 2.2):
        left = running._left_to_go(np.array([x, 0.0, 0.0]), route)
        assert left[:, 0].min() >= min(x, 2.5) - 1e-9 or x < 0.5
        np.testing.assert_array_equal(left[-1], route[-1])
    np.testing.assert_array_equal(running._left_to_go(np.zeros(3), route[:1]), route[:1])


def test_shepherds_take_up_what_they_want_and_slow_down_before_the_flock(make, ways, space, goal):
    run = places(make, ways, space, goal, disc([0.0, 0, 0], 5), [[-9.0, 0.0, 0]])[1]
    run._final = np.array([True])
    near = [make.flock([[-gap * FEAR - 1.5, 0, 0]], grounded=True) for gap in (3.0, 0.7, 0.2)]
    top = [float(run._top(flock, run._view)[0]) for flock in near]
    bodies = near[0].bodies
    assert top[0] == pytest.approx(running.HURRY * bodies.max_speed[0])
    assert top[0] > top[1] > top[2] == pytest.approx(bodies.cruise_speed[0])
    world = world_of(make, space, disc([0.0, 0, 0], 5), [[-9.0, 0.0, 0]])
    rows, force = np.array([5]), []
    for _ in range(30):
        intent = run.step(world.flock.select(rows), 0.0)
        force.append(float(run.steer(world, rows, intent).force[0, 0]))
    assert 0.0 < force[0] < 0.5 * force[-1]
    assert np.diff(force).max() < 0.3 * force[-1]


@pytest.mark.parametrize("degrees", [10.0, 40.0, 80.0, 120.0])
def test_a_shepherd_runs_no_faster_than_it_can_turn_to_where_it_goes(make, degrees):
    """Dogs ran wide of the bends of their routes, up to hedges, and braked there."""
    far, angle = 6.0, np.radians(degrees)
    dog = make.flock(
        [[0.0, 0, 0]], grounded=True, velocity=[[5.0, 0, 0]], max_speed=6.5, max_acceleration=6.5,
        max_side_acceleration=6.5,
    )  # fmt: skip
    offset = far * np.array([[np.cos(angle), np.sin(angle), 0.0]])
    speed = float(running._bend_speed(dog, offset)[0])
    radius = far / (2.0 * np.sin(min(angle, 0.5 * np.pi)))
    assert speed**2 / radius == pytest.approx(running.BENDS * 6.5)
    assert running._bend_speed(dog, 1e-3 * offset)[0] == dog.bodies.cruise_speed[0]
    assert running._bend_speed(dog, np.zeros((1, 3)))[0] == dog.bodies.cruise_speed[0]


def test_a_stray_is_fetched_first_from_behind(make, ways, space, goal):
    sheep = np.concatenate([disc([0.0, 0, 0], 12), [[-12.0, 6.0, 0]]])
    (place,), run = places(make, ways, space, goal, sheep, [[-16.0, 0, 0]])
    away = place - sheep[-1]
    course = sheep[:-1].mean(axis=0) - sheep[-1]
    assert away @ course < -0.7 * np.linalg.norm(away) * np.linalg.norm(course)
    assert [event.kind for event in run.events] == ["collecting"]


@pytest.mark.parametrize(("count", "drivers"), [(1, 0), (2, 0), (3, 2), (4, 3)])
def test_a_flock_is_driven_on_while_a_stray_is_fetched_if_two_are_left_for_it(
    make, ways, space, goal, count, drivers
):
    sheep = np.concatenate([disc([0.0, 0, 0], 12), [[-12.0, 6.0, 0]]])
    dogs = [[-16.0, 2.0 * k, 0] for k in range(count)]
    _, run = places(make, ways, space, goal, sheep, dogs)
    kinds = [post.key[0] for post in run._posts]
    assert kinds.count("slot") == drivers
    assert kinds.count("stray") == 1
    told = [event.text for event in run.events if event.kind == "driving"]
    assert told == (["12 of the flock in line"] if drivers else [])
    run.look(world_of(make, space, sheep, dogs, time=1.0), 13 + np.arange(count))
    run.step(world_of(make, space, sheep, dogs).flock.select(13 + np.arange(count)), 0.0)
    assert run.figures["seconds_driving"] == (1.0 if drivers else 0.0)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 9])
def test_several_that_push_are_feared_together_as_two(count):
    near = Herding(fear_distance=FEAR).push_distance(count)
    assert max(count, 2) * (1.0 - near / FEAR) == pytest.approx(2.0 * (1.0 - 0.45))
    assert Herding(fear_distance=FEAR, distance=1.5).push_distance(count) == 1.5


def test_who_is_on_the_way_ahead_is_no_stray(make, ways, space, goal):
    sheep = np.concatenate([disc([-6.0, 0, 0], 12), [[6.0, 0.0, 0]]])
    _, run = places(make, ways, space, goal, sheep, [[-16.0, 0, 0]])
    assert [event.kind for event in run.events] == ["driving"]


def test_those_in_the_goal_are_let_be(make, ways, space, goal):
    inside = disc(goal.center * [1, 1, 0], 5)
    sheep = np.concatenate([inside, disc([2.0, 5, 0], 5)])
    (place,), _ = places(make, ways, space, goal, sheep, [[-16.0, 0, 0]])
    assert np.linalg.norm(place - [2.0, 5, 0]) < np.linalg.norm(place - inside.mean(axis=0))


def test_when_all_are_in_shepherds_stay_where_they_are(make, ways, space, goal):
    dogs = [[9.0, 1.0, 0]]
    found, run = places(make, ways, space, goal, disc(goal.center * [1, 1, 0], 5), dogs)
    np.testing.assert_allclose(found, dogs)
    assert [event.kind for event in run.events] == ["flock_in_goal"]


@pytest.mark.parametrize("height", [0.0, 3.0])
def test_who_stands_below_the_goal_is_not_in_it(make, ways, space, height):
    """A goal that reaches from a deck down to the floor; the path ends on one of them."""
    deck = make.grid(np.array([9.0, 19.0]), np.array([-8.0, 8.0]), lambda x, y: 0.0 * x + 3.0)
    space = copy(space)
    space.surface = WalkableSurface(join([space.surface.mesh, deck]))
    goal = ways.Region.box("goal", [10, -4, -1], [18, 4, 5])
    task = task_of(ways, space, 1, goal=goal)
    own = task.journeys["sheep"]
    points = np.vstack([own.path.points[:-1], goal.center * [1, 1, 0] + [0, 0, height]])
    path = CertifiedPath(points, own.path.clearance, True)
    task = replace(task, journeys={"sheep": own._replace(path=path)})
    run = HerdingRun(task, Herding(fear_distance=FEAR))
    world = world_of(make, space, disc([14.0, 0, 0], 5), [[9.0, 1.0, 0]])
    run.look(world, np.array([5]))
    run.step(world.flock.select(np.array([5])), 0.0)
    events = [event.kind for event in run.events]
    assert ("flock_in_goal" in events) == (height == 0.0)


@pytest.fixture
def alley(make, ways):
    """Ways of a shepherd round a blind alley along -x, 4 m wide, closed at x = -12 by much."""
    return alley_closed_by(make, ways, 6.0)


def alley_closed_by(make, ways, thickness):
    walls = [
        ([-12, 2, 0], [-2, 2.4, 2]),
        ([-12, -2.4, 0], [-2, -2, 2]),
        ([-12.0 - thickness, -2.4, 0], [-12, 2.4, 2]),
    ]
    space = ways.space(walls=walls)
    world = WorldState(
        make.flock([[6.0, 0, 0]], grounded=True), np.zeros(1, int), ("dogs",),
        walking=MeshQuery(space.world.scene.obstacles), surface=space.surface,
        bounds=space.world.scene.bounds,
    )  # fmt: skip
    return WalkableGrid.of(world, 0, 0.5)


def view_of(net, time, position, velocity=(0.0, 0, 0), shepherd=(0.0, 0, 0)):
    position = np.array(position)
    return HerdView(
        time=time, position=position, velocity=np.tile(velocity, (len(position), 1)),
        body_radius=FLOCK_RADIUS, top_speed=2.0, grounded=True, shepherds=np.array([shepherd]),
        grid=net, number=np.arange(len(position)),
    )  # fmt: skip


def held_from(corners, net, place, velocity=(0.0, 0, 0), until=60.0):
    """For how long (s, e) one at a place that is to go along x is left alone, at first."""
    point = np.array(place)
    post = Post(("slot", 0), np.array([0]), point - [0.6, 0, 0], point, np.array([1.0, 0, 0]))
    held = [
        time
        for time in np.arange(0.0, until, 0.2)
        if corners.hold(view_of(net, time, [point], velocity), 0, np.array([0]), [post])
    ]
    breaks = np.flatnonzero(np.diff(held) > 0.3)
    return held[: breaks[0] + 1] if len(breaks) else held


def test_whom_a_shepherd_gets_behind_is_not_left_alone(alley):
    assert not held_from(Corners(FEAR), alley, [6.0, 0, 0], until=1.0)


def test_one_in_a_corner_is_left_alone_for_longer_while_it_comes_out(alley):
    resting = held_from(Corners(FEAR), alley, [-11.0, 0, 0])
    coming = held_from(Corners(FEAR), alley, [-11.0, 0, 0], velocity=(1.0, 0, 0))
    assert resting[0] == coming[0] == 0.0
    assert abs(resting[-1] - ALONE) < 0.5
    assert abs(coming[-1] - LONGEST) < 0.5


def test_one_that_was_left_alone_is_tried_for_a_while_then_left_alone_again(alley):
    corners = Corners(FEAR)
    held_from(corners, alley, [-11.0, 0, 0], until=ALONE + TRIED + 2.0)
    assert corners.times == {0: 2}
    assert corners.is_held(view_of(alley, ALONE + TRIED + 2.0, [[-11.0, 0, 0]]), 0)
    assert not corners.is_held(view_of(alley, ALONE + TRIED + 2.0, [[-11.0, 0, 0]]), 1)


def test_the_last_one_is_left_alone_too_if_it_is_driven_deeper_into_a_corner(alley):
    pushing = Pushing(Herding(fear_distance=FEAR), Log())
    position, shepherd = np.array([[-11.2, 0, 0]]), np.array([-6.0, 0, 0])
    gaps = []
    for time in np.arange(0.0, 0.9 * STUCK_AFTER, 0.2):
        view = view_of(alley, time, position, shepherd=shepherd)
        herd, allowed = pushing.herd(view, np.array([0]), 3.0)
        goal = np.array([6.0, 0, 0])
        (post,) = pushing.posts(view, herd, allowed, goal, alley.field(goal))
        shepherd = post.place
        gaps.append(np.linalg.norm(shepherd - position[0]))
    assert gaps[0] < FEAR < gaps[-1]


def test_one_in_a_corner_is_left_alone_until_it_has_come_out(alley):
    position = np.concatenate([disc([6.0, 0, 0], 9), [[-11.2, 0, 0]]])
    collecting = Collecting(FEAR, 0.5 * FEAR, Log(), Corners(FEAR))

    def sent(time):
        view = view_of(alley, time, position)
        herd = Herd.of(alley, np.arange(10), position, 5.0)
        strays = collecting.strays(view, herd, 5.0, np.zeros(10, bool))
        assert strays.tolist() == [9]
        return collecting.posts(view, herd, strays, np.array([1.0, 0, 0]))

    def gap(post):
        return np.linalg.norm(position - post.place, axis=1).min()

    (post,) = sent(10.0)
    assert collecting.alone == [9]
    assert gap(post) > FEAR
    (post,) = sent(21.0)  # it has not come out: it is tried all the same
    assert post.key == ("stray", 9)
    assert sent(30.0) == []  # the next time the flock is to be brought to it
    assert collecting.alone == [9]


def test_one_in_a_corner_is_driven_from_the_other_side_of_a_thin_wall_first(make, ways):
    net = alley_closed_by(make, ways, 0.4)
    position = np.concatenate([disc([6.0, 0, 0], 9), [[-11.2, 0, 0]]])
    collecting = Collecting(FEAR, 0.5 * FEAR, Log(), Corners(FEAR))
    herd, beyond = Herd.of(net, np.arange(10), position, 5.0), []
    for time in np.arange(0.0, 2.0 * OVER_WALLS, 0.5):
        view = view_of(net, time, position)
        strays = collecting.strays(view, herd, 5.0, np.zeros(10, bool))
        posts = collecting.posts(view, herd, strays, np.array([1.0, 0, 0]))
        beyond.append(bool(posts) and posts[0].place[0] < -12.4)
    assert all(beyond[: int(1.8 * OVER_WALLS)])
    assert not any(beyond[int(2.1 * OVER_WALLS) :]), "then it is left alone, in case it sees nobody"


def test_the_last_ones_are_brought_home_one_by_one(make, ways, space, goal):
    """With one behind a wall and some that come out again there is no circle that holds them."""
    home = disc(goal.center * [1, 1, 0], 12)
    out = np.array([[-5.0, 7.0, 0], [2.0, -6.0, 0]])
    dogs = [[-12.0, 6.0, 0], [-3.0, -6.0, 0], [-9.0, 0.0, 0]]
    _, run = places(make, ways, space, goal, np.concatenate([home, out]), dogs)
    assert sorted(post.key[0] for post in run._posts) == ["stray", "stray", "wait"]
    for post in run._posts:
        nearest = np.linalg.norm(out - post.place, axis=1).argmin()
        along = (out[nearest] - post.place) @ (goal.center * [1, 1, 0] - out[nearest])
        assert along > 0.0, "behind one that is out, seen from the goal"


def test_one_that_never_comes_back_is_left_until_the_others_are_in_the_goal(
    make, ways, space, goal
):
    sheep = np.concatenate([disc([-5.0, 0, 0], 12), [[-5.0, 7.0, 0]]])
    dogs = [[-12.0, 6, 0]]
    run = HerdingRun(task_of(ways, space, goal=goal), Herding(fear_distance=FEAR))
    told = []

    def go_on(sheep, times):
        for time in times:
            world = world_of(make, space, sheep, dogs, time)
            run.look(world, np.array([len(sheep)]))
            told.extend((event.kind, event.time) for event in run.events)
            run.events.clear()

    go_on(sheep, np.arange(0.0, LEFT_AFTER + 5.0, 0.2))
    assert [kind for kind, _ in told] == ["collecting", "stray_left", "collected", "driving"]
    assert LEFT_AFTER - 1.0 < told[1][1] < LEFT_AFTER + 2.0
    assert run.figures["strays_fetched"] == 0
    sheep[:12] = disc(goal.center * [1, 1, 0], 12)
    del told[:]
    go_on(sheep, np.arange(LEFT_AFTER + 5.0, LEFT_AFTER + 7.0, 0.2))
    (post,) = run._posts
    assert np.linalg.norm(post.place - sheep[-1]) < FEAR, "now it is driven alone"
    sheep[0] = goal.center * [1, 1, 0] - [goal.radius + 1.0, 0, 0]
    go_on(sheep, np.arange(LEFT_AFTER + 7.0, LEFT_AFTER + 9.0, 0.2))
    (post,) = run._posts
    assert post.key == ("stray", 12), "also when another one comes out of the goal meanwhile"


def test_depth_and_border_of_a_region(ways):
    box = ways.Region.box("field", [0, 0, -1], [4, 2, 1])
    points = np.array([[2.0, 1, 9], [1, 1, 0], [5, 1, 0], [7, 6, 0]])
    np.testing.assert_allclose(_depth(box, points, True), [1, 1, -1, -5])
    ball = ways.Region.sphere("spot", [1, 1, 0], 3.0)
    np.testing.assert_allclose(_depth(ball, points[:2], True), [2, 3])
    for region, outward in ((box, 1.5), (ball, 1.5), (ball, -1.0)):
        border = np.column_stack(
            [_border(region, outward), np.zeros(len(_border(region, outward)))]
        )
        depth = _depth(region, border, True)
        assert (np.abs(depth + outward) < 1.0).all()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"distance": 9.0}, "`distance` 9.0 m must be less than `fear_distance`"),
        ({"mode": "patrol"}, "`patrol` needs the name of a region"),
        ({"cell": 0.0}, "`cell` must be positive"),
        ({"circle": -1.0}, "`circle` must be 0 or more"),
    ],
)
def test_impossible_parameters_are_refused(options, problem):
    with pytest.raises(InputError, match=problem):
        Herding(**options)


def test_a_flock_must_be_there_and_have_a_goal(ways, space):
    for flock, groups, problem in (
        ("", ("dogs",), "no other group to herd"),
        ("", ("sheep", "cows", "dogs"), "say which group to herd: sheep, cows"),
        ("shep", ("sheep", "dogs"), "did you mean `sheep`"),
        ("", ("sheep", "dogs"), "`sheep` has no goal to be driven to"),
    ):
        with pytest.raises(InputError, match=problem):
            Herding(flock=flock).begin(task_of(ways, space, groups=groups))
    with pytest.raises(InputError, match="no region named `yrd`"):
        Herding(mode="patrol", region="yrd").begin(task_of(ways, space))


@pytest.mark.slow
def test_a_dog_brings_sheep_into_the_fold_of_the_meadow(tmp_path):
    """From the yard before its gate; nothing is touched, and the recording tells the story."""
    changes = ["groups.0.start=yard", "groups.1.start=[-2.0, 0.0, 0.0]", "simulation.duration=150"]
    scenario = load("meadow", changes, members=4, seed=1)
    report = simulate(scenario, recording_path=tmp_path / "run.rmp3d")
    assert report.groups[0].arrived == 4
    assert report.groups[0].figures["left"] == 0
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        proof = verify(recording)
        kinds = {event.kind for event in recording.events()}
    assert not proof.findings
    assert {"driving", "arrived", "flock_in_goal"} <= kinds


def sent(make, ways, sheep, dogs, **options):
    """Where shepherds without a goal for the flock are sent first, and the run."""
    space = ways.space()
    regions = {"field": ways.Region.box("field", [-8, -6, -1], [8, 6, 2])}
    object.__setattr__(space.world.scene, "regions", regions)
    return places(make, ways, space, None, sheep, dogs, region="field", **options)


def test_a_patrol_turns_back_who_crosses_the_border_from_outside(make, ways):
    sheep = np.concatenate([disc([0.0, 0, 0], 5), [[10.0, 2, 0]]])
    (place,), run = sent(make, ways, sheep, [[14.0, 6, 0]], mode="patrol")
    assert place[0] > 10.5
    assert run.figures["across"] == 1
    assert [event.kind for event in run.events] == ["across"]


def test_a_patrol_drives_out_who_should_not_be_in(make, ways):
    sheep = np.concatenate([disc([14.0, 0, 0], 5), [[6.0, 2, 0]]])
    (place,), run = sent(make, ways, sheep, [[0.0, 6, 0]], mode="patrol", keep="out")
    assert place[0] < 5.5
    assert run.figures["across"] == 1


def test_a_patrol_of_several_starts_its_round_at_different_posts(make, ways):
    found, run = sent(make, ways, disc([0.0, 0, 0], 5), [[12.0, 6, 0], [12, -6, 0]], mode="patrol")
    assert np.linalg.norm(found[0] - found[1]) > 10.0
    assert run.figures["across"] == 0


def test_a_cover_counts_the_ground_where_the_flock_has_been(make, ways):
    sheep = disc([0.0, 0, 0], 5)
    (place,), run = sent(make, ways, sheep, [[12.0, 0, 0]], mode="cover", swath=2.0)
    # Places are a meter apart over 16 m x 12 m; those within the swath are on a disc.
    assert 0.05 < run.figures["covered"] < 0.2
    assert np.linalg.norm(place) < 6.0
    (place,), run = sent(make, ways, sheep, [[12.0, 0, 0]], mode="cover", swath=30.0)
    assert run.figures["covered"] == 1.0
    np.testing.assert_allclose(place, [12.0, 0, 0])
    assert [event.kind for event in run.events] == ["covered"]


@pytest.mark.parametrize(("group", "behavior"), [(0, "herded"), (1, "herding")])
def test_vehicles_that_cannot_step_aside_are_refused(group, behavior):
    scenario = load("meadow", [f'groups.{group}.character="motorbike"'])
    with pytest.raises(InputError, match=rf"groups\[{group}\]`: the behavior `{behavior}` is not"):
        Simulation.of(scenario)
