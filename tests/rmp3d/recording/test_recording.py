import errno
import itertools
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from rmp3d.errors import RecordingError
from rmp3d.geometry.errors import InputError
from rmp3d.models import Character, load_character
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader, RecordingWriter, layout
from rmp3d.recording import writer as writer_module
from rmp3d.recording.coding import KEY_INTERVAL
from rmp3d.recording.header import fingerprint
from rmp3d.scenario import ScenarioTable

HUNG = 300.0  # [s]; a process that takes longer, on however busy a machine, hangs
DOCS = Path(__file__).parents[3] / "docs"


def walk(frames: int, members: int = 3) -> np.ndarray:
    """Members side by side, walking east at 1.28 m/s."""
    position = np.zeros((frames, members, 3))
    position[..., 0] = 1.0 + 0.04 * np.arange(frames)[:, None]
    position[..., 1] = 1.0 + np.arange(members)
    return position


def test_what_is_written_is_read_back(world, tmp_path):
    position = walk(75) + np.random.default_rng(1).normal(0, 0.1, (75, 3, 3))
    with RecordingWriter(tmp_path / "a.rmp3d", world.header(3)) as writer:
        for row in position:
            writer.append(
                position=row,
                orientation_wxyz=np.tile([1.0, 0, 0, 0], (3, 1)),
                subgoal=row + 1,
                formation_of=[1],
            )
        writer.add_event(1.25, "formation", 0, -1, "line → column at 12.3 m")
    with RecordingReader.open(tmp_path / "a.rmp3d") as recording:
        assert recording.frames == 75
        assert recording.finished
        assert recording.ending == "finished"
        error = np.abs(recording.position() - position).max()
        assert error <= layout.POSITION_STEP / 2
        assert recording.position(10, 12).shape == (2, 3, 3)
        np.testing.assert_allclose(recording.subgoal(), position + 1, atol=layout.SUBGOAL_STEP)
        assert (recording.formation_of() == 1).all()
        (event,) = recording.events()
        assert (event.time, event.kind, event.group, event.member) == (1.25, "formation", 0, -1)
        assert event.text == "line → column at 12.3 m"
        assert recording.scenario == world.scenario(3)
        assert recording.header.formations == ("line", "column")
        assert recording.header.plans[0]["formation"].tolist() == [b"line", b"column", b"line"]
        np.testing.assert_array_equal(recording.header.paths[0][:, 0], [1.0, 15.0])
        assert recording.load_scene().hash == world.scene.hash
        assert [c.name for c in recording.load_characters()] == ["walker"]


@pytest.mark.parametrize("offset", [0.0, 5e6])
def test_frames_are_rounded_to_the_step_and_not_changed_beyond(world, tmp_path, offset):
    frames = 2 * KEY_INTERVAL + 41
    position, turns, subgoal = random_walk(frames, 5, offset)
    path = tmp_path / "a.rmp3d"
    with RecordingWriter(path, world.header(5)) as writer:
        for row in range(frames):
            writer.append(
                position=position[row],
                orientation_wxyz=turns[row],
                subgoal=subgoal[row],
                formation_of=[0],
            )
            if row == 77:
                writer.flush()  # in the middle of a block
    with RecordingReader.open(path) as recording:
        np.testing.assert_array_equal(recording.position(), np.round(position * 2.0**20) / 2.0**20)
        np.testing.assert_array_equal(recording.subgoal(), np.round(subgoal * 2.0**10) / 2.0**10)
        rounded = np.round(turns * 2.0**16)
        rounded /= np.linalg.norm(rounded, axis=2)[..., None]
        np.testing.assert_allclose(recording.orientation_wxyz(), rounded, rtol=0, atol=1e-15)


def random_walk(frames, members, offset):
    rng = np.random.default_rng(frames)
    position = offset + np.cumsum(rng.normal(size=(frames, members, 3)), axis=0)
    turns = rng.normal(size=(frames, members, 4))
    return position, turns / np.linalg.norm(turns, axis=2)[..., None], position[::-1]


def test_any_part_is_read_as_it_is_in_the_whole(world, tmp_path):
    frames = 2 * KEY_INTERVAL + 41
    position, turns, _ = random_walk(frames, 2, 0.0)
    path = world.record(tmp_path / "a.rmp3d", position, turns)
    ends = [0, 1, 29, 30, KEY_INTERVAL - 1, KEY_INTERVAL, KEY_INTERVAL + 3, frames - 1, frames]
    ends += [-1, -KEY_INTERVAL, -frames - 5]
    with RecordingReader.open(path) as recording:
        arrays = recording.position, recording.orientation_wxyz, recording.subgoal
        for read in (*arrays, recording.formation_of, recording.presence):
            whole = read()
            for start, stop in itertools.product(ends, [*ends, frames + 9, None]):
                np.testing.assert_array_equal(read(start, stop), whole[start:stop])


def test_the_lines_of_the_documentation_read_what_is_recorded(world, tmp_path, monkeypatch):
    position, turns, _ = random_walk(2 * KEY_INTERVAL + 7, 4, 0.0)
    turns[::2] *= np.where(turns[::2, :, :1] < 0.0, -1.0, 1.0)
    path = world.record(tmp_path / "a.rmp3d", position, turns)
    page = (DOCS / "reference" / "recording.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(lines, seen := {})
    with RecordingReader.open(path) as recording:
        np.testing.assert_array_equal(seen["position"], recording.position())
        np.testing.assert_array_equal(seen["subgoal"], recording.subgoal())
        read = seen["orientation_wxyz"]
        np.testing.assert_array_equal(read, np.round(turns * 2.0**16) / 2.0**16)
        read = read / np.linalg.norm(read, axis=-1, keepdims=True)
        np.testing.assert_allclose(read, recording.orientation_wxyz(), rtol=0, atol=1e-15)


def test_series_and_figures_are_read_back(world, tmp_path):
    header = replace(world.header(3), series=({"spread": (), "weights": (4,)},))
    figures = {"found by": 2, "share": 0.25, "who": ["a", "ö"]}
    with RecordingWriter(tmp_path / "a.rmp3d", header) as writer:
        for time in (0.0, 1.0, 2.0):
            writer.add_measures(time, 0, {"spread": 2 * time, "weights": np.full(4, time)})
        writer.put_figures(0, figures)
    with RecordingReader.open(tmp_path / "a.rmp3d") as recording:
        series = recording.series(0)
        assert sorted(series) == ["spread", "time", "weights"]
        np.testing.assert_array_equal(series["time"], [0, 1, 2])
        np.testing.assert_array_equal(series["spread"], [0, 2, 4])
        np.testing.assert_array_equal(series["weights"], np.arange(3)[:, None] * np.ones(4))
        assert recording.figures(0) == figures


def test_a_recording_without_series_and_figures_has_none(world, tmp_path):
    with RecordingWriter(tmp_path / "a.rmp3d", world.header(3)):
        pass
    with RecordingReader.open(tmp_path / "a.rmp3d") as recording:
        assert recording.series(0) == recording.figures(0) == {}


def test_the_scenario_text_is_canonical(world):
    text = world.scenario(3).to_json()
    assert ScenarioTable.from_json(text).to_json() == text
    assert text.index('"groups"') < text.index('"scene"')


def test_equal_runs_give_equal_bytes(world, tmp_path):
    first = world.record(tmp_path / "a.rmp3d", walk(70)).read_bytes()
    time.sleep(1.1)  # HDF5 stores times by the second, if it does
    assert world.record(tmp_path / "b.rmp3d", walk(70)).read_bytes() == first


def test_an_interrupted_run_keeps_its_frames_and_says_so(world, tmp_path):
    path = tmp_path / "a.rmp3d"

    def interrupted_run():
        with RecordingWriter(path, world.header(1)) as writer:
            for row in walk(41, 1):
                writer.append(
                    position=row, orientation_wxyz=[[1, 0, 0, 0]], subgoal=row, formation_of=[0]
                )
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted_run()
    with RecordingReader.open(path) as recording:
        assert recording.frames == 41
        assert not recording.finished
        assert recording.ending == "interrupted"


ENDLESS = """
import sys, itertools
sys.path.insert(0, {tests!r})
from pathlib import Path
from conftest import World
from rmp3d.recording import RecordingWriter
world = World(Path({folder!r}))
writer = RecordingWriter({path!r}, world.header(5))
print("ready", flush=True)
for k in itertools.count():
    row = [[1 + k * 1e-4, m, 0.0] for m in range(5)]
    writer.append(position=row, orientation_wxyz=[[1, 0, 0, 0]] * 5, subgoal=row, formation_of=[0])
    writer.add_event(k / 32, "tick", 0, -1, str(k))
    if (k + 1) % 30 == 0:
        print(k + 1, flush=True)
"""


def endless(world, path):
    tests = str(__file__).rsplit("/", 2)[0]
    code = ENDLESS.format(tests=tests, folder=str(world.folder), path=str(path))
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline().strip() == "ready"
    return child


@pytest.mark.slow
def test_a_killed_run_is_readable_up_to_the_last_block(world, tmp_path):
    path = tmp_path / "killed.rmp3d"
    rng = np.random.default_rng(0)
    for _ in range(8):  # benchmarks/faults kills more
        child = endless(world, path)
        time.sleep(rng.uniform(0.0, 0.2))
        child.send_signal(signal.SIGKILL)
        told = child.stdout.read().split()
        child.wait()
        child.stdout.close()
        with RecordingReader.open(path) as recording:
            assert recording.frames >= (int(told[-1]) if told else 0)
            assert recording.frames % layout.BLOCK_FRAMES == 0
            expected = 1 + np.arange(recording.frames) * 1e-4
            np.testing.assert_allclose(recording.position()[:, 0, 0], expected, atol=1e-6)
            assert "cut off" in recording.ending
            texts = [event.text for event in recording.events()]
            assert texts == [str(k) for k in range(len(texts))]


@pytest.mark.slow
def test_a_running_run_can_be_read_and_not_be_overwritten(world, tmp_path):
    path = tmp_path / "busy.rmp3d"
    child = endless(world, path)
    try:
        child.stdout.readline()
        with RecordingReader.open(path) as recording:
            assert recording.frames >= 30
        with pytest.raises(RecordingError, match="another run is writing"):
            RecordingWriter(path, world.header(1))
        child.stdout.readline()
        with RecordingReader.open(path) as recording:
            assert recording.frames >= 60
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_a_new_run_replaces_an_old_recording(world, tmp_path):
    path = world.record(tmp_path / "a.rmp3d", walk(70))
    world.record(path, walk(33))
    with RecordingReader.open(path) as recording:
        assert recording.frames == 33


WITHOUT_POSIX = """
import os, sys
sys.modules["fcntl"] = None  # importing it fails, as on Windows
del os.posix_fallocate  # as on macOS
"""


FULL = """
import resource, signal, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
import numpy as np
from conftest import World
from rmp3d.errors import RecordingError
from rmp3d.recording import RecordingWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
world = World(Path({folder!r}))
resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, resource.RLIM_INFINITY))
rng = np.random.default_rng(0)
try:
    with RecordingWriter({path!r}, world.header(5)) as writer:
        for _ in range(10_000):
            row = rng.normal(size=(5, 3))
            writer.append(position=row, orientation_wxyz=np.eye(4)[[0] * 5], subgoal=row,
                          formation_of=[0])
except RecordingError as error:
    print(error)
    sys.exit(2)
"""


@pytest.mark.parametrize("before", ["", WITHOUT_POSIX], ids=["as_here", "without_posix"])
def test_a_full_disk_is_an_error_and_the_frames_before_stay(world, tmp_path, before):
    path = tmp_path / "full.rmp3d"
    tests = str(__file__).rsplit("/", 2)[0]
    code = before + FULL.format(tests=tests, folder=str(world.folder), path=str(path))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=HUNG
    )
    assert done.returncode == 2, done.stderr
    assert "writing stopped" in done.stdout
    assert "Traceback" not in done.stderr
    with RecordingReader.open(path) as recording:
        assert recording.frames > 100
        assert recording.ending == "File too large"
        assert np.isfinite(recording.position()).all()


def test_a_run_without_room_leaves_the_older_file_and_no_other(world, tmp_path, monkeypatch):
    path = world.record(tmp_path / "a.rmp3d", walk(33))
    before = path.read_bytes()

    def full(descriptor, size):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("rmp3d.recording.writer.reserve", full)
    for name in ("a.rmp3d", "b.rmp3d"):
        with pytest.raises(RecordingError, match=rf"{name}: cannot be written \(No space left"):
            RecordingWriter(tmp_path / name, world.header(1))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.rmp3d"]


def test_a_recording_needs_a_file_that_can_be_read_back(world, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs POSIX")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/stdout"), Path(os.devnull)):
        with pytest.raises(RecordingError, match=r"\(a recording needs a file that can be read"):
            RecordingWriter(path, world.header(1))
    with pytest.raises(RecordingError, match="cannot be written"):
        RecordingWriter(tmp_path / "a\0b", world.header(1))


def test_of_two_runs_that_begin_at_once_one_is_told(world, tmp_path, monkeypatch):
    path, reserved = tmp_path / "a.rmp3d", []

    def meanwhile(descriptor, size):
        if not reserved:
            reserved.append(size)
            reserved.append(RecordingWriter(path, world.header(2)))

    monkeypatch.setattr("rmp3d.recording.writer.reserve", meanwhile)
    with pytest.raises(RecordingError, match="another run has just begun"):
        RecordingWriter(path, world.header(1))
    reserved[1].close()
    with RecordingReader.open(path) as recording:
        assert recording.header.member_count == 2
    assert [file.name for file in tmp_path.iterdir()] == ["a.rmp3d"]


def test_ctrl_c_while_a_block_is_written_leaves_whole_blocks(world, tmp_path, monkeypatch):
    path, extended = tmp_path / "a.rmp3d", []
    extend = writer_module._extend

    def interrupted(array, rows):
        if len(extended) == 2:
            signal.raise_signal(signal.SIGINT)
        extended.append(array.name)
        extend(array, rows)

    def run():
        with RecordingWriter(path, world.header(1)) as writer:
            monkeypatch.setattr(writer_module, "_extend", interrupted)
            for row in walk(90, 1):
                writer.append(
                    position=row, orientation_wxyz=[[1, 0, 0, 0]], subgoal=row, formation_of=[0]
                )

    with pytest.raises(KeyboardInterrupt):
        run()
    with RecordingReader.open(path) as recording:
        assert recording.ending == "interrupted"
        assert recording.frames == layout.BLOCK_FRAMES
        np.testing.assert_allclose(recording.position(), walk(30, 1), atol=1e-6)


def test_a_folder_that_cannot_be_written_is_an_error(world, tmp_path):
    with pytest.raises(RecordingError, match=re.escape("missing/a.rmp3d: cannot be written")):
        RecordingWriter(tmp_path / "missing" / "a.rmp3d", world.header(1))
    with pytest.raises(RecordingError, match="cannot be written"):
        RecordingWriter(tmp_path, world.header(1))


def test_a_frame_of_the_wrong_shape_or_not_finite_is_refused(world, tmp_path):
    writer = RecordingWriter(tmp_path / "a.rmp3d", world.header(2))
    good = {"orientation_wxyz": np.eye(4)[:2], "subgoal": np.ones((2, 3)), "formation_of": [0]}
    with pytest.raises(ValueError, match=re.escape("`position` must have shape (2, 3)")):
        writer.append(position=np.ones((3, 3)), **good)
    with pytest.raises(ValueError, match="not finite"):
        writer.append(position=np.full((2, 3), np.nan), **good)
    writer.close()


@pytest.mark.parametrize("content", [b"", b"PK nothing", b"\x89HDF\r\n\x1a\n" + b"x" * 500])
def test_a_file_that_is_no_recording_is_refused(tmp_path, content):
    path = tmp_path / "a.rmp3d"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(str(path))):
        RecordingReader.open(path)


def test_a_missing_file_another_file_and_another_version_are_told_apart(world, tmp_path):
    with pytest.raises(RecordingError, match="no such file"):
        RecordingReader.open(tmp_path / "none.rmp3d")
    with h5py.File(tmp_path / "other.h5", "w"):
        pass
    with pytest.raises(RecordingError, match="not a recording"):
        RecordingReader.open(tmp_path / "other.h5")
    path = world.record(tmp_path / "new.rmp3d", walk(3))
    for version, remedy in ((1, "run its scenario again"), (99, "update rmp3d")):
        with h5py.File(path, "r+") as file:
            file.attrs["format_version"] = version
        ours = f"this program reads format {layout.VERSION}"
        message = f"{path}: recording format {version}; {ours}; {remedy}"
        with pytest.raises(RecordingError, match=re.escape(message)):
            RecordingReader.open(path)


def test_a_truncated_recording_is_refused_or_read_without_a_crash(world, tmp_path):
    content = world.record(tmp_path / "a.rmp3d", walk(200)).read_bytes()
    path = tmp_path / "cut.rmp3d"
    for share in np.linspace(0.0, 0.99, 12):
        path.write_bytes(content[: int(share * len(content))])
        with pytest.raises(InputError):
            RecordingReader.open(path).position()


def test_a_truncated_file_of_a_killed_run_is_refused(world, tmp_path):
    with RecordingWriter(tmp_path / "a.rmp3d", world.header(1)) as writer:
        for row in walk(90, 1):
            writer.append(
                position=row, orientation_wxyz=[[1, 0, 0, 0]], subgoal=row, formation_of=[0]
            )
        writer.flush()
        content = (tmp_path / "a.rmp3d").read_bytes()
    path = tmp_path / "cut.rmp3d"
    path.write_bytes(content)
    with RecordingReader.open(path) as recording:
        assert recording.frames == 90
    for share in (0.01, 0.3, 0.6, 0.9):
        path.write_bytes(content[: int(share * len(content))])
        with pytest.raises(RecordingError):
            RecordingReader.open(path)


def replace_array(file, name, values):
    del file["frames"][name]
    file["frames"][name] = values


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: f["frames/orientation_w"].__setitem__((0, 0, 1), 999), "not unit"),
        (lambda f: replace_array(f, "position", np.zeros((3, 3, 3))), "another type"),
        (lambda f: replace_array(f, "subgoal", np.zeros((3, 2, 3), np.uint64)), "do not agree"),
        (lambda f: f["members"].__setitem__(0, (0, 7)), "do not agree"),
        (lambda f: f["members"].__setitem__(0, (5, 0)), "do not agree"),
        (lambda f: f.attrs.__setitem__("dt", -1.0), "do not agree"),
        (lambda f: f.attrs.__setitem__("seed", 99), "do not agree"),
        (lambda f: f.__delitem__("events"), "damaged"),
        (lambda f: f["scenario"].__setitem__(0, 0), "not a scenario"),
    ],
)
def test_a_file_with_false_contents_is_refused(world, tmp_path, damage, message):
    path = world.record(tmp_path / "a.rmp3d", walk(3))
    with h5py.File(path, "r+") as file:
        damage(file)

    def read():
        with RecordingReader.open(path) as recording:
            recording.position()
            recording.orientation_wxyz()
            recording.events()

    with pytest.raises(InputError, match=message):
        read()


def test_paths_need_not_be_ascii(world, tmp_path):
    folder = tmp_path / "años 記録"
    folder.mkdir()
    path = world.record(folder / "día 1.rmp3d", walk(3))
    with RecordingReader.open(path) as recording:
        assert recording.frames == 3


def test_a_changed_scene_or_character_is_noticed(world, tmp_path):
    path = world.record(tmp_path / "a.rmp3d", walk(3))
    mesh, model = world.folder / "yard.obj", world.folder / "walker.toml"
    before, body = mesh.read_text(), model.read_text()
    with RecordingReader.open(path) as recording:
        try:
            mesh.write_text(before.replace("v 4.0 7.0 0.0", "v 4.0 6.9 0.0"))
            with pytest.raises(RecordingError, match="the scene has changed"):
                recording.load_scene()
            model.write_text(body.replace("1.8", "1.9"))
            with pytest.raises(RecordingError, match="character `walker` has changed"):
                recording.load_characters()
            mesh.unlink()
            with pytest.raises(InputError, match=re.escape(f"{path}: `scene.mesh`: {mesh}")):
                recording.load_scene()
            recording.begin_scene()  # in a thread, whose error is raised here
            with pytest.raises(InputError, match=re.escape(f"{path}: `scene.mesh`: {mesh}")):
                recording.load_scene()
        finally:
            mesh.write_text(before)
            model.write_text(body)


def test_the_viewer_gets_every_frame(world, tmp_path):
    path = world.record(tmp_path / "a.rmp3d", walk(45))
    with RecordingReader.open(path) as recording:
        seen = playback(recording)
    assert seen.position.shape == (45, 3, 3)
    assert seen.group_names == ("group 1",)
    assert seen.formation == ("line", "column")
    assert len(seen.paths[0]) == 2


def test_a_recording_of_before_steps_was_made_by_walkers_that_climbed_two_centimeters(
    world, tmp_path
):
    position, path = walk(3), tmp_path / "a.rmp3d"
    now = world.header(3)
    walker = load_character(now.characters[0])
    assert walker.parameters.max_step > 0.02
    limits = replace(walker.parameters, max_step=0.02)  # as the file of that time said nothing
    before = Character(walker.mesh, name="walker", body=walker.body, parameters=limits)
    with RecordingWriter(path, replace(now, character_hashes=(fingerprint(before),))) as writer:
        for row in position:
            writer.append(
                position=row, orientation_wxyz=np.tile([1.0, 0, 0, 0], (3, 1)), subgoal=row,
                formation_of=[0],
            )  # fmt: skip
    with RecordingReader.open(path) as recording:
        characters = recording.load_characters()
        assert recording.header.max_steps(characters).tolist() == [0.02] * 3
    assert now.max_steps([walker]).tolist() == [walker.parameters.max_step] * 3
