"""Checks of positions: on the ground, inside the bounds, in the goal."""

from collections.abc import Iterator, Sequence

import numpy as np

from rmp3d.geometry.arrays import Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import Character
from rmp3d.scenario import ScenarioTable, goal_region
from rmp3d.scenes import Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.report import Finding

GROUND_TOLERANCE = 0.01
"""Largest distance [m] between the feet of a walker and the ground."""
STEP_HEIGHT = 0.02
"""Height [m] of a curb between two walkable triangles that a walk can cross."""
BOUNDS_TOLERANCE = 1e-5
"""A position may be this far [m] outside the bounds, because of rounding."""


class GroundCheck:
    """Checks that feet are on the walkable surface in every frame and never jump between levels."""

    def __init__(self, scene: Scene, characters: Sequence[Character], dt: float) -> None:
        self._dt = dt
        self._walks = np.array([character.grounded for character in characters])
        self._ground = None
        if self._walks.any() and scene.walkable is not None:
            self._ground = MeshQuery(scene.walkable)
        self._steepest = float(np.tan(scene.max_slope))

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield the frames off the ground, and the motions that change level."""
        members = np.flatnonzero(self._walks[block.body_of])
        if len(members) == 0:
            return
        feet = block.position[: block.motions + 1, members]
        off = np.full(feet.shape[:2], np.inf)
        if self._ground is not None:
            off = self._ground.closest_point(feet.reshape(-1, 3))[0].reshape(off.shape)
        for frame, row in np.argwhere(off > GROUND_TOLERANCE):
            time, member = (block.first + frame) * self._dt, int(members[row])
            depth = float(off[frame, row])
            text = f"member {member} is {depth:.3g} m off the ground"
            yield Finding("off_ground", time, time, (member,), None, depth, text)
        steps = np.diff(feet, axis=0)
        climb = np.abs(steps[..., 2])
        allowed = (
            self._steepest * np.hypot(steps[..., 0], steps[..., 1])
            + STEP_HEIGHT
            + 2 * GROUND_TOLERANCE
        )
        for frame, row in np.argwhere(climb > allowed):
            time, member = (block.first + frame) * self._dt, int(members[row])
            depth = float(climb[frame, row])
            text = f"member {member} changes height by {depth:.3g} m in one motion"
            yield Finding("level_jump", time, time + self._dt, (member,), None, depth, text)


class BoundsCheck:
    """Checks that every position is inside the scene's bounds."""

    def __init__(self, scene: Scene, dt: float) -> None:
        self._dt = dt
        self._bounds = scene.bounds

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield the frames at which a member is outside."""
        position = block.position[: block.motions + 1]
        out = np.maximum(self._bounds[0] - position, position - self._bounds[1]).max(axis=2)
        for frame, member in np.argwhere(out > BOUNDS_TOLERANCE):
            time, depth = (block.first + frame) * self._dt, float(out[frame, member])
            text = f"member {member} is {depth:.3g} m outside the scene's bounds"
            yield Finding("out_of_bounds", time, time, (int(member),), None, depth, text)


class ArrivalCheck:
    """Checks that every member of a group with a goal is in the goal at the end.

    Attributes:
        last_outside: (N,) the last frame at which each member was not in its goal; -1: none.
        expected: (N,) whether the member has a goal.
    """

    def __init__(self, scenario: ScenarioTable, scene: Scene, radii: Sequence[float]) -> None:
        """Prepare; ``radii`` (G,) are the radii [m] of each group's widest body."""
        self._regions = [
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
            self.expected = np.array([region is not None for region in self._regions])[group_of]
        position = block.position[: block.motions + 1]
        for group, region in enumerate(self._regions):
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
            region = self._regions[group_of[member]]
            assert region is not None
            name = self._names[group_of[member]]
            text = f"member {member} of `{name}` is not in `{region.name}` at the end"
            yield Finding("not_arrived", end, end, (int(member),), None, None, text)
