"""The judges against published queries of continuous collision detection; prints a table.

    python -m benchmarks.published_contacts FOLDER [-o FILE]
    python -m benchmarks.published_contacts --outside 2000 [--seed 0] [-o FILE]

FOLDER has the data of Wang, Ferguson, Schneider, Jiang, Attene and Panozzo (2021), "A Large Scale
Benchmark and an Inclusion-Based Algorithm for Continuous Collision Detection", or a part of it:
files `.csv` in folders `vertex-face` and `edge-edge`. Eight rows are a query: four points at the
start of a motion, and the same at its end; a row is x, y and z as numerator and denominator, and
whether they meet. They are a corner and a triangle, or two edges; every point goes straight.

The judges are for bodies that keep their shape. So a query is asked if, seen from one of the two,
the other one goes straight without turning; by less than 1e-12 it may bend, which is taken away.
Whether the motion that is left meets is decided again, in whole numbers; the table says where that
is another answer than the published one. Other queries are counted, and left out.

`--outside` makes queries of its own, random ones and ones that nearly touch, and asks tight
inclusion of `ipctk` (pip install ipctk), too; bodies that turn are asked of its nonlinear variant.
"""

import argparse
import csv
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.campaign import publish
from benchmarks.exact_contacts import JUDGES, STILL, WITHOUT_DEPTH, Case, table
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError

ROWS = 8
BENT = 1e-12
KINDS = {"vertex-face": 1, "edge-edge": 2}
"""How many of the four points belong to the first of the two."""

Exact = list[Fraction]


class Query(NamedTuple):
    """Points (8, 3) in whole numbers, how many of four belong to the first, and what is said."""

    kind: str
    points: list[Exact]
    meets: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--outside", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    if options.outside:
        from benchmarks.outside_contacts import report_outside

        publish(report_outside(options.outside, options.seed), options.output)
        return 0
    if options.folder is None:
        parser.error("a folder with the published data, or --outside N")
    publish(_report(list(read_folder(options.folder))), options.output)
    return 0


def read_folder(folder: Path) -> Iterator[Query]:
    """Yield the queries of all files below a folder.

    Raises:
        InputError: There is none, or a file is not of this form.
    """
    files = [path for path in sorted(folder.rglob("*.csv")) if path.parent.name in KINDS]
    if not files:
        raise InputError(f"{folder}: no `.csv` in a folder `vertex-face` or `edge-edge`")
    for path in files:
        yield from read_queries(path, path.parent.name)


def read_queries(path: Path, kind: str) -> Iterator[Query]:
    """Yield the queries of a file.

    Raises:
        InputError: It is not of this form.
    """
    with path.open(newline="") as file:
        rows = [[int(word) for word in row] for row in csv.reader(file)]
    if len(rows) % ROWS or any(len(row) != 7 or row[6] not in (0, 1) for row in rows):
        raise InputError(f"{path}: eight rows of seven whole numbers for each query are needed")
    for first in range(0, len(rows), ROWS):
        some = rows[first : first + ROWS]
        if len({row[6] for row in some}) != 1:
            raise InputError(f"{path}: row {first + 1}: a query with two answers")
        points = [[Fraction(*row[k : k + 2]) for k in (0, 2, 4)] for row in some]
        yield Query(kind, points, bool(some[0][6]))


def as_motion(query: Query) -> Case | None:
    """Return a query as a body that goes straight among triangles, or None if it is none.

    A corner, or an edge, is a triangle without area.
    """
    points = np.array(query.points, np.float64)
    count = KINDS[query.kind]
    ways = points[4:] - points[:4]
    for own in (slice(0, count), slice(count, 4)):
        if np.ptp(ways[own], axis=0).max() > BENT:
            return None
    way = ways[:count].mean(axis=0) - ways[count:].mean(axis=0)
    return straight(query.kind, points[:count], points[count:4], way)


def straight(kind: str, one: Float, other: Float, way: Float) -> Case:
    """Return the case of a corner, edge or triangle that goes straight, and the exact answer."""
    meets = hulls_meet([*_exact(one), *_sums(_exact(one), _exact(way[None])[0])], _exact(other))
    body, others = (points[[0, 1 % len(points), -1]][None] for points in (one, other))
    start, end = (np.concatenate([along, STILL]) for along in (np.zeros(3), way))
    apart = nearest_difference(np.concatenate([one, one + way]), other)
    gap = 0.0 if meets else float(np.linalg.norm(apart))
    return Case(kind, body, others, start, end, meets, gap)


def hulls_meet(one: list[Exact], other: list[Exact]) -> bool:
    """Return, exactly, whether the convex hulls of two sets of points meet.

    They do if zero is in the hull of all differences, and then in a simplex of at most four of
    them that are independent (Carathéodory).
    """
    points = [[x - y for x, y in zip(p, q, strict=True)] for p in one for q in other]
    return any(
        _holds_zero([points[k] for k in rows])
        for size in range(1, 5)
        for rows in combinations(range(len(points)), size)
    )


def _holds_zero(points: list[Exact]) -> bool:
    """Return whether zero is in a simplex; False if its points depend on each other."""
    last, edges = points[-1], [_minus(p, points[-1]) for p in points[:-1]]
    rows = [[edge[k] for edge in edges] + [-last[k]] for k in range(3)]
    size = len(edges)
    for k in range(size):  # elimination, in whole numbers
        pivot = next((r for r in range(k, 3) if rows[r][k] != 0), None)
        if pivot is None:
            return False
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for r in range(3):
            if r != k and rows[r][k] != 0:
                share = rows[r][k] / rows[k][k]
                rows[r] = [x - share * y for x, y in zip(rows[r], rows[k], strict=True)]
    if any(rows[r][size] != 0 for r in range(size, 3)):
        return False
    shares = [rows[k][size] / rows[k][k] for k in range(size)]
    return all(share >= 0 for share in shares) and sum(shares) <= 1


def nearest_difference(one: Float, other: Float) -> Float:
    """Return the shortest way (3,) between the convex hulls of two sets of points [m], about.

    It is the nearest point to zero of any simplex of differences; from the other to the first. No
    answer depends on it.
    """
    points = (one[:, None] - other[None]).reshape(-1, 3)
    best = points[np.argmin(np.linalg.norm(points, axis=1))]
    for size in range(2, 5):
        for rows in combinations(range(len(points)), size):
            last, edges = points[rows[-1]], (points[list(rows[:-1])] - points[rows[-1]]).T
            shares = np.linalg.lstsq(edges, -last)[0]
            if shares.min() >= 0.0 and shares.sum() <= 1.0:
                best = min(best, last + edges @ shares, key=lambda p: float(p @ p))
    return best


def _exact(points: Float) -> list[Exact]:
    return [[Fraction(value) for value in row] for row in points.tolist()]


def _sums(points: list[Exact], way: Exact) -> list[Exact]:
    return [[x + d for x, d in zip(p, way, strict=True)] for p in points]


def _minus(p: Exact, q: Exact) -> Exact:
    return [x - y for x, y in zip(p, q, strict=True)]


def asked(case: Case) -> dict[str, bool]:
    """Return what each judge says: whether the motion is free."""
    return {name: judge(case) for name, judge in JUDGES.items()}


def _report(queries: list[Query]) -> Iterator[str]:
    rows: list[tuple[Case, dict[str, bool]]] = []
    other = 0
    for number, query in enumerate(queries):
        case = as_motion(query)
        if case is not None:
            other += case.meets != query.meets
            rows.append((case, asked(case)))
        if number % 100 == 0:
            print(f"\r{number}/{len(queries)}", end="", file=sys.stderr)
    yield "# The judges against published queries"
    yield ""
    yield f"{len(queries)} queries, of which {sum(query.meets for query in queries)} meet; in"
    yield f"{len(rows)} a body keeps its shape. Of those, {other} have another answer without what"
    yield "bends them."
    yield ""
    yield from table(rows, WITHOUT_DEPTH)


if __name__ == "__main__":
    sys.exit(main())
