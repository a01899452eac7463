"""Links of large surfaces, and the ground overhead, are those without the disk cache."""

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh, disk_cache, overhead, seams, surface_links
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.overhead import overhead as ground_overhead
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.surface_links import beyond, edges_of
from rmp3d.scenes import Scene

ARRAYS = ("neighbor", "border", "border_face", "beyond", "upon", "upon_edge", "component", "extent")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path / "cache"))
    for module in (surface_links, overhead):
        monkeypatch.setattr(module, "KEPT_FROM", 1)
    return tmp_path / "cache"


def terraces():
    """Return level sheets 5 m wide with a step of 0.1 m between each two, and a deck over them."""
    heights = [0.0, 0.1, 0.2, 1.2]
    corners, faces = [], []
    for row, height in enumerate(heights):
        x = 5.0 * row if height < 1.0 else 2.0
        corners += [[x, 0, height], [x + 5.0, 0, height], [x + 5.0, 4, height], [x, 4, height]]
        faces += [[4 * row, 4 * row + 1, 4 * row + 2], [4 * row, 4 * row + 2, 4 * row + 3]]
    return TriangleMesh(np.array(corners), np.array(faces))


def arrays_of(surface):
    found = {name: getattr(surface, name) for name in ARRAYS}
    return {**found, "overhead": ground_overhead(surface, 0.3, 1.8)}


def found_without_cache(monkeypatch):
    with monkeypatch.context() as context:
        context.setenv(disk_cache.SWITCH, "off")
        return arrays_of(WalkableSurface(terraces(), 0.2))


def fail(*_):
    raise AssertionError("it was computed again")


def test_what_is_kept_is_what_was_found(folder, monkeypatch):
    expected = found_without_cache(monkeypatch)
    assert len(expected["overhead"]) > 0
    arrays_of(WalkableSurface(terraces(), 0.2))
    monkeypatch.setattr(surface_links, "_neighbors", fail)
    monkeypatch.setattr(overhead, "_mark", fail)
    again = arrays_of(WalkableSurface(terraces(), 0.2))
    for name, array in expected.items():
        np.testing.assert_array_equal(again[name], array)
        assert again[name].dtype == array.dtype


def test_another_step_or_body_is_another_result(folder, monkeypatch):
    surface = WalkableSurface(terraces(), 0.2)
    ground_overhead(surface, 0.3, 1.8)
    assert len(WalkableSurface(terraces(), 0.05)._seams) < len(surface._seams)
    assert len(ground_overhead(surface, 0.3, 0.9)) == 0  # it is below the deck


@pytest.mark.parametrize("change", [
    {"neighbor": lambda rows: rows + 100},
    {"neighbor": lambda rows: rows[:-1]},
    {"border_face": lambda rows: rows - 100},
    {"border": lambda rows: rows * np.nan},
    {"seams": lambda rows: rows + 3},
    {"faces": lambda rows: rows + 100},
])  # fmt: skip
def test_a_file_with_wrong_arrays_is_replaced(folder, monkeypatch, change):
    expected = found_without_cache(monkeypatch)
    arrays_of(WalkableSurface(terraces(), 0.2))
    changed = 0
    for path in folder.iterdir():
        arrays = dict(disk_cache._read(path))
        for name in change.keys() & arrays.keys():
            rows = change[name](arrays[name])
            disk_cache._write(path, {**arrays, name: rows})
            changed += 1
    assert changed == 1
    for name, array in arrays_of(WalkableSurface(terraces(), 0.2)).items():
        np.testing.assert_array_equal(array, expected[name])


def test_links_are_in_the_order_of_edges_and_seams():
    neighbor = np.array([[1, -1, -1], [-1, 0, -1], [-1, -1, -1]])
    seams = np.array([[0, 1, 2], [0, 1, 1], [2, 0, 0]])
    found = beyond(neighbor, seams)
    rows = [found[found[k] : found[k + 1]].tolist() for k in range(9)]
    assert rows == [[1], [2, 1], [], [], [0], [], [0], [], []]
    np.testing.assert_array_equal(edges_of(neighbor), [[0, 1]])
    np.testing.assert_array_equal(edges_of(neighbor, seams), [[0, 1], [0, 2], [0, 1], [2, 0]])


@pytest.mark.parametrize("limit", ["LOOKS", "FOUND"])
def test_a_tangle_of_triangles_is_refused_before_time_and_memory_are_gone(limit, monkeypatch):
    """Triangles turned about one point: each edge lies over all others."""
    angle = 2.4 * np.arange(60)[:, None] + [0.0, 2.0, 4.0]
    corners = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=-1).reshape(-1, 3)
    tangle = TriangleMesh(corners, np.arange(180).reshape(-1, 3))
    whole = surface_links.surface_links(tangle, 0.02)
    assert len(whole.seams) > 180  # each border edge is over some triangles
    monkeypatch.setattr(seams, limit, 10)
    monkeypatch.setattr(seams, f"{limit}_OF_AN_EDGE", 1)
    with pytest.raises(InputError, match="60 triangles of its ground lie over one another"):
        surface_links.surface_links(tangle, 0.02)
    with pytest.raises(InputError, match="scene `tangle`: the 60 triangles"):
        Scene.from_mesh(tangle, name="tangle").footing(0.02)
