"""Queries of our own, asked of our judges and of tight inclusion (`ipctk`), an outside judge.

Wang, Ferguson, Schneider, Jiang, Attene and Panozzo (2021) give the method; `ipctk` is the IPC
toolkit of some of them. Run by `python -m benchmarks.published_contacts --outside N`.
"""

import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from benchmarks.exact_contacts import (
    WITHOUT_DEPTH,
    Case,
    lattice,
    nearly,
    placed_between,
    table,
    turning,
)
from benchmarks.published_contacts import asked, nearest_difference, straight
from rmp3d.geometry.arrays import Float

KINDS = {"vertex-face": (1, 3), "edge-edge": (2, 2)}
"""Points of the one that moves and of the other one."""
TURNING = 10  # of so many cases one turns: each takes about a second of the outside judge
TOLERANCE = 1e-9  # of tight inclusion


def report_outside(count: int, seed: int) -> Iterator[str]:
    """Yield a table of so many queries."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        case = _case(number, rng)
        rows.append((case, {**asked(case), "tight inclusion": not _meets_outside(case)}))
        if number % 50 == 0:
            print(f"\r{number}/{count}", end="", file=sys.stderr)
    yield "# The judges beside an outside one"
    yield ""
    yield f"{count} motions of seed {seed}."
    yield ""
    yield from table(rows, WITHOUT_DEPTH)


def _case(number: int, rng: np.random.Generator) -> Case:
    if number % TURNING == TURNING - 1:
        return turning(rng)
    if number % TURNING in (3, 6):
        return (lattice if number % 2 else nearly)(rng)
    kind = list(KINDS)[number % 2]
    return (_whole, _close, _thin)[number % 3](kind, rng)


def _whole(kind: str, rng: np.random.Generator) -> Case:
    """Return points at small whole numbers: they often just touch, or lie in one plane."""
    while True:
        one, other = (rng.integers(-2, 3, (size, 3)).astype(float) for size in KINDS[kind])
        way = rng.integers(-2, 3, 3).astype(float)
        if _is_sound(one) and _is_sound(other) and way.any():
            return straight(f"{kind}, whole numbers", one, other, way)


def _close(kind: str, rng: np.random.Generator) -> Case:
    """Return random points, moved until they nearly touch: by 1e-12 to 1e-1 of their size."""
    one, other = (rng.normal(size=(size, 3)) for size in KINDS[kind])
    return _brought_near(f"{kind}, nearly", one, other, rng.normal(size=3), rng)


def _thin(kind: str, rng: np.random.Generator) -> Case:
    """Return the same of slivers, of edges nearly alike, and of long ways, in any size."""
    one, other = (rng.normal(size=(size, 3)) for size in KINDS[kind])
    along = rng.normal(size=3)
    other = other * 10.0 ** rng.uniform(-5, -1) + np.outer(rng.normal(size=len(other)), along)
    if len(one) == 2 and rng.random() < 0.5:
        one[1] = one[0] + along + 10.0 ** rng.uniform(-9, -2) * rng.normal(size=3)
    size, far = 10.0 ** rng.uniform(-2, 2), 10.0 ** rng.uniform(-1, 2)
    return _brought_near(
        f"{kind}, thin", size * one, size * other, size * far * rng.normal(size=3), rng
    )


def _brought_near(
    kind: str, one: Float, other: Float, way: Float, rng: np.random.Generator
) -> Case:
    apart = nearest_difference(np.concatenate([one, one + way]), other)
    size = float(np.linalg.norm(apart))
    if size > 0.0:
        left = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-12, -1) * float(np.ptp(other))
        other = other + apart * (1.0 - left / size)
    return straight(kind, one, other, way)


def _is_sound(points: Float) -> bool:
    """Whether points are a corner, an edge or a triangle with its full dimension."""
    return int(np.linalg.matrix_rank(points[1:] - points[0])) == len(points) - 1


def _meets_outside(case: Case) -> bool:
    """Return whether tight inclusion finds a contact, from the start on."""
    import ipctk

    if case.kind == "turning":
        return _turning_meets(case)
    one, other = case.body[0], case.others[0]
    way = case.end[:3] - case.start[:3]
    judge = ipctk.TightInclusionCCD(tolerance=TOLERANCE)
    if case.kind.startswith("vertex-face"):
        return _corner(judge, one[0], other, way)
    if case.kind.startswith("edge-edge"):
        return _edges(judge, one[:2], other[:2], way)
    pairs = list(product(range(3), range(3)))
    sides = [(one[[k, k - 1]], other) for k in range(3)]
    sides += [(other[[k, k - 1]], one) for k in range(3)]
    return bool(
        any(ipctk.is_edge_intersecting_triangle(*edge, *face) for edge, face in sides)
        or any(_corner(judge, corner, other, way) for corner in one)
        or any(_corner(judge, corner, one, -way) for corner in other)
        or any(_edges(judge, one[[i, i - 1]], other[[j, j - 1]], way) for i, j in pairs)
    )


def _corner(judge: Any, corner: Float, face: Float, way: Float) -> bool:
    return bool(judge.point_triangle_ccd(corner, *face, corner + way, *face)[0])


def _edges(judge: Any, one: Float, other: Float, way: Float) -> bool:
    return bool(judge.edge_edge_ccd(*one, *other, *(one + way), *other)[0])


def _turning_meets(case: Case) -> bool:
    """Return the same of a body that turns over a triangle much larger than it."""
    import ipctk

    class Way(ipctk.NonlinearTrajectory):  # type: ignore[misc]
        """A corner of the body."""

        def __init__(self, corner: Float) -> None:
            super().__init__()
            self.corner = corner.reshape(1, 3)

        def __call__(self, share: float) -> Float:
            pose = placed_between(case.start, case.end, share)
            return pose(self.corner)[0]

        def max_distance_from_linear(self, first: float, last: float) -> float:
            """Return a bound: a corner at r turns by w (last - first) about an axis."""
            turn = 2.0 * np.arccos(min(1.0, abs(float(case.start[3:] @ case.end[3:]))))
            reach, angle = float(np.linalg.norm(self.corner)), turn * (last - first)
            return reach * (1.0 - np.cos(min(np.pi, 0.5 * angle)))

    class Still(ipctk.NonlinearTrajectory):  # type: ignore[misc]
        """A corner of the triangle."""

        def __init__(self, corner: Float) -> None:
            super().__init__()
            self.corner = corner

        def __call__(self, share: float) -> Float:
            return self.corner

        def max_distance_from_linear(self, first: float, last: float) -> float:
            return 0.0

    face = case.others[0]
    begin = placed_between(case.start, case.end, 0.0)
    for triangle in case.body:
        corners = begin(triangle)
        for k in range(3):
            if ipctk.is_edge_intersecting_triangle(corners[k], corners[k - 1], *face):
                return True
    judge, still = ipctk.NonlinearCCD(tolerance=1e-6), [Still(corner) for corner in face]
    corners = np.unique(case.body.reshape(-1, 3), axis=0)
    return any(judge.point_triangle_ccd(Way(corner), *still)[0] for corner in corners)
