"""Groups whose members choose: rules, feelings, goals by hand, the map."""

import re

import numpy as np
import pytest

from rmp3d.behaviors.action.map import CharacterMap, MapOptions
from rmp3d.behaviors.action.state import variable_names
from rmp3d.behaviors.groups import Acting, Task
from rmp3d.behaviors.groups.steered.acting_options import MAX_CHOICES
from rmp3d.behaviors.perception import ViewCone, Zone
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import load_character

GROUPS = ("sheep", "wolf")
GRAZE = {"behaviors": []}
FLEE = {"behaviors": ["flee"], "threat": "wolf"}
SHEEP = {
    "idle": "graze",
    "perception": {"name": "zone", "radius": 5.0, "memory": 1.0},
    "goals": {"graze": GRAZE, "flee": FLEE},
    "rules": [{"when": "wolf.known", "goal": "flee", "priority": 3}],
}


def task_of(ways, count=2, space=None):
    return Task(
        space=space or ways.space(), start=ways.Region.box("field", [-9, -9, -1], [9, 9, 2]),
        count=count, character=load_character("sheep"), dt=0.1, rng=np.random.default_rng(0),
        groups=GROUPS, own=0,
    )  # fmt: skip


def acting(ways, count=2, space=None, **table):
    group = checked({**SHEEP, **table}, Acting, "`groups[0].behavior`")
    return group.begin(task_of(ways, count, space))


def world_of(make, time, sheep, wolf=(), velocity=None, solid=None, heading=None):
    position = [*sheep, *wolf]
    changes = {} if heading is None else {"heading": heading}
    flock = make.flock(position, velocity, grounded=True, **changes)
    group_of = np.array([0] * len(sheep) + [1] * len(wolf))
    return WorldState(
        flock, group_of, GROUPS, solid=solid, walking=solid, time=time, dt=0.1,
        bounds=np.array([[-20.0] * 3, [20] * 3]),
    )  # fmt: skip


def step(run, make, time, gap):
    """Two sheep, and a wolf ``gap`` from the first; returns their goals."""
    run.look(world_of(make, time, [[0, 0, 0], [-8, 0, 0]], [[gap, 0, 0]]), np.arange(2))
    names = [*run.queue.names, "idle"]
    return [names[row] for row in run.queue.active]


def test_a_wolf_that_comes_into_view_makes_flee_and_one_that_is_forgotten_lets_graze_again(
    ways, make
):
    run = acting(ways)
    history = [step(run, make, 0.5 * k, gap) for k, gap in enumerate((9, 4, 9, 9, 9, 9))]
    assert [first for first, _ in history] == ["idle", "flee", "flee", "flee", "idle", "idle"]
    assert {second for _, second in history} == {"idle"}
    assert [(event.time, event.member, event.text) for event in run.events] == [
        (0.5, 0, "graze -> flee"),
        (2.0, 0, "flee -> graze"),
    ]


def test_each_member_is_steered_for_its_own_goal(ways, make):
    run = acting(ways)
    sheep, moving = [[0, 0, 0], [-8, 0, 0]], [[0, 0, 0], [0.1, 0, 0], [0, 0, 0]]
    world = world_of(make, 0.0, sheep, [[3, 0, 0]], moving)
    run.look(world, np.arange(2))
    flock = world.flock.select(np.arange(2))
    intent = run.step(flock, 0.0)
    force = run.steer(world, np.arange(2), intent).force
    assert force[0, 0] < -1.0
    np.testing.assert_allclose(force[1], [-0.8, 0, 0])
    np.testing.assert_array_equal(intent.subgoal, [[3, 0, 0], [-8, 0, 0]])
    assert not intent.guided


def test_the_rule_of_the_highest_priority_decides_and_of_equals_the_first(ways, make):
    rules = [
        {"when": "true", "goal": "graze", "priority": 1},
        {"when": "wolf.known", "goal": "flee", "priority": 3},
        {"when": "wolf.known", "goal": "watch", "priority": 3},
    ]
    goals = {**SHEEP["goals"], "watch": {"behaviors": ["face"], "quarry": "wolf"}}
    run = acting(ways, rules=rules, goals=goals)
    assert step(run, make, 0.0, 3.0) == ["flee", "graze"]


def test_a_goal_stays_for_the_rules_timer_and_forever_until_it_is_reached(ways, make):
    for timer, until, left in ((0.7, "", 0.8), ("forever", "time > 1.6", 1.7)):
        rules = [{"when": "wolf.seen", "goal": "flee", "timer": timer}]
        goals = {"graze": GRAZE, "flee": {**FLEE, "until": until}}
        run = acting(ways, rules=rules, goals=goals)
        flees = [step(run, make, 0.1 * k, 3.0 if k == 0 else 20.0)[0] == "flee" for k in range(25)]
        assert sum(flees) == round(left / 0.1)
        assert flees == sorted(flees, reverse=True)


def test_fear_makes_flee_until_it_has_gone(ways, make):
    run = acting(
        ways,
        mental={"fear": {"rate": -0.5}},
        triggers=[{"variable": "fear", "when": "wolf.seen", "set": 1.0}],
        rules=[{"when": "fear > 0.25", "goal": "flee"}],
    )
    flees = [step(run, make, 0.1 * k, 3.0 if k == 1 else 20.0)[0] == "flee" for k in range(30)]
    # Set at the second step, it loses 0.05 a step: above 0.25 for 15 steps from then.
    assert [k for k, flee in enumerate(flees) if flee] == list(range(1, 16))


def test_goals_are_added_and_removed_by_hand_while_it_runs(ways, make):
    run = acting(ways)
    assert step(run, make, 0.0, 20.0) == ["idle", "idle"]
    run.define_goal("visit", {"behaviors": ["seek"], "target": [5.0, 5.0, 0.0]})
    run.add_goal("visit", [1], priority=1.0, seconds=0.5)
    run.add_goal("visit", [0], priority=1.0, target=[2.0, 0.0, 0.0])
    assert step(run, make, 0.1, 20.0) == ["visit", "visit"]
    np.testing.assert_array_equal(run._aim, [[2, 0, 0], [5, 5, 0]])
    assert step(run, make, 0.2, 3.0) == ["flee", "visit"]
    assert step(run, make, 0.7, 3.0) == ["flee", "idle"]
    assert step(run, make, 2.0, 20.0) == ["visit", "idle"]
    run.remove_goal("visit")
    assert step(run, make, 2.1, 20.0) == ["idle", "idle"]
    assert "visit -> graze" in [event.text for event in run.events]


def test_members_can_be_made_hungry_by_hand(ways, make):
    run = acting(ways, mental={"hunger": {}}, rules=[{"when": "hunger > 0.5", "goal": "flee"}])
    step(run, make, 0.0, 20.0)
    run.set_mental("hunger", 0.8, [1])
    assert step(run, make, 0.1, 20.0) == ["idle", "flee"]


@pytest.mark.parametrize(
    ("do", "said"),
    [
        (lambda run: run.add_goal("fleee"), "no goal named `fleee`; did you mean `flee`"),
        (lambda run: run.add_goal("flee", [2]), "members are counted from 0 to 1"),
        (lambda run: run.define_goal("flee", GRAZE), "needs a name of its own"),
        (lambda run: run.define_goal("rest", {"behaviors": ["sit"]}), "named `sit`"),
        (lambda run: run.define_goal("rest", {**GRAZE, "until": "x > 1"}), "`goals.rest`: `until`"),
        (lambda run: run.set_mental("fear", 1.0), "no mental variable named `fear`"),
    ],
)
def test_wrong_orders_by_hand_are_refused_and_change_nothing(ways, make, do, said):
    run = acting(ways)
    with pytest.raises(InputError, match=re.escape(said)):
        do(run)
    assert run.queue.names == ["flee", "graze"]
    assert step(run, make, 0.0, 20.0) == ["idle", "idle"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"goals": {f"g{k}": GRAZE for k in range(MAX_CHOICES + 1)}}, "goals`: at most 200"),
        ({"rules": SHEEP["rules"] * (MAX_CHOICES + 1)}, "rules`: at most 200"),
        ({"goals": {"graze": {"go_to": ["field"] * 601}}, "rules": []}, "too many stops (601)"),
    ],
)
def test_more_choices_than_there_may_be_are_refused(table, said):
    with pytest.raises(InputError, match=re.escape(said)):
        checked({**SHEEP, **table}, Acting, "`groups[0].behavior`")


def test_what_a_member_perceives_are_state_variables(ways, make):
    """Each variable of the perception and the actor holds what is set up here."""
    conditions = {
        "wolf.seen": 1, "wolf.count == 2": 1, "wolf.distance == 3": 1, "wolf.age == 0": 1,
        "wolf.known and sheep.count == 1": 1, "sheep.distance == 4": 1, "speed == 0.5": 1,
        "height == 0": 1, "time == 7": 1, "goal_time == 7": 1, "goal.graze": 1, "goal.flee": 0,
        "clearance > 1.6 and clearance < 1.8": 1, "target_distance > 1e9": 1,
        "map_share > 0 and map_share < 1": 1,
    }  # fmt: skip
    box = MeshQuery(make.box([2.0, -5.0, 0.0], [2.2, 5.0, 3.0]))
    for text, expected in conditions.items():
        run = acting(
            ways, rules=[{"when": text, "goal": "flee"}], map={"cell": 4.0},
            perception={"name": "zone", "radius": 9.0},
        )  # fmt: skip
        world = world_of(
            make, 7.0, [[0, 0, 0], [-4, 0, 0]], [[0, 3, 0], [0, -6, 0]],
            [[0.5, 0, 0]] + [[0, 0, 0]] * 3, box,
        )  # fmt: skip
        run.look(world, np.arange(2))
        active = run.queue.active[0]
        assert (active >= 0 and run.queue.names[active] == "flee") == bool(expected), text


def test_readings_of_sensors_are_state_variables_by_their_names(ways, make):
    sensor = {"name": "nose", "reading": "quality", "range": 4.0, "detects": ["wolf"]}
    run = acting(
        ways, perception={"name": "sensors", "sensors": [sensor]},
        rules=[{"when": "nose > 0.5", "goal": "flee"}],
    )  # fmt: skip
    assert step(run, make, 0.0, 4.0) == ["flee", "idle"]


def test_the_map_notes_what_is_in_view_and_when(ways, make):
    space = ways.space(walls=[([2.0, -9.0, 0.0], [2.2, 9.0, 3.0])])
    kept = CharacterMap(MapOptions(cell=1.0, every=0.5), space, 1)
    wall = MeshQuery(make.box([2.0, -9.0, 0.0], [2.2, 9.0, 3.0]))
    kept.look(ViewCone(6.0, 120.0), world_of(make, 1.0, [[0, 0, 0]], solid=wall), np.array([0]))
    seen = kept.seen()[0]
    offset = kept.places - [0, 0, 1.4]
    angle = np.degrees(np.arccos(offset[:, 0] / np.linalg.norm(offset, axis=1)))
    expected = (np.linalg.norm(offset, axis=1) <= 6.0) & (angle <= 60.0) & (offset[:, 0] < 2.0)
    np.testing.assert_array_equal(seen, expected)
    assert kept.share[0] == expected.mean() > 0.0
    kept.look(Zone(50.0), world_of(make, 1.2, [[0, 0, 0]]), np.array([0]))
    np.testing.assert_array_equal(kept.seen()[0], expected)  # not yet time to look again
    kept.look(Zone(50.0), world_of(make, 1.5, [[0, 0, 0]]), np.array([0]))
    assert kept.share[0] == 1.0
    assert kept.seen(since=1.2).all()
    assert not kept.seen(since=1.6).any()


def test_places_of_a_map_are_where_a_body_can_be(ways):
    space = ways.space(walls=[([2.0, -9.0, 0.0], [4.0, 9.0, 3.0])])
    places = CharacterMap(MapOptions(cell=1.0), space, 1).places
    assert len(places) > 600
    assert not ((places[:, 0] > 1.7) & (places[:, 0] < 4.3) & (np.abs(places[:, 1]) < 9)).any()
    with pytest.raises(InputError, match=r"`map\.cell`: 0\.1 m makes"):
        CharacterMap(MapOptions(cell=0.1), space, 1)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"idle": "sleep"}, "`groups[0].behavior.idle`: no goal named `sleep`"),
        ({"rules": [{"when": "wolf.sen", "goal": "flee"}]}, "did you mean `wolf.seen`"),
        ({"rules": [{"when": "true", "goal": "fle"}]}, "`rules[0].goal`: no goal named `fle`"),
        ({"rules": [{"when": "true", "goal": "flee", "timer": -1.0}]}, "`timer`"),
        ({"rules": [{"when": "true", "gaol": "flee"}]}, "did you mean `goal`"),
        ({"goals": {"run away": GRAZE}}, "must be one word"),
        ({"goals": {**SHEEP["goals"], "graze": {"behaviors": ["pursue"]}}}, "`goals.graze`"),
        (
            {"goals": {"graze": {"behaviors": ["sek"]}}},
            "`groups[0].behavior.goals.graze`: `behaviors[0]`: no steering",
        ),
        ({"mental": {"fear": {"rat": 1.0}}}, "did you mean `rate`"),
        ({"mental": {"speed": {}}}, "`speed`: two state variables have this name"),
        ({"map": {"cell": 0.0}}, "`cell` must be positive"),
    ],
)
def test_wrong_tables_are_refused_by_key(ways, table, said):
    with pytest.raises(InputError, match=re.escape(said)):
        acting(ways, **table)


def test_groups_with_blanks_in_their_names_can_be_spelled():
    names = variable_names(("group 1",), ("graze",), ("fear",), ("nose",))
    assert {"group_1.seen", "goal.graze", "fear", "nose", "time"} <= set(names)
