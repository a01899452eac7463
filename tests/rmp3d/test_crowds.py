"""Crowds from scenario to proof: members with trips of their own, that come, stop and leave."""

import msgspec
import numpy as np
import pytest
import trimesh

import rmp3d as rp
from rmp3d.behaviors.groups import Crowd, Trip
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.parallel import using_threads
from rmp3d.geometry.vectors import unit
from rmp3d.recording import RecordingReader
from rmp3d.reporting.members import arrival_times
from rmp3d.scenario.loading import load
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation, simulate
from rmp3d.verification import verify

TEXT = """
[scene]
name = "plain"
[scene.regions.gate]
lower = [-8.0, -2.0, -0.5]
upper = [-6.0, 2.0, 1.0]
[scene.regions.door]
lower = [-1.0, -2.0, -0.5]
upper = [0.0, 2.0, 1.0]
[scene.regions.kiosk]
lower = [-5.0, 3.0, -0.5]
upper = [-3.0, 5.0, 1.0]
[[groups]]
members = 4
start = "gate"
behavior = {{ name = "crowd", nodes = 40, trips = {trips} }}
[simulation]
dt = 0.1
duration = {seconds}
linger = 0.3
"""
FLOW = '[{ goal = "door", at_goal = "leave", rate = 0.5, until = 8.0 }]'


def scenario(tmp_path, trips, seconds=40.0):
    path = tmp_path / "crowd.toml"
    path.write_text(TEXT.format(trips=trips, seconds=seconds))
    return load(str(path), seed=1)


def test_members_come_leave_at_the_door_and_the_run_is_proved(tmp_path):
    path = tmp_path / "run.rmp3d"
    report = simulate(scenario(tmp_path, FLOW), recording_path=path)
    assert (report.arrived, report.members) == (8, 8)
    with RecordingReader.open(path) as recording:
        assert verify(recording).ok
        kinds = [event.kind for event in recording.events()]
        assert kinds.count("came") == 4
        assert kinds.count("left") == 8
        came = {e.member for e in recording.events() if e.kind == "came"}
        times = arrival_times(recording, recording.position(), recording.load_characters())
        assert np.isfinite(times).sum() == report.arrived > 0
        assert times[np.isfinite(times)].max() == pytest.approx(report.groups[0].last_arrival)
        assert came == {4, 5, 6, 7}
    assert report.frames * 0.1 < 39.0  # it ends when the last has left


def test_any_number_of_threads_gives_the_same_bytes():
    rows = np.stack(np.meshgrid(np.arange(30), np.arange(18)), axis=-1).reshape(-1, 2)
    start = np.concatenate([0.8 * rows - [14.0, 4.5], np.zeros((540, 1))], axis=1)
    corners = [[-20, -10, 0], [20, -10, 0], [20, 10, 0], [-20, 10, 0]]
    wall = box((-19.0, -9.0, 0.0), (19.0, -5.2, 2.0))
    meshes = {"floor": (corners, [[0, 1, 2], [0, 2, 3]]), "wall": (wall.vertices, wall.faces)}
    floor = rp.Scene.from_mesh(meshes, roles={"floor": "ground", "*": "obstacle"})
    found = []
    for count in (1, 3):
        with using_threads(count):
            crowd = Crowd.between(start, start[::-1], nodes=40)
            run = Simulation(floor, rp.Group(members=540, behavior=crowd), dt=0.1)
            for _ in range(5):
                frame = run.step()
            least = run.log.least_to_scene, run.log.least_to_members
            found.append((frame.position.tobytes(), frame.velocity.tobytes(), least))
    assert found[0] == found[1]


def test_many_groups_of_several_members_are_planned_over_one_roadmap():
    places = [[x, y, 0.0] for x in (-15.0, 15.0) for y in np.linspace(-9.0, 9.0, 6)]
    groups = [
        rp.Group(members=2, start=tuple(own), goal=tuple(other), behavior="self_guided")
        for own, other in zip(places, places[::-1], strict=True)
    ]
    few = Simulation("plain", groups[:2], nodes=40).plans
    many = Simulation("plain", groups, nodes=40).plans
    assert few[0].roadmap is not few[1].roadmap
    assert len({id(plan.roadmap) for plan in many}) == 1
    for plan, group in zip(many, groups, strict=True):
        points = plan.plan.path.points
        assert plan.space.connects(points[:-1], points[1:]).all()
        assert np.linalg.norm(points[-1, :2] - np.array(group.goal)[:2]) < 1e-9


def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not(tmp_path):
    trips = '[{ goal = "door", at_goal = "leave", rate = 4.0, until = 1.0 }]'
    ends = []
    for seed in (1, 1, 2):
        run = Simulation.of(msgspec.structs.replace(scenario(tmp_path, trips, 1.2), seed=seed))
        ends.append(list(run)[-1].position.tobytes())
    assert len(ends[0]) > 3 * 8 * 4  # some have come
    assert ends[0] == ends[1]
    assert ends[0] != ends[2]


def test_members_stay_at_a_stop_and_go_on_to_the_goal(tmp_path):
    trips = '[{ goal = "door", via = ["kiosk"], stay = 2.0 }]'
    run = Simulation.of(scenario(tmp_path, trips))
    kiosk, door = run.scene.region("kiosk"), run.scene.region("door")
    inside = np.zeros(4)
    for frame in run:
        inside += 0.1 * kiosk.contains(frame.position)
    assert (inside >= 2.0).all()
    assert door.contains(run.flock.position).all()
    assert all(report.arrived == report.members for report in run.reports())


def test_who_was_pushed_past_its_subgoal_gets_a_shorter_way_or_keeps_its_own():
    """In a room of columns, members at random places, which their routes lead back from."""
    columns = [
        trimesh.creation.box((0.6, 0.6, 2.0), trimesh.transformations.translation_matrix((x, y, 1)))
        for x in (-3.0, 0.0, 3.0)
        for y in (-3.0, 0.0, 3.0)
    ]
    floor = trimesh.creation.box(
        (16, 16, 0.2), trimesh.transformations.translation_matrix((0, 0, -0.1))
    )
    scene = rp.Scene.load(trimesh.util.concatenate([floor, *columns]))
    rng = np.random.default_rng(3)
    ends = np.column_stack(
        [np.repeat([-7.0, 7.0], 12), np.tile(np.arange(-6.0, 6.0), 2), np.zeros(24)]
    )
    run = Simulation(scene, [rp.Group(members=24, behavior=Crowd.between(ends, -ends))])
    crowd, space = run.runs[0].unit, run.runs[0].unit._space
    drawn = np.column_stack([rng.uniform(-6, 6, (400, 2)), np.zeros(400)])
    places = drawn[space.is_free(drawn)][:24]
    flock = run.flock.moved(position=places)
    way, nobody = crowd._waypoints, np.zeros(0, int)
    before, left = way.subgoal.copy(), way.remaining(places)
    crowd._find_ways(nobody, np.arange(24), flock, 1.0)
    now, events = way.remaining(places), [event.member for event in run.runs[0].events]
    assert 0 < len(events) == len(set(events))
    assert (now[events] < left[events]).all()
    assert space.connects(places[events], way.subgoal[events]).all()
    others = np.setdiff1d(np.arange(24), events)
    np.testing.assert_array_equal(way.subgoal[others], before[others])


def test_members_look_for_shorter_ways_in_turn_and_again_only_when_pushed(monkeypatch):
    for name, value in (("LOOKING", 4), ("OTHERS", 0)):
        monkeypatch.setattr(f"rmp3d.behaviors.groups.crowd.shorter_ways.{name}", value)
    floor = rp.Scene.load(trimesh.creation.box(bounds=((-8, -8, -0.2), (8, 8, 0))))
    ends = np.column_stack([np.full(10, -6.0), np.arange(-5.0, 5.0), np.zeros(10)])
    run = Simulation(floor, [rp.Group(members=10, behavior=Crowd.between(ends, -ends))])
    crowd, looked, nobody = run.runs[0].unit, [], np.zeros(0, int)
    monkeypatch.setattr(
        crowd._trips, "routes", lambda at, to: looked.append(at[:, 1]) or [None] * len(at)
    )
    here, every = run.flock.position, np.arange(10)
    towards = unit(crowd._waypoints.subgoal - here)
    crowd._find_ways(nobody, every, run.flock.moved(position=here + towards), 1.0)
    assert not looked  # on its way nobody looks
    for _ in range(5):
        crowd._find_ways(nobody, every, run.flock.moved(position=here - towards), 2.0)
    assert [len(each) for each in looked] == [4, 4, 2]
    assert len(np.unique(np.concatenate(looked))) == 10
    farther = here - towards
    farther[7] -= towards[7]
    crowd._find_ways(nobody, every, run.flock.moved(position=farther), 3.0)
    assert [len(each) for each in looked[3:]] == [1]


def test_the_way_to_a_place_that_is_out_of_sight_goes_round():
    """Who was pushed behind a wall went straight for its place for ever."""
    floor = trimesh.creation.box(bounds=((-8, -6, -0.2), (8, 6, 0)))
    wall = trimesh.creation.box(bounds=((1.0, -4.0, 0), (1.3, 6.0, 2.0)))
    scene = rp.Scene.load(trimesh.util.concatenate([floor, wall]))
    crowd = Crowd.between([[-6.0, 0.0, 0.0]], [[5.0, 3.0, 0.0]])
    run = Simulation(scene, [rp.Group(members=1, behavior=crowd)]).runs[0].unit
    trips, space = run._trips, run._space
    end = trips.places(0).points[0]
    drawn = np.random.default_rng(2).uniform((-7, -5, 0), (0.5, 5, 0), (20, 3))
    hidden = [place for place in drawn if not space.connects(place[None], end[None])[0]]
    assert len(hidden) > 9
    for place in hidden:
        way = np.concatenate([[place], trips.way_to_place(0, 0, place)])
        assert space.connects(way[:-1], way[1:]).all()
        np.testing.assert_array_equal(way[-1], end)


def test_groups_are_stepped_as_one_crowd_and_each_has_its_own_report():
    starts = [(-8.0, y, 0.0) for y in (-3.0, -1.0, 1.0, 3.0)]
    goals = [(-2.0, -y, 0.0) for _, y, _ in starts]
    groups = [
        rp.Group(members=1, start=a, goal=b, behavior="self_guided")
        for a, b in zip(starts, goals, strict=True)
    ]
    run = Simulation("plain", groups, seed=0, dt=0.1, duration=30.0, linger=0.0)
    assert len({id(each.unit) for each in run.runs}) == 1
    frames = list(run)
    assert np.abs(frames[0].position[:, :2] - np.array(starts)[:, :2]).max() < 1e-6
    assert np.linalg.norm(frames[-1].position - goals, axis=1).max() < 1.25  # goal radius
    assert [report.arrived for report in run.reports()] == [1, 1, 1, 1]


def test_a_crowd_in_one_group_goes_as_the_same_members_in_several():
    starts = np.array([(-8.0, y, 0.0) for y in (-3.0, -1.0, 1.0, 3.0)])
    goals = starts * [1, -1, 1] + [6.0, 0, 0]
    one = [rp.Group(members=4, behavior=Crowd.between(starts, goals))]
    several = [
        rp.Group(members=1, behavior=Crowd.between(a[None], b[None]))
        for a, b in zip(starts, goals, strict=True)
    ]
    ends = []
    for groups in (one, several):
        run = Simulation("plain", groups, seed=0, dt=0.1, duration=30.0, linger=0.0)
        last = list(run)[-1]
        ends.append(last.position[np.argsort(last.position[:, 1])])
    assert np.abs(ends[0] - ends[1]).max() < 1.0


@pytest.mark.parametrize(
    ("trips", "message"),
    [
        ('[{ goal = "dor" }]', r"behavior.trips\[0\].goal`: .*did you mean `door`"),
        ('[{ goal = "door", star = "gate" }]', r"star`: unknown key; did you mean `start`"),
        ('[{ goal = [0.0, 0.0, 90.0] }]', r"groups\[0\].*trips\[0\].goal`.*not on walkable ground"),
        ("[]", "at least one trip"),
    ],
)  # fmt: skip
def test_a_wrong_trip_is_refused_with_its_key(tmp_path, trips, message):
    with pytest.raises(InputError, match=message):
        Simulation.of(scenario(tmp_path, trips))


def test_members_that_would_stand_in_one_another_are_refused():
    crowd = Crowd([
        Trip(start=(0.0, -6.0, 0.0), goal=(3.0, -6.0, 0.0), count=1),
        Trip(start=(0.1, -6.0, 0.0), goal=(3.0, -5.0, 0.0), count=1),
    ])  # fmt: skip
    with pytest.raises(InputError, match=r"trips\[1\].start`: 0.1 m from that of `trips\[0\]`"):
        Simulation("plain", [rp.Group(members=2, behavior=crowd)])


def test_all_come_through_a_door_both_ways_while_others_stand_and_go_about_before_it():
    """Two sides pressed into the door, as one somewhere near went elsewhere, and stood for ever."""
    rng, count, half = np.random.default_rng(0), 36, 5.0

    def places():
        found = np.zeros((0, 2))
        while len(found) < count:
            new = rng.uniform(0.6 - half, half - 0.6, 2)
            if abs(new[0]) > 0.6 and (np.linalg.norm(found - new, axis=1) > 0.8).all():
                found = np.vstack([found, new])
        return np.column_stack([found, np.zeros(count)])

    ground = box([-half, -half, -0.1], [half, half, 0.0])
    walls = [
        box([-0.1, low, 0.0], [0.1, high, 2.5]) for low, high in ((-half, -0.68), (0.68, half))
    ]
    meshes = [trimesh.Trimesh(each.vertices, each.faces) for each in (ground, *walls)]
    scene = rp.Scene.from_mesh(trimesh.util.concatenate(meshes))
    group = rp.Group(members=count, behavior=Crowd.between(places(), places()))
    run = Simulation(scene, group, seed=0, duration=80.0)
    for _ in run:
        pass
    (report,) = run.reports()
    assert report.arrived == count


def between_rooms(*walls):
    """Return a scene of two rooms with walls (lower, upper) between them."""
    boxes = [box([-16.0, -8.0, -0.1], [16.0, 8.0, 0.0]), *(box(*wall) for wall in walls)]
    meshes = [trimesh.Trimesh(each.vertices, each.faces) for each in boxes]
    return rp.Scene.from_mesh(trimesh.util.concatenate(meshes))


def block(x, rows, columns=5):
    """Return places (n, 3) of a block, a meter apart."""
    y, along = np.divmod(np.arange(rows * columns), columns)
    return np.column_stack([x + along - 2.0, y - 0.5 * (rows - 1), np.zeros(rows * columns)])


@pytest.mark.slow
def test_two_crowds_come_through_a_narrow_hallway_from_both_ends():
    """They met in it, as each end gave turns by itself, and stood for ever."""
    west, east = block(-10.0, 6), block(10.0, 6)
    walls = [([-4.0, low, 0.0], [4.0, high, 2.5]) for low, high in ((-8, -0.8), (0.8, 8))]
    crowd = Crowd.between(np.concatenate([west, east]), np.concatenate([east, west]))
    group = rp.Group(members=60, behavior=crowd)
    run = Simulation(between_rooms(*walls), group, seed=0, duration=120.0)
    for _ in run:
        pass
    (report,) = run.reports()
    assert report.arrived == 60


def test_grown_ups_with_trips_and_children_with_one_goal_queue_at_one_door():
    """Both ways; each kind of body had a queue of its own, and none where a group had one path."""
    west, east = block(-6.0, 3, 4), block(6.0, 3, 4)
    walls = [([-0.1, low, 0.0], [0.1, high, 2.5]) for low, high in ((-8, -0.7), (0.7, 8))]
    crowd = rp.Group(members=12, behavior=Crowd.between(west, east))
    goal = rp.Box([-12, -4, -0.5], [-6, 4, 1])
    start = rp.Box([5, -4, -0.5], [12, 4, 1])
    children = rp.Group(
        members=8, character="child", start=start, goal=goal, behavior="self_guided", reserve=1
    )
    run = Simulation(between_rooms(*walls), [crowd, children], seed=0, duration=60.0)
    assert len(run._members._queues) == 2  # one in each direction
    for _ in run:
        pass
    assert [report.arrived for report in run.reports()] == [12, 8]
