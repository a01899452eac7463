"""Ground that lies right over other triangles: what takes too many parts is refused."""

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh, steps
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes import Scene


def grid(count: int, z: float, turn: float) -> TriangleMesh:
    """Level strips that cross those of another turn."""
    x = np.arange(count, dtype=float)
    corners = np.stack(
        [
            np.stack([x, 0.0 * x, z + 0.0 * x], axis=1),
            np.stack([x + 0.5, 0.0 * x, z + 0.0 * x], axis=1),
            np.stack([x, 0.0 * x + count, z + 0.0 * x], axis=1),
        ],
        axis=1,
    ).reshape(-1, 3)
    turned = np.array([[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0]])
    turned = np.vstack([turned, [0.0, 0.0, 1.0]])
    return TriangleMesh(corners @ turned.T, np.arange(3 * count).reshape(-1, 3))


@pytest.mark.parametrize("limit", ["CUTS", "PARTS"])
def test_strips_that_cross_others_are_refused_before_time_and_memory_are_gone(limit, monkeypatch):
    above = WalkableSurface(grid(20, 0.01, 0.0), 0.02)
    below = grid(20, 0.0, 0.3)
    made = steps.step_pieces(below, above)
    assert made.pieces is not None
    assert len(made.pieces.faces) > 40
    key = {"CUTS": "CUTS_OF_A_TRIANGLE", "PARTS": "PARTS_OF_A_TRIANGLE"}[limit]
    monkeypatch.setattr(steps, limit, 10)
    monkeypatch.setattr(steps, key, 1)
    with pytest.raises(InputError, match="20 triangles of its ground lie over 20 others"):
        steps.step_pieces(below, above)


def test_the_scene_is_named_where_parts_are_too_many(monkeypatch):
    parts = {"low": grid(20, 0.0, 0.3), "high": grid(20, 0.1, 0.0)}
    monkeypatch.setattr(steps, "CUTS", 10)
    monkeypatch.setattr(steps, "CUTS_OF_A_TRIANGLE", 1)
    with pytest.raises(InputError, match=r"scene `tangle`: .* remove doubled and crossing faces"):
        Scene.from_mesh(parts, name="tangle", roles={"*": "ground"}).footing(0.2)
