"""Speed, force and turning limits, and motion along the heading, from recorded poses."""

from collections.abc import Iterator, Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.rotations import angle_between, rotate
from rmp3d.geometry.vectors import length, unit
from rmp3d.models import Character
from rmp3d.recording.layout import ORIENTATION_STEP, POSITION_STEP
from rmp3d.verification.blocks import Block
from rmp3d.verification.report import Finding

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
    """

    def __init__(self, characters: Sequence[Character], dt: float) -> None:
        self._dt = dt
        self._characters = characters

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield the findings of a block."""
        for kind, character in enumerate(self._characters):
            members = np.flatnonzero(block.body_of == kind)
            if len(members) == 0 or block.motions == 0:
                continue
            position = block.position[:, members]
            if character.grounded:
                position = position * np.array([1.0, 1.0, 0.0])
            velocity = np.diff(position, axis=0) / self._dt  # (B or B + 1, n, 3)
            yield from self._speed(block, members, velocity[: block.motions], character)
            yield from self._force(block, members, velocity, character)
            yield from self._radius(block, members, velocity, character)
            yield from self._course(block, members, velocity[: block.motions], character)
            yield from self._backward(block, members, velocity[: block.motions], character)
            yield from self._turn(block, members, character)

    def _speed(
        self, block: Block, members: np.ndarray, velocity: Float, character: Character
    ) -> Iterator[Finding]:
        limit = character.parameters.max_speed
        speed = length(velocity)
        over = speed > limit * (1 + SHARE) + 2 * POSITION_STEP / self._dt
        yield from self._report("speed", "m/s", block, members, over, speed, limit)

    def _force(
        self, block: Block, members: np.ndarray, velocity: Float, character: Character
    ) -> Iterator[Finding]:
        parameters = character.parameters
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
        largest = max(parameters.max_force, parameters.max_braking, side)
        use = np.maximum(use, (whole - noise) / largest)
        for motion, row in np.argwhere(use > 1 + SHARE):
            at = motion, row
            text = (
                f"{along[at]:.4g} N along and {across[at]:.4g} N across the motion, "
                f"allowed {most[at]:.4g} and {side:.4g}, within an ellipse"
            )
            yield self._finding("force", block, int(members[row]), motion, f"force {text}")

    def _radius(
        self, block: Block, members: np.ndarray, velocity: Float, character: Character
    ) -> Iterator[Finding]:
        """Yield turns of the motion that are tighter than the turn radius allows."""
        limit = character.parameters.turn_radius
        if limit == 0.0:
            return
        before, after = velocity[:-1], velocity[1:]
        angle = np.arctan2(length(np.cross(before, after)), np.einsum("tni,tni->tn", before, after))
        noise = self._course_rounding(before) + self._course_rounding(after)
        distance = length(before) * self._dt
        over = (angle - noise) * limit > distance * (1 + SHARE)
        radius = distance / np.maximum(angle, 1e-12)
        yield from self._report("turn_radius", "m", block, members, over, radius, limit)

    def _course(
        self, block: Block, members: np.ndarray, velocity: Float, character: Character
    ) -> Iterator[Finding]:
        """Yield motions that are neither along the heading at their end nor straight backward.

        Only vehicles on the ground with a turn radius are checked, in plan. Only vehicles that can
        reverse may move backward.
        """
        parameters = character.parameters
        if parameters.turn_radius == 0.0 or not character.grounded:
            return
        heading, motion = self._heading(block, members), velocity[..., :2]
        turned = heading[..., 0] * motion[..., 1] - heading[..., 1] * motion[..., 0]
        ahead = np.einsum("tni,tni->tn", heading, motion)
        if parameters.reverse > 0.0:
            ahead = np.abs(ahead)
        angle = np.abs(np.arctan2(turned, ahead))
        rounding = HEADING_ROUNDING / np.maximum(length(heading), 1e-12)
        over = angle > rounding + self._course_rounding(motion) + HEADING_SLACK
        yield from self._report("course", "degrees", block, members, over, np.degrees(angle), 0.0)

    def _backward(
        self, block: Block, members: np.ndarray, velocity: Float, character: Character
    ) -> Iterator[Finding]:
        """Yield motions backward that are too fast, of vehicles that can go backward."""
        limit = character.parameters.reverse
        if limit == 0.0:
            return
        ahead = np.einsum("tni,tni->tn", self._heading(block, members), velocity[..., :2])
        speed = np.where(ahead < 0.0, length(velocity), 0.0)
        over = speed > limit * (1 + SHARE) + 2 * POSITION_STEP / self._dt
        yield from self._report("reverse", "m/s", block, members, over, speed, limit)

    def _heading(self, block: Block, members: np.ndarray) -> Float:
        """Return the headings in plan (B, n, 2) at the ends of a block's motions."""
        orientation = block.orientation_wxyz[1 : block.motions + 1, members]
        return rotate(orientation, HEADING)[..., :2]

    def _course_rounding(self, velocity: Float) -> Float:
        """Return the error [rad] of the directions of velocities (..., 3)."""
        return VELOCITY_ROUNDING / self._dt / np.maximum(length(velocity), 1e-12)

    def _turn(self, block: Block, members: np.ndarray, character: Character) -> Iterator[Finding]:
        """Yield turns of the heading that are too fast; of a carried body, all turns count."""
        limit = character.parameters.max_turn_rate
        if character.vehicle == "carried":
            turn = block.orientation_wxyz[: block.motions + 1, members]
            rate = angle_between(turn[:-1], turn[1:]) / self._dt
            over = rate > limit * (1 + SHARE) + HEADING_ROUNDING / self._dt
            yield from self._report("turn_rate", "rad/s", block, members, over, rate, limit)
            return
        heading = rotate(block.orientation_wxyz[: block.motions + 1, members], HEADING)
        chord = length(np.diff(heading, axis=0))
        rate = 2 * np.arcsin(np.clip(chord / 2, 0.0, 1.0)) / self._dt
        over = rate > limit * (1 + SHARE) + HEADING_ROUNDING / self._dt
        yield from self._report("turn_rate", "rad/s", block, members, over, rate, limit)

    def _report(
        self,
        kind: str,
        unit_name: str,
        block: Block,
        members: np.ndarray,
        over: Bool,
        value: Float,
        limit: float,
    ) -> Iterator[Finding]:
        """Yield a finding for each (motion, member) that is ``over``."""
        for motion, row in np.argwhere(over):
            text = (
                f"{kind.replace('_', ' ')} {value[motion, row]:.4g} {unit_name}, "
                f"allowed {limit:.4g}"
            )
            yield self._finding(kind, block, int(members[row]), motion, text)

    def _finding(self, kind: str, block: Block, member: int, motion: int, text: str) -> Finding:
        time = (block.first + motion) * self._dt
        return Finding(
            kind, time, time + self._dt, (member,), None, None, f"member {member}: {text}"
        )
