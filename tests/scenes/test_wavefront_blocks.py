"""Lines of OBJ files read together give what they give one by one, errors included."""

from io import BytesIO

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.scenes.formats import wavefront_blocks
from rmp3d.scenes.formats.wavefront import Wavefront

VERTICES = ["v {:.4f} {:.3e} {:g}", "v {} {} {} 1.0", "v  {}\t{}  {} 0.1 0.2 0.3", "v {} {} {} # x"]
CORNERS = ["{}", "{}/1", "{}//2", "{}/1/2"]
BETWEEN = ["", "# f 1 2", "vn 0 0 1", "vt 0.5 0.5", "usemtl red", "o one", "g two", "s off", "  "]
BAD = ["v 1 2", "v 1 2 x", "v 1_0 2 3", "v 1 2 3 4 5", "v nan 1 2", "f 1 2", "f 1 2 0"]
BAD += ["f 1 2 999999", "f 1 2 -999999", "f 1 2 3.0", "f a b c", "f 1 2 99999999999999999999"]


def random_file(rng, bad):
    """Return the text of a file with long and short runs of vertices and faces."""
    lines, vertices = ["mtllib none.mtl"], 0
    for _ in range(rng.integers(2, 8)):
        style = VERTICES[rng.integers(len(VERTICES))]
        count = int(rng.integers(3, 120))
        lines += [style.format(*row) for row in rng.normal(0.0, 30.0, (count, 3))]
        vertices += count
        lines += [BETWEEN[k] for k in rng.integers(0, len(BETWEEN), rng.integers(0, 4))]
        corner, size = CORNERS[rng.integers(len(CORNERS))], int(rng.integers(3, 6))
        for _ in range(rng.integers(0, 120)):
            rows = 1 + rng.choice(vertices, size if rng.random() < 0.9 else 3, replace=False)
            rows = np.where(rng.random() < 0.2, rows - vertices - 1, rows)
            lines.append("f " + " ".join(corner.format(row) for row in rows.tolist()))
    if bad:
        place = int(rng.integers(len(lines)))
        lines[place:place] = [BAD[rng.integers(len(BAD))]]
    ends = ["\n", "\r\n", " \\\n\n", "\r"][min(3, int(rng.exponential(0.5)))]
    return ends.join(lines) + ("\n" if rng.random() < 0.5 else "")


def outcome(path):
    try:
        file = Wavefront().read(path)
    except InputError as error:
        return str(error)
    return [
        (mesh.name, mesh.vertices.tobytes(), mesh.faces.tobytes(), mesh.colors.tobytes())
        for mesh in file.meshes
    ]


@pytest.mark.parametrize("bad", [False, True])
def test_lines_together_are_read_as_lines_one_by_one(tmp_path, monkeypatch, bad):
    path = tmp_path / "any.obj"
    monkeypatch.setattr(wavefront_blocks, "PIECE", 3000)
    for seed in range(60):
        path.write_bytes(random_file(np.random.default_rng(seed), bad).encode())
        monkeypatch.setattr(wavefront_blocks, "FEW", 20)
        together = outcome(path)
        monkeypatch.setattr(wavefront_blocks, "FEW", 10**9)
        assert together == outcome(path), f"seed {seed}"


def test_plain_lines_are_not_read_one_by_one():
    text = "".join(f"v {k} {k + 1} 0\n" for k in range(100))
    text += "".join(f"f {k + 1}/1 {k + 2}/1 {k + 3}/1\n" for k in range(90))
    vertices, faces = wavefront_blocks.runs(BytesIO(text.encode()))
    assert (vertices.word, vertices.first, vertices.lines) == ("v", 1, 100)
    assert (faces.word, faces.first, faces.lines) == ("f", 101, 90)
    np.testing.assert_array_equal(wavefront_blocks.vertex_block(vertices)[:, 0], np.arange(100))
    corners, counts = wavefront_blocks.face_block(faces)
    np.testing.assert_array_equal(corners[:3], [1, 2, 3])
    assert (counts == 3).all()


def test_lines_that_go_on_are_left_to_the_reader_of_lines():
    file = BytesIO(b"v 1 2 3\nv 1 2 \\\n 3\n")
    assert [run.word for run in wavefront_blocks.runs(file)] == ["rest"]
    assert file.read().startswith(b"v 1 2 3\n")
