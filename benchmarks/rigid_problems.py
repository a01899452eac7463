"""Rigid-body problems made in code, in the manner of the published ones, as `.cfg` and `.dae`.

A house with furniture, cubicles with windows, a twisted tunnel, two interlocked open
rings with a wide and a narrow opening; and harder ones: a plate before a window that it just
fits, a rod in a trap with a tube for a mouth, a jack among thin bars, and the furnished house in
fine triangles (34,000).
Start and goal are checked free by python-fcl when they are made.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path

import fcl
import numpy as np
import trimesh

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.planner.problems.files import read_problem
from rmp3d.planner.problems.measures import mesh_model
from rmp3d.scenes.build.shapes import box, loft, quad
from rmp3d.scenes.problems import collada, ompl_app
from rmp3d.scenes.problems.ompl_app import OmplProblem
from rmp3d.scenes.problems.rigid_problem import RigidProblem

Made = tuple[TriangleMesh, TriangleMesh, Float, Float, Float]
"""Robot, world, bounds (2, 3), and start and goal (7,) of the robot's own origin."""

Hole = tuple[float, float, float, float]
"""Of a wall: its range on the level axis, then of z."""


def make_problems(folder: Path, names: Iterable[str] | None = None) -> dict[str, Path]:
    """Write problems (by default all) into a folder; return the `.cfg` files by name.

    Raises:
        RuntimeError: A start or goal is not free.
    """
    return {name: write_problem(folder, name, MAKERS[name]()) for name in names or MAKERS}


def write_problem(folder: Path, name: str, made: Made) -> Path:
    """Write a problem into a folder; return its `.cfg` file.

    Raises:
        RuntimeError: A start or goal is not free.
    """
    robot, world, bounds, start, goal = made
    for mesh, kind in ((robot, "robot"), (world, "world")):
        written = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
        written.export(folder / f"{name}_{kind}.dae")
    center = collada.read(folder / f"{name}_robot.dae").center
    problem = OmplProblem(
        name=name,
        robot=f"{name}_robot.dae",
        world=f"{name}_world.dae",
        start=_of_center(start, center),
        goal=_of_center(goal, center),
        bounds=bounds,
    )
    path = folder / f"{name}.cfg"
    ompl_app.write(path, problem)
    _check_ends(read_problem(path).problem)
    return path


def _of_center(pose: Float, center: Float) -> Float:
    """Return the pose of the reference point of a body whose own origin has a pose (7,)."""
    pose = np.array(pose, np.float64)
    pose[:3] += matrix_from_quaternion(pose[3:]) @ center
    return pose


def _check_ends(problem: RigidProblem) -> None:
    assert problem.obstacles is not None
    world = fcl.CollisionObject(mesh_model(problem.obstacles))
    for end in (problem.start, problem.goal):
        body = fcl.CollisionObject(mesh_model(problem.body_at(end)))
        if fcl.collide(body, world, fcl.CollisionRequest(), fcl.CollisionResult()):
            raise RuntimeError(f"{problem.name}: an end is in collision")


def house() -> Made:
    """Return a table to be carried through the doors of a furnished house."""
    size = np.array([12.0, 8.0, 2.8])
    parts = _shell(size, 0.2)
    parts += _wall(0, 4.0, 0.15, (0, 8), (0, 2.8), (1.2, 2.15, 0.0, 2.1))
    parts += _wall(0, 8.0, 0.15, (0, 8), (0, 2.8), (6.0, 6.95, 0.0, 2.1))
    parts += _wall(1, 4.0, 0.15, (4.1, 7.9), (0, 2.8), (5.4, 6.35, 0.0, 2.1))
    for x, y in ((0.4, 4.5), (5.0, 0.5), (9.0, 1.0), (10.0, 4.5)):
        parts += [
            mesh.transformed(translation=np.array([x, y, 0.01]))
            for mesh in _table(1.5, 0.8, 0.75, 0.06)
        ]
    parts += [box((2.5, 6.9, 0.01), (3.8, 7.9, 2.0)), box((6.9, 0.3, 0.01), (7.7, 2.4, 1.9))]
    parts += [box((4.3, 6.5, 0.01), (5.4, 7.8, 0.6)), box((9.0, 7.2, 0.01), (11.8, 7.9, 2.2))]
    robot = join(_table(1.2, 0.75, 0.72, 0.05))
    start = np.array([1.0, 2.6, 0.1, 1, 0, 0, 0])
    half = np.sqrt(0.5)
    goal = np.array([9.6, 2.6, 0.1, half, 0, 0, half])
    return robot, join(parts), np.array([np.zeros(3), size]), start, goal


def cubicles() -> Made:
    """Return an angle iron among nine cubicles, whose walls have windows at several heights."""
    rng = np.random.default_rng(4)
    size = np.array([12.0, 12.0, 3.0])
    parts = _shell(size, 0.2)
    solid = {(0, 1, 1), (1, 2, 0), (1, 1, 1)}
    for axis in (0, 1):
        for line in (1, 2):
            for cell in range(3):
                low = 4.0 * cell
                left, bottom = low + rng.uniform(0.5, 2.2), rng.uniform(0.3, 1.5)
                window: Hole | None = (left, left + 1.1, bottom, bottom + 1.1)
                if (axis, line, cell) in solid:
                    window = None
                parts += _wall(axis, 4.0 * line, 0.15, (low, low + 4.0), (0, 3.0), window)
    robot = join([box((0, 0, 0), (1.5, 0.3, 0.3)), box((0, 0.3, 0), (0.3, 0.9, 0.3))])
    half = np.sqrt(0.5)
    start = np.array([1.2, 1.2, 1.0, 1, 0, 0, 0])
    goal = np.array([10.6, 10.2, 2.2, half, 0, half, 0])
    return robot, join(parts), np.array([np.zeros(3), size]), start, goal


def twisted_tunnel() -> Made:
    """Return a board that must turn by a quarter on its way through a flat, twisted tunnel."""
    length, steps, half = 6.0, 48, np.array([0.6, 0.32])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half  # (4, 2) of y, z
    rings = []
    for share in np.linspace(0.0, 1.0, steps + 1):
        cosine, sine = np.cos(share * np.pi / 2), np.sin(share * np.pi / 2)
        turned = corners @ np.array([[cosine, sine], [-sine, cosine]])
        rings.append(np.insert(turned, 0, (share - 0.5) * length, axis=1))
    parts = []
    for before, after in pairwise(rings):
        parts += [
            quad(before[k], before[(k + 1) % 4], after[(k + 1) % 4], after[k]) for k in range(4)
        ]
    span = (-3.0, 3.0)
    for at, (y, z) in ((-0.5 * length, half), (0.5 * length, half[::-1])):
        parts += _wall(0, at, 0.02, span, span, (-y, y, -z, z))
    robot = box((-0.45, -0.4, -0.14), (0.45, 0.4, 0.14))
    start = np.array([-5.0, 1.0, 1.0, 1, 0, 0, 0])
    goal = np.array([5.0, -1.0, 1.0, np.sqrt(0.5), 0, np.sqrt(0.5), 0])
    return robot, join(parts), np.array([[-6.0, -3, -3], [6.0, 3, 3]]), start, goal


def interlocked_rings(opening_deg: float) -> Made:
    """Return two open rings of tube that hang in each other, to be taken apart."""
    obstacle = _open_ring(1.0, 0.16, np.radians(opening_deg))
    # The robot's ring stands upright in the xz plane, its opening up.
    turned = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    robot = obstacle.transformed(turned)
    start = np.array([-1.0, 0.0, 0.0, 1, 0, 0, 0])
    goal = np.array([3.5, 1.0, 1.0, np.sqrt(0.5), np.sqrt(0.5), 0, 0])
    return robot, obstacle, np.array([[-4.0] * 3, [4.5] * 3]), start, goal


def plate() -> Made:
    """Return a plate that passes a window only edge first, nowhere more than 0.1 from it."""
    parts = _wall(0, 0.0, 0.2, (-2, 2), (-2, 2), (-0.6, 0.6, -0.2, 0.2))
    start = np.array([-2.0, 0, 0, 1, 0, 0, 0])
    half = np.sqrt(0.5)
    goal = np.array([2.0, 0, 0, half, 0, half, 0])
    bounds = np.array([[-3.0, -2, -2], [3.0, 2, 2]])
    return box((-0.5, -0.5, -0.15), (0.5, 0.5, 0.15)), join(parts), bounds, start, goal


def bugtrap() -> Made:
    """Return a rod in a closed room, whose only way out is a tube that reaches inside."""
    side, opening, depth = 2.0, 0.3, 1.8
    parts = []
    for axis, sign in ((0, -1), (1, -1), (1, 1), (2, -1), (2, 1)):
        lower, upper = np.full(3, -side - 0.1), np.full(3, side + 0.1)
        lower[axis], upper[axis] = sign * side - 0.1, sign * side + 0.1
        parts.append(box(lower, upper))
    hole = (-opening, opening, -opening, opening)
    parts += _wall(0, side, 0.2, (-side, side), (-side, side), hole)
    for axis, sign in ((1, -1), (1, 1), (2, -1), (2, 1)):
        lower = np.array([side - depth, -opening - 0.1, -opening - 0.1])
        upper = np.array([side, opening + 0.1, opening + 0.1])
        lower[axis], upper[axis] = sorted((sign * opening, sign * (opening + 0.1)))
        parts.append(box(lower, upper))
    start = np.array([-1.2, 0.5, 0, 1, 0, 0, 0])
    goal = np.array([5.0, 0, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    robot = box((-0.6, -0.2, -0.2), (0.6, 0.2, 0.2))
    return robot, join(parts), np.array([[-6.0] * 3, [6.0] * 3]), start, goal


def bars() -> Made:
    """Return a jack of three crossed rods among some 130 thin bars that lie at random."""
    rng = np.random.default_rng(3)
    ends = np.array([[-4.5] * 3, [4.5] * 3])
    parts = []
    for _ in range(140):
        center, turn = rng.uniform(-5, 5, 3), rng.normal(size=4)
        if np.linalg.norm(ends - center, axis=1).min() > 2.2:
            rotation = matrix_from_quaternion(turn / np.linalg.norm(turn))
            parts.append(box((-2, -0.06, -0.06), (2, 0.06, 0.06)).transformed(rotation, center))
    half = 0.08 + 0.82 * np.eye(3)
    robot = join([box(-row, row) for row in half])
    start, goal = np.hstack([ends, [[1, 0, 0, 0], [1, 0, 0, 0]]])
    return robot, join(parts), np.array([[-5.5] * 3, [5.5] * 3]), start, goal


def fine_house() -> Made:
    """Return the house with its triangles divided until no edge is longer than half a metre."""
    robot, world, bounds, start, goal = house()
    return _divided(robot, 0.12), _divided(world, 0.5), bounds, start, goal


def _divided(mesh: TriangleMesh, edge: float) -> TriangleMesh:
    vertices, faces = trimesh.remesh.subdivide_to_size(mesh.vertices, mesh.faces, edge)
    return TriangleMesh(np.array(vertices), np.array(faces))


def _open_ring(radius: float, thickness: float, opening: float) -> TriangleMesh:
    """Return a ring of tube in the xy plane, open toward +x."""
    angles = np.linspace(0.5 * opening, 2 * np.pi - 0.5 * opening, 41)
    around = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
    rings = []
    for angle in angles:
        outward = np.array([np.cos(angle), np.sin(angle), 0.0])
        offset = np.outer(np.cos(around), outward)
        offset[:, 2] = np.sin(around)
        rings.append(radius * outward + thickness * offset)
    return loft(rings)


def _shell(size: Float, thickness: float) -> list[TriangleMesh]:
    """Return floor, ceiling and four outer walls around the box from the origin to ``size``."""
    parts = []
    for axis in range(3):
        for low, high in ((-thickness, 0.0), (float(size[axis]), float(size[axis]) + thickness)):
            lower, upper = np.full(3, -thickness), size + thickness
            lower[axis], upper[axis] = low, high
            parts.append(box(lower, upper))
    return parts


def _wall(
    axis: int,
    at: float,
    thickness: float,
    along: tuple[float, float],
    up: tuple[float, float],
    hole: Hole | None,
) -> list[TriangleMesh]:
    """Return the boxes of an upright wall across x (axis 0) or y (axis 1), around a hole.

    Args:
        axis: Which coordinate is fixed.
        at: Middle of the wall on that axis.
        thickness: Of the wall.
        along: Range on the other level axis.
        up: Range of z.
        hole: Range on the level axis, then of z; None for a wall without.
    """
    left, right, bottom, top = hole or (along[1], along[1], up[0], up[1])
    pieces = [
        (along[0], left, *up),
        (right, along[1], *up),
        (left, right, up[0], bottom),
        (left, right, top, up[1]),
    ]
    boxes = []
    for u0, u1, v0, v1 in pieces:
        if u1 - u0 > 1e-9 and v1 - v0 > 1e-9:
            ends = [np.array([u, u, v]) for u, v in ((u0, v0), (u1, v1))]
            ends[0][axis], ends[1][axis] = at - 0.5 * thickness, at + 0.5 * thickness
            boxes.append(box(*ends))
    return boxes


def _table(length: float, width: float, height: float, leg: float) -> list[TriangleMesh]:
    """Return a table top and four legs, its lower front left corner at the origin."""
    parts = [box((0, 0, height - 0.05), (length, width, height))]
    for x in (0.02, length - leg - 0.02):
        for y in (0.02, width - leg - 0.02):
            parts.append(box((x, y, 0), (x + leg, y + leg, height - 0.05)))
    return parts


MAKERS: dict[str, Callable[[], Made]] = {
    "house": house,
    "cubicles": cubicles,
    "twisted_tunnel": twisted_tunnel,
    "rings_wide": partial(interlocked_rings, 42.0),
    "rings_narrow": partial(interlocked_rings, 28.0),
    "plate": plate,
    "bugtrap": bugtrap,
    "bars": bars,
    "fine_house": fine_house,
}

HARDER = ("plate", "bugtrap", "bars", "fine_house")
"""Of them, those that are not among the scenes of single checks and motions."""


def write_archive(archive: Path, problem: RigidProblem) -> None:
    """Write a problem as `benchmarks/ompl_peer.py` reads it."""
    assert problem.obstacles is not None
    np.savez(
        archive,
        robot_vertices=problem.robot.vertices,
        robot_faces=problem.robot.faces,
        world_vertices=problem.obstacles.vertices,
        world_faces=problem.obstacles.faces,
        bounds=problem.bounds,
        start=problem.start,
        goal=problem.goal,
        reach=float(np.linalg.norm(problem.robot.vertices, axis=1).max()),
    )
