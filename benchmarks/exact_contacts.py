"""The judges against motions whose answer is known exactly; prints a table.

    python -m benchmarks.exact_contacts [--cases 5000] [--seed 0] [-o FILE]

Half of the cases are triangles that go straight, from small whole numbers and from random ones,
moved until they nearly touch. The ends are binary fractions, so that whether the two sets meet is
decided in whole numbers, by all directions that can separate them (Gottschalk, Lin, Manocha 1996).
The other half are bodies of twelve corners that go and turn over a large triangle: the height of a
corner over a plane is a + b t + c cos(wt) + d sin(wt), whose least value is found in closed form
with 18 digits. The triangle is put 1e-1 to 1e-9 m under the least height, or over it.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.campaign import publish
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.rotations import rotate
from rmp3d.verification.advancement import Allowance, MovingPair, check_motions
from rmp3d.verification.bodies import fcl_model, gap
from rmp3d.verification.crossing import crossing
from rmp3d.verification.interval_judge import IntervalJudge

Long = np.longdouble
STILL = np.array([1.0, 0.0, 0.0, 0.0])
LARGE = 60.0
"""Half the width of the triangle that bodies turn over [m]."""
FIRMLY, WIDE = 1e-6, 1e-3
"""Contacts deeper than the first [m], and gaps wider than both, are told apart in the table."""


class Case(NamedTuple):
    """A body (F, 3, 3), obstacles (G, 3, 3), ends (7,), and the exact gap [m]; 0: they touch.

    Of triangles that go straight the gap is a lower bound, and negative where they overlap.
    """

    kind: str
    body: Float
    others: Float
    start: Float
    end: Float
    meets: bool
    gap: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    makers = [lattice, lattice, nearly, turning, turning, turning]
    rows = []
    for number in range(options.cases):
        case = makers[number % len(makers)](rng)
        rows.append((case, {name: judge(case) for name, judge in JUDGES.items()}))
        if number % 100 == 0:
            print(f"\r{number}/{options.cases}", end="", file=sys.stderr)
    publish(_report(rows, options.seed), options.output)
    return 0


def lattice(rng: np.random.Generator) -> Case:
    """Return triangles whose corners are small whole numbers: they often just touch."""
    while True:
        a, b = rng.integers(-2, 3, (2, 3, 3)).astype(float)
        way = rng.integers(-2, 3, 3).astype(float)
        if all(np.cross(t[1] - t[0], t[2] - t[0]).any() for t in (a, b)) and way.any():
            return _straight("whole numbers", a, b, way)


def nearly(rng: np.random.Generator) -> Case:
    """Return random triangles of which one is put where it nearly touches, by eye."""
    a, b = rng.normal(size=(2, 3, 3))
    way = rng.normal(size=3)
    for _ in range(40):  # push the second one along the best direction, to about nothing
        apart, axis = _separation(a, b, way)
        b = b - apart * axis
        if abs(apart) < 1e-12:
            break
    sign = rng.choice([-1.0, 1.0])
    b = b + sign * 10.0 ** rng.uniform(-10, -2) * _separation(a, b, way)[1]
    return _straight("nearly touching", a, b, way)


def _straight(kind: str, a: Float, b: Float, way: Float) -> Case:
    start, end = (np.concatenate([np.zeros(3) if k == 0 else way, STILL]) for k in (0, 1))
    return Case(kind, a[None], b[None], start, end, meets(a, b, way), _separation(a, b, way)[0])


def meets(a: Float, b: Float, way: Float) -> bool:
    """Return, exactly, whether a triangle that goes a way (3,) meets another, (3, 3) each."""
    first, second = _exact(a), _exact(b)
    last = [[x + d for x, d in zip(p, _exact(way[None])[0], strict=True)] for p in first]
    swept = first + last
    return not any(
        _apart(swept, second, axis) for axis in _axes(first, second, _exact(way[None])[0])
    )


def _exact(points: Float) -> list[list[Any]]:
    return [[Fraction(value) for value in row] for row in points.tolist()]


def _apart(one: Any, other: Any, axis: Any) -> bool:
    p, q = ([sum(x * y for x, y in zip(point, axis, strict=True)) for point in points]
            for points in (one, other))  # fmt: skip
    return bool(any(axis) and (max(p) < min(q) or max(q) < min(p)))


def _cross(u: Any, v: Any) -> list[Any]:
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def _edges(points: Any) -> list[Any]:
    return [[q - p for p, q in zip(points[k], points[k - 2], strict=True)] for k in range(3)]


def _axes(a: Any, b: Any, way: Any) -> Iterator[Any]:
    """Yield all directions that can separate the prism of a triangle and a way from another one."""
    mine, others = [*_edges(a), way], _edges(b)
    flat = _cross(mine[0], mine[1]), _cross(others[0], others[1])
    yield from flat
    sides = [_cross(edge, way) for edge in mine[:3]]
    yield from sides
    yield from (_cross(p, q) for p, q in product(mine, others))
    yield from (_cross(flat[0], edge) for edge in mine)  # where the prism is flat
    yield from (_cross(flat[1], edge) for edge in others)
    yield from (_cross(side, edge) for side in sides for edge in mine)


def _separation(a: Float, b: Float, way: Float) -> tuple[float, Float]:
    """Return the widest gap [m] along a direction, from the first to the second, and that."""
    swept, best = np.concatenate([a, a + way]), (-np.inf, np.zeros(3))
    for axis in _axes(a.tolist(), b.tolist(), way.tolist()):
        size = float(np.linalg.norm(axis))
        if size > 1e-9:
            unit = np.array(axis) / size
            for side in (unit, -unit):
                best = max(
                    best, ((b @ side).min() - (swept @ side).max(), side), key=lambda k: k[0]
                )
    return float(best[0]), best[1]


def turning(rng: np.random.Generator) -> Case:
    """Return a body that goes and turns over a large triangle, with a gap that is known."""
    body = rng.normal(scale=0.5, size=(4, 3, 3))
    turns = rng.normal(size=(2, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    if turns[0] @ turns[1] < 0.0:
        turns[1] *= -1.0
    start, end = (np.concatenate([rng.normal(size=3), turn]) for turn in turns)
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    aside = np.cross(normal, [1.0, 0, 0] if abs(normal[0]) < 0.7 else [0, 1.0, 0])
    aside /= np.linalg.norm(aside)
    other = np.cross(normal, aside)
    shape = np.array([2.0 * aside, -aside + 2.0 * other, -aside - 2.0 * other]) * LARGE
    least = float(_least(body, start, end, normal))
    wanted = rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-9, -1)
    triangle = shape + (least - wanted) * normal
    # The plane of the triangle as it is in binary, and the gap to it.
    corners = triangle.astype(Long)
    plane = _scaled(np.cross(corners[1] - corners[0], corners[2] - corners[0]))
    plane = plane * np.sign(plane @ normal)
    apart = _least(body, start, end, plane) - plane @ corners[0]
    return Case("turning", body, triangle[None], start, end, bool(apart <= 0.0), float(apart))


def _least(body: Float, start: Float, end: Float, normal: Any) -> Any:
    """Return the least height of a body's corners along a direction, in a motion."""
    first, last = _scaled(start[3:].astype(Long)), _scaled(end[3:].astype(Long))
    back = first * [1, -1, -1, -1]
    turn = _product(back, last)
    half = np.arctan2(np.sqrt((turn[1:] ** 2).sum()), turn[0])
    axis, speed = turn[1:] / np.sin(half), 2.0 * half
    up = np.asarray(normal, Long)
    seen = _product(_product(back, np.append(Long(0.0), up)), first)[1:]  # from the body at first
    rise, base = up @ (end[:3].astype(Long) - start[:3]), up @ start[:3].astype(Long)
    heights = []
    for corner in body.reshape(-1, 3).astype(Long):
        fixed = (axis @ corner) * (axis @ seen)
        cosine, sine = seen @ corner - fixed, seen @ np.cross(axis, corner)
        t = _turning_points(rise, cosine, sine, speed)
        heights.append(
            base + fixed + rise * t + cosine * np.cos(speed * t) + sine * np.sin(speed * t)
        )
    return np.concatenate(heights).min()


def _turning_points(rise: Any, cosine: Any, sine: Any, speed: Any) -> Any:
    """Return the ends of a motion, and where a height stops to rise or fall: in closed form."""
    found, size = [Long(0.0), Long(1.0)], speed * np.hypot(cosine, sine)
    if size > abs(rise):  # rise - size * sin(wt - phase) = 0
        phase, angle = np.arctan2(sine, cosine), np.arcsin(rise / size)
        whole = 2.0 * np.arctan2(Long(0.0), Long(-1.0))
        for own in (angle, whole / 2.0 - angle):
            times = [(own + phase + whole * k) / speed for k in range(-2, 3)]
            found += [t for t in times if 0.0 < t < 1.0]
    return np.array(found)


def _scaled(vector: Any) -> Any:
    return vector / np.sqrt((vector**2).sum())


def _product(p: Any, q: Any) -> Any:
    vector = p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.append(p[0] * q[0] - p[1:] @ q[1:], vector)


def _mesh(triangles: Float) -> TriangleMesh:
    return TriangleMesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))


def by_certificate(case: Case) -> bool:
    """Return whether the certificate of edges proves a motion free."""
    pair = MeshPair(_mesh(case.body), _mesh(case.others))
    return bool(pair.motions_are_free(case.start[None], case.end[None])[0])


def by_intervals(case: Case) -> bool:
    """Return whether the judge of `verify` for plans proves a motion free."""
    return IntervalJudge(_mesh(case.body), _mesh(case.others)).motion_is_free(case.start, case.end)


def by_frames(case: Case) -> bool:
    """Return whether the check of `verify` for runs, by python-fcl and crossings, finds nothing."""
    import fcl

    body, others = _mesh(case.body), _mesh(case.others)
    model = fcl_model(body.vertices, body.faces)
    placed = fcl.CollisionObject(fcl_model(others.vertices, others.faces))
    reach = float(np.linalg.norm(case.body, axis=2).max())

    def pose(share: float) -> Float:
        return _between(case.start, case.end, share)

    def measure(frame: int, share: float) -> tuple[float, int]:
        own = pose(share + frame)
        return gap(fcl.CollisionObject(model, fcl.Transform(own[3:], own[:3])), placed)

    def cross(frame: int, start: float, end: float) -> int:
        before, after = (_placed(case.body, pose(share)) for share in (start, end))
        return crossing(before, after, case.others, case.others)

    turn = 2.0 * np.arccos(min(1.0, abs(float(case.start[3:] @ case.end[3:]))))
    travel = float(np.linalg.norm(case.end[:3] - case.start[:3])) + turn * reach
    free = np.zeros(1, np.bool_)
    pair = MovingPair(np.array([travel]), measure, cross, Allowance(), free)
    found = check_motions(pair, np.inf)
    return not (found.contacts or found.unproved)


def _between(start: Float, end: Float, share: float) -> Float:
    half = float(np.arccos(np.clip(start[3:] @ end[3:], -1.0, 1.0)))
    turned = start[3:]
    if half > 1e-12:
        a, b = np.sin((1.0 - share) * half), np.sin(share * half)
        turned = (a * start[3:] + b * end[3:]) / np.sin(half)
    return np.concatenate([(1.0 - share) * start[:3] + share * end[:3], turned])


def placed_between(start: Float, end: Float, share: float) -> Callable[[Float], Float]:
    """Return what moves points (N, 3) of the body to where they are at a share of a motion."""
    pose = _between(start, end, share)
    return lambda points: _placed(points, pose)


def _placed(triangles: Float, pose: Float) -> Float:
    points = triangles.reshape(-1, 3)
    turned = rotate(np.tile(pose[3:], (len(points), 1)), points)
    return (turned + pose[:3]).reshape(triangles.shape)


JUDGES = {"certificate": by_certificate, "verify, plans": by_intervals, "verify, runs": by_frames}


def _report(rows: list[tuple[Case, dict[str, bool]]], seed: int) -> Iterator[str]:
    yield "# The judges against exact answers"
    yield ""
    yield f"{len(rows)} motions of seed {seed}. *Missed*: they meet, and the judge calls the motion"
    yield "free. *False alarms*: they do not meet, and the judge does not prove it."
    yield ""
    yield from table(rows, GROUPS)


def table(
    rows: list[tuple[Case, dict[str, bool]]], groups: Mapping[str, Callable[[Case], bool]]
) -> Iterator[str]:
    """Yield how often each judge is wrong, by kind of case and group."""
    names = list(rows[0][1])
    yield "| cases | number | " + " | ".join(names) + " |"
    yield "|---|--:|" + "---|" * len(names)
    for kind in dict.fromkeys(case.kind for case, _ in rows):
        for words, chosen in groups.items():
            some = [(case, said) for case, said in rows if case.kind == kind and chosen(case)]
            wrong = [sum(said[name] == case.meets for case, said in some) for name in names]
            word = "missed" if some and some[0][0].meets else "false alarms"
            cells = " | ".join(f"{each} {word}" for each in wrong)
            if some:
                yield f"| {kind}: {words} | {len(some)} | {cells} |"


GROUPS = {
    f"overlap over {FIRMLY:g} m": lambda case: case.meets and case.gap < -FIRMLY,
    f"touch, or overlap up to {FIRMLY:g} m": lambda case: case.meets and case.gap >= -FIRMLY,
    f"gap up to {FIRMLY:g} m": lambda case: not case.meets and case.gap <= FIRMLY,
    f"gap up to {WIDE:g} m": lambda case: not case.meets and FIRMLY < case.gap <= WIDE,
    f"gap over {WIDE:g} m": lambda case: not case.meets and case.gap > WIDE,
}

WITHOUT_DEPTH = {"they meet": lambda case: case.meets} | {
    words: chosen for words, chosen in GROUPS.items() if words.startswith("gap")
}
"""For points and edges, which touch or do not."""


if __name__ == "__main__":
    sys.exit(main())
