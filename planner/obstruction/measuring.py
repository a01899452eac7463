"""Measures what hinders on a way: by nearest points and rays, not by the size of a probe."""

from functools import partial

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.obstruction.floor import LIFTED, OVER, Floor
from rmp3d.planner.obstruction.hindrances import THIN, TOLERANCE, Cause, Probe
from rmp3d.planner.obstruction.saddle import Saddle, saddle

FINE = 1e-3  # [m] between points that look for a step or a gap
MOST_FINE = 20_000
BISECTIONS = 14
SURELY = 0.95  # share of the width of a body that passes: less is another opening
CLOSED = 0.05  # times the radius: what is narrower is no opening
WIDEST = 4.0  # [m] from the middle of an opening to what is beside it
ENOUGH = 1e-3  # share of what is needed that counts as measuring errors
NEAR = 2.0  # times the body's radius: so near a step may be that refuses the body
STAIRS = 1.2  # [m] of stairs whose pitch is measured
DIRECTIONS = 32  # in which the nearest ground beside a gap is looked for
SLIDES = 24  # times that it is looked for anew from the middle of what was found


def measured(floor: Floor, route: Index, step: int, cause: Cause) -> Blockage | None:
    """Return the obstacle on a step of a route; None if the body gets past it."""
    start, end = floor.position[route[step : step + 2]]
    if cause == Cause.WIDTH:
        return _door(floor, route, step)
    if cause == Cause.HEIGHT:
        return _beam(floor, start, end)
    if cause == Cause.SLOPE:
        return _slope(floor, route[step : step + 2])
    if cause == Cause.WALL:
        return _wall(floor, start, end)
    if cause == Cause.STEP:
        return (
            _highest_ledge(floor, route, step)
            or _steep_stairs(floor, route, step)
            or _gap_or_curb(floor, route, step)
        )
    return (
        _widest_gap(floor, start, end)
        or _ledge(floor, start, end)
        or _gap_or_curb(floor, route, step)
        or _steep_stairs(floor, route, step)
    )


def clear_width(
    floor: Floor, start: Float, end: Float, way: Float | None = None, height: float = 1.0
) -> Saddle | None:
    """Return the narrowest place near a step of a route; None where there are no walls.

    The search begins in the middle of the step, for a way in its direction or the given one. Only
    what is at the body's height, or a share of it, counts: no underside of the floor, no ceiling.
    """
    around = floor.queries
    if around.walls is None:
        return None
    place = 0.5 * (start + end)
    low = min(floor.step + OVER, 0.5 * floor.height)
    high = max(height * floor.height - OVER, low)
    near, far = around.wall_boxes
    beside = (near[:, :2] < place[:2] + WIDEST) & (far[:, :2] > place[:2] - WIDEST)
    level = (near[:, 2] < place[2] + high) & (far[:, 2] > place[2] + low)
    if len(faces := np.flatnonzero(beside.all(axis=1) & level)) == 0:
        return None
    walls = MeshQuery(around.walls.mesh.select(faces))
    found = saddle(walls, (low, high), place, end - start if way is None else way, floor.radius)
    return found._replace(faces=faces[found.faces])


def openings(
    floor: Floor, start: Float, end: Float, along: Float, height: float = 1.0
) -> list[Saddle]:
    """Return the openings near a step of a way, searched in several directions: its own first.

    Between the sides of a closed part, within it, is no opening. ``height``: see `clear_width`.
    """
    square = np.array([start[1] - end[1], end[0] - start[0], 0.0])
    ways = (clear_width(floor, start, end, way, height) for way in (end - start, along, square))
    found = [saddle for saddle in ways if saddle is not None and saddle.opposed]
    places = np.array([saddle.place for saddle in found]).reshape(-1, 3)
    places[:, 2] += floor.step + OVER
    closed = floor.space.world.in_solid(places)
    return [saddle for saddle, inside in zip(found, closed, strict=True) if not inside]


def _door(floor: Floor, route: Index, step: int) -> Blockage | None:
    """Return the opening on a step of a route, if it is too narrow.

    The way through it is looked for in several directions; of the openings that let pass what
    passes on this step, the narrowest is meant.
    """
    places, needed = floor.position[route], 2.0 * floor.radius
    start, end = places[step], places[step + 1]
    probe = Probe(floor, route[None, step : step + 2])
    tall = probe.room_up(np.zeros(1, np.intp))  # less than 1 under a lintel that is too low
    least = SURELY * needed * float(probe.widths(np.zeros(1, bool), tall)[0])
    along = places[min(step + 4, len(places) - 1)] - places[max(step - 3, 0)]
    found = openings(floor, start, end, along, float(tall[0]) or 1.0)
    found = [saddle for saddle in found if saddle.width >= least]
    if not found or min(saddle.width for saddle in found) >= needed * (1.0 - ENOUGH):
        return None
    best = min(found, key=lambda saddle: saddle.width)
    if best.width < CLOSED * floor.radius:
        return _wall(floor, start, end)
    parts = tuple(dict.fromkeys([_name(floor, int(face)) for face in best.faces]))
    return Blockage(
        "door", parts, _point(best.place), best.width, needed, across=floor.space.world.body.across
    )


def _beam(floor: Floor, start: Float, end: Float) -> Blockage | None:
    """Return what is too low over a step of a route."""
    walls, everything = floor.queries.walls, floor.queries.everything
    low, thin = floor.step + OVER, THIN * floor.radius
    queries = [(everything, thin, floor.queries.part)]
    if walls is not None:
        queries.append((walls, floor.radius, floor.queries.wall_part))

    def refusing(height: float) -> tuple[int, Float] | None:
        for query, radius, part in queries:
            axis = low + radius, max(height - radius, low + radius)
            face = int(query.sweep_capsule(start, end, axis, radius, TOLERANCE)[1][0])
            if face >= 0:
                return int(part[face]), query.mesh.triangles[face]
        return None

    least, most = low + 2.0 * floor.radius, floor.height
    if refusing(most) is None:
        return None
    if least >= most or refusing(least) is not None:  # too narrow as well: the middle counts
        queries, least = [(query, thin, part) for query, _, part in queries], low + 2.0 * thin
    for _ in range(BISECTIONS):
        middle = 0.5 * (least + most)
        least, most = (middle, most) if refusing(middle) is None else (least, middle)
    hit = refusing(most)
    assert hit is not None
    name = floor.space.world.scene.parts[hit[0]].name
    head = 0.5 * (start + end) + np.array([0.0, 0.0, least])
    roof = MeshQuery(TriangleMesh(hit[1], np.array([[0, 1, 2]])))
    under = roof.closest_point(head[None] - [0.0, 0.0, 0.5 * least])[1]
    ground = float(ground_height(floor, under - [0.0, 0.0, least], 0.5 * least)[0])
    if np.isfinite(ground) and low < under[0, 2] - ground < floor.height:
        least, head = float(under[0, 2] - ground), under[0]
    return Blockage("beam", (name,), _point(head), least, floor.height)


def _slope(floor: Floor, sites: Index) -> Blockage:
    worst = int(sites[floor.steepness[sites].argmax()])
    angle = float(np.degrees(np.arctan(floor.steepness[worst])))
    most = float(np.degrees(floor.space.world.scene.max_slope))
    name = floor.space.world.scene.parts[int(floor.part[worst])].name
    return _leaning_step(floor, worst, name) or Blockage(
        "slope", (name,), _point(floor.position[worst]), angle, most
    )


def _leaning_step(floor: Floor, site: int, name: str) -> Blockage | None:
    """Return the steep ground at a site as a step, if it is shorter in plan than a body."""
    around, point = floor.queries, floor.position[site]
    uphill = -around.ground.mesh.normals[int(around.ground.closest_point(point[None])[2][0])]
    uphill = np.array([*uphill[:2], 0.0]) / max(float(np.hypot(*uphill[:2])), 1e-12)
    count = 2 * int(np.clip(floor.radius / FINE, 16, MOST_FINE)) + 1
    place = point + np.linspace(-floor.radius, floor.radius, count)[:, None] * uphill
    place[:, 2] = ground_height(floor, place, min(0.5 * floor.height, 0.9 * floor.headroom[site]))
    steep, known = _is_steep(floor, place), np.isfinite(place[:, 2])
    for a, b in _stretches(steep).tolist():
        jump = float(abs(place[b, 2] - place[a, 2]))
        inside = 0 < a <= count // 2 <= b < count - 1 and known[[a - 1, b + 1]].all()
        if inside and floor.step * (1.0 + ENOUGH) < jump:
            upper = max(place[[a, b]], key=lambda end: float(end[2]))
            return Blockage("step", (name,), _point(upper), jump, floor.step)
    return None


def _is_steep(floor: Floor, place: Float) -> Bool:
    """Return between which of the points (K, 3) the ground is steeper than `max_slope`."""
    run = np.linalg.norm(np.diff(place[:, :2], axis=0), axis=1)
    most = 1.05 * np.tan(floor.space.world.scene.max_slope)
    steep: Bool = np.abs(np.diff(place[:, 2])) > most * run
    return steep


def _wall(floor: Floor, start: Float, end: Float) -> Blockage:
    """Return the wall on a step of a route, and how high it is if it ends below the head."""
    thin, low = THIN * floor.radius, floor.step + OVER
    top = max(start[2], end[2])
    start, end = np.array([*start[:2], top]), np.array([*end[:2], top])
    face = _refusing(floor, start, end, low, thin)
    if face < 0 and floor.queries.walls is not None:
        axis = low, max(floor.height - OVER, low)
        face = int(floor.queries.walls.nearest(0.5 * (start + end)[None], axis)[2][0])
        return Blockage("wall", (_name(floor, face),), _point(0.5 * (start + end)), 0.0, floor.step)
    return _named_wall(floor, start, end, thin, (_name(floor, face),) if face >= 0 else ())


def _named_wall(
    floor: Floor, start: Float, end: Float, radius: float, names: tuple[str, ...]
) -> Blockage:
    """Return a wall with its height, found by bodies that begin above it."""
    low, high = 0.0, floor.height - 2.0 * radius
    if _refusing(floor, start, end, high, radius) >= 0:
        low = high = 0.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if _refusing(floor, start, end, middle, radius) >= 0:
            low = middle
        else:
            high = middle
    return Blockage("wall", names, _point(0.5 * (start + end)), high, floor.step)


def _refusing(floor: Floor, start: Float, end: Float, low: float, radius: float) -> int:
    """Return the face of the walls that refuses a body that begins at a height; -1 for none."""
    walls = floor.queries.walls
    if walls is None:
        return -1
    axis = low + radius, max(floor.height - radius, low + radius)
    return int(walls.sweep_capsule(start, end, axis, radius, TOLERANCE)[1][0])


def _ledge(floor: Floor, start: Float, end: Float) -> Blockage | None:
    """Return the step between two sites, if it is too high."""
    rises = _rises(floor, start, end)
    upper, jump = max(rises, key=lambda step: step[1], default=(start, 0.0))
    if jump <= floor.step * (1.0 + ENOUGH):
        return None
    return Blockage("step", (_ground_name(floor, upper),), _point(upper), jump, floor.step)


def _rises(floor: Floor, start: Float, end: Float) -> list[tuple[Float, float]]:
    """Return upper end and height of every step between two sites.

    A riser that leans, or has a rounded edge, is one step: all that is steeper than `max_slope`.
    """
    height, place = _heights(floor, start, end)
    known = np.isfinite(height)
    place = place[known]
    ends = _stretches(_is_steep(floor, place))
    return [
        (
            max(place[[a, b]], key=lambda point: float(point[2])),
            float(abs(place[b, 2] - place[a, 2])),
        )
        for a, b in ends.tolist()
    ]


def _highest_ledge(floor: Floor, route: Index, step: int) -> Blockage | None:
    """Return the highest of the steps near a step of a route that are too high."""
    places = floor.position[route]
    found = [
        ledge
        for row in _near(floor, route, step, NEAR * floor.radius).tolist()
        if (ledge := _ledge(floor, places[row], places[row + 1])) is not None
    ]
    return max(found, key=lambda ledge: ledge.measured, default=None)


def _steep_stairs(floor: Floor, route: Index, step: int) -> Blockage | None:
    """Return the stairs near a step of a route, if their pitch is steeper than `max_slope`."""
    places = floor.position[route]
    near = _near(floor, route, step, STAIRS).tolist()
    rises = [rise for row in near for rise in _rises(floor, places[row], places[row + 1])]
    steps = [(place, rise) for place, rise in rises if rise > OVER]
    if len(steps) < 2:
        return None
    run = float(np.linalg.norm(steps[-1][0][:2] - steps[0][0][:2]))
    pitch = float(np.degrees(np.arctan2(sum(rise for _, rise in steps[1:]), run)))
    most = float(np.degrees(floor.space.world.scene.max_slope))
    if pitch <= most:
        return None
    place = steps[len(steps) // 2][0]
    return Blockage("slope", (_ground_name(floor, place),), _point(place), pitch, most)


def _near(floor: Floor, route: Index, step: int, reach: float) -> Index:
    """Return the steps (K,) of a route within reach [m] of one of them, in plan."""
    places = floor.position[route]
    near = np.linalg.norm(places[:-1, :2] - places[step, :2], axis=1) < reach
    near &= np.abs(places[:-1, 2] - places[step, 2]) < floor.height
    return np.flatnonzero(near)


def _gap_or_curb(floor: Floor, route: Index, step: int) -> Blockage | None:
    """Return the widest gap near a step of a route, whose far edge may be what refuses the body.

    Without a gap it is what is no higher than the body's step, and yet no ground.
    """
    places = floor.position[route]
    found = [
        gap
        for row in _near(floor, route, step, NEAR * floor.radius).tolist()
        if (gap := _widest_gap(floor, places[row], places[row + 1])) is not None
    ]
    curb = None if found else _curb(floor, places[step], places[step + 1])
    return max(found, key=lambda gap: gap.measured, default=curb)


def _widest_gap(floor: Floor, start: Float, end: Float) -> Blockage | None:
    """Return the widest stretch without ground between two sites; None if there is none."""
    height, place = _heights(floor, start, end)
    ends = _stretches(~np.isfinite(height))
    ends = ends[(ends[:, 0] > 0) & (ends[:, 1] < len(height))]
    if len(ends) == 0:
        return None
    first, last = ends[np.diff(ends, axis=1)[:, 0].argmax()]
    before, after = place[first - 1], place[last]
    width, middle = _shortest_gap(floor, before, after)
    name = _ground_name(floor, before), _ground_name(floor, after)
    return Blockage("gap", tuple(dict.fromkeys(name)), _point(middle), width, 0.001)


def _stretches(marked: Bool) -> Index:
    """Return where stretches of marked places begin, and where the next place is not (K, 2)."""
    return np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]))).reshape(-1, 2)


def _curb(floor: Floor, start: Float, end: Float) -> Blockage | None:
    """Return what is no higher than the body's step, and yet no ground."""
    face = _refusing(floor, start, end, LIFTED, floor.radius)
    if face < 0:
        return None
    return _named_wall(floor, start, end, floor.radius, (_name(floor, face),))


def _heights(floor: Floor, start: Float, end: Float) -> tuple[Float, Float]:
    """Return the ground's heights (K,) on a line, NaN where it is missing, and points (K, 3)."""
    run = float(np.linalg.norm(end[:2] - start[:2]))
    count = int(np.clip(run / FINE, 16, MOST_FINE)) + 1
    share = np.linspace(0.0, 1.0, count)
    place = start + share[:, None] * (end - start)
    height = ground_height(floor, place, abs(float(end[2] - start[2])) + floor.step + OVER)
    place[:, 2] = np.where(np.isfinite(height), height, place[:, 2])
    return height, place


def ground_height(floor: Floor, points: Float, reach: float) -> Float:
    """Return the height (M,) of the ground within reach [m] of points (M, 3), else NaN."""
    ground = floor.queries.ground
    origin = points + np.array([0.0, 0.0, reach])
    distance, face = ground.cast_ray(origin, np.array([0.0, 0.0, -1.0]), 2.0 * reach)
    return np.where(face >= 0, origin[:, 2] - distance, np.nan)


def _shortest_gap(floor: Floor, before: Float, after: Float) -> tuple[float, Float]:
    """Return the least width of a gap near two of its borders, in plan, and its middle.

    From the middle the nearest ground of both sides is looked for, and then from the middle
    between these: at a corner the gap is not measured aslant. An end stays on its own side: the
    ground of a third place, which both sides touch, is no end of this gap.
    """
    ends = np.stack([before, after])
    width = float(np.hypot(*(after - before)[:2]))
    for _ in range(SLIDES):
        middle = ends.mean(axis=0)
        nearer = np.stack([_nearest_ground(floor, middle, end - middle) for end in ends])
        narrower = float(np.hypot(*(nearer[1] - nearer[0])[:2]))
        if narrower > width - FINE or not all(map(partial(_on_ground, floor), ends, nearer)):
            break
        ends, width = nearer, narrower
    return width, ends.mean(axis=0)


def _on_ground(floor: Floor, start: Float, end: Float) -> bool:
    """Return whether there is ground all along the line between two points of it."""
    return bool(np.isfinite(_heights(floor, start, end)[0]).all())


def _nearest_ground(floor: Floor, point: Float, way: Float) -> Float:
    """Return where the ground begins nearest to a point in a gap, towards one side of it."""
    most = float(np.hypot(*way[:2])) + FINE
    turn = np.arctan2(way[1], way[0]) + np.linspace(-0.45, 0.45, DIRECTIONS + 1) * np.pi
    ways = np.stack([np.cos(turn), np.sin(turn), np.zeros(len(turn))], axis=1)
    distance = np.linspace(0.0, most, int(np.clip(most / FINE, 16, MOST_FINE)) + 1)
    place = (point + distance[:, None, None] * ways).reshape(-1, 3)
    known = np.isfinite(ground_height(floor, place, 0.5 * floor.height))
    row = int(np.argmax(known)) if known.any() else len(place) - len(ways) + DIRECTIONS // 2
    return place[row]


def _ground_name(floor: Floor, point: Float) -> str:
    around = floor.queries
    face = int(around.ground.closest_point(point[None])[2][0])
    return around.scene.parts[int(around.scene.walkable_part[face])].name


def _name(floor: Floor, face: int) -> str:
    """Return the name of the part that a face of the walls is in."""
    return floor.space.world.scene.parts[int(floor.queries.wall_part[face])].name


def _point(place: Float) -> tuple[float, float, float]:
    return float(place[0]), float(place[1]), float(place[2])
