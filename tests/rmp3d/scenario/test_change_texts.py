import pytest

from rmp3d.scenario import ChangeTable
from rmp3d.scenario.change_texts import change_in_words

ACTING = {
    "name": "acting",
    "idle": "round",
    "perception": {"name": "view_cone", "range": 12.0},
    "goals": {"round": {"go_to": ["east", "west"]}},
    "rules": [{"when": "true", "goal": "round"}],
}


@pytest.mark.parametrize(
    ("stated", "text"),
    [
        ({"rules": [{"when": "false", "goal": "round"}] * 2}, "rules 2"),
        ({"rules": []}, "rules none"),
        ({"goals": {"round": {}, "chase": {}}}, "goals round, chase"),
        ({"perception": {"name": "zone"}, "spacing": 1.23456}, "perception zone, spacing 1.235"),
        ({"alternatives": ["column", {"name": "arrow"}]}, "alternatives column, arrow"),
        ({"middle": [1.0, 2, 0.5]}, "middle [1, 2, 0.5]"),
        ({}, "as it was"),
    ],
)
def test_only_what_differs_is_named_and_no_table_is_spelled_out(stated, text):
    change = ChangeTable(time=1.0, group="a", behavior={**ACTING, **stated})
    assert change_in_words(change, ACTING) == text


def test_what_is_left_out_is_as_usual_and_a_limit_alone_changes_no_behavior():
    change = ChangeTable(time=1.0, group="a", behavior={"name": "acting", "idle": "round"})
    assert change_in_words(change, ACTING) == "perception as usual, goals as usual, rules as usual"
    limit = ChangeTable(time=1.0, group="a", speed_limit=0.5, send=[1.0, 2.0, 0.0])
    assert change_in_words(limit, ACTING) == "at most 0.5 m/s, sent to [1, 2, 0]"
