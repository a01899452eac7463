"""Who moves on steadily faces where it goes."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import length, unit
from rmp3d.models import Character
from rmp3d.recording import Header
from rmp3d.verification.attitude import NAVIGATING
from rmp3d.verification.blocks import Block
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.limits import HEADING
from rmp3d.verification.riding import Riders

BRISK = 0.3
"""Who is slower [m/s] in plan may step aside, or back."""
STEADY = np.radians(30.0)
"""A course that stays within this angle [rad] of where it began is one course."""
LAG = 1.0
"""After this time [s], and that of half a turn, the heading has come to the course."""
BESIDE = np.radians(75.0)
"""But for this angle [rad]: bodies sway without turning, and courses change."""
LEVEL = 0.5
"""A heading with a shorter part in plan says nothing about it."""


class FacingCheck:
    """Checks that members do not go sideways or backward for long.

    A walker or flyer that has moved in one direction in plan, within `STEADY`, for half a turn at
    its `max_turn_rate` and `LAG` longer faces that direction, within `BESIDE`.

    Of who rides on a part that carries, the motion on that part counts.

    Not checked: vehicles with a turn radius on the ground (their course is checked exactly), what
    can move backward, or turns by a moment of inertia; behaviors that turn bodies as they like,
    and what members do after they have arrived.
    """

    def __init__(
        self,
        characters: Sequence[Character],
        dt: float,
        header: Header,
        riders: Riders | None = None,
    ) -> None:
        self._dt, self._riders = dt, riders
        follows = [
            each.behavior["name"] in NAVIGATING and each.afterwards is None
            for each in header.scenario.groups
        ]
        changed = {each.group for each in header.scenario.changes if each.afterwards is not None}
        for row, group in enumerate(header.scenario.groups):
            follows[row] &= group.name not in changed
        own = np.array([_faces_ahead(each) for each in characters], np.bool_)
        self._checked = np.array(follows, np.bool_)[header.group_of] & own[header.character_of]
        rate = np.array([max(each.parameters.max_turn_rate, 1e-6) for each in characters])
        self._after = (np.pi / rate + LAG)[header.character_of] / dt
        self._began = np.zeros((header.member_count, 3))
        self._steps = np.zeros(header.member_count)

    def check(self, block: Block, log: FindingLog) -> None:
        """Mark the motions in which a member faces elsewhere than where it goes."""
        members = np.flatnonzero(self._checked)
        if len(members) == 0 or block.motions == 0:
            return
        stop = block.motions + 1
        motion = np.diff(block.position[:stop, members], axis=0)
        if self._riders is not None and self._riders.parts:  # who rides goes nowhere by itself
            motion = motion - self._riders.shift(block)[: block.motions, members]
        motion = motion * np.array([1.0, 1.0, 0.0])
        there = block.there[:stop, members]
        brisk = (length(motion) > BRISK * self._dt) & there[1:] & there[:-1]
        course = unit(motion)
        heading = rotate(block.orientation_wxyz[1:stop, members], HEADING) * [1.0, 1.0, 0.0]
        level = length(heading) > LEVEL
        off = np.arccos(np.clip(np.einsum("tni,tni->tn", unit(heading), course), -1.0, 1.0))
        lasts = np.array(
            [self._goes_on(members, *each) for each in zip(course, brisk, strict=True)]
        )
        log.mark(
            "facing", lasts & level & (off > BESIDE), first=block.first, members=members, rank=off,
            lasts=1,
            text=lambda row, column: (
                f"member {members[column]} faces {np.degrees(off[row, column]):.3g} degrees beside "
                "where it has gone for long"
            ),
        )  # fmt: skip

    def _goes_on(self, members: np.ndarray, course: np.ndarray, brisk: Bool) -> Bool:
        """Note one motion of each member (n,); return who has kept its course for long."""
        began, steps = self._began[members], self._steps[members]
        same = brisk & (np.einsum("ni,ni->n", began, course) >= np.cos(STEADY))
        self._began[members] = np.where(same[:, None], began, np.where(brisk[:, None], course, 0.0))
        self._steps[members] = np.where(same, steps + 1, 0.0)
        found: Bool = same & (self._steps[members] > self._after[members])
        return found


def _faces_ahead(character: Character) -> bool:
    """Return whether a body turns to where it moves, at its own rate."""
    own = character.parameters
    turns = character.vehicle == "flying" or (
        character.vehicle == "hugging" and own.turn_radius == 0.0
    )
    return turns and own.reverse == 0.0 and not np.isfinite(character.turn_acceleration)
