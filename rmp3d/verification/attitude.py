"""How bodies turn and stand: turn rate, roll, uprightness, no turns on the spot."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.rotations import angle_between, rotate
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.models.vehicle import BUILT_IN
from rmp3d.recording import Header
from rmp3d.recording.layout import POSITION_STEP
from rmp3d.scenes import Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.limits import HEADING, HEADING_ROUNDING, SHARE
from rmp3d.verification.slopes_around import SlopesAround

UP = np.array([0.0, 0.0, 1.0])
ROLL_TIME = {"flying": 0.25, "hugging": 0.3}
"""Time [s] in which the roll of a vehicle follows the lift of its turn, or the slope."""
TILT_SLACK = 1e-3
"""A walker may stand this much [rad] off its up, because of rounding."""
STRAIGHT_UP = np.radians(89.9)
"""A flyer that pitches so far [rad] may loop, and roll all the way round."""
STEEPEST_ROLL = np.radians(75.0)
"""How far [rad] a flyer rolls of which nothing is said."""
NAVIGATING = (
    "narrow_passages", "self_guided", "leader_following", "circle_following", "goal_search", "crowd"
)  # fmt: skip
"""Behaviors that let flyers turn and roll as their course does; others turn them as they like."""
STANDING = 4 * POSITION_STEP
"""A vehicle with a turn radius that moves no further [m] in a time step stands."""


class AttitudeCheck:
    """Checks how each member turns about its axes, and that walkers stand upright.

    A walker that does not lean has its up axis along z. One that leans follows the ground's normal,
    and its nose goes up and down the slope; how far it leans so, `SlopesAround` bounds. It leans up
    to its `max_pitch` and `max_roll` only: the product of their cosines is another bound.

    Roll is turning about the heading. The vehicles' roll follows a goal, with a share
    ``r = 1 - exp(-dt / T)`` of the difference in each time step (`ROLL_TIME`); so it turns by at
    most ``asin(r / (1 - r))`` in a step. A behavior may instead turn the whole body, at most at
    `max_turn_rate` about any axis.

    A flyer without a turn radius whose pitch is limited pitches up to its `max_pitch`, and rolls up
    to its `max_roll`, or `STEEPEST_ROLL`; but behaviors that are not among `NAVIGATING` may turn it
    as they like.
    """

    def __init__(
        self, scene: Scene, characters: Sequence[Character], dt: float, header: Header
    ) -> None:
        self._dt = dt
        follows = [each.behavior["name"] in NAVIGATING for each in header.scenario.groups]
        self._follows = np.array(follows, np.bool_)[header.group_of]
        self._characters = characters
        self._slopes = SlopesAround(scene, dt, header.member_count)

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the findings of a block."""
        for kind, character in enumerate(self._characters):
            members = np.flatnonzero(block.body_of == kind)
            if len(members) == 0:
                continue
            here = _Attitudes(self._dt, block, members, character, log)
            if character.vehicle == "hugging":
                here.upright(self._slopes)
            if character.vehicle == "flying":
                here.banked(self._follows[members])
            if block.motions:
                here.turn()
                here.roll()
                here.pivot()


class _Attitudes:
    """The members of one kind in one block, and their orientations (B + 1 or B + 2, n, 4)."""

    def __init__(
        self,
        dt: float,
        block: Block,
        members: np.ndarray,
        character: Character,
        log: FindingLog,
    ) -> None:
        self._dt, self._block, self._members, self._log = dt, block, members, log
        self._parameters, self._vehicle = character.parameters, character.vehicle
        self._grounded = character.grounded
        self._orientation = block.orientation_wxyz[:, members]
        self._heading = rotate(self._orientation, HEADING)
        start = self._orientation[: block.motions]
        end = self._orientation[1 : block.motions + 1]
        self._rotation = angle_between(start, end)  # (B, n), about any axis
        self._turn = _angle(self._heading[: block.motions], self._heading[1 : block.motions + 1])

    def upright(self, slopes: SlopesAround) -> None:
        """Mark frames at which a walker's up axis is further from z than it leans."""
        count, own = self._block.motions + 1, self._parameters
        up = rotate(self._orientation[:count], UP)
        tilt = _angle(up, np.broadcast_to(UP, up.shape))
        limit = np.zeros(tilt.shape)
        if own.lean > 0.0:
            most = np.arccos(np.clip(np.cos(own.max_pitch) * np.cos(own.max_roll), -1.0, 1.0))
            limit = np.minimum(most, slopes.lean(self._block, self._members))
        over = tilt > limit + TILT_SLACK + HEADING_ROUNDING

        def line(row: int, column: int) -> str:
            at = row, column
            return (
                f"member {self._members[column]}: tilt {np.degrees(tilt[at]):.4g} degrees, allowed "
                f"{np.degrees(limit[at]):.4g}"
            )

        self._log.mark(
            "upright", over, first=self._block.first, members=self._members, text=line,
            rank=tilt - limit,
        )  # fmt: skip

    def banked(self, follows: Bool) -> None:
        """Mark frames at which a flyer's nose, or its roll, is beyond its limits.

        Args:
            follows: (n,) whether the members' behaviors turn them as their course does.
        """
        own = self._parameters
        if own.max_pitch >= STRAIGHT_UP or own.turn_radius > 0.0:
            return
        count, slack = self._block.motions + 1, TILT_SLACK + HEADING_ROUNDING
        heading, up = self._heading[:count], rotate(self._orientation[:count], UP)
        pitch = np.abs(np.arcsin(np.clip(heading[..., 2], -1.0, 1.0)))
        text = "nose {:.4g} degrees from level, allowed {:.4g}"
        over = (pitch > own.max_pitch + slack) & follows
        self._mark("upright", over, pitch, text, own.max_pitch, lasts=0)
        roll = _angle(up, UP - heading[..., 2:] * heading)
        most = own.max_roll if own.max_roll > 0.0 else STEEPEST_ROLL
        over = (roll > most + slack) & follows
        self._mark("upright", over, roll, "roll {:.4g} degrees, allowed {:.4g}", most, lasts=0)

    def turn(self) -> None:
        """Mark turns of the heading that are too fast; of a carried body, all turns count."""
        limit = self._parameters.max_turn_rate
        rate = (self._rotation if self._vehicle == "carried" else self._turn) / self._dt
        over = rate > limit * (1 + SHARE) + HEADING_ROUNDING / self._dt
        text = "turn rate {:.4g} rad/s, allowed {:.4g}"
        self._log_rates("turn_rate", over, rate, text, limit)

    def roll(self) -> None:
        """Mark turns about the heading that are too fast."""
        if self._vehicle not in ROLL_TIME:
            return
        start = self._orientation[: self._block.motions]
        end = self._orientation[1 : self._block.motions + 1]
        roll = _twist(start, end)
        ratio = np.expm1(self._dt / ROLL_TIME[self._vehicle])  # r / (1 - r)
        cosine = np.maximum(np.cos(self._turn), 1e-9)
        limit = np.arcsin(np.minimum(ratio / cosine, 1.0)) + 0.5 * self._turn**2
        limit = np.where(ratio >= cosine, np.pi, limit)
        whole = self._parameters.max_turn_rate * self._dt
        over = roll > limit * (1 + SHARE) + 2 * HEADING_ROUNDING
        over &= self._rotation > whole * (1 + SHARE) + HEADING_ROUNDING
        text = "roll {:.4g} rad/s, allowed {:.4g}"
        allowed = max(float(np.arcsin(min(ratio, 1.0))), whole) / self._dt
        self._log_rates("roll_rate", over, roll / self._dt, text, allowed)

    def pivot(self) -> None:
        """Mark turns on the spot, of vehicles with a turn radius that cannot pivot.

        In a time step the heading turns by at most the way of this step or the one before, the
        longer one, divided by the radius. In several steps it turns by no more than in all of them,
        with the rounding of two headings and not of each: so a slow turn on the spot is found, too.
        A flyer is only checked where it stands in the air: its heading follows its course up to
        `max_pitch` only.
        """
        radius = self._parameters.turn_radius
        if radius == 0.0 or self._parameters.pivots or self._vehicle not in BUILT_IN:
            return
        position, heading = self._block.position[:, self._members], self._heading
        if self._grounded:
            level = np.array([1.0, 1.0, 0.0])
            position, heading = position * level, heading * level
        way = length(np.diff(position, axis=0))
        turn = _angle(heading[:-1], heading[1:])
        way = np.concatenate([way[:1], np.maximum(way[:-1], way[1:])])
        first = self._block.first
        if first:  # the first motion is the last one of the block before, with its own way before
            way, turn, heading, first = way[1:], turn[1:], heading[1:], first + 1
        allowed = way / radius * (1 + SHARE) + STANDING / radius
        rounding = 2 * HEADING_ROUNDING
        over = turn > allowed + rounding
        if self._grounded:
            net, most = _angle(heading[:1], heading[1:]), np.cumsum(allowed, axis=0) + rounding
            turn = np.where(~over & (net > most), net, turn)
            way = np.where(~over & (net > most), np.cumsum(way, axis=0), way)
            over |= net > most
        else:
            over &= way <= STANDING

        def text(motion: int, row: int) -> str:
            return (
                f"member {self._members[row]} turns by {np.degrees(turn[motion, row]):.4g} degrees "
                f"on a way of {way[motion, row]:.3g} m, but cannot pivot "
                f"(`turn_radius` {radius:g} m)"
            )

        self._log.mark(
            "pivot", over, first=first, members=self._members, text=text, rank=turn, lasts=1
        )

    def _mark(
        self, kind: str, over: Bool, angle: Float, text: str, limit: float, lasts: int
    ) -> None:
        self._log_rates(kind, over, np.degrees(angle), text, float(np.degrees(limit)), lasts)

    def _log_rates(
        self, kind: str, over: Bool, value: Float, text: str, limit: float, lasts: int = 1
    ) -> None:
        def line(row: int, column: int) -> str:
            return f"member {self._members[column]}: {text.format(value[row, column], limit)}"

        self._log.mark(
            kind, over, first=self._block.first, members=self._members, text=line, rank=value,
            lasts=lasts,
        )  # fmt: skip


def _angle(first: Float, second: Float) -> Float:
    """Return the angles (...) [rad] between vectors (..., 3)."""
    cross = length(np.cross(first, second))
    return np.arctan2(cross, np.einsum("...i,...i->...", first, second))


def _twist(start: Float, end: Float) -> Float:
    """Return by how much (...) [rad] bodies turn about their headings, from start to end.

    The turn between two orientations is a swing of the heading by the shortest arc, and this twist.
    """
    w0, x0, y0, z0 = np.moveaxis(start, -1, 0)
    w1, x1, y1, z1 = np.moveaxis(end, -1, 0)
    w = w0 * w1 + x0 * x1 + y0 * y1 + z0 * z1
    x = w0 * x1 - x0 * w1 - y0 * z1 + z0 * y1
    return 2.0 * np.arctan2(np.abs(x), np.abs(w))
