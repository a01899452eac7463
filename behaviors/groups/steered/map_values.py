"""State variables of the map: where members are, how far it is, what is in line of sight."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from rmp3d.behaviors.action.state import word_of
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.guided.roadmap_routes import Entries, RoadmapRoutes
from rmp3d.behaviors.perception import Known
from rmp3d.behaviors.perception.sight import lines_are_clear
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.storeys import LEAST_AREA, LEVEL, storey_at, storey_heights
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces import GroundSpace, Space
from rmp3d.planner.spaces.endpoints import endpoint
from rmp3d.scenes import Region

OF_REGIONS = ("inside", "distance", "path_distance", "reachable", "in_sight")
OF_OTHERS = ("path_distance", "reachable", "in_sight")
BY_ROUTES = ("path_distance", "reachable")
# Distances along the roadmap are looked up this often [s], and kept in between.
EVERY = 0.5
# Places at which the heights of the floor are looked at, to find the storeys.
PLACES = 4000


def region_words(regions: Mapping[str, Region], groups: Sequence[str]) -> dict[str, Region]:
    """Return the regions by the words that conditions spell them with; groups' words go first."""
    words = {re.sub(r"\W", "_", name): region for name, region in regions.items()}
    taken = {word_of(group) for group in groups}
    return {word: each for word, each in words.items() if word.isidentifier() and word not in taken}


class MapVariables:
    """The variables that rules know of the map, for n members.

    Of a region: ``REGION.inside``; ``REGION.distance`` to its nearest point [m];
    ``REGION.path_distance`` to its middle over the roadmap [m], infinite where there is no way;
    ``REGION.reachable``, whether there is one; ``REGION.in_sight``, whether nothing hides its
    middle. Of the nearest known member of a group: ``GROUP.path_distance``, ``GROUP.reachable``,
    ``GROUP.in_sight``. Of walkers: ``storey``, 1, 2, ... from below.

    Args:
        space: Of the members.
        groups: Names of all groups.
        routes: Returns the routes over the roadmap, which are made when first asked for.
    """

    def __init__(
        self, space: Space, groups: Sequence[str], routes: Callable[[], RoadmapRoutes]
    ) -> None:
        self._space, self._groups, self._routes = space, groups, routes
        self._regions = region_words(space.world.scene.regions, groups)
        self._heights: Float | None = None
        self._middles: dict[str, Float] = {}
        self._kept: dict[str, Float] = {}
        self._next = -np.inf

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all variables."""
        found = [f"{word}.{what}" for word in self._regions for what in OF_REGIONS]
        found += [f"{word_of(group)}.{what}" for group in self._groups for what in OF_OTHERS]
        return (*found, *(["storey"] if isinstance(self._space, GroundSpace) else []))

    def values(
        self, wanted: Collection[str], world: WorldState, rows: Index, flock: Flock, known: Known
    ) -> dict[str, Float]:
        """Return those of the ``wanted`` variables that are about the map, each (n,)."""
        names = set(self.names) & set(wanted)
        values: dict[str, Float] = {}
        for name in sorted(names):
            word, _, what = name.rpartition(".")
            if name == "storey":
                values[name] = storey_at(self._storeys(), flock.position[:, 2]).astype(float) + 1.0
            elif what not in BY_ROUTES and word in self._regions:
                values[name] = self._of_region(self._regions[word], what, world, rows, flock)
            elif what == "in_sight":
                values[name] = self._sees(self._group(word), world, rows, flock, known)
        by_routes = {name for name in names if name.rpartition(".")[2] in BY_ROUTES}
        if by_routes:
            due = world.time >= self._next - 1e-9
            if due or by_routes - self._kept.keys():
                self._next = world.time + EVERY
                self._kept = self._over_roadmap(by_routes, world, flock, known)
            values |= {name: self._kept[name] for name in by_routes}
        return values

    def turn_over(self) -> None:
        """Look everything up anew, as other members are there now."""
        self._kept = {}

    def _of_region(
        self, region: Region, what: str, world: WorldState, rows: Index, flock: Flock
    ) -> Float:
        position = flock.position
        if what == "inside":
            return region.contains(position).astype(np.float64)
        if what == "distance":
            if region.kind == "sphere":
                return np.maximum(length(position - region.center) - region.radius, 0.0)
            return length(position - np.clip(position, region.lower, region.upper))
        return self._clear(world, rows, np.tile(region.center, (len(rows), 1)))

    def _sees(
        self, group: int, world: WorldState, rows: Index, flock: Flock, known: Known
    ) -> Float:
        pair = known.nearest(world.group_of == group, flock.position)
        found = np.flatnonzero(pair >= 0)
        sees = np.zeros(len(rows))
        other = pair[found]
        end = known.position[other].copy()
        end[:, 2] += world.flock.bodies.capsule_axis[known.j[other]].mean(axis=1)
        sees[found] = self._clear(world, rows[found], end)
        return sees

    @staticmethod
    def _clear(world: WorldState, rows: Index, end: Float) -> Float:
        if world.solid is None:
            return np.ones(len(rows))
        clear: Bool = lines_are_clear(world.solid, world.eye[rows], end)
        return clear.astype(np.float64)

    def _over_roadmap(
        self, names: Collection[str], world: WorldState, flock: Flock, known: Known
    ) -> dict[str, Float]:
        routes = self._routes()
        entries = routes.entries(flock.position)
        values: dict[str, Float] = {}
        for word in sorted({name.rpartition(".")[0] for name in names}):
            if word in self._regions:
                far = routes.distances(entries, self._middle(word))
                far[self._regions[word].contains(flock.position)] = 0.0
            else:
                far = np.full(len(flock), np.inf)
                pair = known.nearest(world.group_of == self._group(word), flock.position)
                for member in np.flatnonzero(pair >= 0).tolist():
                    place, own = known.position[pair[member]], flock.position[member]
                    one = Entries(entries.node[[member]], entries.distance[[member]])
                    far[member] = routes.distances(one, place)[0]
                    if routes.space.connects(own[None], place[None])[0]:
                        far[member] = float(length(place - own))
            values[f"{word}.path_distance"] = far
            values[f"{word}.reachable"] = np.isfinite(far).astype(np.float64)
        return values

    def _group(self, word: str) -> int:
        return [word_of(group) for group in self._groups].index(word)

    def _middle(self, word: str) -> Float:
        """Return the free place (3,) [m] nearest to the middle of a region."""
        if word not in self._middles:
            region = self._regions[word]
            try:
                self._middles[word] = endpoint(self._space, region, "goal")[:3]
            except PlacementError:
                self._middles[word] = region.center
        return self._middles[word]

    def _storeys(self) -> Float:
        if self._heights is None:
            assert isinstance(self._space, GroundSpace)
            surface, rng = self._space.surface, np.random.default_rng(0)
            points = self._space.from_unit_cube(rng.random((PLACES, self._space.dimension)))
            _, face = surface.locate(points, 1e-3, 1e-3)
            normal = surface.mesh.normals[np.maximum(face, 0)]
            level = np.hypot(normal[:, 0], normal[:, 1]) < LEVEL * normal[:, 2]
            least = LEAST_AREA * PLACES / float(surface.mesh.areas.sum())
            self._heights = storey_heights(points[level & (face >= 0), 2], points[:, 2], least)
        return self._heights
