"""What a scene says about its unit and its size."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.scenes.formats.stated_units import name_of_unit

LARGEST, HIGHEST, SMALLEST = 10_000.0, 100.0, 0.1
"""Size and height [m] beyond which a scene in an unknown unit is doubted: a race track is long. The
height is the least extent: up may be another axis."""
COMMON = (1000.0, 0.3048, 0.0254, 0.01, 0.001)
"""Units [m] that such a scene may be in."""
USUAL = 30.0
"""Size of a usual scene [m]: the unit that comes nearest is proposed."""


def unit_note(unit: float | None, scale: float | None, bounds: Float) -> str | None:
    """Return the note on the unit of a file, None if there is nothing to say.

    Args:
        unit: Meters per unit that the file states, None if it states none.
        scale: Meters per unit that the scenario states, None if it states none.
        bounds: (2, 3) corners of the file's meshes in the scene [m].
    """
    extent = bounds[1] - bounds[0]
    if scale is not None:
        if unit is None or np.isclose(unit, scale, rtol=1e-6):
            return None
        return f"its unit is the {name_of_unit(unit)}, but `scale = {scale:g}` is used instead"
    if unit is not None:
        if unit == 1.0:
            return None
        return f"its unit is the {name_of_unit(unit)} ({unit:g} m), so it is {_size(extent)}"
    largest = float(extent.max())
    if largest == 0.0 or (SMALLEST <= largest <= LARGEST and extent.min() <= HIGHEST):
        return None
    scale = min(COMMON, key=lambda each: abs(np.log(each * largest / USUAL)))
    return (
        f"it is {_size(extent)} if its unit is the meter, which the file does not say; "
        f"`scale = {scale:g}` ({name_of_unit(scale)}) would make it {_size(scale * extent)}"
    )


def _size(extent: Float) -> str:
    return " x ".join(f"{side:.3g}" if side < 1000.0 else f"{side:,.0f}" for side in extent) + " m"
