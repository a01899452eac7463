"""Start and goal: from a point or region that a user gave to a free configuration."""

from typing import Literal, TypeAlias

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.errors import GoalError, PlacementError, StartError
from rmp3d.planner.spaces import GroundSpace, Space
from rmp3d.planner.spaces.nearest_free import way_out
from rmp3d.scenes import Region
from rmp3d.scenes.facing import faces_down_at

Place: TypeAlias = Float | Region
CANDIDATES = 512  # points of a region tried, the nearest to its center first
REACH = 2.0  # [m] between a given point and the ground above or below it


def endpoint(space: Space, place: Place, role: Literal["start", "goal"]) -> Float:
    """Return the free configuration (W,) of a start or goal.

    Args:
        space: Where it must be.
        place: A point (3,) [m], taken as it is (on the ground: the ground under it); a
            configuration (W,); or a region, of which the free configuration nearest to the
            center is taken.
        role: Which of the two it is, for the error.

    Raises:
        StartError: Out of bounds, in collision (with which part), or not on walkable ground.
        GoalError: The same of the goal.
    """
    kind = StartError if role == "start" else GoalError
    if isinstance(place, Region):
        return _in_region(space, place, role, kind)
    point = np.asarray(place, dtype=np.float64)
    if point.shape not in ((3,), (space.width,)) or not np.isfinite(point).all():
        raise kind(f"the {role} must be a point [x, y, z] of finite numbers, got {place}")
    try:
        return space.place(point, REACH)
    except PlacementError as fault:
        where = np.round(point, 3).tolist()
        raise kind(
            f"the {role} {where} is {fault}{_way_out(space, point[:3], fault, REACH)}",
            fault.reason,
            fault.part,
        ) from None


def _in_region(
    space: Space, region: Region, role: str, kind: type[StartError] | type[GoalError]
) -> Float:
    low, high = region.bounds
    rng = np.random.default_rng(0)  # fixed: the same region always gives the same point
    spread = low + rng.random((CANDIDATES, 3)) * (high - low)
    reach = REACH + 0.5 * float(high[2] - low[2])
    if space.grounded:
        spread[:, 2] = region.center[2]
    spread = spread[region.contains(spread)]
    nearest = np.argsort(np.linalg.norm(spread - region.center, axis=1), kind="stable")
    first_fault: PlacementError | None = None
    for point in [region.center, *spread[nearest]]:
        try:
            return space.place(point, reach)
        except PlacementError as fault:
            first_fault = first_fault or fault
    assert first_fault is not None
    raise kind(
        f"the {role} region `{region.name}` has no free configuration; its center is {first_fault}"
        f"{_way_out(space, region.center, first_fault, reach)}",
        first_fault.reason,
        first_fault.part,
    )


def _way_out(space: Space, point: Float, fault: PlacementError, reach: float) -> str:
    """Return where a refused body touches and how far to move it, or which floor faces down."""
    if fault.reason == "not on walkable ground":
        down = faces_down_at(space.world.scene, point, reach)
        if down is None:
            return ""
        return f'; the floor there, `{down}`, faces down: turn it over with `flip = ["{down}"]`'
    if fault.part is None:
        return ""
    if isinstance(space, GroundSpace):
        point = space.surface.locate(point[None], reach, reach)[0][0]
    return way_out(space, point, fault.part)
