"""Ground: a body standing on a walkable surface, which may have several levels."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from rmp3d.geometry import Bool, Float, InputError, frozen
from rmp3d.geometry.parallel import meanwhile
from rmp3d.geometry.surface import are_steps
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.collision.sweeping import SweptBody
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces.bounds import SLACK, check_bounds, in_bounds, out_of_bounds
from rmp3d.planner.spaces.free_walks import free_walks
from rmp3d.planner.spaces.metric import Straight
from rmp3d.planner.spaces.space import SPACES
from rmp3d.planner.spaces.translation import checked_free
from rmp3d.planner.spaces.walks import SEAM, Walks, straight_walks
from rmp3d.scenes.facing import no_ground_reason

ROWS_OF_A_WALK = 4  # a walk is proved in the time that other work takes for so many rows
REACH = 2.0  # [m] between a point that a user gave and the ground above or below it


@SPACES.register("ground")
class GroundSpace(Straight):
    """Points of the walkable surface; motions are straight in plan and follow the surface.

    A motion never changes level except by walking there: it goes from triangle to neighboring
    triangle, and must end at the very point it was meant to reach, height included. Its pieces
    over the triangles are straight, and the upright body is certified along each.

    Args:
        world: What the body must not touch.
        bounds: (2, 3) corners [m]; None: the scene's.
        turns_anywhere: Whether the body turns where it stands. A path that only leads a vehicle
            keeps to the middle: there it has room to turn.

    Raises:
        InputError: The scene has no walkable triangle.
    """

    grounded = True
    width = 3
    meter = 1.0
    freedom = frozen([1.0, 1.0, 0.0])
    dimension = 3  # one value chooses the triangle, two the point in it

    def __init__(
        self, world: CollisionWorld, bounds: Float | None = None, turns_anywhere: bool = True
    ) -> None:
        self.world, self.turns_anywhere = world, turns_anywhere
        self.bounds = frozen(world.scene.bounds if bounds is None else bounds)
        check_bounds(self.bounds)
        surface = world.footing.surface
        if surface is None:
            raise InputError(
                f"scene `{world.scene.name}` has no walkable ground: "
                f"{no_ground_reason(world.scene)}"
            )
        self.surface = surface
        self.marks: Mapping[str, Any] = MappingProxyType({"max_step": surface.step_height})
        self._area_up_to = np.cumsum(self.surface.mesh.areas)

    def from_unit_cube(self, values: Float) -> Float:
        """Map values (M, 3) in [0, 1) to the surface, uniformly by area.

        The first value chooses the triangle, the others the point in it by the square root map
        (Turk 1990, "Generating random points in triangles").
        """
        area = values[:, 0] * self._area_up_to[-1]
        face = np.searchsorted(self._area_up_to, area, side="right")
        corners = self.surface.mesh.triangles[np.minimum(face, len(self._area_up_to) - 1)]
        root = np.sqrt(values[:, 1])
        weight = np.stack([1.0 - root, root * (1.0 - values[:, 2]), root * values[:, 2]], axis=1)
        return np.einsum("ij,ijk->ik", weight, corners)

    def is_free(self, configurations: Float) -> Bool:
        """Return which surface points (M, 3) are within bounds and collide with nothing."""
        free = in_bounds(configurations, self.bounds)
        free[free] = self.world.is_free(configurations[free])
        return free

    def can_be_cut(self, start: Float, end: Float) -> Bool:
        """Return which pieces (M,) of walks do not lead from tread to tread."""
        return ~are_steps(start, end)

    def shifted(self, configurations: Float, displacement: Float) -> Float:
        """Return points (M, 3) displaced by (M, 3) [m], on the surface or not."""
        return configurations + displacement

    def locked(self) -> "GroundSpace":
        """Return the space itself."""
        return self

    def toward(self, start: Float, end: Float) -> Float:
        """Return the displacements (M, 3) [m] from start[i] to end[i], through the air."""
        return end - start

    def move(self, configurations: Float, displacement: Float) -> tuple[Float, Bool]:
        """Walk from surface points (M, 3) by the plan part of (M, 3) [m]; stop at a border.

        A point out of bounds, where a vehicle that is planned in them may have got in a turn, does
        not go farther out.
        """
        found, face = self.surface.locate(configurations, SEAM, SEAM)
        moved, _, arrived = self.surface.walk(found, face, displacement[:, :2])
        farther = _beyond(moved, self.bounds) > _beyond(found, self.bounds) + SLACK
        return moved, arrived & ~farther

    def connect(self, start: Float, end: Float) -> list[Float | None]:
        """Return the walks (K, 3) between surface points that are proved free, else None."""
        walks, free = self._proved(start, end)
        found = zip(pairwise(walks.first.tolist()), free.tolist(), strict=True)
        return [walks.points[low:high].copy() if good else None for (low, high), good in found]

    def connects(self, start: Float, end: Float) -> Bool:
        """Return which walks between surface points start[i] and end[i] are proved free."""
        body = self.world.swept
        if body is None:
            return self._proved(start, end)[1]
        free, count = self._walked(body, start, end)
        self.world.counts.collision += count
        return free

    def connects_later(self, start: Float, end: Float) -> Callable[[], Bool]:
        """Let another thread begin with what `connects` does; return what gives the answer.

        The points must not change until then. Whoever asks counts the tests.
        """
        body = self.world.swept
        if body is None:
            return partial(self.connects, start, end)
        begun = meanwhile(partial(self._walked, body, start, end), ROWS_OF_A_WALK * len(start))

        def answer() -> Bool:
            free, count = begun()
            self.world.counts.collision += count
            return free

        return answer

    def _walked(self, body: SweptBody, start: Float, end: Float) -> tuple[Bool, int]:
        free, count, boxed, walk = free_walks(self.surface, body, self.bounds, start, end)
        if len(walk):
            free[walk[self.world.is_in_solid(boxed)]] = False
        return free, count

    def _proved(self, start: Float, end: Float) -> tuple[Walks, Bool]:
        walks = straight_walks(self.surface, start, end)
        begin, walk = walks.pieces
        good = in_bounds(walks.points[begin], self.bounds)
        good &= in_bounds(walks.points[begin + 1], self.bounds)
        good[good] = self.world.motions_are_free(
            walks.points[begin[good]], walks.points[begin[good] + 1]
        )
        free = walks.arrived
        free[walk[~good]] = False
        return walks, free

    def place(self, point: Float, reach: float = REACH) -> Float:
        """Return the surface point (3,) straight above or below a point (3,), the nearest.

        Raises:
            PlacementError: No walkable ground within ``reach`` [m], out of bounds, or in
                collision; says with what.
        """
        found, face = self.surface.locate(np.asarray(point, float)[None], reach, reach)
        if face[0] < 0:
            raise PlacementError(
                f"not on walkable ground (none within {reach:g} m above or below)",
                "not on walkable ground",
            )
        if not in_bounds(found, self.bounds)[0]:
            raise out_of_bounds(self.bounds, self.world.scene.bounds)
        return checked_free(self.world, found[0])


def _beyond(points: Float, bounds: Float) -> Float:
    """Return how far (M,) [m] points (M, 3) are out of bounds (2, 3)."""
    out: Float = np.maximum(bounds[0] - points, points - bounds[1]).max(axis=1, initial=0.0)
    return out
