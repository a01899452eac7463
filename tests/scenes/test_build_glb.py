import json
import struct

import numpy as np
import pytest

from rmp3d.scenes.build.glb import Model, linear_from_srgb
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.formats.colors import srgb_from_linear


def written(tmp_path):
    model = Model()
    model.add("a", "#ff0000", box((0, 0, 0), (1, 2, 3)))
    model.add("a", "#00ff00", box((4, 0, 0), (5, 2, 3)))
    wheel = Model()
    wheel.add("", "#00ff00", box((0, 0, 0), (1, 1, 1)))
    model.placed(wheel, "b", (10.0, 0.0, 0.0), 90.0)
    model.write(tmp_path / "m.glb")
    return (tmp_path / "m.glb").read_bytes()


def test_the_file_is_laid_out_as_gltf_prescribes(tmp_path):
    data = written(tmp_path)
    magic, version, size, length, kind = struct.unpack_from("<4sIII4s", data)
    assert (magic, version, size, kind) == (b"glTF", 2, len(data), b"JSON")
    assert length % 4 == 0
    header = json.loads(data[20 : 20 + length])
    binary_size, kind = struct.unpack_from("<I4s", data, 20 + length)
    assert kind == b"BIN\0"
    assert binary_size == header["buffers"][0]["byteLength"] == len(data) - length - 28
    binary = data[28 + length :]
    assert [node["name"] for node in header["nodes"]] == ["a", "b"]
    assert [len(mesh["primitives"]) for mesh in header["meshes"]] == [2, 1]
    assert len(header["materials"]) == 2
    for primitive in (row for mesh in header["meshes"] for row in mesh["primitives"]):
        place = header["accessors"][primitive["attributes"]["POSITION"]]
        corner = header["accessors"][primitive["indices"]]
        views = [header["bufferViews"][row["bufferView"]] for row in (place, corner)]
        assert all(view["byteOffset"] % 4 == 0 for view in views)
        points = np.frombuffer(binary, "<f4", place["count"] * 3, views[0]["byteOffset"])
        indices = np.frombuffer(binary, "<u2", corner["count"], views[1]["byteOffset"])
        assert points.reshape(-1, 3).min(axis=0).tolist() == place["min"]
        assert points.reshape(-1, 3).max(axis=0).tolist() == place["max"]
        assert indices.max() == place["count"] - 1


def test_the_same_parts_give_the_same_bytes(tmp_path):
    assert written(tmp_path) == written(tmp_path)


def test_colors_go_to_linear_light_and_back():
    shown = np.linspace(0.0, 1.0, 256)
    assert srgb_from_linear(linear_from_srgb(shown)) == pytest.approx(shown, abs=1e-6)
    assert linear_from_srgb(np.array([0.0, 1.0])).tolist() == [0.0, 1.0]
