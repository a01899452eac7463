"""The stops of a part that carries, such as a lift: where it stands between two of its motions.

What walkers can stand on of such a part is ground at each of its stops. Whether it is there is
another question, which those who walk have to ask.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.rotations import angle_between
from rmp3d.geometry.vectors import length
from rmp3d.scenes.motion import AT_REST, PartMotion
from rmp3d.scenes.part import Part


class PartStop(NamedTuple):
    """A place where a part stands.

    Attributes:
        displacement: (3,) from where the scene has it [m].
        spans: (S, 2) from when to when among its key frames [s]; infinite where it stays.
    """

    displacement: Float
    spans: Float

    @property
    def longest(self) -> float:
        """For how long it stands there at most [s]."""
        return float((self.spans[:, 1] - self.spans[:, 0]).max())

    def in_words(self) -> str:
        """Return when it stands there."""
        times = [f"{start:g} s to {end:g} s" for start, end in self.spans.tolist()]
        return ", ".join(times).replace("to inf s", "on")


def stops_of(motion: PartMotion) -> tuple[PartStop, ...]:
    """Return where a part stands, in the order in which it comes there."""
    spans: list[tuple[Float, list[tuple[float, float]]]] = []
    place, time = motion.position, motion.time.tolist()
    for row, (start, end) in enumerate(pairwise(time)):
        if length(place[row + 1] - place[row]) <= AT_REST:
            _note(spans, place[row], start, end)
    if motion.repeat == "stay":
        _note(spans, place[-1], time[-1], np.inf)
    return tuple(PartStop(at, np.array(each)) for at, each in spans)


def _note(
    spans: list[tuple[Float, list[tuple[float, float]]]], at: Float, start: float, end: float
) -> None:
    """Add a span of time to the stop at a displacement (3,)."""
    for known, each in spans:
        if length(known - at) <= AT_REST:
            if each[-1][1] == start:
                each[-1] = each[-1][0], end
            else:
                each.append((start, end))
            return
    spans.append((at, [(start, end)]))


def leaves_in(motion: PartMotion, clock: float) -> float:
    """Return after how long [s] a part that stands at a clock [s] goes; infinite: it never does."""
    last = clock + motion.period if np.isfinite(motion.period) else max(clock, motion.end)
    at = motion.instants(clock, last)
    place = motion.hinge_poses(at)[0]
    moves = np.flatnonzero(length(np.diff(place, axis=0)) > AT_REST)
    return float(at[moves[0]] - clock) if len(moves) else np.inf


def check_carries(motion: PartMotion, where: str) -> None:
    """Refuse a part that is to carry and does not stand anywhere, turns, or is no ground.

    Raises:
        InputError: Names the part and the time.
    """
    if motion.role != "ground":
        raise InputError(
            f"{where}: `carries`, so it must be ground that walkers stand on; give it the role "
            "`ground`, and its walls a motion of their own (without `carries`)"
        )
    turned = angle_between(motion.quaternion_wxyz, np.array([1.0, 0.0, 0.0, 0.0]))
    if (turned > AT_REST).any():
        time = motion.time[int(np.argmax(turned > AT_REST))]
        raise InputError(f"{where}: `carries`, so it must not turn, as it does at {time:g} s")
    if not stops_of(motion):
        raise InputError(
            f"{where}: `carries`, but never stops from {motion.time[0]:g} s to {motion.end:g} s: "
            "nobody can step on or off; let two key frames that follow each other have one position"
        )


def walkable_at_stops(part: Part, flat: Bool) -> TriangleMesh:
    """Return the faces (F,) that are ``flat``, at each stop of a part that carries."""
    assert part.motion is not None
    deck = part.mesh.select(flat)
    stops = stops_of(part.motion)
    return join([deck.transformed(translation=stop.displacement) for stop in stops])
