"""Speed and force limits, and motion along the heading, from recorded poses."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import length, unit
from rmp3d.models import Character
from rmp3d.recording.layout import ORIENTATION_STEP, POSITION_STEP
from rmp3d.verification.blocks import Block
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.riding import Riders

SHARE = 1e-3
"""A value may exceed its limit by this share, besides the rounding of recorded numbers."""
HEADING = np.array([1.0, 0.0, 0.0])
HEADING_ROUNDING = 8 * ORIENTATION_STEP
"""Error [rad] of the turn between two recorded headings: each quaternion is rounded in four
components, by half a step each, and the angle changes by twice the length of that."""
VELOCITY_ROUNDING = 2 * POSITION_STEP
"""Error of a velocity times the time step [m]: two positions are rounded in three components, by
half a step each."""

HEADING_SLACK = 1e-3
"""A vehicle with a turn radius may move at this angle [rad] to its heading."""


class LimitCheck:
    """Checks that each member stays within the limits of its vehicle.

    For a walker, motion in plan is checked: the ground carries the vertical part. Forces along and
    across the motion must be within an ellipse, of `max_force` (against the motion, `max_braking`)
    and `max_side_force`. The slower a member is, the less exact is the direction of its motion, and
    so the parts of the force; at rest, only the whole force is checked.

    Of who rides on a part that carries, the motion on that part counts: the part does the rest.
    """

    def __init__(
        self, characters: Sequence[Character], dt: float, riders: Riders | None = None
    ) -> None:
        self._dt, self._riders = dt, riders
        self._characters = characters

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the findings of a block."""
        for kind, character in enumerate(self._characters):
            members = np.flatnonzero(block.body_of == kind)
            if len(members) == 0 or block.motions == 0:
                continue
            motion = np.diff(block.position[:, members], axis=0)  # (B or B + 1, n, 3)
            if self._riders is not None and self._riders.parts:
                motion = motion - self._riders.shift(block)[:, members]
            if character.grounded:
                motion = motion * np.array([1.0, 1.0, 0.0])
            velocity = motion / self._dt
            here = _Limits(self._dt, block, members, character, velocity, log)
            here.start()
            here.speed()
            here.force()
            here.radius()
            here.course()
            here.backward()


class _Limits:
    """The members of one kind in one block, and their velocities (B or B + 1, n, 3)."""

    def __init__(
        self,
        dt: float,
        block: Block,
        members: np.ndarray,
        character: Character,
        velocity: Float,
        log: FindingLog,
    ) -> None:
        self._dt, self._block, self._members, self._log = dt, block, members, log
        self._parameters, self._grounded = character.parameters, character.grounded
        self._velocity, self._motion = velocity, velocity[: block.motions]

    def start(self) -> None:
        """Mark members that begin faster than their thrust allows: a run starts at rest."""
        if self._block.first:
            return
        speed = length(self._velocity[:1])
        limit = self._parameters.max_force / self._parameters.mass * self._dt
        over = speed > limit * (1 + SHARE) + VELOCITY_ROUNDING / self._dt

        def text(motion: int, row: int) -> str:
            return (
                f"{self._name(row)} begins at {speed[motion, row]:.4g} m/s; "
                f"from rest it reaches {limit:.4g} m/s in a time step"
            )

        self._log.mark(
            "start", over, first=0, members=self._members, text=text, rank=speed, lasts=1
        )

    def speed(self) -> None:
        """Mark motions that are too fast."""
        limit, speed = self._parameters.max_speed, length(self._motion)
        over = speed > limit * (1 + SHARE) + VELOCITY_ROUNDING / self._dt
        self._mark("speed", "m/s", over, speed, limit)

    def force(self) -> None:
        """Mark changes of velocity that need too much force."""
        parameters, velocity = self._parameters, self._velocity
        force = np.diff(velocity, axis=0) / self._dt * parameters.mass  # (B, n, 3)
        ahead = unit(velocity[:-1])
        along = np.einsum("tni,tni->tn", force, ahead)
        across, whole = length(force - along[..., None] * ahead), length(force)
        most = np.where(along < 0.0, parameters.max_braking, parameters.max_force)
        side = parameters.max_side_force or parameters.max_force
        noise = 2 * parameters.mass * VELOCITY_ROUNDING / self._dt**2
        mixed = noise + self._course_rounding(velocity[:-1]) * whole
        use = np.hypot(
            np.maximum(np.abs(along) - mixed, 0.0) / most, np.maximum(across - mixed, 0.0) / side
        )
        # Who leaves is taken to stand from then on, but has not braked.
        there = self._block.there[:, self._members]
        leaves = there[1 : len(use) + 1] & ~there[2 : len(use) + 2]
        largest = max(parameters.max_force, parameters.max_braking, side)
        use = np.where(leaves, 0.0, np.maximum(use, (whole - noise) / largest))

        def text(motion: int, row: int) -> str:
            at = motion, row
            return (
                f"{self._name(row)}: force {along[at]:.4g} N along and {across[at]:.4g} N across "
                f"the motion, allowed {most[at]:.4g} and {side:.4g}, within an ellipse"
            )

        self._log.mark(
            "force", use > 1 + SHARE, first=self._block.first, members=self._members, text=text,
            rank=use, lasts=1,
        )  # fmt: skip

    def radius(self) -> None:
        """Mark turns of the motion that are tighter than the turn radius allows."""
        limit = self._parameters.turn_radius
        if limit == 0.0:
            return
        before, after = self._velocity[:-1], self._velocity[1:]
        angle = np.arctan2(length(np.cross(before, after)), np.einsum("tni,tni->tn", before, after))
        noise = self._course_rounding(before) + self._course_rounding(after)
        distance = length(before) * self._dt
        over = (angle - noise) * limit > distance * (1 + SHARE)
        radius = distance / np.maximum(angle, 1e-12)
        self._mark("turn_radius", "m", over, radius, limit, rank=-radius)

    def course(self) -> None:
        """Mark motions that are neither along the heading at their end nor straight backward.

        Only vehicles on the ground with a turn radius are checked, in plan. Only vehicles that can
        reverse may move backward.
        """
        if self._parameters.turn_radius == 0.0 or not self._grounded:
            return
        heading, motion = self._heading(), self._motion[..., :2]
        turned = heading[..., 0] * motion[..., 1] - heading[..., 1] * motion[..., 0]
        ahead = np.einsum("tni,tni->tn", heading, motion)
        if self._parameters.reverse > 0.0:
            ahead = np.abs(ahead)
        angle = np.abs(np.arctan2(turned, ahead))
        rounding = HEADING_ROUNDING / np.maximum(length(heading), 1e-12)
        over = angle > rounding + self._course_rounding(motion) + HEADING_SLACK
        self._mark("course", "degrees", over, np.degrees(angle), 0.0)

    def backward(self) -> None:
        """Mark motions backward that are too fast, of vehicles that can go backward."""
        limit = self._parameters.reverse
        if limit == 0.0:
            return
        ahead = np.einsum("tni,tni->tn", self._heading(), self._motion[..., :2])
        speed = np.where(ahead < 0.0, length(self._motion), 0.0)
        over = speed > limit * (1 + SHARE) + VELOCITY_ROUNDING / self._dt
        self._mark("reverse", "m/s", over, speed, limit)

    def _heading(self) -> Float:
        """Return the headings in plan (B, n, 2) at the ends of a block's motions."""
        orientation = self._block.orientation_wxyz[1 : self._block.motions + 1, self._members]
        return rotate(orientation, HEADING)[..., :2]

    def _course_rounding(self, velocity: Float) -> Float:
        """Return the error [rad] of the directions of velocities (..., 3)."""
        return VELOCITY_ROUNDING / self._dt / np.maximum(length(velocity), 1e-12)

    def _name(self, row: int) -> str:
        return f"member {self._members[row]}"

    def _mark(
        self,
        kind: str,
        unit_name: str,
        over: Bool,
        value: Float,
        limit: float,
        rank: Float | None = None,
    ) -> None:
        """Mark the (motion, member) that are ``over``."""

        def text(motion: int, row: int) -> str:
            return (
                f"{self._name(row)}: {kind.replace('_', ' ')} {value[motion, row]:.4g} "
                f"{unit_name}, allowed {limit:.4g}"
            )

        self._log.mark(
            kind, over, first=self._block.first, members=self._members, text=text,
            rank=value if rank is None else rank, lasts=1,
        )  # fmt: skip
