"""Change several groups at once: those of the selected members, or all."""

import copy

import numpy as np

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.viewer.panel.files import Notice
from rmp3d.viewer.panel.forms import fields_of
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.texts import tr

KEY = "formation"


def share_formation(state: PanelState) -> None:
    """Give the formation of the chosen group to the groups of the selected members.

    If nobody of another group is selected, all groups get it that have one. A run takes it in all
    of them at the same moment.
    """
    draft = state.draft
    behavior = draft.chosen["behavior"]
    if not has_formation(behavior):
        state.refuse(tr("this group has no formation"))
        return
    taken = []
    for row in _selected(state) or range(len(draft.groups)):
        own = draft.groups[row]["behavior"]
        if row == draft.group or not has_formation(own):
            continue
        state.edit(["groups", row, "behavior", KEY], copy.deepcopy(behavior.get(KEY)))
        taken.append(str(draft.groups[row]["name"]))
    if taken:
        state.notice = Notice(tr("the same formation: {groups}", groups=", ".join(taken)))
    else:
        state.refuse(tr("no other group has a formation"))


def has_formation(behavior: dict) -> bool:
    """Return whether the behavior of a table is one that goes in a formation of its own."""
    name = str(behavior.get("name", ""))
    if name not in GROUP_BEHAVIORS:
        return False
    return any(field.name == KEY for field in fields_of(GROUP_BEHAVIORS[name]))


def _selected(state: PanelState) -> list[int]:
    """Return the rows of the other groups that have selected members."""
    playback = state.playback
    if playback is None:
        return []
    return [
        row
        for row in range(min(len(playback.group_names), len(state.draft.groups)))
        if row != state.draft.group
        and np.isin(playback.members(row), state.intervening.selected).any()
    ]
