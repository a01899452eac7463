"""What a notebook shows of a value: a replay that needs nothing else, of bounded size."""

import base64
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any

LARGEST_PAGE = 12_000_000
"""Letters of a replay that a notebook is given: it keeps them in its file."""
LARGEST_SCENE = 120_000
"""Triangles of a scene from which on no replay is made."""
HEIGHT = 480
"""Of a replay [pixels]."""
SHOWN = (
    ("rmp3d.scenes.scene", "Scene"),
    ("rmp3d.planner.planners.result", "PlanResult"),
    ("rmp3d.planner.problems.problem", "Problem"),
    ("rmp3d.plans.body_plan", "WatchedPlan"),
    ("rmp3d.scenario.scenario", "Scenario"),
)
"""Module and name of the types that a notebook shows so; a `Recording` says it itself."""


def use_in_notebook() -> None:
    """Have the notebook, if this is the kernel of one, show a value in the last line of a cell.

    IPython asks for types by their names, so none of them is imported.
    """
    if in_notebook():
        register(sys.modules["IPython"].get_ipython().display_formatter)


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def register(formatter: Any) -> None:
    """Tell a display formatter of IPython what the types of `SHOWN` look like."""
    for module, name in SHOWN:
        formatter.formatters["text/html"].for_type_by_name(module, name, html_of)


def html_of(target: Any) -> str:
    """Return what a notebook shows of a target of `show`.

    A scene or a replay that is too large for a notebook is a map, and says so.
    """
    from rmp3d.front.playbacks import playback_of
    from rmp3d.viewer.export.web_page import ReplayPage

    seen = playback_of(target)
    triangles = sum(len(part.mesh.faces) for part in seen.scene.parts)
    if triangles > LARGEST_SCENE:
        return _map(seen.scene, f"{triangles:,} triangles, more than {LARGEST_SCENE:,}")
    text = escape(ReplayPage().page(seen).decode())
    if len(text) > LARGEST_PAGE:
        size = f"{len(text) / 1e6:.0f} MB, more than {LARGEST_PAGE / 1e6:.0f} MB"
        return _map(seen.scene, size)
    return (
        f'<iframe srcdoc="{text}" width="100%" height="{HEIGHT}" '
        'style="border: 0" allowfullscreen></iframe>'
    )


def _map(scene: Any, why: str) -> str:
    """Return a map from above, and why there is no replay."""
    from rmp3d.viewer.plots.maps import save_map

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.png"
        save_map(path, scene, dpi=90)
        data = base64.b64encode(path.read_bytes()).decode()
    said = f"{scene.name}: too large for a replay in a notebook ({why}). Export a page or a video."
    return (
        f'<figure style="margin: 0"><img alt="map from above" style="max-width: 100%" '
        f'src="data:image/png;base64,{data}"><figcaption>{escape(said)}</figcaption></figure>'
    )
