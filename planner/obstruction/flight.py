"""What separates two places for a flyer: the widest way between them, and its narrowest opening."""

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.graphs import components
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import Body
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.collision.solids import solid_parts
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.obstruction.least import BLOCKED, least_hindered
from rmp3d.planner.obstruction.separated import SeparatedPlaces
from rmp3d.planner.paths.center import centered
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.spaces.translation import TranslationSpace

SITES = 60_000
ROUNDS = 5  # of a bisection of widths
THIN = 0.02  # radius of the thinnest body, times the body's
TOLERANCE = 1e-4  # [m] of sweeps
TINY = TriangleMesh(1e-9 * np.eye(3), np.array([[0, 1, 2]]))
AROUND = 8  # links of a route, before and after its narrowest one, that are moved to the middle
FINE = 0.05  # of the radius, between points of that way
SEARCH, SHRINK = 60, 0.85  # rounds of a search across the way, and how it gets finer
OPPOSED = -0.9  # cosine at most, of the directions to two walls on opposite sides
ENOUGH = 1e-3  # share of the width that counts as a measuring error


class Air:
    """A grid of points in the bounds of a space, and which bodies pass between neighbors.

    Attributes:
        position: (N, 3) [m]; the last two are start and goal.
        links: (E, 2) neighbors.
        inside: (E,) which links have an end inside a closed part.
    """

    def __init__(self, space: TranslationSpace, ends: Float) -> None:
        self.space = space
        mesh, self.part = space.world.scene.flying_obstacles
        self.query = None if mesh is None else MeshQuery(mesh)
        low, high = space.bounds
        radius = space.world.body.radius
        size = np.maximum(high - low, 1e-6)
        cell = max(float(np.cbrt(size.prod() / SITES)), 0.5 * radius, float(size.max()) / SITES)
        count = np.maximum((size / cell).astype(int), 1)
        axes = [low[k] + size[k] * (np.arange(count[k]) + 0.5) / count[k] for k in range(3)]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
        number = np.arange(len(grid)).reshape(count)
        pairs = [
            np.stack([number[:-1].ravel(), number[1:].ravel()], axis=1),
            np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1),
            np.stack([number[:, :, :-1].ravel(), number[:, :, 1:].ravel()], axis=1),
        ]
        for row, end in enumerate(ends):
            near = np.argsort(np.linalg.norm(grid - end, axis=1), kind="stable")[:27]
            pairs.append(np.stack([near, np.full(len(near), len(grid) + row)], axis=1))
        self.position = np.concatenate([grid, ends])
        self.links = np.concatenate(pairs)
        inside = np.zeros(len(self.position), bool)
        for _, solid in solid_parts(space.world.scene, flying=True):
            inside |= MeshQuery(solid).contains(self.position)
        self.inside = inside[self.links].any(axis=1)

    def passes(self, share: Float, rows: Index) -> Bool:
        """Return on which links bodies pass, so wide as shares (K,) of the body."""
        free = np.ones(len(rows), bool)
        if self.query is None:
            return free
        body = self.space.world.body
        for value in np.unique(share).tolist():
            same = np.flatnonzero(share == value)
            ends = self.position[self.links[rows[same]]]
            free[same] = self.query.sweep_capsule(
                ends[:, 0], ends[:, 1], body.capsule_axis, value * body.radius, TOLERANCE
            )[0]
        return free

    def penalties(self) -> Float:
        """Return the penalty (E,) of each link: 0 where the body passes, `BLOCKED` where none."""
        rows = np.arange(len(self.links))
        low = np.full(len(rows), THIN)
        free = self.passes(np.ones(len(rows)), rows)
        free &= ~self.inside
        low[free] = 1.0
        rows = rows[~free]
        blocked = rows[~self.passes(np.full(len(rows), THIN), rows) | self.inside[rows]]
        rows = np.setdiff1d(rows, blocked)
        high = np.ones(len(self.links))
        for _ in range(ROUNDS):
            middle = 0.5 * (low[rows] + high[rows])
            good = self.passes(middle, rows)
            low[rows[good]] = middle[good]
            high[rows[~good]] = middle[~good]
        penalty: Float = -np.log2(low)
        penalty[blocked] = BLOCKED
        return penalty


def separated_in_flight(space: TranslationSpace, start: Float, goal: Float) -> SeparatedPlaces:
    """Return what separates two free places of a flyer."""
    air = Air(space, np.stack([start, goal]))
    count = len(air.position)
    penalty = air.penalties()
    label = components(count, air.links[penalty == 0.0])
    one, two = (air.position[label == label[end]] for end in (count - 2, count - 1))
    route, rows = least_hindered(air.position, air.links, penalty, count - 2, count - 1)
    if len(rows) and penalty[rows].max() > 0.0:
        worst = _at_worst(air, air.position[route], penalty[rows])
        return SeparatedPlaces(worst, route, (one, two))
    return SeparatedPlaces(None, route, (one, two), air.position[route])


def _at_worst(air: Air, places: Float, penalty: Float) -> Blockage | None:
    """Return the obstacle on a route where its penalty is highest; None if the body gets past."""
    step = int(penalty.argmax())
    body = air.space.world.body
    if penalty[step] >= BLOCKED:
        return _closed(air, places[step], places[step + 1])
    near = slice(max(step - AROUND, 0), step + AROUND + 2)
    place, width, faces = _opening(air, places[near], 0.9 * 2.0 ** -float(penalty[step]))
    if width >= 2.0 * body.radius * (1.0 - ENOUGH):
        return None
    parts = tuple(dict.fromkeys(_name(air, int(face)) for face in faces))
    return Blockage("opening", parts, _point(place), width, 2.0 * body.radius)


def _opening(air: Air, places: Float, share: float) -> tuple[Float, float, Index]:
    """Return the narrowest place of a way (K, 3), its width all round, and what is beside it.

    A thin body's way is first moved to the middle, then its narrowest place across the way.
    """
    assert air.query is not None
    query, axis = air.query, air.space.world.body.capsule_axis
    radius = air.space.world.body.radius
    thin = Body(TINY, share * radius, axis)
    scene = air.space.world.scene
    space = TranslationSpace(CollisionWorld(scene, thin, flying=True), air.space.bounds)
    middle = densified(centered(space, places, 2.0 * radius), FINE * radius, space)
    clear = query.nearest(middle, axis)[0]
    narrow = np.flatnonzero(clear <= clear.min() + FINE * radius)
    at = int(narrow[len(narrow) // 2])
    way = middle[min(at + 2, len(middle) - 1)] - middle[max(at - 2, 0)]
    way /= max(float(np.linalg.norm(way)), 1e-12)
    side = np.cross(way, np.eye(3)[int(np.abs(way).argmin())])
    side /= np.linalg.norm(side)
    angle = np.linspace(0.0, 2.0 * np.pi, 17)[:-1]
    across = np.stack([np.cos(angle), np.sin(angle)], axis=1) @ [side, np.cross(way, side)]
    place, size = middle[at], 0.2 * radius
    for _ in range(SEARCH):
        tried = np.concatenate([place[None], place + size * across])
        best = int(query.nearest(tried, axis)[0].argmax())
        place, size = tried[best], size if best else size * SHRINK
    width = 2.0 * float(query.nearest(place[None], axis)[0][0])
    _, near, faces = query.nearest(place + 0.03 * radius * across, axis)
    segment = np.clip(near[:, 2], place[2] + axis[0], place[2] + axis[1])
    toward = near - np.column_stack([np.broadcast_to(place[:2], (len(near), 2)), segment])
    return place, width, faces[_on_both_sides(toward)]


def _on_both_sides(toward: Float) -> Bool:
    """Return which of the directions (M, 3) to what is near are those of two opposite sides.

    All of them, if no two are opposite: a slot is narrow between its walls, though the floor may be
    as near; a hole with three sides is narrow between all three.
    """
    way = toward / np.maximum(np.linalg.norm(toward, axis=1), 1e-12)[:, None]
    cosine = way @ way.T
    one, two = np.unravel_index(cosine.argmin(), cosine.shape)
    if cosine[one, two] > OPPOSED:
        return np.ones(len(way), bool)
    found: Bool = (cosine[[one, two]] > -OPPOSED).any(axis=0)
    return found


def _closed(air: Air, one: Float, two: Float) -> Blockage:
    """Return the wall between two neighbors."""
    assert air.query is not None
    body = air.space.world.body
    face = air.query.sweep_capsule(
        one[None], two[None], body.capsule_axis, THIN * body.radius, TOLERANCE
    )[1]
    names = (_name(air, int(face[0])),) if face[0] >= 0 else ()
    return Blockage("wall", names, _point(0.5 * (one + two)), 0.0, 2.0 * body.radius)


def _name(air: Air, face: int) -> str:
    return air.space.world.scene.parts[int(air.part[face])].name


def _point(place: Float) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in place)
    return x, y, z
