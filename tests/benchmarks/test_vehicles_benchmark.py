"""The study of vehicles: where they begin and go, and the table."""

import pytest

from benchmarks.vehicles import BEHAVIOR, CHARACTER, WAYS, cases_of, table
from rmp3d.scenes.builtin import builtin_description


@pytest.mark.parametrize("scene", WAYS)
def test_start_and_goal_are_regions_of_their_scene(scene):
    case = cases_of([scene])[scene]
    regions = builtin_description(case["scene.name"])[0].regions
    assert {case["groups.0.start"], case["groups.0.goal"]} <= set(regions)


def row(behavior, **figures):
    return {"case": "parking", CHARACTER: "car", BEHAVIOR: behavior, "seed": 0, **figures}


def test_the_table_tells_of_all_runs_of_a_row_and_of_those_that_were_refused():
    ran = {"members": 5, "jams": 1, "findings": 0, "reason": ""}
    late = ran | {"arrived": 3, "last_arrival": 4.0, "findings": 1, "reason": "contact"}
    lines = list(
        table([
            row("self_guided", **ran, arrived=5, last_arrival=20.0),
            row("self_guided", **ran, arrived=5, last_arrival=30.0),
            row("narrow_passages", **late),
            row("narrow_passages", reason="no path"),
        ])
    )  # fmt: skip
    assert lines[2] == "| parking | car | self_guided | 2 | 10/10 | 25 | 2 | none |"
    assert lines[3] == "| parking | car | narrow_passages | 2 | 3/5 |  | 1 | contact; no path |"
    assert len({line.count("|") for line in lines}) == 1
