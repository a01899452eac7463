"""`rmp3d export` as its user meets it."""

import json
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest

from rmp3d import cli
from rmp3d.viewer import EXPORTERS
from rmp3d.viewer.export.exporter import option_names

PLAIN = (".csv", ".glb", ".html", ".npz")  # need neither OpenGL nor an optional library


@pytest.fixture
def rmp3d(capfd):
    """A function that runs a command line; gives exit code, standard output, standard error."""

    def call(*arguments):
        code = cli.main([str(argument) for argument in arguments])
        said = capfd.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def recording(world, tmp_path):
    """Two walkers side by side for two seconds."""
    ahead = np.linspace(1.0, 4.0, 65)
    position = [[[x, 1.0, 0.0], [x, 2.0, 0.0]] for x in ahead]
    return world.record(tmp_path / "a.rmp3d", position)


def test_what_no_format_can_store_is_refused_with_the_name_of_the_recording(rmp3d, world, tmp_path):
    place = [[[x, 1.0, 0.0]] for x in (1.0, 1e9 + 33.0, 2e9)]
    path = world.record(tmp_path / "far.rmp3d", place)
    code, _, err = rmp3d("export", path, tmp_path / "a.glb", "-q")
    assert code == 2
    assert f"{path}: the format cannot store poses" in err


def test_every_format_and_option_is_in_the_help(rmp3d):
    _, out, _ = rmp3d("export", "--help")
    groups = out.split("options of ")[1:]
    for suffix in EXPORTERS:
        assert f"  {suffix} " in out
        for name in option_names(suffix):
            flag = f"--{name.replace('_', '-')} "
            (having,) = [group for group in groups if f"\n  {flag}" in group]
            assert suffix in having.split(":")[0].replace(" and", "").replace(",", "").split()


def test_flags_and_fields_are_the_same():
    parser = cli.verb_parsers()["export"]
    common = {"help", "target", "outputs", "json", "quiet", "verbose", "debug", "extensions"}
    planning = {"query", "robot", "seed", "time_limit", "overrides"}
    flags = {action.dest for action in parser._actions} - common - planning
    assert flags == {each.name for suffix in EXPORTERS for each in fields(EXPORTERS[suffix])}


OWN = '''"""A format of one's own."""
from dataclasses import dataclass

from rmp3d.viewer.export import EXPORTERS


@EXPORTERS.register(".steps")
@dataclass(frozen=True)
class Steps:
    """Numbers of frames, a line each.

    Attributes:
        every: Frames from one line to the next.
        fps: Ignored; there is an option of this name already.
    """

    every: int = 1
    fps: float = 1.0

    def write(self, playback, file, progress):
        for frame in range(0, playback.frame_count, self.every):
            file.write(f"{frame}\\n".encode())
'''


def test_a_format_of_ones_own_is_in_the_help_and_written(rmp3d, recording, tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN)
    before = dict(EXPORTERS._classes)
    try:
        code, out, _ = rmp3d("export", "--help", "--with", path)
        assert code == 0
        _, own = out.split("options of .steps:")
        assert "Numbers of frames, a line each." in own
        assert "  --every VALUE" in own
        assert "--fps" not in own
        output = tmp_path / "a.steps"
        code, _, err = rmp3d("export", recording, output, "--every", "32", "--with", path)
        assert code == 0, err
        assert output.read_text().split() == ["0", "32", "64"]
        code, _, err = rmp3d("export", recording, tmp_path / "a.npz", "--every", 2, "--with", path)
        assert code == 2
        assert "--every means nothing to .npz; it is an option of .steps" in err
    finally:
        EXPORTERS._classes.clear()
        EXPORTERS._classes.update(before)


def test_several_files_at_once(rmp3d, recording):
    files = [recording.with_suffix(suffix) for suffix in PLAIN]
    code, out, err = rmp3d("export", recording, *files)
    assert (code, out) == (0, "")
    assert [line.split(" (")[0] for line in err.splitlines()] == [f"written: {f}" for f in files]
    assert set(recording.parent.iterdir()) == {recording, *files}
    code, out, err = rmp3d("export", recording, *files, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["written"] == [
        {"file": str(file), "bytes": file.stat().st_size} for file in files
    ]
    assert rmp3d("export", recording, *files, "-q")[1:] == ("", "")


def test_options_go_to_the_formats_that_have_them(rmp3d, recording):
    table, scene = recording.with_suffix(".csv"), recording.with_suffix(".glb")
    code, _, _ = rmp3d("export", recording, table, scene, "--digits", 2, "--tolerance", 0.1)
    assert code == 0
    assert table.read_text().splitlines()[1].startswith("0.00,0,")


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        (["a.xyz"], [], "no export format named `.xyz`"),
        (["a.glbb"], [], "did you mean `.glb`"),
        (["a"], [], "has no suffix"),
        (["a.csv", "a.npz"], ["--fps", "3"], "--fps means nothing to .csv, .npz; it is an option"),
        (["a.glb"], ["--digits", "3"], "--digits means nothing to .glb"),
        (["a.glb"], ["--tolerance", "0"], "`tolerance` must be at least 0.001 m"),
        (["a.html"], ["--angle-tolerance", "0"], "`angle_tolerance` must be at least 0.1 deg"),
        (["a.glb"], ["--tolerance", "wide"], "--tolerance must be a number, got `wide`"),
        (["a.gif"], ["--size", "12"], "expected WIDTHxHEIGHT"),
        (["a.gif"], ["--start", "3", "--end", "2"], "`end` must not be before `start`"),
        (["a.csv"], ["--digits", "40"], "`digits` must be from 0 to 17"),
        (["a.png"], ["--panel-width", "0"], "`panel_width` must be from"),
        (["a.csv", "no/a.csv"], [], "there is no folder"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(rmp3d, recording, files, options, message):
    outputs = [recording.parent / file for file in files]
    code, _, err = rmp3d("export", recording, *outputs, *options)
    assert code == 2
    assert message in err
    assert not any(output.exists() for output in outputs)


def test_what_is_no_recording_is_refused(rmp3d, tmp_path):
    (tmp_path / "b.rmp3d").write_text("not one")
    assert rmp3d("export", tmp_path / "b.rmp3d", tmp_path / "b.csv")[0] == 2
    code, _, err = rmp3d("export", tmp_path / "none.rmp3d", tmp_path / "b.csv")
    assert (code, len(err.splitlines())) == (2, 1)


def test_an_interrupted_export_keeps_what_is_complete(rmp3d, recording, monkeypatch):
    from rmp3d.viewer.export.table import Table

    def interrupted(self, playback, file, progress):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "write", interrupted)
    arrays, table = recording.with_suffix(".npz"), recording.with_suffix(".csv")
    code, _, err = rmp3d("export", recording, arrays, table)
    assert code == 130
    assert "interrupted" in err
    assert {file.name for file in recording.parent.iterdir()} == {"a.rmp3d", "a.npz"}
    with np.load(arrays) as loaded:
        assert "position" in loaded


def test_help_needs_no_heavy_imports():
    code = (
        "import sys; from rmp3d.cli import make_parser; make_parser();"
        "assert not {'numpy', 'rmp3d.viewer', 'av', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
