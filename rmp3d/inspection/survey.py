"""The survey of a scene for one character: where it can be, what separates what, and a trip."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.inspection.rooms import Rooms, rooms_of
from rmp3d.inspection.storeys import Storey, storeys_of
from rmp3d.inspection.trip import ProposedTrip, trip_over
from rmp3d.models import Character
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.obstruction.floor import Floor, sampled_floor
from rmp3d.planner.obstruction.hindrances import hindrances
from rmp3d.planner.obstruction.separated import separated
from rmp3d.planner.spaces import GroundHeadingSpace, GroundSpace, Space, make_space
from rmp3d.planner.spaces.bounds import reference_bounds
from rmp3d.scenes import Scene
from rmp3d.scenes.memory import check_planning_memory

LEAST_AREA, LEAST_SHARE = 1.0, 0.01  # of a region that is told: [m^2], share of the largest
MOST_REGIONS = 5


@dataclass(frozen=True)
class Unreachable:
    """A region that the character cannot walk to from the largest.

    Attributes:
        area: [m^2].
        place: (3,) in it [m].
        parts: Names of the parts that it lies on, the largest first.
        why: What separates it from the largest region; None if nothing was found.
    """

    area: float
    place: tuple[float, float, float]
    parts: tuple[str, ...]
    why: Blockage | None


@dataclass(frozen=True, eq=False)
class Survey:
    """What a walking character finds.

    Attributes:
        character: The character.
        floor: The scene's floor in cells.
        reached: (N,) sites of the largest region that it can walk.
        storeys: From below.
        storey: (N,) row of each site's storey; -1 where the body cannot be.
        rooms: Rooms and doors of the largest region.
        unreachable: Other regions, the largest first.
        others: How many more of them there are.
        trip: A start and a goal; None if there is no room.
    """

    character: Character
    floor: Floor
    reached: Bool
    storeys: list[Storey]
    storey: Index
    rooms: Rooms
    unreachable: list[Unreachable]
    others: int
    trip: ProposedTrip | None

    @property
    def area(self) -> float:
        """Area [m^2] of the largest region."""
        return float(self.reached.sum()) * self.floor.cell**2


def surveyed(scene: Scene, character: Character, members: int) -> Survey:
    """Return what a walking character finds in a scene.

    Raises:
        InputError: There is no ground that it can walk on.
    """
    space = prepared_space(scene, character)
    assert isinstance(space, GroundSpace)
    floor = sampled_floor(space)
    if not floor.free.any():
        raise InputError(f"`{character.name}` fits nowhere on the ground of `{scene.name}`")
    area = np.bincount(floor.component[floor.free]) * floor.cell**2
    largest = int(area.argmax())
    reached = floor.free & (floor.component == largest)
    storeys, storey = storeys_of(floor, floor.free)
    rooms = rooms_of(floor, reached, storey)
    told = np.flatnonzero(area >= max(LEAST_AREA, LEAST_SHARE * area[largest]))
    told = told[told != largest]
    told = told[np.argsort(-area[told], kind="stable")]
    return Survey(
        character=character,
        floor=floor,
        reached=reached,
        storeys=storeys,
        storey=storey,
        rooms=rooms,
        unreachable=_unreachable(floor, reached, told[:MOST_REGIONS].tolist(), rooms.openness),
        others=max(0, len(told) - MOST_REGIONS),
        trip=trip_over(floor, reached, rooms.openness, members, 2.0 * character.body.radius),
    )


def prepared_space(scene: Scene, character: Character) -> Space:
    """Return where a character can be; for a vehicle, where the widest part of its row can be.

    A run has the same space; `rmp3d.simulation` is not loaded for it, as that takes as long as all
    that `inspect` does.

    Raises:
        InputError: There is no ground that it can walk on.
    """
    check_planning_memory(sum(len(part.mesh.faces) for part in scene.parts))
    body, own = character.body, character.parameters
    bounds = reference_bounds(scene, character)
    kind = "ground" if character.grounded else "translation"
    space = make_space(kind, scene, body, bounds=bounds, max_step=own.max_step)
    if not character.grounded or own.turn_radius == 0.0:
        return space
    return GroundHeadingSpace.of_scene(
        scene, body, bounds, "auto", max_step=own.max_step, turn_radius=own.turn_radius,
        reverses=own.reverse > 0.0,
    ).ground  # fmt: skip


def _unreachable(
    floor: Floor, reached: Bool, regions: list[int], openness: Float
) -> list[Unreachable]:
    if not regions:
        return []
    found = hindrances(floor)
    home = int(np.flatnonzero(reached)[openness[reached].argmax()])
    names = floor.space.world.scene.part_names
    told = []
    for region in regions:
        sites = np.flatnonzero(floor.free & (floor.component == region))
        middle = np.median(floor.position[sites], axis=0)
        site = int(sites[np.linalg.norm(floor.position[sites] - middle, axis=1).argmin()])
        part, count = np.unique(floor.part[sites], return_counts=True)
        parts = tuple(names[row] for row in part[np.argsort(-count, kind="stable")].tolist())
        x, y, z = (round(value, 2) for value in floor.position[site].tolist())
        why = separated(floor, home, site, found).obstacle
        told.append(Unreachable(len(sites) * floor.cell**2, (x, y, z), parts, why))
    return told
