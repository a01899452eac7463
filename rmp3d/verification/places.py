"""Checks of positions: inside the bounds, in the goal."""

from collections.abc import Iterator, Sequence

import numpy as np

from rmp3d.geometry.arrays import Index
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
            "out_of_bounds", out > BOUNDS_TOLERANCE, first=block.first,
            members=np.arange(out.shape[1]), depth=out,
            text=lambda frame, member: (
                f"member {member} is {out[frame, member]:.3g} m outside the scene's bounds"
            ),
        )  # fmt: skip


class ArrivalCheck:
    """Checks that every member of a group with a goal is in the goal at the end.

    Attributes:
        regions: (G,) the goal of each group, or None.
        last_outside: (N,) the last frame at which each member was not in its goal; -1: none.
        expected: (N,) whether the member has a goal.
    """

    def __init__(self, scenario: ScenarioTable, scene: Scene, radii: Sequence[float]) -> None:
        """Prepare; ``radii`` (G,) are the radii [m] of each group's widest body."""
        self.regions = [
            goal_region(group, scene, radius)
            for group, radius in zip(scenario.groups, radii, strict=True)
        ]
        self._names = [group.name for group in scenario.groups]
        self.last_outside = np.empty(0, np.intp)
        self.expected = np.empty(0, np.bool_)

    def note(self, block: Block, group_of: Index) -> None:
        """Note which members are outside their goals in a block."""
        if len(self.last_outside) == 0:
            self.last_outside = np.full(len(group_of), -1, np.intp)
            self.expected = np.array([region is not None for region in self.regions])[group_of]
        position = block.position[: block.motions + 1]
        for group, region in enumerate(self.regions):
            if region is None:
                continue
            members = np.flatnonzero(group_of == group)
            outside = ~region.contains(position[:, members].reshape(-1, 3)).reshape(
                len(position), len(members)
            )
            last = np.where(outside, np.arange(len(position))[:, None], -1).max(axis=0)
            seen = last >= 0
            self.last_outside[members[seen]] = block.first + last[seen]

    def findings(self, group_of: Index, frames: int, dt: float) -> Iterator[Finding]:
        """Yield the members that are not in their goal at the last frame."""
        end = (frames - 1) * dt
        for member in np.flatnonzero(self.last_outside == frames - 1):
            region = self.regions[group_of[member]]
            assert region is not None
            name = self._names[group_of[member]]
            text = f"member {member} of `{name}` is not in `{region.name}` at the end"
            yield Finding("not_arrived", end, end, (int(member),), None, None, text)
