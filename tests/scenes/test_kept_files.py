"""Mesh files from the disk cache are the files, to the bit, and only where nothing else counts."""

import subprocess
import sys

import numpy as np
import pytest
import trimesh

from rmp3d.geometry import disk_cache
from rmp3d.scenes import kept_files, meshes
from rmp3d.scenes.meshes import read_mesh_file

KINDS = ["glb", "ply", "stl", "off", "obj"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path / "cache"))
    monkeypatch.setattr(kept_files, "KEPT_FROM", 300)
    return tmp_path / "cache"


@pytest.fixture
def reads(monkeypatch):
    """How often a file was parsed."""
    count = []
    real = meshes.checked_meshes
    monkeypatch.setattr(meshes, "checked_meshes", lambda *given: count.append(1) or real(*given))
    return count


def scene(seed=0):
    """Two parts, one of them colored."""
    rng = np.random.default_rng(seed)
    ball = trimesh.creation.icosphere(2)
    ball.visual.face_colors = rng.integers(0, 255, (len(ball.faces), 4))
    box = trimesh.creation.box(1.0 + rng.random(3))
    return trimesh.Scene({"ball": ball, "box": box})


def write(path, seed=0):
    made = scene(seed)
    whole = made if path.suffix in (".glb", ".obj") else made.to_mesh()
    data = whole.export(file_type=path.suffix[1:])
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def same(one, two):
    assert (one.up, one.vertex_count, one.notes, one.unit) == (
        two.up, two.vertex_count, two.notes, two.unit,
    )  # fmt: skip
    assert one.vertex_sum.tobytes() == two.vertex_sum.tobytes()
    assert [part.name for part in one.parts] == [part.name for part in two.parts]
    for a, b in zip(one.parts, two.parts, strict=True):
        for x, y in zip(arrays(a), arrays(b), strict=True):
            assert (x.dtype, x.shape, x.tobytes()) == (y.dtype, y.shape, y.tobytes())
            assert not y.flags.writeable


def arrays(part):
    return part.mesh.vertices, part.mesh.faces, part.colors


@pytest.mark.parametrize("kind", KINDS)
def test_a_kept_file_is_the_file(tmp_path, folder, reads, monkeypatch, kind):
    path = write(tmp_path / f"model.{kind}")
    made, kept = read_mesh_file(path), read_mesh_file(path)
    assert len(reads) == 1
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    plain = read_mesh_file(path)
    assert len(reads) == 2
    same(plain, made)
    same(plain, kept)


@pytest.mark.parametrize("kind", KINDS)
def test_another_content_or_name_is_another_file(tmp_path, folder, reads, kind):
    path = write(tmp_path / f"model.{kind}")
    first = read_mesh_file(path)
    second = read_mesh_file(write(path, seed=1))
    assert len(reads) == 2
    points = [file.parts[-1].mesh.vertices.tobytes() for file in (first, second)]
    assert points[0] != points[1]
    other = tmp_path / f"other.{kind}"
    other.write_bytes(path.read_bytes())
    read_mesh_file(other)
    assert len(reads) == 3


def test_a_damaged_file_on_the_disk_is_read_anew(tmp_path, folder, reads):
    path = write(tmp_path / "model.glb")
    first = read_mesh_file(path)
    (stored,) = folder.iterdir()
    whole = stored.read_bytes()
    for place in np.random.default_rng(0).integers(0, len(whole), 25).tolist():
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        stored.write_bytes(damaged)
        same(first, read_mesh_file(path))
    assert len(reads) == 26


def change(name, value):
    def changed(arrays):
        return {**arrays, name: value(arrays[name])}

    return changed


@pytest.mark.parametrize(
    "changed",
    [
        change("faces", lambda faces: faces + 1),
        change("faces", lambda faces: -faces),
        change("faces", lambda faces: faces[:-1]),
        change("faces", lambda faces: faces.astype(float)),
        change("vertices", lambda points: points * np.nan),
        change("vertices", lambda points: points[:, :2]),
        change("colors", lambda colors: colors[:2]),
        change("sizes", lambda sizes: sizes[::-1] + 1),
        change("sizes", lambda sizes: np.array([[2**39, 2**39], [2**39, 2**39]])),
        change("text", lambda text: np.frombuffer(b"{}", np.uint8)),
        change("count", lambda count: count[:0]),
        lambda arrays: {},
    ],
)
def test_hostile_arrays_with_a_right_checksum_are_not_used(tmp_path, folder, reads, changed):
    path = write(tmp_path / "model.glb")
    first = read_mesh_file(path)
    (stored,) = folder.iterdir()
    disk_cache._write(stored, changed(dict(disk_cache._read(stored))))
    same(first, read_mesh_file(path))
    assert len(reads) == 2


def test_the_libraries_of_an_obj_count(tmp_path, folder, reads):
    path = tmp_path / "model.obj"
    path.write_text("mtllib paint.mtl\nusemtl red\n" + scene().to_mesh().export(file_type="obj"))
    read_mesh_file(path)
    read_mesh_file(path)
    assert len(reads) == 1  # a library that is not there
    for turn, color in enumerate(("1 0 0", "0 1 0")):
        (tmp_path / "paint.mtl").write_text(f"newmtl red\nKd {color}\n")
        for _ in range(2):
            (part,) = read_mesh_file(path).parts
            assert part.colors[0].tolist() == [float(word) for word in color.split()]
        assert len(reads) == turn + 2
    (tmp_path / "paint.mtl").write_text("newmtl red\nKd 1 0 0\nmap_Kd wood.png\n")
    read_mesh_file(path)
    read_mesh_file(path)
    assert len(reads) == 5  # a picture may change


def test_files_that_refer_to_others_and_small_ones_are_not_kept(tmp_path, folder, monkeypatch):
    made = scene()
    for name, data in made.export(file_type="gltf").items():
        (tmp_path / name).write_bytes(data)
    read_mesh_file(tmp_path / "model.gltf")
    monkeypatch.setattr(kept_files, "KEPT_FROM", 10**6)
    read_mesh_file(write(tmp_path / "small.stl"))
    assert not folder.exists()


def test_a_small_glb_is_kept_since_its_library_is_slow_to_load(tmp_path, folder):
    path = write(tmp_path / "small.glb")
    program = (
        "import sys, pathlib\n"
        "from rmp3d.scenes.meshes import read_mesh_file\n"
        "read_mesh_file(pathlib.Path(sys.argv[1]))\n"
        "print(sorted({'trimesh', 'networkx'} & set(sys.modules)))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True
        ).stdout.strip()
        for _ in range(2)
    ]
    assert said == ["['networkx', 'trimesh']", "[]"]
