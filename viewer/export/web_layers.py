"""The layers of the replay page: those of the window, in its order and words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.models import Character
from rmp3d.viewer.drawings import DRAWINGS, Drawn, Seen, missing_of
from rmp3d.viewer.drawings.bodies import capsule_edges
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.export.web_maps import AVERAGED
from rmp3d.viewer.layers import MAPS, Layers, layer_rows
from rmp3d.viewer.maps.map_series import ground_cells
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes.edges import sharp_edges
from rmp3d.viewer.texts import tr

STILL = ("regions", "samples", "roadmap", "room", "formations", "clearance", "grid")
"""Layers that are drawn once, as they are at the end; the page itself draws all others."""
WANTS = ("slots", "subgoals", "forces")
"""Layers of what members want."""
MEMBERS = ("trails", "bodies", "hidden")
"""Layers that need members."""
MOST_ROWS = 40_000
"""Lines, triangles and rings of a layer in a page: 2.4 MB before they are packed."""
MOST_LABELS = 60
NOTHING = "nothing to show"


def add_layers(pack: Pack, playback: Playback, paths: bool) -> list[dict[str, Any]]:
    """Add what layers draw; return what the head has to say of them, in the order of the window.

    Each layer of the window is there. A layer that has nothing to show says why, and so does one
    with more than `MOST_ROWS`.

    Args:
        pack: Where to.
        playback: What is shown.
        paths: Whether some group has a path, which the page has as a tube.
    """
    found = []
    for row in layer_rows():
        entry: dict[str, Any] = {
            "name": row.name, "key": row.key, "title": tr(row.title), "help": tr(row.shows),
            "on": bool(getattr(Layers(), row.name)),
        }  # fmt: skip
        why = _missing(row.name, playback, paths)
        if not why and row.name in STILL:
            drawn = _drawn(row.name, playback)
            if _count(drawn):
                entry |= _added(pack, row.name, drawn)
            elif not (row.name == "clearance" and playback.member_count):
                why = NOTHING
        found.append(entry | ({"missing": tr(why)} if why else {}))
    return found


def missing_wants(playback: Playback) -> dict[str, str]:
    """Return why layers that can come while a run goes on show nothing yet; empty if they do."""
    return {name: tr(why) if (why := missing_of(name, playback)) else "" for name in WANTS}


def _missing(name: str, playback: Playback, paths: bool) -> str:
    has = {"path": paths, **dict.fromkeys(MEMBERS, playback.member_count > 0)}
    has["markers"] = any(kind.grounded for kind in playback.characters)
    if name in (*MAPS, AVERAGED) and ground_cells(playback.scene) is None:
        return NOTHING
    of = MAPS[0] if name == AVERAGED else name
    return missing_of(of, playback) or ("" if has.get(name, True) else NOTHING)


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
