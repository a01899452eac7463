"""The maps of the crowd in a replay page: cells of the ground, over which it spreads members."""

from typing import Any

import numpy as np

from rmp3d.geometry.risers import STEEPEST
from rmp3d.geometry.storeys import BELOW
from rmp3d.geometry.surface import CURB
from rmp3d.viewer.drawings import DRAWINGS, missing_of
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.layers import MAPS
from rmp3d.viewer.maps.map_series import ground_cells
from rmp3d.viewer.palette import RAMP
from rmp3d.viewer.playback.playback import Playback

AVERAGED = "mean"
"""The layer that says of the others that they are averages."""


def add_maps(pack: Pack, playback: Playback) -> dict[str, Any]:
    """Add the cells of the ground; return what the head says of them: nothing if nobody walks."""
    cells = ground_cells(playback.scene)
    if cells is None or missing_of(MAPS[0], playback):
        return {}
    drawn = {name: DRAWINGS[name](playback) for name in MAPS}
    legends = {name: drawing.legend(False) for name, drawing in drawn.items()}
    pack.add("crowd_height", np.round(cells.height, 3).astype("<f4"))
    walks = np.array([kind.grounded for kind in playback.characters], np.bool_)
    _, columns, across = cells.shape
    head = {
        "low": cells.low.tolist(),
        "cell": cells.cell,
        "curb": CURB,
        "steepest": STEEPEST,
        "columns": columns,
        "rows": across,
        "storeys": (cells.storeys - BELOW).tolist(),
        "walks": walks[playback.character_of].tolist(),
        "foot": np.round(playback.capsule_axis[:, 0] - playback.radius, 4).tolist(),
        "reach": {name: drawing.reach for name, drawing in drawn.items()},
        "legends": {name: [legend.title, legend.high] for name, legend in legends.items()},
        "ramp": RAMP.tolist(),
    }
    return {"crowd": head}
