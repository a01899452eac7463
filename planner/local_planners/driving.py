"""The space that local planners of vehicles need."""

from rmp3d.geometry import InputError
from rmp3d.planner.spaces import GroundHeadingSpace, Space


def heading_space(space: Space, planner: str) -> GroundHeadingSpace:
    """Return the space, if bodies drive along their heading there.

    Raises:
        InputError: They do not, or there is no reverse gear for `reeds_shepp`.
    """
    if not isinstance(space, GroundHeadingSpace):
        raise InputError(
            f"the local planner `{planner}` is for vehicles with a turn radius, in the space "
            "`ground_heading`; elsewhere take `linear`"
        )
    if planner == "reeds_shepp" and not space.reverses:
        raise InputError(
            "the local planner `reeds_shepp` drives backward, and the vehicle's `reverse` is 0; "
            "take `dubins`"
        )
    return space
