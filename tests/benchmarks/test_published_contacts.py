"""Published queries are read, and answered exactly."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.exact_contacts import JUDGES
from benchmarks.published_contacts import as_motion, hulls_meet, read_folder, straight
from rmp3d.geometry.errors import InputError

FACE = [[-1.0, -1, 0], [1, -1, 0], [0, 1, 0]]


def written(folder, kind, queries):
    rows = []
    for points, meets in queries:
        for point in np.asarray(points, float).reshape(-1, 3).tolist():
            parts = [number for value in point for number in Fraction(value).as_integer_ratio()]
            rows.append(",".join(str(number) for number in [*parts, int(meets)]))
    (folder / kind).mkdir()
    (folder / kind / "data.csv").write_text("\n".join(rows) + "\n")


def test_a_corner_that_comes_to_a_face_is_read_and_answered(tmp_path):
    onto, short = [0.0, 0, 0], [0.0, 0, 2.0**-40]
    queries = [([[0.0, 0, 1], *FACE, end, *FACE], end is onto) for end in (onto, short)]
    bent = [[0.0, 0, 1], *FACE, onto, FACE[0], FACE[1], [0.0, 1, 0.5]]
    written(tmp_path, "vertex-face", [*queries, (bent, True)])
    found = list(read_folder(tmp_path))
    assert [query.meets for query in found] == [True, False, True]
    cases = [as_motion(query) for query in found]
    assert [case.meets for case in cases[:2]] == [True, False]
    assert cases[1].gap == pytest.approx(2.0**-40)
    assert cases[2] is None  # its triangle does not keep its shape


def test_edges_that_move_together_are_one_motion(tmp_path):
    one, other = np.array([[-1.0, 0, 1], [1, 0, 1]]), np.array([[0, -1.0, 0], [0, 1, 0]])
    way = np.array([0, 0, -0.5])
    together = [*one, *other, *(one + 2 * way), *(other + way)]
    written(tmp_path, "edge-edge", [(together, False)])
    (query,) = read_folder(tmp_path)
    case = as_motion(query)
    assert case.end[:3] == pytest.approx(way)
    assert (case.meets, case.gap) == (False, pytest.approx(0.5))
    assert all(judge(case) for judge in JUDGES.values())


def test_what_is_no_query_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no `\.csv` in a folder"):
        list(read_folder(tmp_path))
    written(tmp_path, "edge-edge", [(np.zeros((7, 3)), False)])
    with pytest.raises(InputError, match="eight rows of seven whole numbers"):
        list(read_folder(tmp_path))


def test_exact_answers_are_those_of_close_looks():
    rng, found = np.random.default_rng(0), []
    for _ in range(40):
        one, other = rng.integers(-2, 3, (2, 3)), rng.integers(-2, 3, (2, 3))
        case = straight("edge-edge", one.astype(float), other.astype(float), np.array([1.0, 0, 2]))
        share, along = (each.ravel() for each in np.meshgrid(*[np.linspace(0, 1, 61)] * 2))
        first = one[0] + along[:, None] * (one[1] - one[0]) + share[:, None] * [1.0, 0, 2]
        second = other[0] + np.linspace(0, 1, 61)[:, None] * (other[1] - other[0])
        apart = np.linalg.norm(first[:, None] - second, axis=2).min()
        assert case.gap - 1e-9 <= apart <= case.gap + 0.15
        found.append(case.meets)
        assert case.meets == (case.gap < 1e-9)
    assert 1 < sum(found) < 39
    assert hulls_meet([[Fraction(0)] * 3], [[Fraction(0)] * 3])
