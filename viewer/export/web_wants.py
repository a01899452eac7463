"""What members want, in the replay page: slots, subgoals, and what steering asks for."""

from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.export.keyframes import position_keys
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.playback.playback import Playback

TOLERANCE, STEP = 0.05, 0.02
"""How far [m] slots and subgoals may be off, and what they are rounded to."""
FORCE_EVERY = 0.2
"""Forces are stated about so often [s]."""
FORCE_UNIT = 0.02
"""What they are rounded to, in parts of what the member can exert."""
MOST_FORCES = 20_000
"""Numbers a second; where each behavior's would be more, there is the sum only."""


def add_wants(pack: Pack, playback: Playback, first: int = 0) -> dict[str, Any]:
    """Add slots, subgoals and forces, from a frame on; return what the head has to say of them.

    Args:
        pack: Where to.
        playback: What is shown.
        first: A frame at which motions have keys, see `first_news`.
    """
    slotted, slots = _slots(playback, first)
    if slotted:
        _add_keys(pack, "slot", slots)
    if playback.subgoal is not None:
        _add_keys(pack, "subgoal", np.asarray(playback.subgoal[first:], float))
    return {
        "want_step": STEP,
        "slotted": slotted,
        "force": _add_forces(pack, playback, first),
    }


def _add_keys(pack: Pack, name: str, places: Float) -> None:
    grid = np.round(np.nan_to_num(places) / STEP)
    keys = position_keys(grid * STEP, None, TOLERANCE)
    pack.add_keys(name, keys, grid[keys.frame, keys.motion].astype(np.intp), 4)


def _slots(playback: Playback, first: int) -> tuple[list[int], Float]:
    """Return who has a slot, and the slots (T - first, N, 3) [m]; 0 for others."""
    found = np.zeros((playback.frame_count - first, playback.member_count, 3))
    slotted: list[int] = []
    for group, details in enumerate(playback.details):
        if details.slots_at(0.0) is None:
            continue
        rows = playback.members(group)
        slotted += rows.tolist()
        for frame in range(first, playback.frame_count):
            found[frame - first, rows] = details.slots_at(frame * playback.dt)
    return slotted, found


def _add_forces(pack: Pack, playback: Playback, first: int) -> dict[str, Any] | None:
    """Add forces (B, N, S, 3), of all behaviors or their sum; return what is to be said of them."""
    if playback.force is None or playback.member_count == 0:
        return None
    stride = 2 ** max(round(np.log2(FORCE_EVERY / playback.dt)), 0)  # divides where news begin
    rows = np.arange(first, playback.frame_count, stride)
    most = np.array([playback.characters[k].parameters.max_force for k in playback.character_of])
    asked = np.stack([np.asarray(playback.force[row], float) for row in rows])  # (S, B, N, 3)
    names = list(playback.force_names)
    if asked[0].size / (stride * playback.dt) > MOST_FORCES:
        asked, names = asked.sum(axis=1, keepdims=True), []
    steps = np.round(np.nan_to_num(asked) / most[:, None] / FORCE_UNIT)
    steps = np.clip(steps, -(2**15) + 1, 2**15 - 1).astype(np.intp)
    pack.add_integers("force", steps.transpose(1, 2, 0, 3).reshape(-1), 2)
    return {
        "names": names,
        "stride": stride,
        "first": first // stride,
        "samples": len(rows),
        "unit": FORCE_UNIT,
    }
