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
    beside.fill_between(station, -right, left, color=color, alpha=0.3, lw=0, label="room")
    beside.plot(station, left, color=color, lw=1.2)
    beside.plot(station, -right, color=color, lw=1.2)
    beside.axhspan(-radius, radius, color="0.2", alpha=0.25, lw=0, label="the body's width")
    beside.axhline(0.0, color="0.1", lw=1.5, label="path")
    beside.set(title=title, ylabel="right | left of the path [m]")
    beside.legend(loc="upper right", ncols=3, fontsize="small")
    nearest.plot(station, clearance, color=color, lw=1.5)
    tightest = int(np.argmin(clearance))
    nearest.plot(station[tightest], clearance[tightest], "o", color="0.1", ms=5)
    nearest.annotate(
        f"{clearance[tightest]:.3g} m",
        (station[tightest], clearance[tightest]),
        xytext=(6, 6),
        textcoords="offset points",
    )
    nearest.set(xlabel="along the path [m]", ylabel="clearance [m]", ylim=(0.0, 1.05 * most))
    for axes in (beside, nearest):
        axes.grid(alpha=0.3)
        axes.margins(x=0.01)
    is_png = path.suffix.lower() == ".png"
    try:
        figure.savefig(path, dpi=dpi, metadata={"Software": None} if is_png else None)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the profile cannot be written ({error})") from error
