"""The floor of a scene in cells: where a walking body can be, and between which cells it walks.

In the middle of each column of a grid, every triangle that could carry a walker is a *site*, also
where it is too steep. A site at which the body is not free is moved away from what is near, within
its cell. Sites of neighboring columns with only air between them are *links*; those over which the
planner proves the body's straight walk are *joined*. So what is joined here, the planner reaches.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.columns import column_heights
from rmp3d.geometry.graphs import component_numbers
from rmp3d.geometry.looks import mean_looks, mean_looks_up
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.planner.spaces.bounds import in_bounds
from rmp3d.planner.spaces.ground import GroundSpace
from rmp3d.scenes import Scene

STEEPEST = np.radians(85.0)
"""Ground up to this slope has sites; what is steeper counts as a wall."""
SITES = 40_000
LEAST_HEADROOM = 0.3  # of the body's height; sites with less over them are left out
MOST = 1.5  # times as many sites on a large floor
WIDEST = 10_000.0
"""Widest scene [m] that is looked over: links between cells of a wider one are no walks."""
MOST_COLUMNS = 4_000_000
LIFTED = 1e-3  # [m] over the ground at which a ray begins
OVER = 0.02  # [m] over the largest step: what is lower is no wall
SAME = 5e-3  # [m] between sites of a column that count as one
PUSHES, PUSH_DECAY, PUSHED = 12, 0.8, 0.7  # rounds; factor for each; farthest, times the cell
BATCH = 100_000  # links that are proved in one call
LOOKS = 10_000_000
"""Triangles that are looked at, about; where more would be, cells are larger. Scenes that were
modeled take up to half of that."""
FEWEST = 100  # sites, however crowded the triangles are


@dataclass(frozen=True, eq=False)
class Floor:
    """Sites and links.

    Attributes:
        space: Of the walking body.
        cell: Side of a column [m].
        origin: (2,) corner of the grid [m].
        shape: Columns along x and y.
        column: (N,) column of each site, ascending.
        position: (N, 3) [m].
        steepness: (N,) slope of the ground (rise over run).
        part: (N,) row in the scene's parts.
        headroom: (N,) air over the site [m].
        free: (N,) whether the body can stand there.
        links: (E, 2) sites.
        joined: (E,) whether the body's walk over the link is proved.
        queries: For queries.
        crowded: Whether cells are larger than usual, as too many triangles are in one place.
    """

    space: GroundSpace
    cell: float
    origin: Float
    shape: tuple[int, int]
    column: Index
    position: Float
    steepness: Float
    part: Index
    headroom: Float
    free: Bool
    links: Index
    joined: Bool
    queries: "FloorQueries"
    crowded: bool = False

    @property
    def flat(self) -> Bool:
        """(N,) which sites are no steeper than the scene's `max_slope`."""
        return self.steepness <= np.tan(self.space.world.scene.max_slope) * (1.0 + 1e-6)

    @property
    def step(self) -> float:
        """Largest step [m] that the body climbs."""
        return float(self.space.world.max_step)

    @property
    def radius(self) -> float:
        """Radius [m] of the body."""
        return float(self.space.world.body.radius)

    @property
    def height(self) -> float:
        """Height [m] of the body."""
        body = self.space.world.body
        return float(body.capsule_axis[1] + body.radius)

    @property
    def spine(self) -> tuple[float, float]:
        """Heights [m] over the feet between which walls are looked at."""
        low, high = self.space.world.body.capsule_axis
        return min(max(low, self.step + OVER), high), high

    @cached_property
    def component(self) -> Index:
        """(N,) number of the joined region that each site is in."""
        return component_numbers(len(self.position), self.links[self.joined])

    @cached_property
    def in_solid(self) -> Bool:
        """(N,) which sites are inside a closed part: on the floor below a crate."""
        return self.space.world.in_solid(self.position + np.array([0.0, 0.0, LIFTED]))

    def sites_of(self, columns: Index) -> tuple[Index, Index]:
        """Return the rows (K,) of ``columns`` and the sites (K,) in them; -1 is no column."""
        first = np.searchsorted(self.column, columns)
        count = np.searchsorted(self.column, columns, side="right") - first
        count[columns < 0] = 0
        rows = np.repeat(np.arange(len(columns)), count)
        begin = np.repeat(np.cumsum(count) - count, count)
        return rows, first[rows] + np.arange(len(rows)) - begin

    def neighbor_column(self, sites: Index, x: int, y: int) -> Index:
        """Return the columns (K,) so many cells from those of sites (K,); -1 outside."""
        row, place = np.divmod(self.column[sites], self.shape[1])
        row, place = row + x, place + y
        inside = (row >= 0) & (row < self.shape[0]) & (place >= 0) & (place < self.shape[1])
        return np.where(inside, row * self.shape[1] + place, -1)


class FloorQueries:
    """Queries of a scene: what is not ground for anybody, and all that is there.

    Args:
        scene: As it is.
        max_step: Highest step [m] that the walkers take.

    Attributes:
        scene: With the steepest ground that has sites.
        walls: Query of what is neither ground even for a climber, nor a step that the walkers
            take; None: there is nothing.
        wall_part: (F,) row in the scene's parts of each of its faces.
        everything: Query of all parts but decor.
        part: (F,) row in the scene's parts of each of its faces.
    """

    def __init__(self, scene: Scene, max_step: float) -> None:
        self.scene = climbing(scene)
        mesh, self.wall_part = _walls(scene, max_step)
        self.walls = None if mesh is None else MeshQuery(mesh)
        whole, self.part = self.scene.flying_obstacles
        assert whole is not None
        self.everything = MeshQuery(whole)

    @cached_property
    def ground(self) -> MeshQuery:
        """Query of the ground of a climber."""
        ground = self.scene.walkable
        assert ground is not None
        return MeshQuery(ground)

    @cached_property
    def wall_boxes(self) -> Float:
        """Least and greatest corners (2, F, 3) of the faces of the walls."""
        assert self.walls is not None
        corners = self.walls.mesh.triangles
        return np.stack([corners.min(axis=1), corners.max(axis=1)])

    def headroom(self, points: Float) -> Float:
        """Return how much air (M,) [m] there is straight over points (M, 3) of the ground."""
        lifted = points + np.array([0.0, 0.0, LIFTED])
        return self.everything.cast_ray(lifted, np.array([0.0, 0.0, 1.0]))[0] + LIFTED


def climbing(scene: Scene) -> Scene:
    """Return the scene for a climber: its ground may be steeper."""
    return replace(scene, max_slope=max(STEEPEST, scene.max_slope))


def _walls(scene: Scene, max_step: float) -> tuple[TriangleMesh | None, Index]:
    """Return what walkers must not touch, less what a climber walks on; and the part of each."""
    mesh, part_of = scene.footing(max_step).met
    if mesh is None:
        return mesh, part_of
    is_ground = np.array([part.role == "ground" or not scene.roles_stated for part in scene.parts])
    least = np.cos(max(STEEPEST, scene.max_slope)) - 1e-9
    kept = np.flatnonzero(~(is_ground[part_of] & (mesh.normals[:, 2] >= least)))
    if len(kept) == len(part_of):
        return mesh, part_of
    return (mesh.select(kept) if len(kept) else None), part_of[kept]


def is_too_wide(bounds: Float) -> bool:
    """Return whether no cell between corners (2, K) is of the size of a body any more."""
    return bool((bounds[1, :3] - bounds[0, :3]).max() > WIDEST)


def sampled_floor(space: GroundSpace, sites: int = SITES) -> Floor:
    """Return the floor of a space in cells.

    Args:
        space: Of the walking body.
        sites: About how many there may be; half as many again on a large floor. There are fewer
            where many triangles are in one place, so that no more than `LOOKS` are looked at.
    """
    around = FloorQueries(space.world.scene, space.world.max_step)
    floor = _sites_of(space, around, sites)
    looks = _looks_for(floor)
    while looks > LOOKS and sites > FEWEST:
        sites = max(FEWEST, min(sites // 2, int(sites * LOOKS / looks)))
        floor = _sites_of(space, around, sites)
        floor, looks = replace(floor, crowded=True), _looks_for(floor)
    return _linked(_settled(_with_air(floor)))


def _sites_of(space: GroundSpace, around: FloorQueries, sites: int) -> Floor:
    """Return all that could carry a walker, in about so many sites."""
    mesh = around.scene.walkable
    assert mesh is not None
    body, area = space.world.body, _area_within(mesh, space.bounds)
    origin = space.bounds[0, :2]
    extent = np.maximum(space.bounds[1, :2] - origin, 1e-6)
    cell = float(np.clip(sqrt(area / sites), 0.25 * body.radius, body.radius))
    cell = max(cell, sqrt(area / (MOST * sites)), sqrt(extent.prod() / MOST_COLUMNS))
    cell = max(cell, extent.sum() / MOST_COLUMNS)  # a scene may be long and thin
    shape = int(extent[0] / cell) + 1, int(extent[1] / cell) + 1
    column, height, face = column_heights(mesh, origin, cell, shape)
    middle = origin + cell * (np.stack(np.divmod(column, shape[1]), axis=1) + 0.5)
    position = np.column_stack([middle, height])
    kept = in_bounds(position, space.bounds)
    normal, count = mesh.normals[face[kept]], int(kept.sum())
    return Floor(
        space=space,
        cell=cell,
        origin=origin,
        shape=shape,
        column=column[kept],
        position=position[kept],
        steepness=np.hypot(normal[:, 0], normal[:, 1]) / normal[:, 2],
        part=around.scene.walkable_part[face[kept]],
        headroom=np.full(count, np.inf),
        free=np.zeros(count, bool),
        links=np.zeros((0, 2), np.intp),
        joined=np.zeros(0, bool),
        queries=around,
    )


def _looks_for(floor: Floor) -> float:
    """Return at how many triangles it takes to look to find where the body is free, about."""
    walls = floor.queries.walls
    each = mean_looks_up(floor.queries.everything, floor.position)
    if walls is not None:
        looks, near = mean_looks(walls, floor.position, floor.spine, 2.0 * floor.radius)
        each += looks * (1.0 + PUSHES * near)
    return each * len(floor.position)


def _with_air(floor: Floor) -> Floor:
    """Return the floor without sites that have too little air over them."""
    headroom = floor.queries.headroom(floor.position)
    column, height = floor.column, floor.position[:, 2]
    kept = headroom > LEAST_HEADROOM * floor.height
    kept[:-1] &= (column[1:] != column[:-1]) | (height[1:] - height[:-1] > SAME)
    rows = np.flatnonzero(kept)
    return replace(
        floor, column=column[rows], position=floor.position[rows],
        steepness=floor.steepness[rows], part=floor.part[rows], headroom=headroom[rows],
        free=floor.free[rows],
    )  # fmt: skip


def _area_within(mesh: TriangleMesh, bounds: Float) -> float:
    """Return about how much area [m^2] of a mesh is over the rectangle of bounds (2, K)."""
    low, high = mesh.triangles[..., :2].min(axis=1), mesh.triangles[..., :2].max(axis=1)
    size = high - low
    inside = np.minimum(high, bounds[1, :2]) - np.maximum(low, bounds[0, :2])
    share = np.divide(inside, size, out=(inside >= 0.0).astype(float), where=size > 0.0)
    area = float((mesh.areas * np.clip(share, 0.0, 1.0).prod(axis=1)).sum())
    return area if area > 0.0 else float(mesh.areas.sum())


def _settled(floor: Floor) -> Floor:
    """Return the floor with sites moved, within their cells, to where the body is free."""
    space, walls = floor.space, floor.queries.walls
    position = floor.position.copy()
    free = floor.flat.copy()
    free[free] = space.is_free(position[free])
    moving = np.flatnonzero(floor.flat & ~free)
    if walls is None or len(moving) == 0:
        return replace(floor, free=free)
    body = space.world.body
    here = position[moving]
    size = 1.0
    for _ in range(PUSHES):
        distance, near, _ = walls.nearest(here, floor.spine, 2.0 * body.radius)
        away = here[:, :2] - near[:, :2]
        away /= np.maximum(np.linalg.norm(away, axis=1), 1e-9)[:, None]
        far = np.maximum(1.02 * body.radius - distance, 0.0) * size
        offset = here[:, :2] + far[:, None] * away - position[moving, :2]
        offset = np.clip(offset, -PUSHED * floor.cell, PUSHED * floor.cell)
        step = np.column_stack([offset, np.zeros(len(offset))])
        here = space.move(position[moving], step)[0]
        size *= PUSH_DECAY
    good = space.is_free(here)
    position[moving[good]] = here[good]
    free[moving[good]] = True
    return replace(floor, position=position, free=free)


def _linked(floor: Floor) -> Floor:
    """Return the floor with links between neighbors, and which of them are joined."""
    sites = np.arange(len(floor.position))
    found = [
        pairs_between(floor, sites, floor.neighbor_column(sites, *step))
        for step in ((1, 0), (0, 1))
    ]
    links = np.concatenate(found)
    return replace(floor, links=links, joined=joined_links(floor, links))


def pairs_between(floor: Floor, sites: Index, columns: Index) -> Index:
    """Return pairs (K, 2) of sites and sites in columns, one for each, with only air between."""
    rows, other = floor.sites_of(columns)
    pairs = np.stack([sites[rows], other], axis=1)
    height, room = floor.position[pairs, 2], floor.headroom[pairs]
    lower = height.argmin(axis=1)[:, None]
    reach = np.take_along_axis(height + room, lower, axis=1)[:, 0]
    return pairs[height.max(axis=1) < reach]


def joined_links(floor: Floor, links: Index) -> Bool:
    """Return over which links (E, 2) the planner proves the body's walk."""
    rise = np.abs(np.diff(floor.position[links, 2], axis=1)[:, 0])
    run = np.linalg.norm(np.diff(floor.position[links, :2], axis=1)[:, 0], axis=1)
    likely = floor.free[links].all(axis=1)
    steepest = np.tan(floor.space.world.scene.max_slope)
    likely &= rise <= floor.step * (1.0 + run / floor.cell) + 2.0 * steepest * run
    joined = np.zeros(len(links), bool)
    rows = np.flatnonzero(likely)
    for part in np.array_split(rows, max(1, len(rows) // BATCH)):
        ends = floor.position[links[part]]
        joined[part] = floor.space.connects(ends[:, 0], ends[:, 1])
    return joined
