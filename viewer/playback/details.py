"""What a group knew and planned, beyond where its members were: for the layers that show it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.scenes import Region


def _no_points() -> Float:
    return frozen(np.zeros((0, 3)))


def _empty(*shape: int) -> Float:
    return frozen(np.zeros(shape))


def _no_rows(*shape: int) -> Index:
    return frozen(np.zeros(shape), np.intp)


@dataclass(frozen=True)
class Sight:
    """How far members perceive others [m], and the full opening of their field of view [rad]."""

    reach: float
    angle: float = 2.0 * np.pi


@dataclass(frozen=True, eq=False, kw_only=True)
class PathCorridor:
    """The free width along a path, and the formations planned on it.

    Attributes:
        station: (J,) arc lengths of the path [m], ascending.
        position: (J, 3) of the path there [m].
        left: (J, 3) unit, across the path.
        up: (J, 3) unit, across both.
        room_left: (J,) how far members may move to the left [m].
        room_right: (J,) the same to the right, positive.
        formation: (J,) row in `names` of what is planned there, -1 for nothing.
        names: Of formations.
    """

    station: Float
    position: Float
    left: Float
    up: Float
    room_left: Float
    room_right: Float
    formation: Index = field(default_factory=partial(_no_rows, 0))
    names: tuple[str, ...] = ()

    def places(self, station: Float, aside: Float) -> Float:
        """Return points (n, 3) [m] at arc lengths (n,), left and up (n, 2) of the path [m].

        Before and behind the path it goes on straight.
        """
        inside = np.clip(station, self.station[0], self.station[-1])
        at, left, up = (
            np.stack([np.interp(inside, self.station, column) for column in rows.T], axis=-1)
            for rows in (self.position, self.left, self.up)
        )
        ahead = np.cross(left, up)
        return at + (station - inside)[:, None] * ahead + aside[:, :1] * left + aside[:, 1:] * up


@dataclass(frozen=True, eq=False, kw_only=True)
class FormationTrack:
    """Where the formation of a group with n members was, noted at S moments.

    Attributes:
        time: (S,) [s], ascending.
        leader: (S,) arc length of the virtual leader [m].
        place: (S, n, 3) lag, left and up of each member's slot [m].
    """

    time: Float
    leader: Float
    place: Float


@dataclass(frozen=True, eq=False)
class MeasuredPath:
    """The clearance along the path of one body.

    Attributes:
        position: (J, 3) on the path [m].
        clearance: (J,) of the body there to what it must not touch [m].
    """

    position: Float
    clearance: Float


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupDetails:
    """Of one group with n members; what is not in a recording is empty or None.

    Attributes:
        nodes: (V, 3) of its roadmap [m].
        edges: (E, 2) rows of `nodes`.
        component: (V,) connected component of each node.
        weight_time: (S,) when the weights of edges were noted [s], ascending.
        weight: (S, E) how much the group prefers each edge; or (S, E, 2): from its first node to
            its second, and back.
        corridor: The free width along its path.
        track: Of its formation along the path.
        sight: How members perceive others.
        behavior: Name of the group's behavior.
        rejected: Returns the samples (R, 3) [m] in collision; may take seconds.
        measured: Returns the clearance along the path of a planned body; None for a group that
            moves.
        start: Where it starts.
        goal: Where it goes.
        ends: (2, 7) position and quaternion of a planned body at its start and at its goal.
    """

    nodes: Float = field(default_factory=partial(_empty, 0, 3))
    edges: Index = field(default_factory=partial(_no_rows, 0, 2))
    component: Index = field(default_factory=partial(_no_rows, 0))
    weight_time: Float = field(default_factory=partial(_empty, 0))
    weight: Float = field(default_factory=partial(_empty, 0, 0))
    corridor: PathCorridor | None = None
    track: FormationTrack | None = None
    sight: Sight | None = None
    behavior: str = ""
    rejected: Callable[[], Float] = _no_points
    measured: Callable[[], MeasuredPath] | None = None
    start: Region | None = None
    goal: Region | None = None
    ends: Float | None = None

    def weights_at(self, time: float) -> Float | None:
        """Return the weights (E,) or (E, 2) noted last before a moment [s]; None for none."""
        if len(self.weight_time) == 0 or self.weight.shape[1] != len(self.edges):
            return None
        return np.asarray(self.weight[_row_before(self.weight_time, time)])

    def slots_at(self, time: float) -> Float | None:
        """Return the slot (n, 3) [m] of each member at a moment [s]; None if it is not known.

        Between two notes the leader is taken to go on evenly.
        """
        track, corridor = self.track, self.corridor
        if track is None or corridor is None or len(track.time) == 0:
            return None
        slots = track.place[_row_before(track.time, time)]
        leader = float(np.interp(time, track.time, track.leader))
        return corridor.places(leader - slots[:, 0], slots[:, 1:])


def _row_before(times: Float, time: float) -> int:
    return max(int(np.searchsorted(times, time + 1e-9, side="right")) - 1, 0)
