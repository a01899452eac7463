"""The other end of a pair of configurations: free, blocked, or out of bounds."""

from rmp3d.geometry import Bool, Float
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.bounds import in_bounds
from rmp3d.planner.spaces.directions import within_space


def displaced(space: Space, origin: Float, displacement: Float) -> tuple[Float, Bool, Bool]:
    """Return where configurations come to (M, W), whether it is free, and whether it is blocked.

    Blocked is what collides, and on the ground also what comes to the border of the walkable
    surface as it moves: a drop narrows a passage as a wall does. Out of bounds is neither free nor
    blocked, because bounds are where we stop looking, not something to be near to.

    Args:
        space: What to move in.
        origin: (M, W) configurations.
        displacement: (M, F) [m].
    """
    end, arrived = space.move(origin, displacement)
    free = arrived.copy()
    free[arrived] = space.is_free(end[arrived])
    blocked = ~free & in_bounds(
        space.shifted(origin, within_space(space, displacement)), space.bounds
    )
    return end, free, blocked
