"""Members that act go to places and others by the roadmap, and their rules see the map."""

import re

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors.groups import Acting, Task
from rmp3d.behaviors.groups.steered.itinerary import stated_stops
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import load_character
from rmp3d.planner.spaces import make_space
from rmp3d.scenes import Part, Region, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation

# A wall with a gap at its north end parts the two halves of a floor; a shed in the east is closed,
# and there is a platform that no stair leads to.
BOXES = {
    "floor": ([-10, -6, -0.1], [10, 6, 0]),
    "wall": ([-0.2, -6, 0], [0.2, 3, 2.5]),
    "shed west": ([6, -5, 0], [6.2, -2, 2.5]),
    "shed east": ([9, -5, 0], [9.2, -2, 2.5]),
    "shed south": ([6, -5, 0], [9.2, -4.8, 2.5]),
    "shed north": ([6, -2.2, 0], [9.2, -2, 2.5]),
    "platform": ([-9.9, 2, 2.9], [-5, 5.9, 3]),
}
REGIONS = {
    "west gate": Region.box("west gate", [-9.5, -5, -0.5], [-6, -1, 2]),
    "east": Region.box("east", [5, 1, -0.5], [9.5, 5, 2]),
    "shed": Region.box("shed", [6.6, -4.4, -0.5], [8.6, -2.6, 2]),
}
WEST, EAST, SHED = [-8.0, -3, 0], [7.0, 3, 0], [7.6, -3.5, 0]
FAR = 17.0  # [m] from west to east round the wall, at least; straight on it is 16.2 m


@pytest.fixture(scope="module")
def yard():
    ground = {"floor", "platform"}
    parts = []
    for name, corners in BOXES.items():
        mesh = box(*corners)
        role = "ground" if name in ground else "obstacle"
        parts.append(Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5)))
    return Scene("yard", tuple(parts), REGIONS, np.array([[-10, -6, -0.5], [10, 6, 5.0]]))


@pytest.fixture(scope="module")
def space(yard):
    return make_space("ground", yard, load_character("pedestrian").body, max_step=0.2)


def run_of(space, count=1, **table):
    scene = space.world.scene
    task = Task(
        space=space, start=scene.regions["west gate"], count=count,
        character=load_character("pedestrian"), dt=0.1, rng=np.random.default_rng(0),
        groups=("guards", "thief"), own=0, counts=(count, 1),
    )  # fmt: skip
    table = {"goals": {"wait": {"behaviors": []}}, "nodes": 60, **table}
    return checked(table, Acting, "`behavior`").begin(task)


def world_of(make, scene, guards, thief, time=0.0):
    flock = make.flock([*guards, thief], grounded=True)
    walls = MeshQuery(make.box(*BOXES["wall"]))
    return WorldState(
        flock, np.array([0] * len(guards) + [1]), ("guards", "thief"), solid=walls, walking=walls,
        time=time, dt=0.1, bounds=scene.bounds,
    )  # fmt: skip


def test_rules_see_the_map(make, yard, space):
    conditions = {
        "west_gate.inside": 1, "east.inside": 0, "west_gate.distance == 0": 1,
        "east.distance > 13.6 and east.distance < 13.7": 1, "west_gate.path_distance == 0": 1,
        f"east.path_distance > {FAR} and east.path_distance < {FAR + 8}": 1,
        "east.reachable": 1, "shed.reachable": 0, "shed.path_distance > 1e9": 1,
        "east.in_sight": 0, "west_gate.in_sight": 1, "storey == 1": 1,
        "thief.known and not thief.in_sight": 1,
        f"thief.path_distance > {FAR} and thief.path_distance < {FAR + 8}": 1,
        "thief.reachable": 1, "path_distance > 1e9 and not at_place": 1,
    }  # fmt: skip
    run = run_of(
        space, perception={"name": "zone", "radius": 50.0},
        goals={"wait": {"behaviors": []}, "go": {"behaviors": []}},
        rules=[{"when": text, "goal": "go"} for text in conditions],
    )  # fmt: skip
    world = world_of(make, yard, [WEST], EAST)
    run.look(world, np.arange(1))
    values = run._values(world, np.arange(1), world.flock.select(np.arange(1)), run.known)
    for (text, expected), condition in zip(conditions.items(), run._rules.conditions, strict=True):
        assert condition.holds(values, 1)[0] == bool(expected), text


def test_a_storey_is_counted_from_below_and_what_it_bears_is_out_of_reach(make, yard, space):
    run = run_of(
        space, perception={"name": "zone", "radius": 50.0},
        rules=[{"when": "storey == 2 and thief.known and not thief.reachable", "goal": "wait"}],
    )  # fmt: skip
    run.look(world_of(make, yard, [[-7.0, 4, 3]], EAST), np.arange(1))
    assert run.queue.active.tolist() == [0]


def simulation(yard, thief, duration=40.0, seed=0, members=2, **guards):
    """Guards that start in the west, and a thief; 10 steps a second."""
    quiet = {"name": "acting", "goals": {"wait": {"behaviors": []}}, "idle": "wait"}
    groups = [
        rp.Group(
            members=members, start="west gate", name="guards",
            behavior={"name": "acting", "nodes": 60, **guards},
        ),
        rp.Group(start=thief, members=1, name="thief", behavior=quiet),
    ]  # fmt: skip
    return rp.Simulation(yard, groups, seed=seed, duration=duration, dt=0.1)


@pytest.fixture(scope="module")
def round_(yard):
    """Guards that go round between the gate, the east and a point; their tracks."""
    run = simulation(
        yard, (3.0, -3.0, 0.0), 60.0, idle="round",
        goals={"round": {"go_to": ["east", [-2, 0, 0], "west gate"], "stay": 1.0}},
    )  # fmt: skip
    return run, np.array([frame.position for frame in run])


def test_a_round_leads_to_all_its_places_in_turn_and_anew(yard, round_):
    _, track = round_
    for member in range(2):
        where = np.full(len(track), -1)
        for row, name in enumerate(("east", "west gate")):
            where[yard.regions[name].contains(track[:, member])] = row
        turn = where[where >= 0]
        turn = turn[np.flatnonzero(np.diff(turn, prepend=-1))].tolist()
        assert turn[:3] == [1, 0, 1]  # it starts in the west
        near = np.linalg.norm(track[:, member] - [-2, 0, 0], axis=1) < 0.6
        assert near[(where == 0).argmax() :].any()


def test_the_nearest_place_is_the_next_one_by_the_way_there(space, yard, make):
    # The point in the east is nearer straight on than the west gate, but behind the wall.
    stops = [[7.0, 3.0, 0.0], "west gate", [-1.0, -5.0, 0.0], [1.0, -5.0, 0.0]]
    goals = {"round": {"go_to": stops, "order": "nearest", "near": 0.6}}
    run = run_of(space, idle="round", goals=goals)
    itinerary = run._goals[0].itinerary
    at, order = [-2.0, -4.0, 0.0], []
    for step in range(10):
        world = world_of(make, yard, [at], [9.0, 5.0, 0.0], time=0.1 * step)
        run.look(world, np.array([0]))
        order.append(int(itinerary._row[0]))
        at = itinerary.stops[order[-1]].places[0].tolist()
    visited = [row for row, before in zip(order, [-1, *order], strict=False) if row != before]
    assert visited[:4] == [2, 1, 0, 3], "the gate before the point behind the wall"
    assert len(set(visited[3:7])) == 4, "a new round has all of them again"


def test_the_same_seed_gives_the_same_round(yard, round_):
    again = simulation(
        yard, (3.0, -3.0, 0.0), 6.0, idle="round",
        goals={"round": {"go_to": ["east", [-2, 0, 0], "west gate"], "stay": 1.0}},
    )  # fmt: skip
    assert np.array([frame.position for frame in again]).tobytes() == round_[1][:61].tobytes()


@pytest.mark.parametrize("goal", [
    {"go_to": "thief", "informed": True},
    {"go_to": "thief.0", "informed": True, "behaviors": ["pursue", "separation"]},
])  # fmt: skip
def test_one_behind_a_wall_is_come_to_by_the_roadmap(yard, goal):
    run = simulation(
        yard, (3.0, -3.0, 0.0), 25.0, idle="find", goals={"find": {**goal, "near": 1.0}},
        members=1,
    )  # fmt: skip
    gaps = [np.linalg.norm(frame.position[0] - frame.position[1]) for frame in run]
    assert gaps[-1] < 2.0 < 10.0 < gaps[0]
    assert run.log.reports(run.runs)[0].jams == 0  # it stands there, and waits


def test_nobody_goes_to_one_that_nobody_knows_of(yard):
    run = simulation(yard, (7.0, 3.0, 0.0), 4.0, idle="find", goals={"find": {"go_to": "thief"}},
                     perception={"name": "zone", "radius": 3.0})  # fmt: skip
    track = np.array([frame.position for frame in run])
    assert np.linalg.norm(track[-1] - track[0], axis=1).max() < 0.05


def test_goals_and_rules_come_and_go_while_it_runs(yard):
    run = simulation(yard, (3.0, -3.0, 0.0), goals={"wait": {"behaviors": []}}, idle="wait")
    guards = run.run_of("guards")
    for _ in range(5):
        run.step()
    guards.define_goal("visit", {"go_to": "east"})
    row = guards.add_rule({"when": "not east.inside", "goal": "visit", "timer": 1.0})
    while run.time < 24.0:
        run.step()
    assert yard.regions["east"].contains(run.flock.position[:2]).all()
    with pytest.raises(InputError, match=re.escape("`rules[0].goal`: no goal named `visit`")):
        guards.drop_goal("visit")
    guards.drop_rule(row)
    guards.drop_goal("visit")
    assert guards.queue.names == ["wait"]
    with pytest.raises(InputError, match="there are 0 rules"):
        guards.drop_rule(0)


def test_a_change_keeps_what_stays_the_same(make, yard, space):
    table = {
        "mental": {"fear": {"start": 0.2}, "hunger": {}},
        "goals": {"round": {"go_to": ["east", "west gate"]}, "wait": {"behaviors": []}},
        "rules": [{"when": "true", "goal": "round", "timer": "forever"}],
    }
    run = run_of(space, **table)
    world = world_of(make, yard, [WEST], EAST)
    run.look(world, np.arange(1))
    run.set_mental("fear", 0.7)
    before = run._goals[0]
    changed = {**table, "mental": {"fear": {}, "thirst": {"start": 0.4}}, "rules": []}
    changed["goals"] = {"wait": {"behaviors": []}, "round": table["goals"]["round"]}
    run.change(checked({"nodes": 60, **changed}, Acting, "`behavior`"), world.flock)
    assert run._goals[0].itinerary is before.itinerary
    assert {name: value[0] for name, value in run.mind.values.items()} == {
        "fear": 0.7, "thirst": 0.4
    }  # fmt: skip
    assert run.queue.names[run.queue.active[0]] == "round"
    wrong = {**changed, "rules": [{"when": "hunger > 0", "goal": "wait"}]}
    with pytest.raises(InputError, match=re.escape("`rules[0].when`: no state variable")):
        run.change(checked({"nodes": 60, **wrong}, Acting, "`behavior`"), world.flock)
    assert run.queue.names == ["round", "wait"]


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ({"go_to": "eats"}, "`goals.g`: `go_to`: no region or group named `eats`; did you mean"),
        ({"go_to": "guards.2"}, "members of `guards` are counted from 0 to 1"),
        ({"go_to": []}, "`go_to` must have at least one place"),
        ({"go_to": [[1.0, 2.0]]}, "must be a region, a group, a member such as"),
        ({"go_to": [8.9, -4.9, 0.0]}, "the point [8.9, -4.9, 0.0] is"),
        ({"stay": 1.0, "behaviors": []}, "`stay` needs `go_to`"),
        ({"go_to": "east", "target": "east"}, "`target` and `go_to` exclude each other"),
        ({"go_to": "east", "stay": -1.0}, "`stay` must be 0 or more"),
        ({}, "`behaviors` or `go_to` is missing"),
        ({"go_to": "east", "order": "turn"}, "order"),
    ],
)
def test_wrong_goals_are_refused_by_key(space, goal, said):
    with pytest.raises(InputError, match=re.escape(said)):
        run_of(space, 2, goals={"g": goal})


def test_stops_are_one_or_several():
    assert stated_stops("east") == ["east"]
    assert stated_stops(["east", "west"]) == ["east", "west"]
    np.testing.assert_array_equal(stated_stops([1, 2.0, 3]), [[1, 2, 3]])
    np.testing.assert_array_equal(stated_stops([[1, 2, 3], [4, 5, 6]]), [[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize("name", ["patio_house_guards", "water_park_visitors"])
def test_a_piece_of_each_story_is_clean(tmp_path, name):
    path = tmp_path / "story.rmp3d"
    rp.run(name, to=path, duration=4.0)
    assert not rp.verify(path).findings


def test_a_vehicle_that_cannot_turn_where_it_stands_drives_to_its_places(yard):
    """Steered, it stands still there: to come away it has to back up."""
    behavior = {
        "name": "acting", "nodes": 60, "idle": "go", "goals": {"go": {"go_to": ["east"]}}
    }  # fmt: skip
    group = rp.Group("motorbike", 1, start="west gate", behavior=behavior)
    run = rp.Simulation(yard, group, duration=30.0, dt=0.1)
    inside = [yard.regions["east"].contains(frame.position).all() for frame in run]
    assert any(inside)


def test_who_finds_no_way_to_its_place_says_so_once():
    parts = {"near": box((0, 0, -1), (6, 6, 0)), "island": box((8, 0, -1), (14, 6, 0))}
    regions = {"here": rp.Box((1, 1, 0), (5, 5, 2)), "there": rp.Box((9, 1, 0), (13, 5, 2))}
    scene = rp.Scene.from_mesh(parts, roles=dict.fromkeys(parts, "ground"), regions=regions)
    table = {"name": "acting", "idle": "go", "goals": {"go": {"go_to": "there"}}, "nodes": 20}
    group = rp.Group(members=2, start="here", behavior=table)
    frames = Simulation(scene, group, duration=2.0, dt=0.1)
    told = [event for frame in frames for event in frame.events if event.kind == "no_way"]
    assert [event.member for event in told] == [0, 1]
    assert "no way leads to [" in told[0].text
