"""The formation of a group for several others at once."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.viewer.panel.several_groups import share_formation
from rmp3d.viewer.panel.state import PanelState

WEDGE = {"name": "wedge", "angle": 60.0}


def group(name, behavior="narrow_passages", **options):
    return {"name": name, "members": 1, "behavior": {"name": behavior, **options}}


TABLE = {
    "name": "yards",
    "scene": {"name": "parking"},
    "groups": [
        group("a", formation=WEDGE),
        group("b", formation="line"),
        group("c", formation="column"),
        group("d", "steering"),
    ],
}


@pytest.fixture
def state(script, whole):
    state = PanelState(script, TABLE)
    state.playback = replace(
        whole, group_of=np.array([0, 1, 2]), group_names=("a", "b", "c", "d"),
        formation_of=np.full((len(whole.position), 4), -1), paths=(), details=(),
    )  # fmt: skip
    return state


def formations(state):
    return [each["behavior"].get("formation") for each in state.draft.groups]


def test_all_groups_with_a_formation_get_that_of_the_chosen_one(state):
    share_formation(state)
    assert formations(state) == [WEDGE, WEDGE, WEDGE, None]
    assert state.notice.text == "the same formation: b, c"
    state.draft.set(["groups", 0, "behavior", "formation", "angle"], 30.0)
    assert formations(state)[1] == WEDGE, "each has its own"


def test_only_groups_of_selected_members_get_it_and_a_run_takes_it_at_once(state, script):
    state.phase = "running"
    state.intervening.selected = (0, 2)
    share_formation(state)
    assert formations(state) == [WEDGE, "line", WEDGE, None]


def test_a_group_without_a_formation_has_none_to_give(state):
    state.draft.group = 3
    share_formation(state)
    assert state.notice.is_error
    assert formations(state) == [WEDGE, "line", "column", None]
