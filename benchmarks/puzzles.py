"""Six families of puzzles made in code, each with a dial for how tight it is.

The dial is the room that is left in the tightest place, as a share of the radius of the body about
its reference point: 0.1 is easy, 0.005 means contacts everywhere.

- ``alpha``: two tubes bent like the letter alpha that hang in each other. Each crosses itself, and
  the other's tube fits between the two crossing parts. (After the alpha puzzle of Yamrom, as
  Amato and others 1998 use it; curve and numbers are our own.)
- ``double_alpha``: two tubes of two such letters each, one after the other; their first letters
  hang in each other. The room is a share of the radius of one letter.
- ``rings``: two open rings of tube that hang in each other; the opening is as wide as the tube.
- ``hoop``: a hoop on a coiled bar of one and a quarter turns, with a knob at one end.
- ``trap``: a rod in a closed room, whose only way out is a tube that reaches far inside.
- ``screw``: a square rod, twisted by half a turn, and a block with the same thread to be passed.

    python -m benchmarks.puzzles FOLDER [--families alpha,screw] [--rooms 0.05,0.01]

writes them as problem files for `rmp3d plan` and `rmp3d view`.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.rigid_problems import Made, interlocked_rings, write_problem
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.rotations import quaternion_from_matrix, rotate
from rmp3d.geometry.vectors import unit
from rmp3d.scenes.build.shapes import box, loft, outward, quad

SIDES = 10  # of a tube
HALF = np.sqrt(0.5)
# Two curves of `alpha` that are linked, as far apart as they come: their linking number is 1.
LINKED = np.array([-0.092, -0.347, 0.514, *unit(np.array([0.24, -0.558, -0.379, -0.698]))])


def alpha(room: float) -> Made:
    """Return two tubes of the curve (t^2, t (t^2 - 1), 0.35 t), |t| <= 1.35.

    They cross themselves at t = -1 and 1, where their axes are 0.7 apart.
    """
    curve, radius = _letter(room)
    tube = _tube(curve, radius)
    goal = np.array([4.0, 0.5, 1.0, 1, 0, 0, 0])
    return tube, tube, np.array([[-6.0] * 3, [6.0] * 3]), LINKED.copy(), goal


def double_alpha(room: float) -> Made:
    """Return two tubes that go on, at the end of `alpha`'s curve, with the same curve turned round.

    The second curve is the first, turned by half a turn about an axis across its end.
    """
    curve, radius = _letter(room)
    end, along = curve[-1], curve[-1] - curve[-2]
    axis = np.cross(along, [0.0, 0.0, 1.0])
    axis /= np.linalg.norm(axis)
    half_turn = 2.0 * np.outer(axis, axis) - np.eye(3)
    curve = np.concatenate([curve, ((curve - end) @ half_turn + end)[-2::-1]])
    middle = 0.5 * (curve.min(axis=0) + curve.max(axis=0))
    tube = _tube(curve - middle, radius)
    start = LINKED.copy()
    start[:3] += rotate(LINKED[None, 3:], middle[None])[0] - middle
    goal = np.array([8.0, 0.5, 1.0, 1, 0, 0, 0])
    return tube, tube, np.array([[-12.0] * 3, [12.0] * 3]), start, goal


def _letter(room: float) -> tuple[Float, float]:
    """Return the curve (K, 3) of `alpha` and the radius of a tube that leaves this room."""
    t = np.linspace(-1.35, 1.35, 55)
    curve = np.stack([t**2 - 0.7, 1.25 * t * (t**2 - 1.0), 0.35 * t], axis=1)
    reach = np.linalg.norm(curve, axis=1).max()
    # Across: 0.7 - 2 r of room for a tube 2 r thick.
    return curve, (0.7 - room * reach) / 4.0


def rings(room: float) -> Made:
    """Return two open rings of radius 1 and tube radius 0.16; the opening leaves that room."""
    radius, thickness = 1.0, 0.16
    chord = 2.0 * thickness + room * (radius + thickness)
    opening = 2.0 * np.arcsin(0.5 * chord / (radius - thickness))
    return interlocked_rings(np.degrees(opening))


def hoop(room: float) -> Made:
    """Return a hoop on a coiled bar of one and a quarter turns, with a knob at its lower end."""
    bar, half_height = 0.2, 0.03
    angle = np.linspace(0.0, 2.5 * np.pi, 76)
    curve = np.stack([np.cos(angle), np.sin(angle), 0.14 * angle], axis=1)
    # What the hoop's height costs where the bar bends, and what corners of circles cost.
    bend = half_height * np.tan(0.5 * angle[1]) + 0.5 * half_height**2
    inner = bar + bend
    inner /= 1.0 - 0.5 * room
    around = np.linspace(0.0, 2.0 * np.pi, 33)
    wide = inner / np.cos(np.pi / 32)
    profile = np.array([[0.0, -1.0], [2.0, -1.0], [2.0, 1.0], [0.0, 1.0]]) * half_height
    layers = [
        [[(wide + r) * np.cos(at), (wide + r) * np.sin(at), z] for r, z in profile]
        for at in around[:-1]
    ]
    robot = _closed(np.array(layers))
    knob = box(curve[0] - [0.45, 0.4, 0.45], curve[0] + [0.45, -0.01, 0.45])
    start = np.append(curve[9], quaternion_from_matrix(_frame(curve[10] - curve[8])))
    goal = np.array([-1.0, 2.2, 1.5, 1, 0, 0, 0])
    bounds = np.array([[-3.0, -3, -2], [3.0, 3.5, 3.5]])
    return robot, join([_tube(curve, bar), knob]), bounds, start, goal


def trap(room: float) -> Made:
    """Return a square rod in a room of side 4, and a square tube through a wall of it."""
    half, length, side, depth = 0.2, 0.6, 2.0, 1.8
    reach = np.sqrt(length**2 + 2.0 * half**2)
    opening = half + 0.5 * room * reach
    parts = []
    for axis, sign in ((0, -1), (1, -1), (1, 1), (2, -1), (2, 1)):
        lower, upper = np.full(3, -side - 0.1), np.full(3, side + 0.1)
        lower[axis], upper[axis] = sign * side - 0.1, sign * side + 0.1
        parts.append(box(lower, upper))
    for axis in (1, 2):
        for sign in (-1, 1):
            lower = np.array([side - 0.1, -side, -side])
            upper = np.array([side + 0.1, side, side])
            lower[axis], upper[axis] = sorted((sign * opening, sign * side))
            parts.append(box(lower, upper))
            lower = np.array([side - depth, -opening - 0.1, -opening - 0.1])
            upper = np.array([side, opening + 0.1, opening + 0.1])
            lower[axis], upper[axis] = sorted((sign * opening, sign * (opening + 0.1)))
            parts.append(box(lower, upper))
    robot = box((-length, -half, -half), (length, half, half))
    start = np.array([-1.2, 0.5, 0, 1, 0, 0, 0])
    goal = np.array([5.0, 0, 0, HALF, 0, 0, HALF])
    return robot, join(parts), np.array([[-6.0] * 3, [6.0] * 3]), start, goal


def screw(room: float) -> Made:
    """Return a square rod twisted by half a turn, before a block with the same thread.

    It must go through the block, which takes a screw's motion: half a turn on the way in, and
    half a turn on the way out.
    """
    half, turn, length, steps = 0.3, np.pi, 2.4, 64
    reach = np.sqrt((0.5 * length) ** 2 + 2.0 * half**2)
    wide = half + 0.5 * room * reach
    robot = outward(loft(_twisted(half, length, turn, steps)))
    inner = _twisted(wide, length, turn, steps)
    parts = []
    for before, after in pairwise(inner):
        # Of both diagonals, the one that leaves the channel wider.
        parts += [
            quad(before[(k + 1) % 4], after[(k + 1) % 4], after[k], before[k]) for k in range(4)
        ]
    for ring in (inner[0], inner[-1]):
        parts += _plate(ring, 2.5)
    bounds = np.array([[-5.0, -2.5, -2.5], [5.0, 2.5, 2.5]])
    start = np.array([-3.4, 0.8, 0.6, 1, 0, 0, 0])
    goal = np.array([3.4, -0.8, 0.6, HALF, 0, HALF, 0])
    return robot, join(parts), bounds, start, goal


PUZZLES: dict[str, Callable[[float], Made]] = {
    "alpha": alpha,
    "double_alpha": double_alpha,
    "rings": rings,
    "hoop": hoop,
    "trap": trap,
    "screw": screw,
}


def _twisted(half: float, length: float, turn: float, steps: int) -> Float:
    """Return square rings (steps + 1, 4, 3) along x, turned more and more."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    layers = []
    for share in np.linspace(-0.5, 0.5, steps + 1):
        cosine, sine = np.cos(turn * share), np.sin(turn * share)
        turned = corners @ np.array([[cosine, sine], [-sine, cosine]])
        layers.append(np.insert(turned, 0, share * length, axis=1))
    return np.array(layers)


def _plate(ring: Float, size: float) -> list[TriangleMesh]:
    """Return a sheet across x around a square hole with these corners (4, 3)."""
    center = ring.mean(axis=0)
    spread = ring - center
    outer = center + spread * (2.0 * size / np.linalg.norm(spread, axis=1).max())
    return [quad(ring[k], ring[(k + 1) % 4], outer[(k + 1) % 4], outer[k]) for k in range(4)]


def _tube(curve: Float, radius: float) -> TriangleMesh:
    """Return a closed tube around a curve (K, 3)."""
    along = np.gradient(curve, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    normal = np.cross(along[0], [0.0, 0.0, 1.0])
    around = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
    layers = []
    for point, direction in zip(curve, along, strict=True):
        normal = normal - direction * (normal @ direction)
        normal /= np.linalg.norm(normal)
        other = np.cross(direction, normal)
        layers.append(
            point + radius * (np.outer(np.cos(around), normal) + np.outer(np.sin(around), other))
        )
    return outward(loft(layers))


def _closed(layers: Float) -> TriangleMesh:
    """Return the solid whose sections (R, K, 3) follow one another in a circle."""
    rows, sides = layers.shape[:2]
    row = np.arange(rows)[:, None] * sides
    after, k = (row + sides) % (rows * sides), np.arange(sides)
    a, b, c, d = row + k, row + (k + 1) % sides, after + (k + 1) % sides, after + k
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)])
    return outward(TriangleMesh(layers.reshape(-1, 3), faces.reshape(-1, 3)))


def _frame(along: Float) -> Float:
    """Return a rotation whose z axis is along a vector (3,)."""
    z = along / np.linalg.norm(along)
    x = np.cross([0.0, 0.0, 1.0], z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def families_of(parser: argparse.ArgumentParser, names: str) -> list[str]:
    """Return the families of a list with commas; end with words if there is none of that name."""
    families = names.split(",")
    for name in families:
        if name not in PUZZLES:
            parser.error(f"no family of puzzles named `{name}`; choose from {', '.join(PUZZLES)}")
    return families


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.puzzles", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--families", default=",".join(PUZZLES), metavar="A,B")
    parser.add_argument("--rooms", default="0.1,0.03", metavar="R,R")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for family in families_of(parser, options.families):
        for room in map(float, options.rooms.split(",")):
            print(write_problem(options.folder, f"{family}_{room:g}", PUZZLES[family](room)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
