import os
import subprocess
import sys

import numpy as np
import pytest

from rmp3d.geometry import disk_cache, tree
from rmp3d.geometry.disk_cache import cache_folder, check_rows, digest_of, kept
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.tree import build_tree


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path / "cache"))
    return tmp_path / "cache"


class Squares:
    """A result that counts how often it is made."""

    def __init__(self, count=50):
        self.made, self.count = 0, count

    def __call__(self):
        self.made += 1
        return np.arange(self.count) ** 2

    def kept(self, *content):
        return kept("squares", content, self, self.encode, self.decode)

    def encode(self, rows):
        return {"rows": rows, "none": np.empty((0, 3)), "third": rows / 3.0}

    def decode(self, arrays):
        check_rows(arrays["rows"], self.count**2, (self.count,))
        return arrays["rows"]


def files(folder):
    return sorted(folder.iterdir()) if folder.exists() else []


def test_a_result_is_made_once_for_each_content(folder):
    squares = Squares()
    for content in (b"a", b"b", b"a"):
        np.testing.assert_array_equal(squares.kept(content), np.arange(50) ** 2)
    assert squares.made == 2
    assert len(files(folder)) == 2


def test_every_flipped_bit_is_noticed_and_the_file_replaced(folder):
    squares = Squares()
    squares.kept(b"a")
    (path,) = files(folder)
    whole = path.read_bytes()
    places = [*range(60), *np.random.default_rng(0).integers(0, len(whole), 60).tolist()]
    for turn, place in enumerate(places):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << turn % 8
        path.write_bytes(damaged)
        np.testing.assert_array_equal(squares.kept(b"a"), np.arange(50) ** 2)
        assert squares.made == turn + 2
        assert path.read_bytes() == whole


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.5, 0.99])
def test_a_file_cut_short_is_replaced(folder, share):
    squares = Squares()
    squares.kept(b"a")
    (path,) = files(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    squares.kept(b"a")
    assert (squares.made, path.read_bytes()) == (2, whole)


@pytest.mark.parametrize(
    "table",
    [
        '[["rows", "<i8", [-1]]]',
        '[["rows", "<i8", [99999999999]]]',
        '[["rows", "|O8", [1]]]',
        '[["rows", "<i8", [2]], ["rows"]]',
        '[["rows", "<f8", [50]]]',
        '{"rows": 5}',
        "[" * 100_000,
        "nothing",
    ],
)
def test_a_file_with_a_right_checksum_and_a_wrong_table_is_replaced(folder, table):
    import hashlib
    import struct

    squares = Squares()
    squares.kept(b"a")
    (path,) = files(folder)
    rest = struct.pack("<Q", len(table)) + table.encode() + bytes(400)
    checksum = hashlib.sha256(path.name.encode() + rest).digest()
    path.write_bytes(disk_cache.MAGIC + checksum + rest)
    np.testing.assert_array_equal(squares.kept(b"a"), np.arange(50) ** 2)
    assert squares.made == 2


def test_the_file_of_another_content_is_not_taken_under_this_name(folder):
    one, other = Squares(), Squares()
    one.encode = lambda rows: {"rows": rows + 1}
    one.kept(b"a")
    (foreign,) = files(folder)
    other.kept(b"b")
    (own,) = set(files(folder)) - {foreign}
    own.write_bytes(foreign.read_bytes())
    np.testing.assert_array_equal(other.kept(b"b"), np.arange(50) ** 2)
    assert other.made == 2


def test_the_switch_turns_it_off(folder, monkeypatch):
    monkeypatch.setenv(disk_cache.SWITCH, "off")
    squares = Squares()
    squares.kept(b"a")
    squares.kept(b"a")
    assert squares.made == 2
    assert cache_folder() is None


def test_without_the_switch_the_folder_is_that_of_the_user(tmp_path, monkeypatch):
    monkeypatch.delenv(disk_cache.SWITCH, raising=False)
    for name in ("XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    assert cache_folder().is_relative_to(tmp_path)
    assert cache_folder().name == "rmp3d"


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(disk_cache.SWITCH, str(tmp_path / "file"))
    np.testing.assert_array_equal(Squares().kept(b"a"), np.arange(50) ** 2)


def test_something_else_of_that_name_changes_nothing(folder):
    squares = Squares()
    squares.kept(b"a")
    (path,) = files(folder)
    path.unlink()
    path.mkdir()
    np.testing.assert_array_equal(squares.kept(b"a"), np.arange(50) ** 2)


def test_the_files_used_longest_ago_go_first(folder, monkeypatch):
    squares = Squares(5000)
    squares.kept(b"first")
    (oldest,) = files(folder)
    size = oldest.stat().st_size
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 3 * size)
    (folder / "own.txt").write_text("of the user")
    for age, name in ((300, b"second"), (200, b"third")):
        before = set(files(folder))
        squares.kept(name)
        (new,) = set(files(folder)) - before
        os.utime(new, (1e9 - age, 1e9 - age))
    squares.kept(b"first")  # used again, so that it is not the oldest any more
    squares.kept(b"fourth")
    assert sum(path.stat().st_size for path in folder.glob("*.cache")) <= 3 * size
    made = squares.made
    squares.kept(b"first")
    squares.kept(b"third")
    assert squares.made == made
    squares.kept(b"second")
    assert squares.made == made + 1
    assert (folder / "own.txt").exists()


def test_two_processes_keep_one_result(folder):
    program = (
        "import numpy as np\n"
        "from rmp3d.geometry.disk_cache import kept\n"
        "for turn in range(20):\n"
        "    rows = kept('rows', [bytes([turn])], lambda: np.arange(20_000) + turn,\n"
        "                lambda rows: {'rows': rows}, lambda arrays: arrays['rows'])\n"
        "    assert (rows == np.arange(20_000) + turn).all()\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert len(files(folder)) == 20


def test_digests_tell_types_shapes_and_numbers_apart():
    rows = np.arange(6)
    others = [rows.astype(float), rows.reshape(2, 3), rows + 1, rows[:5]]
    assert len({digest_of([each]) for each in [rows, *others]}) == 5


def test_a_tree_from_the_disk_is_the_tree(folder, make, monkeypatch):
    monkeypatch.setattr(tree, "KEPT_FROM", 100)
    corners = make.soup(500, np.random.default_rng(1)).triangles
    first = build_tree(make.from_triangles(corners))
    assert len(files(folder)) == 1
    monkeypatch.setattr(tree, "sort_all", None)
    second = build_tree(make.from_triangles(corners))
    for name in ("boxes", "ranges", "triangles", "order"):
        one, two = getattr(first, name), getattr(second, name)
        assert (one.dtype, one.tobytes()) == (two.dtype, two.tobytes())


def test_another_order_on_the_disk_makes_no_query_wrong(folder, make, monkeypatch):
    monkeypatch.setattr(tree, "KEPT_FROM", 100)
    corners = make.soup(300, np.random.default_rng(1)).triangles
    points = np.random.default_rng(2).uniform(-3.0, 3.0, (50, 3))
    right = MeshQuery(make.from_triangles(corners)).closest_point(points)
    (path,) = files(folder)
    for wrong in (np.arange(300)[::-1], np.zeros(300), np.arange(300) + 1, np.arange(299)):
        disk_cache._write(path, {"order": wrong.astype(np.int32)})
        found = MeshQuery(make.from_triangles(corners)).closest_point(points)
        for one, two in zip(right, found, strict=True):
            np.testing.assert_allclose(one, two)


def test_small_trees_are_not_kept(folder, make):
    build_tree(make.soup(2000, np.random.default_rng(1)))
    assert files(folder) == []


def test_there_are_never_too_many_files(folder, monkeypatch):
    monkeypatch.setattr(disk_cache, "MOST_FILES", 4)
    squares = Squares()
    for number in range(9):
        squares.kept(bytes([number]))
    assert len(files(folder)) == 4
