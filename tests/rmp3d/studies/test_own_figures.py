"""Figures of one's own: measured in each run, part of its name, and refused in words."""

import itertools

import pytest

from rmp3d import extensions
from rmp3d.geometry.errors import InputError
from rmp3d.studies import design_of, run_study
from rmp3d.studies.own_figures import FIGURES, own_figures, unit_of_own
from rmp3d.studies.points import Runs

FILE = """
import numpy as np
from rmp3d.studies import FIGURES

@FIGURES.register("{name}")
class Way:
    unit = "m"

    def of(self, recording):
        steps = np.linalg.norm(np.diff(recording.position(), axis=0), axis=2)
        {body}
"""
_number = itertools.count()


@pytest.fixture
def loaded(tmp_path, monkeypatch):
    """Writes and loads a file with a figure; returns its name. Forgets it in the end."""
    monkeypatch.setattr(FIGURES, "_classes", dict(FIGURES._classes))

    def load(body):
        name = f"way{next(_number)}"
        file = tmp_path / f"{name}.py"
        file.write_text(FILE.format(name=name, body=body))
        extensions.load_extension(file)
        return name

    return load


@pytest.mark.slow
def test_each_run_has_the_figure_and_others_stay(loaded, short_table, short_study, tmp_path):
    name = loaded("return steps.sum()")
    found = run_study(design_of({**short_table, "figures": [name]}, "study"), tmp_path, processes=1)
    assert found.new == len(found.rows) == len(short_study.rows)
    assert all(way > 0.0 for way in found.column(name))
    assert unit_of_own(name) == "m"
    for row, before in zip(found.rows, short_study.rows, strict=True):
        assert {key: row[key] for key in before if key != "run"} == {
            key: before[key] for key in before if key != "run"
        }
    assert [row["run"] for row in found.timings] == found.column("run")
    assert f"{name} [m]" in found.report().read_text(encoding="utf-8")


class Still:
    """A recording of two members that stay."""

    def position(self):
        import numpy as np

        return np.zeros((3, 2, 3))


@pytest.mark.parametrize(
    ("body", "row"),
    [
        ("return steps.max()", {"": 0.0}),
        ("return steps.shape[1] == 2", {"": True}),
        ("return None", {"": None}),
        ("return {'all': steps.sum(), 'who': 'nobody'}", {".all": 0.0, ".who": "nobody"}),
    ],
)
def test_one_value_is_one_column_and_several_are_several(loaded, body, row):
    name = loaded(body)
    assert own_figures([name], Still()) == {f"{name}{key}": value for key, value in row.items()}


@pytest.mark.parametrize(
    ("body", "words"), [("return steps", "not ndarray"), ("return 1 / 0", "ZeroDivisionError")]
)
def test_a_figure_that_fails_is_named(loaded, body, words):
    name = loaded(body)
    with pytest.raises(InputError, match=f"figure `{name}`: .*{words}"):
        own_figures([name], Still())


def test_unknown_ones_are_refused_before_the_first_run(loaded):
    name = loaded("return 1")
    with pytest.raises(InputError, match=rf"`figures`: no figure named `{name}x`; did you mean"):
        design_of({"scenario": "plain", "figures": [f"{name}x"]}, "study")


def test_a_run_is_named_by_the_files_that_are_loaded_and_what_is_measured(loaded, monkeypatch):
    def run_name(**table):
        design = design_of({"scenario": "plain", **table}, "study")
        return Runs(design).of(design.points())[0].name

    plain = run_name()
    name = loaded("return 1")
    with_file = run_name()
    measured = run_name(figures=[name])
    loaded("return 2")
    assert len({plain, with_file, measured, run_name(figures=[name])}) == 4
    monkeypatch.setattr(extensions, "_loaded", [])
    assert run_name() == plain
