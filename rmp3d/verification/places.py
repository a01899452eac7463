"""Checks of positions: inside the bounds, in the goal."""

from collections.abc import Iterator, Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.recording.layout import POSITION_STEP
from rmp3d.scenario import ScenarioTable, goal_region
from rmp3d.scenes import Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.report import Finding

BOUNDS_TOLERANCE = 1e-5
"""A position may be this far [m] outside the bounds, because of rounding."""


class BoundsCheck:
    """Checks that every position is inside the scene's bounds."""

    def __init__(self, scene: Scene, dt: float) -> None:
        self._dt = dt
        self._bounds = scene.bounds

    def check(self, block: Block, log: FindingLog) -> None:
        """Mark the frames at which a member is outside."""
        position = block.position[: block.motions + 1]
        out = np.maximum(self._bounds[0] - position, position - self._bounds[1]).max(axis=2)
        log.mark(
            "out_of_bounds", (out > BOUNDS_TOLERANCE) & block.there[: block.motions + 1],
            first=block.first,
            members=np.arange(out.shape[1]), depth=out,
            text=lambda frame, member: (
                f"member {member} is {out[frame, member]:.3g} m outside the scene's bounds"
            ),
        )  # fmt: skip


class ArrivalCheck:
    """Checks that every member of a group with a goal is in the goal at the end.

    Who leaves before the end need not arrive. Of a group that says what its members do afterwards,
    they have to have been there.

    Attributes:
        regions: (G,) the goal of each group, as wide as recorded positions are rounded, or None.
        was_inside: (N,) whether each member was in its goal at some frame.
        last_outside: (N,) the last frame at which each member was not in its goal; -1: none.
        last_near: The last frame at which somebody that has to stay in its goal was outside, or so
            near its border that rounding counts; -1: none.
    """

    def __init__(self, scenario: ScenarioTable, scene: Scene, radii: Sequence[float]) -> None:
        """Prepare; ``radii`` (G,) are the radii [m] of each group's widest body."""
        regions = [
            goal_region(group, scene, radius)
            for group, radius in zip(scenario.groups, radii, strict=True)
        ]
        self.regions = [region and region.widened(POSITION_STEP) for region in regions]
        self._well_inside = [region and region.widened(-POSITION_STEP) for region in regions]
        self._names = [group.name for group in scenario.groups]
        rows = range(len(scenario.groups))
        self._may_leave = np.array([scenario.may_leave_goal(row) for row in rows])
        self.was_inside = np.empty(0, np.bool_)
        self.last_outside = np.empty(0, np.intp)
        self.last_near = -1
        self._has_goal = self._stays = np.empty(0, np.bool_)

    def note(self, block: Block, group_of: Index) -> None:
        """Note which members are outside their goals in a block, of those that are there."""
        if len(self.last_outside) == 0:
            self.last_outside = np.full(len(group_of), -1, np.intp)
            self.was_inside = np.zeros(len(group_of), np.bool_)
            self._has_goal = np.array([region is not None for region in self.regions])[group_of]
        position, there = block.position[: block.motions + 1], block.there[: block.motions + 1]
        self._stays = there[-1]
        for group, region in enumerate(self.regions):
            if region is None:
                continue
            members = np.flatnonzero(group_of == group)
            outside = ~region.contains(position[:, members].reshape(-1, 3)).reshape(
                len(position), len(members)
            )
            self.was_inside[members] |= (~outside & there[:, members]).any(axis=0)
            outside &= there[:, members]
            self._note_near(block, group, members, position, there)
            last = np.where(outside, np.arange(len(position))[:, None], -1).max(axis=0)
            seen = last >= 0
            self.last_outside[members[seen]] = block.first + last[seen]

    def _note_near(
        self, block: Block, group: int, members: Index, position: Float, there: Bool
    ) -> None:
        region = self._well_inside[group]
        if self._may_leave[group] or region is None or len(members) == 0:
            return
        inside = region.contains(position[:, members].reshape(-1, 3))
        out = there[:, members] & ~inside.reshape(len(position), len(members))
        frames = np.flatnonzero(out.any(axis=1))
        if len(frames):
            self.last_near = max(self.last_near, block.first + int(frames[-1]))

    def arrived(self, group_of: Index, frames: int) -> Bool:
        """Return which members (N,) with a goal have arrived, and are where they have to be."""
        inside = self.last_outside < frames - 1
        may_leave = self._may_leave[group_of] | ~self._stays
        return self._has_goal & self.was_inside & (inside | may_leave)

    @property
    def expected(self) -> Bool:
        """(N,) whether the member has a goal, and is there at the end or has been in it."""
        return self._has_goal & (self._stays | self.was_inside)

    def findings(self, group_of: Index, frames: int, dt: float) -> Iterator[Finding]:
        """Yield the members with a goal that have not arrived."""
        end = (frames - 1) * dt
        for member in np.flatnonzero(self.expected & ~self.arrived(group_of, frames)):
            region = self.regions[group_of[member]]
            assert region is not None
            name = self._names[group_of[member]]
            when = "never in" if self._may_leave[group_of[member]] else "not in"
            end_of = "" if self._may_leave[group_of[member]] else " at the end"
            text = f"member {member} of `{name}` is {when} `{region.name}`{end_of}"
            yield Finding("not_arrived", end, end, (int(member),), None, None, text)
