"""Problems from files: PMPL (`.env` with `.robot` and `.query`) and OMPL.app (`.cfg`).

Everything stays in the coordinates of the file: positions, orientations, bounds and answers.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.rotations import quaternion_from_matrix
from rmp3d.scenes.meshes import read_mesh_file
from rmp3d.scenes.problems import collada, ompl_app, pmpl
from rmp3d.scenes.problems.pmpl import RobotBody
from rmp3d.scenes.problems.rigid_problem import ProblemSpace, RigidProblem
from rmp3d.scenes.tokens import Tokens, confined, read_text

SUFFIXES = (".cfg", ".env")
MAX_REPEATED = 1_000_000  # triangles of bodies that use a mesh again


@dataclass(frozen=True, eq=False)
class ProblemFile:
    """A problem and what else its files say.

    Attributes:
        problem: What to solve; its goal is the first one.
        stops: (Q, 7) start, goal, and further goals to go to from there.
        time_limit: That the file asks for [s], None if it does not.
        notes: What was assumed, or is in the files but not used.
    """

    problem: RigidProblem
    stops: Float
    time_limit: float | None = None
    notes: tuple[str, ...] = ()


def read_problem(
    path: Path, *, robot: Path | None = None, query: Path | None = None
) -> ProblemFile:
    """Read a problem file.

    Args:
        path: `.cfg` or `.env`.
        robot: For an `.env`: `.robot` file, or a mesh for a robot as free as the query says. By
            default the environment's own active body, else the only `.robot` beside it.
        query: For an `.env`: `.query` file. By default the only one beside it.

    Raises:
        InputError: Names file and line, or key, of what is wrong.
    """
    path = Path(path)
    if path.suffix.lower() == ".env":
        return _read_pmpl(path, robot, query)
    if path.suffix.lower() != ".cfg":
        raise InputError(f"{path}: not a problem file; known: {', '.join(SUFFIXES)}")
    if robot is not None or query is not None:
        raise InputError(f"{path}: a `.cfg` names robot and query itself; leave the options out")
    return _read_ompl(path)


def _read_ompl(path: Path) -> ProblemFile:
    file = ompl_app.read(path)
    body = collada.read(confined(path.parent, file.robot, f"{path}: `robot`"))
    world = None
    if file.world:
        world = collada.read(confined(path.parent, file.world, f"{path}: `world`"))
    if file.bounds is not None:
        stated = file.bounds
    elif world is not None:
        stated = world.bounds
    else:
        raise InputError(f"{path}: neither `world` nor `volume.min.x` and its like bound the robot")
    ends = np.array([file.start[:3], file.goal[:3]])
    bounds = np.array([np.minimum(stated[0], ends.min(0)), np.maximum(stated[1], ends.max(0))])
    if file.planar:
        bounds[:, 2] = 0.0
    problem = RigidProblem(
        name=file.name,
        robot=body.mesh.transformed(translation=-body.center),
        obstacles=None if world is None else world.mesh,
        solids=False,
        bounds=bounds,
        contain_body=False,
        space="planar_rotation" if file.planar else "rigid",
        start=file.start,
        goal=file.goal,
    )
    notes = []
    if file.planners:
        notes.append(f"the planners of the file are not used: {', '.join(file.planners)}")
    stops = np.stack([problem.start, problem.goal])
    return ProblemFile(problem, stops, file.time_limit, tuple(notes))


def _read_pmpl(path: Path, robot: Path | None, query: Path | None) -> ProblemFile:
    environment = pmpl.read_environment(path)
    query = query or _beside(path, ".query")
    if robot is None and environment.robot is not None:
        body, folder, where = environment.robot, path.parent, path
    else:
        where = robot or _beside(path, ".robot")
        folder = where.parent
        if where.suffix.lower() == ".robot":
            body = pmpl.read_robot(where)
        else:
            body = _robot_of_mesh(where, query, planar=len(environment.boundary) == 2)
    rows = pmpl.read_query(query, body.freedom)
    stops = np.array([pose_of_freedom(row, planar=body.planar) for row in rows])
    shape = _centered(confined(folder, body.geometry, f"{where}: line {body.line}"))
    centered: dict[Path, TriangleMesh] = {}
    obstacles: list[TriangleMesh] = []
    repeated = 0
    for obstacle in environment.obstacles:
        mesh_path = confined(path.parent, obstacle.geometry, f"{path}: line {obstacle.line}")
        if mesh_path in centered:
            repeated += len(centered[mesh_path].faces)
        else:
            centered[mesh_path] = _centered(mesh_path)
        if repeated > MAX_REPEATED:
            raise InputError(
                f"{path}: line {obstacle.line}: its bodies repeat triangles of their meshes; at "
                f"most {MAX_REPEATED:,} more are read"
            )
        rotation = rotation_of_angles(np.radians(obstacle.angles_deg))
        obstacles.append(centered[mesh_path].transformed(rotation, np.array(obstacle.position)))
    bounds = np.zeros((2, 3))
    bounds[:, : len(environment.boundary)] = np.array(environment.boundary).T
    if body.planar:
        bounds[:, 2] = 0.0
    elif len(environment.boundary) == 2:
        raise InputError(f"{path}: a Volumetric robot needs a boundary with z (`Box`)")
    problem = RigidProblem(
        name=path.stem,
        robot=shape,
        obstacles=join(obstacles) if obstacles else None,
        solids=True,
        bounds=bounds,
        contain_body=True,
        space=_space(body.planar, body.rotational),
        start=stops[0],
        goal=stops[1],
    )
    return _with_bounds_kept(problem, stops)


def _with_bounds_kept(problem: RigidProblem, stops: Float) -> ProblemFile:
    """Let the boundary hold the reference point alone if start or goal stick out of it."""
    if all(problem.is_within(stop) for stop in stops):
        return ProblemFile(problem, stops)
    note = "start or goal stick out of the boundary: it bounds the reference point only"
    return ProblemFile(replace(problem, contain_body=False), stops, notes=(note,))


def _robot_of_mesh(path: Path, query: Path, *, planar: bool) -> RobotBody:
    """Return a robot of a mesh file, as free as the numbers of the query say."""
    count = len(Tokens(query, read_text(query)).take_line()) - 1
    freedoms = {2: False, 3: True} if planar else {3: False, 6: True}
    if count not in freedoms:
        raise InputError(
            f"{query}: line 1: {count} degrees of freedom; in this boundary a robot has "
            f"{' or '.join(map(str, freedoms))}"
        )
    return RobotBody(path.name, planar, freedoms[count])


def _beside(path: Path, suffix: str) -> Path:
    """Return the file with a suffix beside a path: the one of its name, else the only one."""
    own = path.with_suffix(suffix)
    found = sorted(path.parent.glob(f"*{suffix}"))
    if own in found:
        return own
    if len(found) == 1:
        return found[0]
    option = suffix[1:]
    names = ", ".join(file.name for file in found[:5]) or "none"
    raise InputError(f"{path}: which {suffix} file? beside it: {names}; name one with --{option}")


def _centered(path: Path) -> TriangleMesh:
    """Return the triangles of a mesh file, the mean of all its listed vertices at the origin."""
    file = read_mesh_file(path)
    mesh = join([part.mesh for part in file.parts])
    return mesh.transformed(translation=-file.vertex_sum / file.vertex_count)


def _space(planar: bool, rotational: bool) -> ProblemSpace:
    if planar:
        return "planar_rotation" if rotational else "planar"
    return "rigid" if rotational else "translation"


def pose_of_freedom(freedom: tuple[float, ...], *, planar: bool) -> Float:
    """Return x y z and the quaternion w x y z of a query's degrees of freedom.

    Args:
        freedom: x y, or x y c (planar); x y z, or x y z a b c; angles as fractions of pi.
        planar: Whether the robot stays in its plane z = 0.
    """
    size = 2 if planar else 3
    pose = np.zeros(7)
    pose[:size] = freedom[:size]
    turned = freedom[size:]
    angles = np.zeros(3)
    angles[3 - len(turned) :] = turned
    pose[3:] = quaternion_from_matrix(rotation_of_angles(np.pi * angles))
    return pose


def rotation_of_angles(angles: Float) -> Float:
    """Return ``Rz(c) Ry(b) Rx(a)`` of angles a, b, c [rad] as a matrix (3, 3)."""
    (sa, sb, sc), (ca, cb, cc) = np.sin(angles), np.cos(angles)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, ca, -sa], [0.0, sa, ca]])
    about_y = np.array([[cb, 0.0, sb], [0.0, 1.0, 0.0], [-sb, 0.0, cb]])
    about_z = np.array([[cc, -sc, 0.0], [sc, cc, 0.0], [0.0, 0.0, 1.0]])
    return about_z @ about_y @ about_x
