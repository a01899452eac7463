"""Pictures of what is free along a path, by Matplotlib."""

from pathlib import Path

import numpy as np

from geometry.arrays import Float
from geometry.errors import InputError
from viewer.palette import group_color


def save_profile(
    path: Path,
    station: Float,
    clearance: Float,
    left: Float,
    right: Float,
    *,
    radius: float,
    most: float,
    title: str = "",
    dpi: int = 130,
) -> None:
    """Write a picture of the room beside a path, and of its clearance.

    The free strip is as wide as the body's room and the body itself.

    Args:
        path: Where to; the suffix says the format (``.png``, ``.svg``, ``.pdf``).
        station: (J,) arc lengths [m].
        clearance: (J,) [m].
        left: (J,) how far the body may be moved to the left [m].
        right: (J,) the same to the right, positive.
        radius: Of the body [m]; its own width is drawn around the path.
        most: Beyond which nobody measured [m].
        title: Written above.
        dpi: Pixels per inch.

    Raises:
        InputError: The format is not known or the file cannot be written.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 5.5), layout="constrained")
    FigureCanvasAgg(figure)
    beside, nearest = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    color = group_color(0)
    walls = left + radius, -right - radius
    beside.fill_between(station, *walls, color=color, alpha=0.3, lw=0, label="free, wall to wall")
    for wall in walls:
        beside.plot(station, wall, color=color, lw=1.2)
    beside.axhspan(-radius, radius, color="0.2", alpha=0.25, lw=0, label="the body's width")
    beside.axhline(0.0, color="0.1", lw=1.5, label="path")
    reach = float(np.max([walls[0], -walls[1]]))
    beside.set(title=title, ylabel="right | left of the path [m]")
    beside.set_ylim(-1.1 * reach, 1.4 * reach)  # room for the legend above
    beside.legend(loc="upper center", ncols=3, fontsize="small")
    nearest.plot(station, clearance, color=color, lw=1.5)
    tightest = int(np.argmin(clearance))
    nearest.plot(station[tightest], clearance[tightest], "o", color="0.1", ms=5)
    nearest.annotate(
        f"{clearance[tightest]:.3g} m",
        (station[tightest], clearance[tightest]),
        xytext=(0, -15),
        textcoords="offset points",
        ha="center",
    )
    nearest.set(
        xlabel="along the path [m]", ylabel="clearance [m]", ylim=(-0.12 * most, 1.05 * most)
    )
    for axes in (beside, nearest):
        axes.grid(alpha=0.3)
        axes.margins(x=0.01)
    is_png = path.suffix.lower() == ".png"
    try:
        figure.savefig(path, dpi=dpi, metadata={"Software": None} if is_png else None)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the profile cannot be written ({error})") from error
