"""A path: a certified polyline with arc length, clearance, and a frame at every length."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.geometry.rotations import WORLD_UP, frame, rotate
from rmp3d.geometry.surface import are_steps
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.paths.polyline import stations
from rmp3d.planner.spaces import Space

END = 1.0  # [m] of the path that give the direction of its straight extension
RIGHTING = 2.0  # [m] over which a frame that a steep path has tilted comes upright again
FORWARD = np.array([1.0, 0.0, 0.0])  # the heading in the body's frame
TABLE = 4096  # rows of a table of frames, at most


@dataclass(frozen=True, eq=False)
class CertifiedPath:
    """Where the reference point of one body may go from start to goal.

    Attributes:
        points: (K, 3) [m]; the straight pieces between them are proved free.
        clearance: (K,) clearance [m] at the points, as far as it was measured.
        grounded: Whether the body stands on a surface: headings are then horizontal, up is +z.
        quaternion_wxyz: (K, 4) orientation of a body that turns at the points; None: it is not
            planned.
    """

    points: Float
    clearance: Float
    grounded: bool = False
    quaternion_wxyz: Float | None = None
    _ups: dict[float, tuple[Float, Float]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen(self.points))
        object.__setattr__(self, "clearance", frozen(self.clearance))
        if self.points.ndim != 2 or self.points.shape[1] != 3 or len(self.points) == 0:
            raise ValueError(f"`points` must have shape (K, 3), K >= 1, got {self.points.shape}")
        if self.clearance.shape != (len(self.points),):
            raise ValueError(
                f"`clearance` must have shape ({len(self.points)},), got {self.clearance.shape}"
            )

    def __repr__(self) -> str:
        return f"<CertifiedPath of {len(self.points)} points, {self.length:.3f} m long>"

    @property
    def configurations(self) -> Float:
        """The points (K, 3), or with the orientations (K, 7)."""
        if self.quaternion_wxyz is None:
            return self.points
        return np.hstack([self.points, self.quaternion_wxyz])

    @cached_property
    def gear(self) -> Index:
        """(K - 1,) of each piece: 1 ahead; -1 where a vehicle on the ground drives backward."""
        offset = np.diff(self.points, axis=0)
        if self.quaternion_wxyz is None or not self.grounded:
            return np.ones(len(offset), np.intp)
        heading = rotate(self.quaternion_wxyz[:-1], FORWARD)
        return np.where(np.einsum("ij,ij->i", offset, heading) < 0.0, -1, 1)

    @cached_property
    def station(self) -> Float:
        """Arc length (K,) [m] at each point, from zero; on the ground, without the rise of steps.

        So no place on the path is between two treads, where nobody stands.
        """
        if self.grounded:
            start, end = self.points[:-1], self.points[1:]
            piece = length(end - start)
            steps = are_steps(start, end)
            piece[steps] = length((end - start)[steps, :2])
            return frozen(np.concatenate([[0.0], np.cumsum(piece)]))
        return frozen(stations(self.points))

    @property
    def length(self) -> float:
        """Arc length [m] of the whole path."""
        return float(self.station[-1])

    def at(self, s: Float) -> Float:
        """Return positions (M, 3) [m] at arc lengths (M,) [m].

        Before the start and beyond the goal the path goes on straight, on the ground at the
        height of its end; nothing is proved there.
        """
        s = np.asarray(s, dtype=np.float64)
        inside = np.clip(s, 0.0, self.length)
        axes = [np.interp(inside, self.station, self.points[:, axis]) for axis in range(3)]
        first, last = self._ends
        over = (s - inside)[..., None]
        return np.stack(axes, axis=-1) + np.where(over < 0.0, over * first, over * last)

    def frames(self, s: Float, window: float = 1.0) -> Float:
        """Return frames (M, 3, 3) at arc lengths (M,) [m], with columns heading, left, up.

        The heading is that of the chord over ``window`` [m] around s, so it turns smoothly. Up
        is +z for a path on the ground. Else it is carried along without roll (parallel
        transport, Bishop 1975, "There is more than one way to frame a curve") and drawn gently
        to world up, so that it is world up's nearest wherever the path is not steep, and does
        not jump where it is.

        Args:
            s: Arc lengths [m]; beyond both ends as in `at`.
            window: Positive [m].
        """
        s = np.asarray(s, dtype=np.float64)
        heading = self._headings(s, window)
        if self.grounded:
            return frame(heading, WORLD_UP)
        where, ups = self._up_table(window)
        up = np.stack([np.interp(s, where, ups[:, axis]) for axis in range(3)], axis=-1)
        return frame(heading, up)

    def subgoals(self, spacing: float, space: Space) -> Float:
        """Return points (S, 3) of the path, the goal last, from which to which a body can go.

        Each is at most ``spacing`` [m] of arc length beyond the one before (the first, beyond
        the start) and visible from it: the space's straight motion between them is proved free
        for the swept body.
        """
        chosen: list[int] = []
        here = 0
        while here < len(self.points) - 1:
            beyond = np.searchsorted(self.station, self.station[here] + spacing, side="right")
            rows = np.arange(here + 1, max(here + 2, beyond))
            motions = space.connect(np.tile(self.points[here], (len(rows), 1)), self.points[rows])
            visible = rows[[motion is not None for motion in motions]]
            # The next point of the path always counts: its piece is part of the proof.
            here = int(visible[-1]) if len(visible) else here + 1
            chosen.append(here)
        return self.points[chosen] if chosen else self.points[-1:].copy()

    @cached_property
    def _ends(self) -> Float:
        """Unit directions (2, 3) of the extensions before the start and beyond the goal."""
        reach = min(END, self.length)
        inner = [np.interp([reach, self.length - reach], self.station, x) for x in self.points.T]
        after_start, before_goal = np.transpose(inner)
        direction = np.stack([after_start - self.points[0], self.points[-1] - before_goal])
        if self.grounded:
            direction[:, 2] = 0.0
        direction = unit(direction)
        # A path of no length has no direction of its own.
        direction[length(direction) == 0.0] = [1.0, 0.0, 0.0]
        return direction

    def _headings(self, s: Float, window: float) -> Float:
        if not window > 0.0:
            raise ValueError(f"`window` must be positive, got {window} m")
        chord = self.at(s + 0.5 * window) - self.at(s - 0.5 * window)
        if self.grounded:
            chord[..., 2] = 0.0
        # Where the path turns back on itself the chord vanishes; the path ahead decides there.
        lost = length(chord) < 1e-6 * window
        if np.any(lost):
            ahead = self.at(s + 0.5 * window) - self.at(s)
            chord = np.where(lost[..., None], ahead, chord)
            if self.grounded:
                chord[..., 2] = 0.0
            chord[length(chord) == 0.0] = self._ends[1]
        return unit(chord)

    def _up_table(self, window: float) -> tuple[Float, Float]:
        """Return arc lengths (T,) and the transported up vectors (T, 3) there."""
        if window not in self._ups:
            rows = int(np.clip(np.ceil(8.0 * self.length / window), 2, TABLE))
            where = np.linspace(-window, self.length + window, rows)
            self._ups[window] = where, _transported(self._headings(where, window), where)
        return self._ups[window]


def _transported(heading: Float, where: Float) -> Float:
    """Carry up (T, 3) along unit headings (T, 3) at arc lengths (T,)."""
    up = np.empty_like(heading)
    up[0] = frame(heading[0], WORLD_UP)[:, 2]
    share = np.diff(where) / RIGHTING
    for row in range(1, len(heading)):
        carried = up[row - 1] + min(1.0, share[row - 1]) * WORLD_UP
        across = carried - (carried @ heading[row]) * heading[row]
        size = float(np.linalg.norm(across))
        up[row] = across / size if size > 1e-9 else frame(heading[row], WORLD_UP)[:, 2]
    return up
