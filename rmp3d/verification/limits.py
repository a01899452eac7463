"""Speed, force and turn-rate limits, from differences of recorded poses."""

from collections.abc import Iterator, Sequence

import numpy as np

from geometry.arrays import Bool, Float
from geometry.rotations import rotate
from geometry.vectors import length, unit
from models import Character
from rmp3d.recording.layout import ORIENTATION_STEP, POSITION_STEP
from rmp3d.verification.blocks import Block
from rmp3d.verification.report import Finding

SHARE = 1e-3
"""How much, relatively, a limit may be passed: rounding of the recorded numbers aside."""
HEADING = np.array([1.0, 0.0, 0.0])
HEADING_ROUNDING = 8 * ORIENTATION_STEP
"""How far [rad] the turn between two recorded headings may be off: each is rounded in four
components, by half a step each, and turns by twice the length of that."""


class LimitCheck:
    """Holds every member to its vehicle's parameters.

    A walker's limits are those of its motion in plan: the ground takes the vertical part. The
    force against the motion may be `max_braking`, any other part `max_force`.
    """

    def __init__(self, characters: Sequence[Character], dt: float) -> None:
        self._dt = dt
        self._characters = characters

    def findings(self, block: Block) -> Iterator[Finding]:
        """Yield what goes beyond a limit in a block."""
        for kind, character in enumerate(self._characters):
            members = np.flatnonzero(block.body_of == kind)
            if len(members) == 0 or block.motions == 0:
                continue
            position = block.position[:, members]
            if character.vehicle == "hugging":
                position = position * np.array([1.0, 1.0, 0.0])
            velocity = np.diff(position, axis=0) / self._dt  # (B or B + 1, n, 3)
            yield from self._speed(block, members, velocity[: block.motions], character)
            yield from self._force(block, members, velocity, character)
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
        along = np.einsum("tni,tni->tn", force, ahead)[..., None] * ahead
        braking = np.einsum("tni,tni->tn", force, ahead) < 0.0
        rest = np.where(braking[..., None], force - along, force)
        noise = parameters.mass * 4 * POSITION_STEP / self._dt**2
        for part, limit, kind in (
            (length(rest), parameters.max_force, "force"),
            (length(along) * braking, parameters.max_braking, "braking force"),
        ):
            over = part > limit * (1 + SHARE) + noise
            yield from self._report("force", "N", block, members, over, part, limit, kind)

    def _turn(self, block: Block, members: np.ndarray, character: Character) -> Iterator[Finding]:
        limit = character.parameters.max_turn_rate
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
        name: str = "",
    ) -> Iterator[Finding]:
        """Yield a finding for each (motion, member) that is ``over``."""
        for motion, row in np.argwhere(over):
            member = int(members[row])
            time = (block.first + motion) * self._dt
            text = (
                f"member {member}: {name or kind.replace('_', ' ')} {value[motion, row]:.4g} "
                f"{unit_name}, allowed {limit:.4g}"
            )
            yield Finding(kind, time, time + self._dt, (member,), None, None, text)
