"""How smoothly members move, from their recorded poses alone: jerk, unrest of the heading, stops.

Velocity, acceleration and jerk are the differences of the positions over a time step: the first
one, the second, the third. What a figure says of each member is taken over its frames until it has
arrived; of one that does not arrive, over all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.rotations import rotate
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.recording import RecordingReader
from rmp3d.reporting.members import arrival_times

# Members whose figures are computed at a time.
TOGETHER = 50
# The heading turns to one side when it does so faster than this [rad/s].
TURNS = np.radians(10.0)
# Slower than this [m/s] the direction of a motion means nothing.
MOVES = 0.1
# Motion aside is farther off the heading than this [rad], motion backward than that.
ASIDE, BACKWARD = np.radians(30.0), np.radians(90.0)
# A member that has been faster than the one stops when it becomes slower than the other [m/s].
GOING, STANDING = 0.3, 0.05


FIGURE_TEXTS = {
    "jerk": "jerk [m/s³]",
    "jerk_upright": "upright jerk [m/s³]",
    "heading_rate": "heading rate [°/s]",
    "flips": "turns to the other side [1/s]",
    "aside": "moves aside [%]",
    "backward": "moves backward [%]",
    "stops": "stops",
    "upside_down": "upside down [%]",
    "steepest": "steepest nose [°]",
}
"""What the figures are called in tables."""
FIGURE_GOALS = {
    "jerk": "walkers: up to 10",
    "jerk_upright": "0 on level ground; stairs and slopes raise it",
    "heading_rate": "low on straight ways",
    "flips": "up to 0.2",
    "aside": "walkers: up to 3",
    "backward": "0, except vehicles that reverse",
    "stops": "few; the moments above say why",
    "upside_down": "0",
    "steepest": "walkers: the slope of the ground",
}
"""What good looks like."""
GroupFigures: TypeAlias = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By group, figure, and ``median`` or ``worst``."""


@dataclass(frozen=True, eq=False)
class MotionFigures:
    """How smoothly each of N members moves until it has arrived.

    Attributes:
        jerk: (N,) root mean square of the change of acceleration [m/s^3], in plan for walkers:
            the height is the ground's.
        jerk_upright: (N,) the same of the height alone [m/s^3].
        heading_rate: (N,) root mean square of the rate at which the heading turns in plan [deg/s].
        flips: (N,) how often a second the heading begins to turn to the other side: sign changes of
            its rate, of those beyond 10 deg/s [1/s].
        aside: (N,) share of the time in which a member moves at more than 30 degrees to its
            heading, both in plan, at 0.1 m/s or more [%].
        backward: (N,) the same for more than 90 degrees [%].
        stops: (N,) how often it comes to a stand: slower than 0.05 m/s after having been faster
            than 0.3 m/s.
        upside_down: (N,) share of the time in which its up points downward [%].
        steepest: (N,) largest angle of its nose to the horizontal [deg].
    """

    jerk: Float
    jerk_upright: Float
    heading_rate: Float
    flips: Float
    aside: Float
    backward: Float
    stops: Float
    upside_down: Float
    steepest: Float


def group_figures(
    recording: RecordingReader, position: Float, characters: Sequence[Character]
) -> GroupFigures:
    """Return how smoothly the members of each group move, by its name.

    Args:
        recording: Of the run.
        position: (T, N, 3) all its positions [m].
        characters: Its kinds of character.
    """
    header, until = recording.header, arrival_times(recording, position, characters)
    walks = np.array([kind.grounded for kind in characters])[header.character_of]
    orientation = recording.orientation_wxyz()
    found: dict[str, Mapping[str, Mapping[str, float]]] = {}
    for row, group in enumerate(recording.scenario.groups):
        parts = []
        for first, end, members in _present(recording, np.flatnonzero(header.group_of == row)):
            parts += [
                motion_figures(
                    position[first:end, own], orientation[first:end, own], walks[own],
                    recording.dt, until[own] - first * recording.dt,
                )
                for own in np.split(members, range(TOGETHER, len(members), TOGETHER))
            ]  # fmt: skip
        found[group.name] = summary(parts)
    return found


def _present(recording: RecordingReader, members: Index) -> Iterator[tuple[int, int, Index]]:
    """Yield first frame, end, and the members (n,) of a group that are there from one to other."""
    lives, which = np.unique(recording.life[members], axis=0, return_inverse=True)
    for k, (first, end) in enumerate(lives.tolist()):
        if end > first:
            yield first, end, members[which.ravel() == k]


def summary(parts: Sequence[MotionFigures]) -> dict[str, dict[str, float]]:
    """Return the median and the worst member by figure; nothing of nobody."""
    found = {}
    for field in fields(MotionFigures):
        rows = np.concatenate([np.zeros(0), *(getattr(part, field.name) for part in parts)])
        if len(rows):
            found[field.name] = {
                "median": round(float(np.median(rows)), 3),
                "worst": round(float(rows.max()), 3),
            }
    return found


def motion_figures(
    position: Float, orientation_wxyz: Float, grounded: Bool, dt: float, until: Float
) -> MotionFigures:
    """Return how smoothly N members move.

    Args:
        position: (T, N, 3) [m].
        orientation_wxyz: (T, N, 4) unit quaternions.
        grounded: (N,) members that walk.
        dt: Time step [s].
        until: (N,) when each arrives [s]; infinite: it does not.
    """
    flat = np.where(grounded[:, None], [1.0, 1.0, 0.0], 1.0)
    frames = np.minimum(np.ceil(until / dt), len(position)).astype(np.intp)
    heading = rotate(orientation_wxyz, np.array([1.0, 0.0, 0.0]))
    up = rotate(orientation_wxyz, np.array([0.0, 0.0, 1.0]))
    velocity = np.diff(position, axis=0) / dt
    jerk = np.diff(velocity, n=2, axis=0) / dt**2
    rate = turn_rate(heading, dt)
    angle = np.abs(_left_of(heading[:-1], velocity))
    moves = length(velocity[..., :2]) >= MOVES
    pitch = np.abs(np.arctan2(heading[..., 2], length(heading[..., :2])))
    return MotionFigures(
        jerk=_rms(length(jerk * flat), frames - 3),
        jerk_upright=_rms(jerk[..., 2], frames - 3),
        heading_rate=np.degrees(_rms(rate, frames - 1)),
        flips=_each(_flips, rate, frames - 1) / np.maximum(frames * dt, dt),
        aside=100.0 * _mean(moves & (angle > ASIDE), frames - 1),
        backward=100.0 * _mean(moves & (angle > BACKWARD), frames - 1),
        stops=_each(_stops, length(velocity * flat), frames - 1),
        upside_down=100.0 * _mean(up[..., 2] < 0.0, frames),
        steepest=np.degrees(_each(lambda rows: rows.max(initial=0.0), pitch, frames)),
    )


def turn_rate(heading: Float, dt: float) -> Float:
    """Return how fast headings (T, N, 3) turn to the left in plan, (T - 1, N) [rad/s]."""
    return _left_of(heading[:-1], heading[1:]) / dt


def _left_of(direction: Float, other: Float) -> Float:
    """Return by which angles (T, N) [rad] vectors (T, N, 3) are to the left of others, in plan."""
    cross = direction[..., 0] * other[..., 1] - direction[..., 1] * other[..., 0]
    return np.arctan2(cross, (direction[..., :2] * other[..., :2]).sum(axis=-1))


def _each(figure: Callable[[Float], Any], rows: Float, frames: Index) -> Float:
    """Return a figure (N,) of the first ``frames`` (N,) of each column of rows (T, N)."""
    return np.array(
        [figure(rows[: max(0, last), member]) for member, last in enumerate(frames.tolist())], float
    )


def _mean(rows: Float | Bool, frames: Index) -> Float:
    """Return the means (N,) of the first ``frames`` (N,) of rows (T, N); zero of none."""
    return _each(lambda own: own.mean() if len(own) else 0.0, np.asarray(rows, float), frames)


def _rms(rows: Float, frames: Index) -> Float:
    """Return the root mean squares (N,) of the first ``frames`` (N,) of rows (T, N)."""
    return np.sqrt(_mean(rows**2, frames))


def _flips(rate: Float) -> int:
    """Return how often a rate (T,) changes sign, as far as it is beyond `TURNS`."""
    signs = np.sign(rate[np.abs(rate) > TURNS])
    return int((signs[1:] != signs[:-1]).sum())


def _stops(speed: Float) -> int:
    """Return how often speeds (T,) fall below `STANDING` after having been over `GOING`."""
    state = np.where(speed > GOING, 1, np.where(speed < STANDING, -1, 0))
    state = state[state != 0]
    return int(((state[:-1] == 1) & (state[1:] == -1)).sum())
