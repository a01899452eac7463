"""The trail of a vehicle: the poses that it came by, on which it can go back."""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.groups.driving.gaps import gaps_between
from rmp3d.behaviors.groups.driving.right_of_way import GAP, hits
from rmp3d.behaviors.groups.driving.route import Driven, Route
from rmp3d.behaviors.groups.driving.routes import find_shelter
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

# Between the poses [m], and how many are kept.
EACH, KEPT = 0.1, 400
# Two poses so near [m], and turned by less [rad], are the same; what is driven between them is a
# loop if it is longer than this [m].
SAME, SAME_TURN, LOOP = 0.15, 0.1, 1.0


@dataclass(eq=False)
class Trail:
    """Poses of one vehicle, the oldest first: x, y, z [m], angle of the heading [rad], gear."""

    poses: list[tuple[float, float, float, float, int]] = field(default_factory=list)

    def add(self, position: Float, heading: Float, velocity: Float) -> None:
        """Note where the vehicle is, if it has come on since."""
        x, y, z = position.tolist()
        if self.poses and np.hypot(x - self.poses[-1][0], y - self.poses[-1][1]) < EACH:
            return
        gear = 1 if float(velocity[:2] @ heading[:2]) >= 0.0 else -1
        self.poses.append((x, y, z, float(np.arctan2(heading[1], heading[0])), gear))
        del self.poses[:-KEPT]

    def back(self, position: Float, heading: Float, *, loops: bool = True) -> Route:
        """Return the route from where the vehicle is back over all of its trail.

        Without ``loops``, what lies between two passes of the same pose is left out.
        """
        here = (*position.tolist(), float(np.arctan2(heading[1], heading[0])), 1)
        rows = np.array([here, *self.poses[::-1]], float)
        jumps = np.zeros(len(rows), np.bool_)
        if not loops:
            kept, jumps = _without_loops(rows)
            rows = rows[kept]
        gear = -np.append(rows[1:2, 4], rows[:-1, 4]).astype(np.intp)
        if len(gear) > 1:
            gear[jumps] = -rows[jumps, 4]
            gear[:2] = -int(rows[1, 4])
        size = np.hypot(*np.diff(rows[:, :2], axis=0).T)
        station = np.concatenate([[0.0], np.cumsum(size)])
        return Route(rows[:, :3], np.unwrap(rows[:, 3]), gear, station, np.zeros(len(rows)))

    def back_to_clear(
        self, position: Float, heading: Float, ends: Float, half_width: float, claimed: Float,
        waiting: Float,
    ) -> Route | None:  # fmt: skip
        """Return the route back to where the vehicle is clear of what others claim, or None.

        Args:
            position: (3,) of the vehicle [m].
            heading: (3,) of it.
            ends: (2,) of its row, and
            half_width: [m].
            claimed: Cores (C, 6).
            waiting: Cores (P, 6) of those that stand and wait for it: it does not go back against
                them.
        """
        route = self.back(position, heading)
        cores = route.cores(ends, half_width)
        clear = (gaps_between(cores, claimed) > 2.0 * GAP).all(axis=1)
        held = hits(gaps_between(cores, waiting)).any(axis=1)
        clear &= ~np.logical_or.accumulate(held)
        rows = np.flatnonzero(clear[2:]) + 2
        return route.until(int(rows[0]) + 1) if len(rows) else None

    def way_aside(
        self, vehicle: Driven, claimed: Float, waiting: Float
    ) -> tuple[Route | None, bool]:
        """Return a route to where a vehicle is clear of claims, and whether it is this trail.

        Arguments are those of `back_to_clear`. Where the trail is no way, it is an arc; None: there
        is none.
        """
        heading = np.array([np.cos(vehicle.angle), np.sin(vehicle.angle), 0.0])
        back = self.back_to_clear(
            vehicle.point, heading, vehicle.ends, vehicle.half_width, claimed, waiting
        )
        return (find_shelter(vehicle, claimed), False) if back is None else (back, True)

    def cut(self, position: Float) -> None:
        """Forget the poses that a vehicle has gone back over, asked for as it goes."""

        def far(row: int) -> float:
            return float(np.hypot(*(np.array(self.poses[row][:2]) - position[:2])))

        while len(self.poses) > 1 and far(-2) <= far(-1):
            self.poses.pop()


def _without_loops(rows: Float) -> tuple[Index, Bool]:
    """Return the rows (M,) of a trail that lead back, and which of them (M,) end a loop.

    A vehicle that has come to a pose twice, as to and fro on one spot, need not go back over what
    it drove in between.

    Args:
        rows: (K, 5) as the poses of `Trail`, the newest first.
    """
    station = np.append(0.0, np.cumsum(np.hypot(*np.diff(rows[:, :2], axis=0).T)))
    kept, ends_loop, at = [], [], 0
    while at < len(rows):
        offset = rows[at:, :3] - rows[at, :3]
        turned = np.abs(np.angle(np.exp(1j * (rows[at:, 3] - rows[at, 3]))))
        same = (length(offset) < SAME) & (turned < SAME_TURN)
        oldest = at + int(np.flatnonzero(same)[-1])
        loop = bool(station[oldest] - station[at] > LOOP)
        at = oldest if loop else at
        kept.append(at)
        ends_loop.append(loop)
        at += 1
    return np.array(kept, np.intp), np.array(ends_loop, np.bool_)
