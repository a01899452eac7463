"""Rooms and doors: a watershed of the distance to the walls, over all that a body reaches.

Sites are taken from the most open to the narrowest. One that touches no room begins one; where two
rooms meet there is a door, if both are clearly wider than the place where they meet. The distance
to the walls is that at shoulder height, so that tables make no rooms.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.inspection.basins import DOOR, basins
from rmp3d.planner.obstruction.floor import Floor
from rmp3d.planner.obstruction.measuring import SURELY, openings

SHOULDERS = 0.65, 0.95  # of the body's height: walls are looked at between them
STRETCH = 50.0  # of heights, so that the nearest wall is one beside, not a beam above the head
CAP = 8.0  # [m] of distances that are told apart
LEAST_ROOM = 2.5  # [m^2]
NEARLY = 0.99  # share of the greatest distance to the walls that is as good
APART = 1.5  # [m] between two doors of the same rooms
MOST_DOORS = 60


@dataclass(frozen=True)
class Room:
    """A room.

    Attributes:
        name: ``room_1``, ``room_2``, ...
        storey: Number of its storey.
        area: That can be walked [m^2].
        lower: Lower corner (3,) [m] of a box within it.
        upper: Upper corner (3,) [m].
    """

    name: str
    storey: int
    area: float
    lower: tuple[float, float, float]
    upper: tuple[float, float, float]


@dataclass(frozen=True)
class Door:
    """A door.

    Attributes:
        name: ``door_1``, ``door_2``, ...
        storey: Number of its storey.
        rooms: Names of the rooms on both sides.
        place: (3,) in its middle [m].
        width: From wall to wall [m].
    """

    name: str
    storey: int
    rooms: tuple[str, str]
    place: tuple[float, float, float]
    width: float


@dataclass(frozen=True, eq=False)
class Rooms:
    """The rooms of a floor.

    Attributes:
        room: (N,) row in ``rooms`` of each site; -1: none.
        openness: (N,) distance to the walls at shoulder height [m].
        rooms: The rooms.
        doors: The doors.
    """

    room: Index
    openness: Float
    rooms: list[Room]
    doors: list[Door]


def rooms_of(floor: Floor, reached: Bool, storey: Index) -> Rooms:
    """Return rooms and doors.

    Args:
        floor: The floor.
        reached: (N,) sites that count: what the body reaches.
        storey: (N,) row of each site's storey.
    """
    openness = _openness(floor, reached)
    basin, meetings = basins(floor.links[floor.joined], reached, openness)
    basin = _without_small(floor, basin, meetings)
    whole = basin
    basin = _by_storey(floor, basin, storey)
    labels = [label for label in np.unique(basin).tolist() if label >= 0]
    # From below, the largest first.
    size = {label: int((basin == label).sum()) for label in labels}
    level = {label: int(np.median(storey[basin == label])) for label in labels}
    labels.sort(key=lambda label: (level[label], -size[label], label))
    row = {label: number for number, label in enumerate(labels)}
    room = np.array([row.get(label, -1) for label in basin.tolist()], np.intp)
    rooms = []
    for number, label in enumerate(labels):
        lower, upper = box_within(floor, room == number, openness)
        area = size[label] * floor.cell**2
        rooms.append(Room(f"room_{number + 1}", level[label] + 1, area, lower, upper))
    return Rooms(room, openness, rooms, _doors(floor, rooms, room, whole, storey, openness))


def _openness(floor: Floor, reached: Bool) -> Float:
    openness = np.zeros(len(floor.position))
    walls = floor.queries.walls
    if walls is None:
        openness[reached] = CAP
        return openness
    stretched = np.array([1.0, 1.0, STRETCH])
    beside = MeshQuery(TriangleMesh(walls.mesh.vertices * stretched, walls.mesh.faces))
    axis = STRETCH * SHOULDERS[0] * floor.height, STRETCH * SHOULDERS[1] * floor.height
    openness[reached] = beside.nearest(floor.position[reached] * stretched, axis, CAP)[0]
    return openness


def _without_small(floor: Floor, basin: Index, meetings: list[tuple[int, int]]) -> Index:
    """Return the basins after small ones joined a neighbor."""
    least = LEAST_ROOM / floor.cell**2
    for _ in range(len(meetings) + 1):
        labels, count = np.unique(basin[basin >= 0], return_counts=True)
        size = dict(zip(labels.tolist(), count.tolist(), strict=True))
        pairs = {(one, two) for one, two in meetings if one != two}
        small = [label for label in size if size[label] < least]
        small = [label for label in small if any(label in pair for pair in pairs)]
        if not small:
            break
        label = min(small, key=lambda each: size[each])
        beside = [one + two - label for one, two in pairs if label in (one, two)]
        into = max(beside, key=lambda each: size.get(each, 0))
        basin = np.where(basin == label, into, basin)
        meetings = [
            (into if one == label else one, into if two == label else two) for one, two in meetings
        ]
    return basin


def _by_storey(floor: Floor, basin: Index, storey: Index) -> Index:
    """Return the basins cut where a ramp or stairs lead to another storey, if both are large."""
    parts = storey.max(initial=0) + 1
    label = np.where(basin >= 0, basin * parts + storey, -1)
    labels, count = np.unique(label[label >= 0], return_counts=True)
    large = count >= LEAST_ROOM / floor.cell**2
    for name in labels[~large].tolist():
        # A small piece stays with the largest one of its basin.
        same = labels // parts == name // parts
        if same.sum() > 1:
            label[label == name] = labels[same][count[same].argmax()]
    return label


def most_open(floor: Floor, sites: Index, openness: Float) -> int:
    """Return the site with the most room around it; of many, the one amid them."""
    open_ = sites[openness[sites] >= NEARLY * openness[sites].max()]
    place = floor.position[open_]
    return int(open_[np.linalg.norm(place - place.mean(axis=0), axis=1).argmin()])


def box_within(
    floor: Floor, inside: Bool, openness: Float
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return a box about the most open site; all its columns have sites that are inside (N,)."""
    sites = np.flatnonzero(inside)
    grid = np.zeros(floor.shape, bool)
    cell = np.stack(np.divmod(floor.column[sites], floor.shape[1]), axis=1)
    grid[cell[:, 0], cell[:, 1]] = True
    middle = np.array(np.divmod(floor.column[most_open(floor, sites, openness)], floor.shape[1]))
    low, high = middle.copy(), middle.copy()
    growing = [True] * 4
    while any(growing):
        for side in range(4):
            if not growing[side]:
                continue
            axis, end = side % 2, side // 2
            at = (low[axis] - 1) if end == 0 else (high[axis] + 1)
            growing[side] = 0 <= at < floor.shape[axis]
            if growing[side]:
                strip = (
                    grid[at, low[1] : high[1] + 1] if axis == 0 else grid[low[0] : high[0] + 1, at]
                )
                growing[side] = bool(strip.all())
            if growing[side]:
                (low if end == 0 else high)[axis] = at
    own = ((cell >= low) & (cell <= high)).all(axis=1)
    height = floor.position[sites[own], 2]
    lower = floor.origin + floor.cell * low
    upper = floor.origin + floor.cell * (high + 1)
    bottom, top = float(height.min()) - 0.1, float(height.max()) + 1.0
    return _point((*lower, bottom)), _point((*upper, top))


def _doors(
    floor: Floor, rooms: list[Room], room: Index, whole: Index, storey: Index, openness: Float
) -> list[Door]:
    """Return the doors: where links lead from room to room, one for each place.

    On stairs and ramps between two storeys of one basin (``whole``) there is none.
    """
    links = floor.links[floor.joined]
    links = links[(room[links] >= 0).all(axis=1)]
    links = links[room[links[:, 0]] != room[links[:, 1]]]
    links = links[whole[links[:, 0]] != whole[links[:, 1]]]
    width = openness[links].min(axis=1)
    found: list[tuple[int, frozenset[int], Float]] = []
    doors: list[Door] = []
    for link in np.argsort(-width, kind="stable").tolist():
        one, two = links[link].tolist()
        sides = frozenset(room[[one, two]].tolist())
        middle = floor.position[[one, two]].mean(axis=0)
        if any(
            sides == other and np.linalg.norm(middle - place) < max(APART, 2.0 * width[link])
            for _, other, place in found
        ):
            continue
        found.append((link, sides, middle))
        if len(doors) < MOST_DOORS:
            ends = floor.position[[one, two]]
            found_here = openings(floor, ends[0], ends[1], ends[1] - ends[0])
            least = SURELY * min(2.0 * width[link], 2.0 * floor.radius)
            found_here = [each for each in found_here if each.width >= least]
            if not found_here or found_here[0].width > DOOR:
                continue
            saddle = min(found_here, key=lambda each: each.width)
            place = saddle.place
            names = sorted(sides)
            doors.append(
                Door(
                    f"door_{len(doors) + 1}", int(storey[one]) + 1,
                    (rooms[names[0]].name, rooms[names[1]].name), _point(place),
                    saddle.width,
                )
            )  # fmt: skip
    return doors


def _point(place: Float | tuple[float, ...]) -> tuple[float, float, float]:
    x, y, z = (round(float(value), 2) + 0.0 for value in place)
    return x, y, z
