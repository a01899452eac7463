"""The search finds the least of a function that is known, in the same way each time."""

import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.studies import Study, design_of, minimizing

pytest.importorskip("optuna")


@pytest.fixture
def parabola(monkeypatch):
    """Runs are values of a function whose least is at x = 3 with b; those with c fail."""
    asked, known = [], set()

    def run(design, folder, *, points, **_):
        asked.append(points)
        new = {str(point) for point in points} - known
        known.update(new)
        rows = [
            {**point, "run": "", "outcome": "incomplete" if point["m.kind"] == "c" else "complete",
             "jams": (point["m.x"] - 3.0) ** 2 + (point["m.kind"] == "a") + 0.1 * point["seed"]}
            for point in points
        ]  # fmt: skip
        return Study("x", folder, design.keys, tuple(rows), len(new))

    monkeypatch.setattr(minimizing, "run_study", run)
    return asked


def design():
    axes = {"m.x": {"min": 0.0, "max": 10.0}, "m.kind": ["a", "b", "c"]}
    return design_of({"scenario": "plain", "axes": axes, "seeds": 2}, "study")


def test_the_best_values_are_found_and_failures_are_no_candidates(parabola, tmp_path):
    best = minimizing.minimize(design(), tmp_path, "jams", trials=60)
    assert best.point["m.kind"] == "b"
    assert best.point["m.x"] == pytest.approx(3.0, abs=0.6)
    assert best.value == pytest.approx((best.point["m.x"] - 3.0) ** 2 + 0.05)
    assert 0 < best.failed < best.trials == 60
    assert len(best.study.rows) == 120
    assert best.study.new == len({str(point) for points in parabola for point in points})


def test_the_same_search_asks_for_the_same_runs(parabola, tmp_path):
    for _ in range(2):
        minimizing.minimize(design(), tmp_path, "jams", trials=8)
    assert parabola[: len(parabola) // 2] == parabola[len(parabola) // 2 :]


def test_the_largest_value_is_at_the_end(parabola, tmp_path):
    best = minimizing.minimize(design(), tmp_path, "jams", trials=40, maximize=True)
    assert best.point["m.x"] > 9.0
    assert best.point["m.kind"] == "a"


@pytest.mark.parametrize(
    ("table", "figure", "words"),
    [
        ({"seeds": 2}, "jams", "nothing to search"),
        ({"axes": {"m.x": {"min": 0, "max": 1}, "m.kind": ["b"]}, "seeds": 1}, "jam", "`jams`"),
    ],
)
def test_what_cannot_be_searched_is_refused(parabola, tmp_path, table, figure, words):
    wrong = design_of({"scenario": "plain", **table}, "study")
    with pytest.raises(InputError, match=words):
        minimizing.minimize(wrong, tmp_path, figure, trials=4)
