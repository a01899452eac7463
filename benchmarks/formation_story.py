"""How well a recorded group kept its formation: from positions alone, not from the run's figures.

Members are put on the path by the nearest of its points, the slots of the formation that the group
claims to be in are laid to them (free along the path, not across it), and everyone is assigned to
the slot that suits all best.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial import cKDTree

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.recording import RecordingReader

# Spacing of points on the path [m], and the chord that gives its direction there [m].
STEP, CHORD = 0.05, 2.0
# Largest angle between two directions of a straight stretch [degrees].
STRAIGHT = 6.0
# Frames looked at: every so many.
EVERY = 6
# Time for which members are to be in their slots before their unrest is looked at [s].
SETTLING = 2.0


@dataclass(frozen=True)
class Story:
    """What was seen; lengths as shares of the body's length.

    Attributes:
        error: Mean distance from the slots on straight stretches, from when a formation is
            complete to when it is given up; None without such moments.
        aside: Mean distance of members inside passages from the nearest file of the column planned;
            None without passages.
        abreast: Share of moments at which more members inside a passage are side by side than the
            column planned has files.
        back: Distance of the group's foremost member behind each passage, less the depth of the
            formation, at which the formation of before, or the next one, is complete; infinite if
            it never is. The longest.
        turning: Root mean square of the acceleration across the motion on straight stretches, while
            the mean distance from the slots has been below an eighth of a length for `SETTLING`
            [m/s^2].
    """

    error: float | None
    aside: float | None
    abreast: float | None
    back: float | None
    turning: float | None


def story(recording: RecordingReader, group: int = 0) -> Story:
    """Return how a group kept its formation."""
    header = recording.header
    plan, path = header.plans[group], header.paths[group]
    members = np.flatnonzero(header.group_of == group)
    position = recording.position()[:, members]
    kind = recording.load_characters()[header.character_of[members[0]]]
    length = 2.0 * kind.body.radius
    line = _Line.of(path, walks=kind.grounded)
    end = _first_arrival(recording, group, recording.dt, len(position))
    formation = recording.formation_of()[:, group]
    frames = np.arange(0, end, EVERY)
    states = [line.coordinates(position[frame]) for frame in frames]
    fitted = [
        _fit(place, plan, header.formations[formation[frame]])
        for frame, place in zip(frames, states, strict=True)
    ]
    complete = _complete(fitted, formation[frames], 0.5 * length)
    straight = np.array([line.is_straight(place[:, 0]) for place in states], np.bool_)
    good = complete & straight
    errors = np.array([error for error, _ in fitted])
    narrow = _narrow(plan, length)
    aside, abreast = _inside(states, plan, narrow, length)
    depth = np.array([np.ptp(slots[:, 0]) for _, slots in fitted])
    names = [header.formations[row] for row in formation[frames]]
    back = _back(states, depth, complete, names, plan, narrow, length)
    count = round(SETTLING / (EVERY * recording.dt))
    settled = _lasting(good & (errors < 0.125 * length), formation[frames], count)
    turning = _turning(position[:end], recording.dt, frames, settled)
    return Story(
        error=float(errors[good].mean() / length) if good.any() else None,
        aside=aside,
        abreast=abreast,
        back=back,
        turning=turning,
    )


@dataclass(frozen=True, eq=False)
class _Line:
    """A path as points every `STEP`, with directions (P, 3)."""

    points: Float
    heading: Float
    tree: cKDTree
    walks: bool

    @classmethod
    def of(cls, path: Float, walks: bool) -> "_Line":
        station = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
        where = np.arange(0.0, station[-1], STEP)
        points = np.stack([np.interp(where, station, column) for column in path.T], axis=1)
        ends = [np.clip(where + side * CHORD / 2, 0.0, station[-1]) for side in (-1, 1)]
        low, high = (
            np.stack([np.interp(at, station, column) for column in path.T], axis=1) for at in ends
        )
        chord = (high - low) * [1.0, 1.0, 0.0 if walks else 1.0]
        heading = chord / np.maximum(np.linalg.norm(chord, axis=1), 1e-9)[:, None]
        return cls(points, heading, cKDTree(points), walks)

    def coordinates(self, position: Float) -> Float:
        """Return (n, 3): arc length, left and up of positions (n, 3)."""
        _, row = self.tree.query(position)
        offset, ahead = position - self.points[row], self.heading[row]
        left = np.cross([0.0, 0.0, 1.0], ahead)
        left /= np.maximum(np.linalg.norm(left, axis=1), 1e-9)[:, None]
        up = np.cross(ahead, left)
        along = row * STEP + np.einsum("ij,ij->i", offset, ahead)
        rise = np.zeros(len(row)) if self.walks else np.einsum("ij,ij->i", offset, up)
        return np.stack([along, np.einsum("ij,ij->i", offset, left), rise], axis=1)

    def is_straight(self, station: Float) -> bool:
        """Return whether the path is straight from 1 m behind the last to 1 m before the first."""
        low = max(int((station.min() - 1.0) / STEP), 0)
        part = self.heading[low : int((station.max() + 1.0) / STEP) + 1]
        return len(part) > 0 and float((part @ part[0]).min()) > np.cos(np.radians(STRAIGHT))


def _is_column(plan: Any) -> Bool:
    """Return at which stations (J,) a column is planned, in however many files."""
    names: Bool = np.char.startswith(plan["formation"][plan["choice"]], b"column")
    return names


def _narrow(plan: Any, length: float) -> Bool:
    """Return which stations (J,) are passages: too narrow for all that is planned but a column.

    Where nothing but a column is planned: too narrow for two side by side.
    """
    free = plan["room_left"] + plan["room_right"]
    rows = np.unique(plan["choice"][~_is_column(plan)])
    spreads = [float(np.ptp(plan["slots"][row][:, 1])) for row in rows]
    narrow: Bool = free < (min(spreads) if spreads else length)
    return narrow


def _first_arrival(recording: RecordingReader, group: int, dt: float, frames: int) -> int:
    times = [e.time for e in recording.events() if e.kind == "arrived" and e.group == group]
    return min(frames, int(min(times) / dt)) if times else frames


def _fit(place: Float, plan: Any, name: str) -> tuple[float, Float]:
    """Return the mean distance [m] of members from the slots that fit best, and those slots."""
    best, found = np.inf, place
    for row, option in enumerate(plan["formation"]):
        if option.decode() != name:
            continue
        slots = plan["slots"][row] * [-1.0, 1.0, 1.0]
        shift = place[:, 0].max()
        for _ in range(3):
            offset = place[:, None] - (slots + np.array([shift, 0.0, 0.0]))[None]
            rows, columns = linear_sum_assignment((offset**2).sum(axis=2))
            shift += float(offset[rows, columns, 0].mean())
        error = float(np.linalg.norm(offset[rows, columns], axis=1).mean())
        if error < best:
            best, found = error, slots[columns]
    return best, found


def _complete(fitted: list[tuple[float, Float]], formation: Any, enough: float) -> Bool:
    """Return at which moments a formation has been complete since it was taken."""
    result = np.zeros(len(fitted), np.bool_)
    for row, (error, _) in enumerate(fitted):
        kept = row > 0 and formation[row] == formation[row - 1] and result[row - 1]
        result[row] = kept or error < enough
    return result


def _lasting(good: Bool, formation: Any, count: int) -> Bool:
    """Return the moments before which there were ``count`` good ones on end in one formation."""
    run = np.zeros(len(good), np.intp)
    for row, value in enumerate(good):
        same = row > 0 and formation[row] == formation[row - 1]
        run[row] = (run[row - 1] if same else 0) + 1 if value else 0
    return run > count


def _inside(
    states: list[Float], plan: Any, narrow: Bool, length: float
) -> tuple[float | None, float | None]:
    """Return mean distance from the files in passages, and the share of moments with one more."""
    station, is_column = plan["station"], _is_column(plan)
    aside, moments, abreast = [], 0, 0
    for place in states:
        row = np.clip(np.searchsorted(station, place[:, 0]), 0, len(station) - 1)
        inside = narrow[row] & is_column[row]
        if not inside.any():
            continue
        slots = plan["slots"][plan["choice"][row[inside][0]]]
        files = np.unique(slots[:, 1])
        away = np.abs(place[inside, 1][:, None] - files).min(axis=1)
        aside += np.hypot(away, place[inside, 2]).tolist()
        along = np.sort(place[inside, 0])
        moments += 1
        abreast += bool((along[len(files) :] - along[: -len(files)] < 0.5 * length).any())
    if moments == 0:
        return None, None
    return float(np.mean(aside) / length), abreast / moments


def _back(
    states: list[Float], depth: Float, complete: Bool, names: list[str], plan: Any, narrow: Bool,
    length: float,
) -> float | None:  # fmt: skip
    """Return how far behind a passage a wide formation is complete again, at worst."""
    ends = np.flatnonzero(narrow[:-1] & ~narrow[1:])
    is_column = _is_column(plan)
    wide = {plan["formation"][row].decode() for row in plan["choice"][~is_column]}
    worst = []
    for end in ends:
        exit_station = plan["station"][end]
        entries = np.flatnonzero(narrow & (plan["station"] > exit_station + 1.0))
        limit = plan["station"][entries[0]] if len(entries) else np.inf
        if limit - exit_station < 12.0 * length:
            continue  # the next passage comes before there is any room
        between = (plan["station"] > exit_station) & (plan["station"] < limit)
        if is_column[between].all():
            continue  # no other one has room there
        distance = np.inf
        for row, place in enumerate(states):
            behind_all = place[:, 0].min() > exit_station - 0.5 * length
            if behind_all and complete[row] and names[row] in wide:
                distance = float(place[:, 0].max() - exit_station - depth[row])
                break
        worst.append(distance / length)
    return max(worst) if worst else None


def _turning(position: Float, dt: float, frames: Any, good: Bool) -> float | None:
    """Return the root mean square of the acceleration across the motion [m/s^2]."""
    velocity = np.diff(position, axis=0) / dt
    change = np.diff(velocity, axis=0) / dt
    speed = np.linalg.norm(velocity[:-1], axis=2)
    ahead = velocity[:-1] / np.maximum(speed, 1e-9)[..., None]
    across = change - np.einsum("tni,tni->tn", change, ahead)[..., None] * ahead
    size = np.linalg.norm(across, axis=2)
    seen = np.zeros(len(size), np.bool_)
    for frame in frames[good]:
        seen[max(frame - EVERY, 0) : max(frame - 1, 0)] = True
    kept = seen[:, None] & (speed > 0.2)
    return float(np.sqrt((size[kept] ** 2).mean())) if kept.any() else None
