"""Two playbacks beside each other: which members are the same, and how far apart they are."""

from dataclasses import dataclass, replace

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.viewer.playback.playback import Playback

STEP = 0.1  # [s] between two moments at which members are compared, at least
MOST = 600  # moments


@dataclass(frozen=True, eq=False)
class Comparison:
    """How two playbacks differ.

    Attributes:
        first: Lasts as long as the longer one.
        second: The same.
        pairs: (P, 2) rows in both of members that are the same.
        time: (K,) moments [s], ascending.
        distance: (K, P) between both of a pair [m]; NaN while one of them is not there.
    """

    first: Playback
    second: Playback
    pairs: Index
    time: Float
    distance: Float

    @classmethod
    def of(cls, first: Playback, second: Playback) -> "Comparison":
        """Return the comparison; the shorter of both stands at its end until the other ends."""
        end = max(first.duration, second.duration)
        first, second = lasting(first, end), lasting(second, end)
        pairs = same_members(first, second)
        step = max(STEP, first.dt, end / MOST)
        time = np.arange(0.0, end + 0.5 * step, step).clip(max=end)
        distance = np.full((len(time), len(pairs)), np.nan)
        for row, moment in enumerate(time.tolist()):
            distance[row] = distances(first, second, pairs, moment)
        return cls(first, second, pairs, frozen(time), frozen(distance))

    def at(self, time: float) -> tuple[float, float]:
        """Return the median and the largest distance [m] at a moment; NaN if nobody is there."""
        return median_and_most(distances(self.first, self.second, self.pairs, time))

    @property
    def course(self) -> Float:
        """(K, 2) the median and the largest distance [m] over time; NaN while nobody is there."""
        rows = [median_and_most(each) for each in self.distance]
        return np.array(rows, np.float64).reshape(-1, 2)


def distances(first: Playback, second: Playback, pairs: Index, time: float) -> Float:
    """Return the distances (P,) [m] of pairs (P, 2) at a moment [s]; NaN if one is not there."""
    if len(pairs) == 0:
        return np.zeros(0)
    a, b = first.pose(time), second.pose(time)
    gap = np.linalg.norm(a.position[pairs[:, 0]] - b.position[pairs[:, 1]], axis=1)
    return np.where(a.there[pairs[:, 0]] & b.there[pairs[:, 1]], gap, np.nan)


def median_and_most(distance: Float) -> tuple[float, float]:
    """Return both of distances (P,) [m], NaN left out; NaN if there are none."""
    known = distance[np.isfinite(distance)]
    return (float(np.median(known)), float(known.max())) if len(known) else (np.nan, np.nan)


def same_members(first: Playback, second: Playback) -> Index:
    """Return rows (P, 2) of members with the same number in groups of the same name."""
    pairs = [np.zeros((0, 2), np.intp)]
    for group, name in enumerate(first.group_names):
        if name in second.group_names:
            a = first.members(group)
            b = second.members(second.group_names.index(name))
            count = min(len(a), len(b))
            pairs.append(np.column_stack([a[:count], b[:count]]))
    return np.concatenate(pairs)


def lasting(playback: Playback, duration: float) -> Playback:
    """Return the playback, standing at its end until ``duration`` [s] if it is shorter."""
    count = int(np.ceil(duration / playback.dt - 1e-9)) + 1
    if count <= playback.frame_count:
        return playback
    rows = np.minimum(np.arange(count), playback.frame_count - 1)
    life = playback.life
    if life is not None:  # who is there at the end stays
        last = np.where(life[:, 1] == playback.frame_count, count, life[:, 1])
        life = np.column_stack([life[:, 0], last])
    return replace(
        playback,
        position=playback.position[rows],
        orientation_wxyz=playback.orientation_wxyz[rows],
        formation_of=playback.formation_of[rows],
        life=life,
        subgoal=None if playback.subgoal is None else playback.subgoal[rows],
        force=None if playback.force is None else playback.force[rows],
    )
