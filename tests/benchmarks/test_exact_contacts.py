"""Exact answers to motions: by hand, against close looks, and against the judges."""

import numpy as np

from benchmarks.exact_contacts import (
    JUDGES,
    _between,
    _placed,
    lattice,
    meets,
    nearly,
    turning,
)

FLAT = np.array([[-1.0, -1, 0], [1, -1, 0], [0, 1, 0]])
BESIDE = np.add(FLAT, [2.5, 0, 0])


def test_a_corner_that_comes_to_a_face_meets_it_and_one_that_stops_a_little_before_does_not():
    above = np.array([[0.0, 0, 1], [0.3, 0, 2], [0, 0.3, 2]])
    assert meets(above, FLAT, np.array([0.0, 0, -1]))
    assert not meets(above, FLAT, np.array([0.0, 0, -1 + 2.0**-52]))
    assert not meets(np.add(above, [5.0, 0, 0]), FLAT, np.array([0.0, 0, -3]))


def test_triangles_in_one_plane_are_told_apart():
    assert not meets(FLAT, BESIDE, np.array([0.25, 0, 0]))
    assert meets(FLAT, BESIDE, np.array([0.5, 0, 0]))
    assert meets(FLAT, BESIDE, np.array([9.0, 0, 0]))


def test_the_least_height_is_that_of_a_close_look():
    rng = np.random.default_rng(0)
    for _ in range(4):
        case = turning(rng)
        p, q, r = case.others[0]
        normal = np.cross(q - p, r - p) / np.linalg.norm(np.cross(q - p, r - p))
        poses = [_between(case.start, case.end, t) for t in np.linspace(0, 1, 401)]
        height = np.array([(_placed(case.body, pose) - p) @ normal for pose in poses])
        least = min(height.min(), -height.max(), key=lambda value: abs(value - case.gap))
        assert case.gap - 1e-12 <= least <= case.gap + 1e-3  # between two looks it goes so far


def test_no_judge_misses_a_contact():
    rng = np.random.default_rng(1)
    cases = [make(rng) for make in (lattice, nearly, turning) for _ in range(8)]
    met = [case for case in cases if case.meets]
    assert len(met) > 4
    missed = [(case.kind, name) for case in met for name, judge in JUDGES.items() if judge(case)]
    assert missed == []
