"""The layers of the replay page: those that stay as they are, and the names of those that move."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.models import Character
from rmp3d.viewer.drawings import DRAWINGS, Drawn, Seen, missing_of
from rmp3d.viewer.drawings.bodies import capsule_edges
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.layers import Layers, layer_rows
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes.edges import sharp_edges
from rmp3d.viewer.texts import tr

STILL = ("regions", "roadmap", "room", "formations", "clearance", "grid")
"""Layers that are drawn once, as they are at the end."""
OWN = ("path", "trails", "bodies", "markers")
"""Layers that the page draws by itself."""
MOST_ROWS = 40_000
"""Lines, triangles and rings of a layer in a page: 2.4 MB before they are packed."""
MOST_LABELS = 60


def add_layers(pack: Pack, playback: Playback, paths: bool) -> list[dict[str, Any]]:
    """Add what layers draw; return what the head has to say of them, in the order of the window.

    A layer with more than `MOST_ROWS` is left out, and says so.

    Args:
        pack: Where to.
        playback: What is shown.
        paths: Whether some group has a path, which the page has as a tube.
    """
    has = {"path": paths, **dict.fromkeys(("trails", "bodies"), playback.member_count > 0)}
    has["markers"] = any(kind.grounded for kind in playback.characters)
    found = []
    for row in layer_rows():
        entry = {
            "name": row.name, "title": tr(row.title), "help": tr(row.shows),
            "on": bool(getattr(Layers(), row.name)),
        }  # fmt: skip
        if row.name in OWN and has[row.name]:
            found.append(entry)
        elif row.name in STILL and not missing_of(row.name, playback):
            drawn = _drawn(row.name, playback)
            if _count(drawn):
                found.append(entry | _added(pack, row.name, drawn))
    return found


def add_body_edges(pack: Pack, name: str, character: Character) -> None:
    """Add the edges of what collides, and of the capsule around it, body frame, as pairs of ends.

    The capsule is upright, so it is there for walkers only: others turn about all axes.
    """
    edges = [sharp_edges(character.body.mesh)]
    if character.grounded:
        edges.append(capsule_edges(character.body.capsule_axis, character.body.radius))
    pack.add(f"{name}_edges", np.concatenate(edges).reshape(-1, 3).astype("<f4"))


def _drawn(name: str, playback: Playback) -> Drawn:
    end = playback.duration
    drawing = DRAWINGS[name](playback)
    drawn: Drawn = drawing.draw(Seen(end, playback.pose(end)))
    return drawn


def _count(drawn: Drawn) -> int:
    return len(drawn.lines) + len(drawn.patches) // 3 + len(drawn.rings)


def _added(pack: Pack, name: str, drawn: Drawn) -> dict[str, Any]:
    if _count(drawn) > MOST_ROWS:
        return {"problem": f"{_count(drawn):,} lines, more than a page shows ({MOST_ROWS:,})"}
    for kind in ("lines", "patches", "rings"):
        rows: NDArray[np.float32] = getattr(drawn, kind)
        if len(rows):
            pack.add(f"layer_{name}_{kind}", np.round(rows, 3).astype("<f4"))
    labels = drawn.labels[:MOST_LABELS]
    return {"labels": [[each.text, _rounded(each.at), _rounded(each.color)] for each in labels]}


def _rounded(values: Float) -> list[float]:
    found: list[float] = np.round(np.asarray(values, float), 3).tolist()
    return found
