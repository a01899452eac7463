"""Problems of OMPL.app (`.cfg`): reader and writer of the text; `collada` reads their meshes.

An INI file. ``[problem]`` names the mesh files of robot and world, the poses of start and goal,
and, where stated, the bounds; ``[benchmark]`` limits; ``[planner]`` planners and parameters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.geometry.whole_file import write_whole
from rmp3d.scenes.tokens import number, read_text, shown_word

NULL_AXIS = 1e-9
"""An axis shorter than this gives no rotation."""


@dataclass(frozen=True, eq=False)
class OmplProblem:
    """The contents of a `.cfg` file.

    Attributes:
        name: The problem's name; by default the file's stem.
        robot: Mesh file beside the `.cfg`.
        world: Mesh file beside the `.cfg`; empty for a world without obstacles.
        start: (7,) x y z and the quaternion w x y z of the robot's reference point.
        goal: (7,) likewise.
        planar: Whether the problem has x, y and a rotation about z only.
        bounds: (2, 3) of the reference point, None if they are not stated; z is 0 if planar.
        time_limit: Time limit [s] of `[benchmark]`, None if it is not stated.
        planners: Names in `[planner]`, in order.
    """

    name: str
    robot: str
    world: str
    start: Float
    goal: Float
    planar: bool = False
    bounds: Float | None = None
    time_limit: float | None = None
    planners: tuple[str, ...] = ()


def read(path: Path) -> OmplProblem:
    """Read a `.cfg` file.

    Raises:
        InputError: Names the line or the key that cannot be understood.
    """
    path = Path(path)
    sections = _sections(path)
    if "problem" not in sections:
        raise InputError(f"{path}: there is no section `[problem]` in it")
    keys = _Keys(path, sections["problem"])
    planar = "start.z" not in keys.values and "goal.z" not in keys.values
    planners = dict.fromkeys(key.split(".")[0] for key in sections.get("planner", {}))
    limits = _Keys(path, sections.get("benchmark", {}), "benchmark")
    time_limit = limits.number("time_limit") if "time_limit" in limits.values else None
    if time_limit is not None and time_limit <= 0.0:
        raise limits.error("time_limit", f"is {time_limit}, but must be above 0")
    return OmplProblem(
        name=keys.values.get("name", ("", 0))[0].strip("\"'") or path.stem,
        robot=keys.text("robot"),
        world=keys.values.get("world", ("", 0))[0],
        start=_pose(keys, "start", planar),
        goal=_pose(keys, "goal", planar),
        planar=planar,
        bounds=_bounds(keys, planar),
        time_limit=time_limit,
        planners=tuple(planners),
    )


def write(path: Path, problem: OmplProblem) -> None:
    """Write a `.cfg` file; numbers keep all their digits.

    Raises:
        InputError: The file cannot be written.
    """
    lines = ["[problem]", f"name = {problem.name}", f"robot = {problem.robot}"]
    lines += [f"world = {problem.world}"] if problem.world else []
    for key, pose in (("start", problem.start), ("goal", problem.goal)):
        lines += _pose_lines(key, pose, problem.planar)
    if problem.bounds is not None:
        for side, corner in zip(("min", "max"), problem.bounds.tolist(), strict=True):
            axes = zip("xy" if problem.planar else "xyz", corner, strict=False)
            lines += [f"volume.{side}.{axis} = {value!r}" for axis, value in axes]
    if problem.time_limit is not None:
        lines += ["", "[benchmark]", f"time_limit = {problem.time_limit!r}"]
    if problem.planners:
        lines += ["", "[planner]", *(f"{name} =" for name in problem.planners)]
    write_whole(Path(path), "\n".join(lines) + "\n")


Section = Mapping[str, tuple[str, int]]
"""Value and line of each key; of a key that occurs twice, the last."""


@dataclass(frozen=True)
class _Keys:
    """The keys of one section; errors name file, line and key."""

    path: Path
    values: Section
    section: str = "problem"

    def error(self, key: str, message: str) -> InputError:
        line = self.values[key][1] if key in self.values else 0
        where = f"{self.path}: line {line}" if line else str(self.path)
        return InputError(f"{where}: `{key}` {message}")

    def text(self, key: str) -> str:
        value = self.values.get(key, ("", 0))[0]
        if not value:
            raise self.error(key, f"is missing in `[{self.section}]`")
        return value

    def number(self, key: str) -> float:
        text = self.text(key)
        value = number(text)
        if value is None:
            raise self.error(key, f"should be a number, not `{shown_word(text)}`")
        return value


def _sections(path: Path) -> dict[str, dict[str, tuple[str, int]]]:
    sections: dict[str, dict[str, tuple[str, int]]] = {}
    current: dict[str, tuple[str, int]] | None = None
    for line, raw in enumerate(read_text(path).splitlines(), 1):
        text = raw.partition("#")[0].strip()
        if not text:
            continue
        if text.startswith("["):
            if not text.endswith("]"):
                raise InputError(f"{path}: line {line}: `{shown_word(text)}` should end with `]`")
            current = sections.setdefault(text[1:-1].strip().lower(), {})
            continue
        key, equals, value = text.partition("=")
        if current is None:
            raise InputError(
                f"{path}: line {line}: `{shown_word(text)}` stands before any `[section]`"
            )
        bare = current is not sections.get("problem")  # a planner may be named without `=`
        if not key.strip() or not (equals or bare):
            raise InputError(f"{path}: line {line}: `{shown_word(text)}` should be `key = value`")
        current[key.strip().lower()] = (value.strip(), line)
    return sections


def _pose(keys: _Keys, end: str, planar: bool) -> Float:
    position = [keys.number(f"{end}.{axis}") for axis in ("xy" if planar else "xyz")]
    axis = np.array([0.0, 0.0, 1.0])
    names = [f"{end}.axis.{letter}" for letter in "xyz"]
    if not planar and any(name in keys.values for name in names):
        axis = np.array([keys.number(name) for name in names])
        axis /= max(1.0, float(np.abs(axis).max()))  # so that no square overflows
    elif not planar and f"{end}.theta" in keys.values and keys.number(f"{end}.theta") != 0.0:
        raise keys.error(names[0], "is missing: about which axis does `theta` turn?")
    theta = keys.number(f"{end}.theta") if f"{end}.theta" in keys.values else 0.0
    size = float(length(axis))
    rotation = [1.0, 0.0, 0.0, 0.0]
    if size >= NULL_AXIS:
        rotation = [np.cos(theta / 2), *(np.sin(theta / 2) * axis / size)]
    return frozen([*position, *([0.0] if planar else []), *rotation])


def _pose_lines(end: str, pose: Float, planar: bool) -> list[str]:
    letters = "xy" if planar else "xyz"
    lines = [
        f"{end}.{axis} = {value!r}" for axis, value in zip(letters, pose.tolist(), strict=False)
    ]
    sine = float(length(pose[4:]))
    theta = 2.0 * float(np.arctan2(sine, pose[3]))
    if planar:
        return [*lines, f"{end}.theta = {theta if pose[6] >= 0.0 else -theta!r}"]
    axis = pose[4:] / sine if sine > 0.0 else np.array([1.0, 0.0, 0.0])
    lines.append(f"{end}.theta = {theta!r}")
    turned = zip("xyz", axis.tolist(), strict=True)
    return [*lines, *(f"{end}.axis.{letter} = {value!r}" for letter, value in turned)]


def _bounds(keys: _Keys, planar: bool) -> Float | None:
    """Return the stated bounds; as in OMPL.app, None if they are not stated or have no volume."""
    letters = "xy" if planar else "xyz"
    names = [[f"volume.{side}.{axis}" for axis in letters] for side in ("min", "max")]
    if not any(name in keys.values for row in names for name in row):
        return None
    bounds = np.array([[keys.number(name) for name in row] for row in names])
    for low, high, name in zip(*bounds, names[1], strict=True):
        if high < low:
            raise keys.error(name, f"is {high}, below its minimum {low}")
    if np.prod(bounds[1] - bounds[0]) < np.finfo(float).eps:
        return None
    return frozen(np.pad(bounds, ((0, 0), (0, 1))) if planar else bounds)
