"""Damaged and hostile recordings: the right data or one plain error, at once, in little memory."""

import json
import os
import re
import subprocess
import sys
import tracemalloc
import zlib
from contextlib import closing

import h5py
import numpy as np
import pytest

from rmp3d.errors import RecordingError
from rmp3d.front.recording import Recording
from rmp3d.recording import RecordingReader, RecordingWriter, byte_source, layout, stored
from rmp3d.recording.checksum import lookup3

FRAMES, MEMBERS = 75, 3
MOST_MEMORY = 60_000_000  # bytes that reading a hostile file of some kilobytes may take


@pytest.fixture(scope="module")
def finished(world, tmp_path_factory):
    return content_of(world, tmp_path_factory.mktemp("finished"), lambda writer: writer.close())


@pytest.fixture(scope="module")
def killed(world, tmp_path_factory):
    return content_of(world, tmp_path_factory.mktemp("killed"), lambda writer: writer.flush())


def content_of(world, folder, end):
    """Return the bytes of a recording at some moment."""
    path = folder / "a.rmp3d"
    writer = RecordingWriter(path, world.header(MEMBERS))
    for k in range(FRAMES):
        row = [[1 + 0.03 * k, 1 + m, 0] for m in range(MEMBERS)]
        writer.append(
            position=row, orientation_wxyz=[[1, 0, 0, 0]] * 3, subgoal=row, formation_of=[0]
        )
        writer.add_event(k / 32, "tick", 0, k % 3, str(k))
    end(writer)
    content = path.read_bytes()
    writer.close()
    return content


def everything(recording):
    """Return all that a recording says."""
    header = recording.header
    return (
        recording.ending,
        header.scenario.to_json(),
        header.scene_hash,
        header.character_hashes,
        header.formations,
        [path.tolist() for path in header.paths],
        [{name: array.tolist() for name, array in plan.items()} for plan in header.plans],
        recording.position().tolist(),
        recording.orientation_wxyz().tolist(),
        recording.subgoal().tolist(),
        recording.formation_of().tolist(),
        recording.presence().tolist(),
        recording.events(),
        recording.figures(0),
        recording.series(0),
    )


PLAIN = re.compile("damaged|not a recording|not unit|recording format|truncated")


def outcome(content):
    """Return all that is read from bytes; None if they are said to be damaged, in plain words."""
    try:
        with closing(Recording.from_bytes(content)) as recording:
            return everything(recording)
    except RecordingError as error:
        said = str(error)
    if not PLAIN.search(said) or "Error" in said:
        pytest.fail(said)
    return None


def flipped(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("kind", ["finished", "killed"])
def test_every_bit_of_the_first_bytes_is_found(kind, request, monkeypatch):
    monkeypatch.setattr(byte_source, "PAUSE", 0.0)
    content = request.getfixturevalue(kind)
    assert outcome(content) is not None
    assert content[11] == (0 if kind == "finished" else 5)
    for bit in range(8 * byte_source.SUPERBLOCK):
        assert outcome(flipped(content, bit)) is None


@pytest.mark.parametrize("kind", ["finished", "killed"])
def test_a_wrong_bit_anywhere_is_found_or_changes_nothing(kind, request, monkeypatch):
    for module in (byte_source, stored):
        monkeypatch.setattr(module, "PAUSE", 0.0)
    monkeypatch.setattr("rmp3d.recording.reader.TRIES", 1)
    content = request.getfixturevalue(kind)
    right = outcome(content)
    rng = np.random.default_rng(5)
    found = 0
    for bit in rng.choice(8 * len(content), 150, replace=False).tolist():
        said = outcome(flipped(content, bit))
        assert said in (None, right)
        found += said is None
    assert found > 20


def test_a_killed_file_that_is_cut_or_damaged_is_refused_at_once(killed, tmp_path):
    path = tmp_path / "a.rmp3d"
    path.write_bytes(killed[:-1000])
    with pytest.raises(RecordingError, match="truncated"):
        RecordingReader.open(path)
    with pytest.raises(RecordingError, match="do not fit their checksum"):
        Recording.from_bytes(flipped(killed, 8 * 36))


def test_the_checksum_is_that_of_hdf5(finished):
    assert lookup3(b"Four score and seven years ago") == 0x17770551  # of lookup3.c itself
    for size in range(30):
        assert lookup3(bytes(size)) == lookup3(bytes(size)) <= 0xFFFFFFFF
    assert lookup3(finished[:44]).to_bytes(4, "little") == finished[44:48]


def put(file, name, **stated):
    """Put another array in the place of one."""
    if name in file:
        del file[name]
    return file.create_dataset(name, **stated)


def bomb(file, name, declared, packed):
    """Put an array in the place of one, of a single chunk that holds something else."""
    array = put(
        file, name, shape=(declared,), dtype=np.uint8, chunks=(declared,), compression="gzip"
    )
    array.id.write_direct_chunk((0,), packed)


def zipped(size):
    packer = zlib.compressobj(1)
    block = bytes(2**20)
    return b"".join(packer.compress(block) for _ in range(size // 2**20)) + packer.flush()


def many_members(file):
    text = bytes(file["scenario"][:]).replace(b'"members":3', b'"members":999999999')
    put(file, "scenario", data=np.frombuffer(text, np.uint8))


def many_groups(file):
    scenario = json.loads(bytes(file["scenario"][:]))
    group = {**scenario["groups"][0], "members": 10_000}
    scenario["groups"] = [{**group, "name": f"group {row}"} for row in range(900)]
    text = np.frombuffer(json.dumps(scenario).encode(), np.uint8)
    put(file, "scenario", data=text, compression="gzip")
    put(file, "members", data=np.zeros(9_000_000, layout.MEMBER), compression="gzip")


def many_notes(file):
    notes = np.zeros(2_000_000, layout.PRESENCE)
    notes["frame"] = np.arange(len(notes)) * FRAMES // len(notes)
    put(file, "presence", data=notes, compression="gzip")


def set_attribute(name, value, **stated):
    def change(file):
        del file.attrs[name]
        file.attrs.create(name, value, **stated)

    return change


def virtual(file):
    plan = h5py.VirtualLayout((FRAMES, 1), "<i2")
    plan[:] = h5py.VirtualSource("/etc/passwd", "data", (FRAMES, 1))
    del file["frames/formation"]
    file.create_virtual_dataset("frames/formation", plan)


def linked(place, link):
    def change(file):
        del file[place]
        file[place] = link

    return change


def cut(name):
    def change(file):
        array = file[f"frames/{name}"]
        array.resize(array.shape[-1] - 10, axis=2) if array.ndim == 3 else array.resize(60, axis=0)

    return change


HOSTILE = {
    "attribute of variable length": set_attribute("format", "x" * 1000),
    "attribute that is a list": set_attribute("dt", [1 / 32, 1.0]),
    "attribute of objects": set_attribute("scene_hash", b"x" * 5000),
    "huge scenario": lambda f: put(
        f, "scenario", shape=(10**10,), dtype=np.uint8, chunks=(2**20,), compression="gzip"
    ),
    "huge scenario without a byte": lambda f: put(f, "scenario", shape=(10**10,), dtype="u1"),
    "long scenario": lambda f: put(
        f, "scenario", data=np.full(2**25, 32, np.uint8), compression="gzip", chunks=(2**20,)
    ),
    "scenario of another type": lambda f: put(f, "scenario", data=np.zeros(10)),
    "scenario of two axes": lambda f: put(f, "scenario", data=np.zeros((2, 2), np.uint8)),
    "scenario that is no text": lambda f: put(f, "scenario", data=np.full(9, 255, np.uint8)),
    "scenario nested deep": lambda f: put(f, "scenario", data=np.full(9**5, 91, np.uint8)),
    "a bomb": lambda f: bomb(f, "scenario", 1000, zipped(2**28)),
    "packed twice": lambda f: put(
        f, "groups/0/path", data=np.zeros((900_000, 3)), chunks=(10_000, 3), compression="lzf"
    ),
    "many members": many_members,
    "many groups": many_groups,
    "many notes of presence": many_notes,
    "huge frames": lambda f: put(
        f, "frames/position", shape=(3, 3, 10**9), dtype="u8", chunks=(3, 3, 30), compression="gzip"
    ),
    "huge chunks": lambda f: put(
        f,
        "frames/position",
        shape=(3, 3, FRAMES),
        dtype="u8",
        chunks=(3, 3, 10**8),
        maxshape=(3, 3, None),
        compression="gzip",
    ),
    "frames of another rank": lambda f: put(f, "frames/position", data=np.zeros((3, 3), "u8")),
    "virtual": virtual,
    "elsewhere": lambda f: put(
        f, "frames/formation", shape=(FRAMES, 1), dtype="<i2", external="/dev/zero"
    ),
    "soft link": linked("frames/formation", h5py.SoftLink("/frames/position")),
    "external link": linked("frames", h5py.ExternalLink("/dev/zero", "/frames")),
    "link to itself": linked("groups/0/path", h5py.SoftLink("/groups/0/path")),
    "a group for an array": lambda f: (f.__delitem__("members"), f.create_group("members")),
    "an array for a group": lambda f: put(f, "groups", data=np.zeros(3)),
    "no groups": lambda f: f.__delitem__("groups"),
    "texts of variable length": lambda f: put(
        f, "formations", data=["a", "b"], dtype=h5py.string_dtype()
    ),
    "names that are no text": lambda f: put(f, "formations", data=np.array([b"\xff\xfe"])),
    "references": lambda f: put(f, "groups/0/plan/a", data=[f.ref], dtype=h5py.ref_dtype),
    "path with a hole": lambda f: put(f, "groups/0/path", data=np.full((2, 3), np.nan)),
    "plane path": lambda f: put(f, "groups/0/path", data=np.zeros((2, 2))),
    "plan that is no plan": lambda f: put(f, "groups/0/plan/station", data=np.zeros((2, 2))),
    "plan beyond all sense": lambda f: put(f, "groups/0/plan/station", data=np.array([1e308])),
    "path beyond all sense": lambda f: put(f, "groups/0/path", data=np.full((2, 3), 1e300)),
    "plan of texts": lambda f: put(f, "groups/0/plan/station", data=np.array([b"", b"1"])),
    "plan with edges to nowhere": lambda f: put(f, "groups/0/plan/edges", data=[[0, 7]]),
    "state": lambda f: f["status/state"].__setitem__(0, 7),
    "no state": lambda f: put(f, "status/state", data=np.zeros(0, np.int8)),
    "formation": lambda f: f["frames/formation"].__setitem__((0, 0), 99),
    "event of nobody": lambda f: put(
        f, "events", data=np.array([(0.0, b"a", 0, 99, b"")], layout.EVENT)
    ),
    "event at no time": lambda f: put(
        f, "events", data=np.array([(np.nan, b"a", 0, 0, b"")], layout.EVENT)
    ),
    "figures that are none": lambda f: put(
        f, "groups/0/figures", data=np.frombuffer(b"[1]", np.uint8)
    ),
    **{f"{name} cut short": cut(name) for name in (*layout.CODED, "formation")},
    "positions beyond all sense": lambda f: f["frames/position"].__setitem__(..., 2**64 - 1),
    "dt": set_attribute("dt", np.inf),
    "embedded": lambda f: put(f, "embedded/scene/x/name", data=np.zeros(3, np.uint8)),
    "embedded meshes": lambda f: put(f, "embedded/meshes/names", data=np.zeros(3, np.uint8)),
    "embedded text": lambda f: put(f, "embedded/scene/0/vertices", data=np.zeros((3, 3))),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_refused_in_little_memory(kind, finished, tmp_path):
    path = tmp_path / "a.rmp3d"
    path.write_bytes(finished)
    with h5py.File(path, "r+") as file:
        HOSTILE[kind](file)

    def read():
        with Recording.open(path) as recording:
            everything(recording)

    tracemalloc.start()
    try:
        with pytest.raises(RecordingError) as raised:
            read()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST_MEMORY
    text = str(raised.value)
    assert text.startswith(str(path))
    assert re.search("damaged|not a recording", text)
    assert len(text.splitlines()) == 1
    assert "Error" not in text


def test_an_attribute_that_declares_gigabytes_is_refused(finished, tmp_path):
    path = tmp_path / "a.rmp3d"
    path.write_bytes(finished)
    marked = np.arange(4.0) + 77.0
    with h5py.File(path, "r+") as file:
        del file.attrs["dt"]
        file.attrs.create("dt", marked)
    content = path.read_bytes()
    values = content.index(marked.tobytes())
    count = content.rindex((4).to_bytes(8, "little"), 0, values)
    begin = content.rindex(b"OCHK", 0, values)
    ends = range(values, len(content) - 3)
    end = next(
        e for e in ends if lookup3(content[begin:e]).to_bytes(4, "little") == content[e : e + 4]
    )
    part = content[begin:count] + (2**31).to_bytes(8, "little") + content[count + 8 : end]
    checked = part + lookup3(part).to_bytes(4, "little")
    with pytest.raises(RecordingError, match="`dt` is not a single value"):
        Recording.from_bytes(content[:begin] + checked + content[end + 4 :])


def test_a_list_of_pieces_that_says_it_is_endless_is_not_searched(finished):
    size, place = 68, 44  # of the head of HDF5's extensible array, and of its largest index in it
    heads = [found.start() for found in re.finditer(b"EAHD", finished)]
    assert heads
    for begin in heads:
        head = bytearray(finished[begin : begin + size])
        assert lookup3(bytes(head)).to_bytes(4, "little") == finished[begin + size :][:4]
        head[place : place + 8] = (2**50).to_bytes(8, "little")
        head += lookup3(bytes(head)).to_bytes(4, "little")
        said = outcome(finished[:begin] + bytes(head) + finished[begin + size + 4 :])
        assert said in (None, outcome(finished))


def test_a_pipe_and_a_device_are_refused(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs POSIX")
    os.mkfifo(tmp_path / "a.rmp3d")
    for path in (tmp_path / "a.rmp3d", "/dev/zero", tmp_path):
        with pytest.raises(RecordingError, match="only regular files are read"):
            RecordingReader.open(path)


LEFT_OPEN = """
import sys
from rmp3d.recording import RecordingReader
recording = RecordingReader.open(sys.argv[1])
recording.itself = recording
frames = recording._arrays
"""


def test_python_can_end_with_a_recording_open(finished, tmp_path):
    path = tmp_path / "a.rmp3d"
    path.write_bytes(finished)
    done = subprocess.run(
        [sys.executable, "-c", LEFT_OPEN, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
