"""Options of group behaviors can be objects, and are written as what a file would say."""

import numpy as np
import pytest

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.behaviors.combining import Priority
from rmp3d.behaviors.formations import Arrow, Column, Line
from rmp3d.behaviors.groups import (
    Acting,
    Goal,
    Herded,
    MentalVariable,
    NarrowPassages,
    Rule,
    Steering,
    Trigger,
    WeightedBehavior,
)
from rmp3d.behaviors.perception import ViewCone, Zone
from rmp3d.behaviors.steering import Alignment, Seek, Separation
from rmp3d.geometry import InputError
from rmp3d.geometry.choices import choose, table_of


class Pairs:
    """A formation of the user's own, in no registry."""

    def slots(self, count, spacing):
        row = np.arange(count)
        return spacing * np.column_stack([row // 2, 0.5 - row % 2, np.zeros(count)])


def table(behavior):
    return table_of(GROUP_BEHAVIORS, behavior)


def test_a_formation_is_a_name_a_table_or_an_object():
    said = table(
        NarrowPassages(Line(abreast=5), [Arrow(30.0), "circle"], after_passages=[Column(2)])
    )
    assert said == {
        "name": "narrow_passages",
        "formation": {"name": "line", "abreast": 5},
        "alternatives": [{"name": "arrow", "angle_deg": 30.0}, "circle"],
        "after_passages": [{"name": "column", "abreast": 2}],
    }
    assert table(choose(GROUP_BEHAVIORS, said)) == said
    assert table(NarrowPassages("line")) == table(NarrowPassages(Line()))
    assert table(NarrowPassages("line")) == {"name": "narrow_passages"}


def test_the_same_formations_are_planned_however_they_are_said(walkers):
    said = [
        NarrowPassages("arrow", ("line",), spacing=1.2),
        NarrowPassages(Arrow(), (Line(),), spacing=1.2),
        NarrowPassages({"name": "arrow"}, ({"name": "line"},), spacing=1.2),
    ]
    plans = [each.planned(walkers)[0] for each in said]
    for plan in plans[1:]:
        assert [o.formation for o in plan.options] == [o.formation for o in plans[0].options]
        np.testing.assert_array_equal(plan.choice, plans[0].choice)
    assert said[1].clearance_wanted(5, walkers.character) == said[0].clearance_wanted(
        5, walkers.character
    )


def test_a_formation_in_no_registry_works_but_cannot_be_written(walkers):
    own = NarrowPassages(Pairs(), spacing=1.2)
    run = own.begin(walkers)
    assert run.formations[0] == "pairs"
    assert run.start.shape == (5, 3)
    with pytest.raises(InputError, match="must be"):
        table(own)


def test_a_formation_of_another_kind_is_refused():
    with pytest.raises(InputError, match="`formation`: `seek` is a steering behavior, not a form"):
        NarrowPassages(Seek())
    with pytest.raises(InputError, match=r"`alternatives\[0\]`: give an object, `Line\(...\)`"):
        NarrowPassages("line", (Line,))


def test_steering_behaviors_are_names_tables_objects_or_objects_with_a_weight():
    objects = Steering(
        behaviors=[
            Seek(),
            (Separation(), 2.0),
            WeightedBehavior(Alignment(), weight=0.5, among="all"),
            "cohesion",
            {"name": "wander", "weight": 0.3},
        ],
        combining=Priority(),
        perception=ViewCone(),
        target=(1.0, 2.0, 0.0),
    )
    assert [(part.weight, part.among) for part in objects.parts()] == [
        (1.0, "all"), (2.0, "all"), (0.5, "all"), (1.0, "own"), (0.3, "all"),
    ]  # fmt: skip
    said = table(objects)
    assert said == {
        "name": "steering",
        "behaviors": [
            {"name": "seek"},
            {"name": "separation", "weight": 2.0},
            {"name": "alignment", "weight": 0.5, "among": "all"},
            "cohesion",
            {"name": "wander", "weight": 0.3},
        ],
        "combining": {"name": "priority"},
        "perception": {"name": "view_cone"},
        "target": [1.0, 2.0, 0.0],
    }
    again = choose(GROUP_BEHAVIORS, said)
    assert again.parts() == objects.parts()
    assert again.scheme() == objects.scheme()
    assert again.senses() == objects.senses()
    assert table(again) == said


def test_a_perception_that_is_the_default_is_left_out():
    assert table(Herded(behaviors=["wander"], perception=Zone())) == {
        "name": "herded",
        "behaviors": ["wander"],
    }


@pytest.mark.parametrize(
    ("behaviors", "message"),
    [
        ([Line()], r"`behaviors\[0\]`: `line` is a formation, not a steering behavior"),
        ([(Seek(), -1.0)], r"`behaviors\[0\]`: `weight` must be a number of 0 or more"),
        ([WeightedBehavior(Seek(), probability=2.0)], "`probability` must be a number"),
        ([None], r"`behaviors\[0\]`: needs a `name`"),
    ],
)
def test_wrong_steering_behaviors_are_refused_by_their_place(behaviors, message):
    with pytest.raises(InputError, match=message):
        Steering(behaviors=behaviors)


def test_goals_rules_and_mental_variables_are_objects_too():
    own = Acting(
        goals={
            "eat": Goal(behaviors=[(Seek(), 1.5)], target="pasture", until="hunger < 0.1"),
            "rest": Goal(behaviors=[]),
        },
        idle="rest",
        mental={"hunger": MentalVariable(start=0.2, rate=0.05)},
        triggers=[Trigger("hunger", "speed > 1", rate=0.1)],
        rules=[Rule(when="hunger > 0.8", goal="eat", priority=2.0)],
    )
    said = table(own)
    assert said == {
        "name": "acting",
        "goals": {
            "eat": {
                "behaviors": [{"name": "seek", "weight": 1.5}],
                "target": "pasture",
                "until": "hunger < 0.1",
            },
            "rest": {"behaviors": []},
        },
        "idle": "rest",
        "mental": {"hunger": {"start": 0.2, "rate": 0.05}},
        "triggers": [{"variable": "hunger", "when": "speed > 1", "rate": 0.1}],
        "rules": [{"when": "hunger > 0.8", "goal": "eat", "priority": 2.0}],
    }
    assert table(choose(GROUP_BEHAVIORS, said)) == said
