"""Environments (`.env`), robots (`.robot`) and queries (`.query`) of the Parasol planning library.

Readers and writers of the text alone; `planner.problems.files` loads the meshes and places them:
each geometry is moved so that the mean of its vertices is the origin, then turned by
``Rz(c) Ry(b) Rx(a)``, then moved to x y z. ``#`` begins a comment; keywords may be in any case.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import write_whole
from rmp3d.scenes.tokens import Tokens, number, read_text, shown_word

Ranges = tuple[tuple[float, float], ...]
Color = tuple[float, float, float, float]
MAX_BODIES = 100_000
MAX_STOPS = 10_000  # of a query
RESOLUTIONS = (
    "positionres",
    "positionresfactor",
    "orientation",
    "orientationres",
    "rdres",
    "timeres",
)
"""Keywords before the bodies: step sizes of collision checks, which proved edges do not need."""


@dataclass(frozen=True)
class PlacedBody:
    """An obstacle: a geometry file, moved and turned.

    Attributes:
        geometry: Mesh file, relative to the environment's folder.
        position: x y z.
        angles_deg: a b c about x y z [degrees].
        color: Red, green, blue, opacity; None if it is not stated.
        line: The line in the file, for errors.
    """

    geometry: str
    position: tuple[float, ...]
    angles_deg: tuple[float, ...] = (0.0, 0.0, 0.0)
    color: Color | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class RobotBody:
    """A robot of one rigid body.

    Attributes:
        geometry: Mesh file, relative to the file's folder.
        planar: Whether it stays in its plane (else it moves in the volume).
        rotational: Whether it also turns.
        color: Red, green, blue, opacity; None if not stated.
        line: Of the file, for errors.
    """

    geometry: str
    planar: bool
    rotational: bool
    color: Color | None = None
    line: int = field(default=0, compare=False)

    @property
    def freedom(self) -> int:
        """Number of degrees of freedom: a query states one number for each."""
        return {(True, False): 2, (True, True): 3, (False, False): 3, (False, True): 6}[
            (self.planar, self.rotational)
        ]


@dataclass(frozen=True)
class PmplEnvironment:
    """An environment: the boundary, the obstacles, and the robot if the file has one.

    Attributes:
        boundary: Least and greatest x, y, and z; without z if the boundary is planar (`Box2D`).
        obstacles: In the order of the file.
        robot: The `Active` body, None if there is none.
    """

    boundary: Ranges
    obstacles: tuple[PlacedBody, ...]
    robot: RobotBody | None = None


def read_environment(path: Path) -> PmplEnvironment:
    """Read an `.env` file.

    Raises:
        InputError: Names the line that cannot be understood.
    """
    tokens = Tokens(path, read_text(path))
    boundary: Ranges | None = None
    obstacles: list[PlacedBody] = []
    robot: RobotBody | None = None
    declared: int | None = None
    while tokens.left:
        keyword = tokens.take("a keyword").lower()
        if keyword == "boundary":
            boundary = _boundary(tokens)
        elif keyword in RESOLUTIONS:
            tokens.take_float(f"the value of `{keyword}`")
        elif keyword in ("multibodies", "obstacles"):
            declared = tokens.take_int("the number of bodies", 0, MAX_BODIES)
        elif keyword == "active":
            if robot is not None:
                raise tokens.error("a second `Active` body; one robot is planned for at a time")
            robot = _robot(tokens)
        elif keyword in ("passive", "internal"):
            obstacles += _obstacles(tokens)
        else:
            raise tokens.error(
                f"`{shown_word(keyword)}` is not understood; Boundary, Multibodies, Active, "
                "Passive or Internal should be here"
            )
    if boundary is None:
        raise InputError(f"{path}: there is no `Boundary` in it")
    found = len(obstacles) + (robot is not None)
    if declared is not None and found < declared:
        raise InputError(f"{path}: `Multibodies {declared}`, but {found} follow; is it cut short?")
    return PmplEnvironment(boundary, tuple(obstacles), robot)


def read_robot(path: Path) -> RobotBody:
    """Read a `.robot` file.

    Raises:
        InputError: Names the line that cannot be understood.
    """
    return _robot(Tokens(path, read_text(path)))


def read_query(path: Path, freedom: int) -> tuple[tuple[float, ...], ...]:
    """Return the configurations of a `.query` file, as many numbers each as degrees of freedom.

    The robot visits them in order: start, goal, next goals. Angles are fractions of pi, as in the
    file.

    Raises:
        InputError: Names the line that cannot be understood.
    """
    tokens = Tokens(path, read_text(path))
    found: list[tuple[float, ...]] = []
    while tokens.left:
        line = tokens.take_line()
        values = [number(word) for word in line]
        if None in values:
            raise tokens.error(f"`{shown_word(line[values.index(None)])}` is not a number")
        if len(values) != freedom + 1:
            raise tokens.error(
                f"{len(values)} numbers; a robot with {freedom} degrees of freedom needs its "
                f"index and {freedom}"
            )
        if values[0] != 0.0:
            raise tokens.error(f"robot {line[0]}; one robot (0) is planned for at a time")
        if len(found) == MAX_STOPS:
            raise tokens.error(f"more than {MAX_STOPS:,} configurations")
        found.append(tuple(value for value in values[1:] if value is not None))
    if len(found) < 2:
        raise InputError(f"{path}: {len(found)} configuration; a start and a goal are needed")
    return tuple(found)


def write_environment(path: Path, environment: PmplEnvironment) -> None:
    """Write an `.env` file; numbers keep all their digits.

    Raises:
        InputError: The file cannot be written.
    """
    robot = environment.robot
    ranges = " ; ".join(f"{low!r}:{high!r}" for low, high in environment.boundary)
    box = "Box" if len(environment.boundary) == 3 else "Box2D"
    lines = [f"Boundary {box} [{ranges}]", "", "Multibodies"]
    lines += [str(len(environment.obstacles) + (robot is not None)), ""]
    if robot is not None:
        lines += ["Active", *_robot_lines(robot), ""]
    for body in environment.obstacles:
        numbers = " ".join(repr(float(value)) for value in (*body.position, *body.angles_deg))
        lines += ["Passive", f"{_named(body.geometry, body.color)} {numbers}", ""]
    _write(path, lines)


def write_robot(path: Path, robot: RobotBody) -> None:
    """Write a `.robot` file.

    Raises:
        InputError: The file cannot be written.
    """
    _write(path, _robot_lines(robot))


def write_query(path: Path, *stops: Sequence[float]) -> None:
    """Write a `.query` file of degrees of freedom: start, goal, ...; angles as fractions of pi.

    Raises:
        InputError: The file cannot be written.
    """
    rows = [" ".join(["0", *(repr(float(value)) for value in row)]) for row in stops]
    _write(path, rows)


def _boundary(tokens: Tokens) -> Ranges:
    shape = tokens.take("the shape of the boundary").lower()
    if shape not in ("box", "box2d"):
        raise tokens.error(
            f"the boundary is a `{shown_word(shape)}`; only Box and Box2D are planned in"
        )
    text = ""
    while "]" not in text:
        text += " " + tokens.take("`]`, the end of the boundary")
    inside = re.fullmatch(r"\s*\[(.*)\]\s*", text)
    ranges = [pair.split(":") for pair in inside.group(1).split(";")] if inside else []
    axes = 2 if shape == "box2d" else 3
    values = [[number(word.strip()) for word in pair] for pair in ranges]
    if len(values) < axes or any(len(pair) != 2 or None in pair for pair in values):
        pattern = " ; ".join(f"{axis}0:{axis}1" for axis in "xyz"[:axes])
        raise tokens.error(f"the boundary should be [{pattern}], not {shown_word(text.strip())}")
    boundary: list[tuple[float, float]] = []
    for pair in values[:axes]:
        low, high = (float(value) for value in pair if value is not None)
        if low > high:
            raise tokens.error(f"the boundary's range {low}:{high} is empty")
        boundary.append((low, high))
    return tuple(boundary)


def _obstacles(tokens: Tokens) -> list[PlacedBody]:
    """Read the bodies after `Passive`: one, or in an older form a number and that many bodies."""
    count = 1
    if tokens.peek().isdigit():
        count = tokens.take_int("the number of bodies", 1, MAX_BODIES)
    bodies = []
    for _ in range(count):
        geometry, line = tokens.take("a geometry file"), tokens.line
        color = _options(tokens)
        pose = [tokens.take_float(f"`{shown_word(geometry)}`: {key}") for key in PLACE]
        bodies.append(PlacedBody(geometry, tuple(pose[:3]), tuple(pose[3:]), color, line))
    return bodies


PLACE = ("x", "y", "z", "the angle about x", "the angle about y", "the angle about z")


def _robot(tokens: Tokens) -> RobotBody:
    bodies = tokens.take_int("the number of bodies of the robot", 1, MAX_BODIES)
    if bodies != 1:
        raise tokens.error(f"a robot of {bodies} bodies; only one rigid body is planned for")
    geometry, line = tokens.take("the geometry file of the robot"), tokens.line
    color = _options(tokens)
    base = tokens.take("Planar or Volumetric").lower()
    if base not in ("planar", "volumetric"):
        raise tokens.error(f"a robot is Planar or Volumetric to move, not `{shown_word(base)}`")
    movement = tokens.take("Rotational or Translational").lower()
    if movement not in ("rotational", "translational"):
        raise tokens.error(f"a robot is Rotational or Translational, not `{shown_word(movement)}`")
    if tokens.peek().lower() == "connections":
        tokens.take("Connections")
        tokens.take_int("the number of connections", 0, 0)
    return RobotBody(geometry, base == "planar", movement == "rotational", color, line)


def _options(tokens: Tokens) -> Color | None:
    """Skip a texture and return a color, the options between a geometry and its numbers."""
    color = None
    while tokens.peek().startswith("-") and number(tokens.peek()) is None:
        option = tokens.take("an option")
        if option == "-t":
            tokens.take("the texture file")
        elif option.startswith("-c"):
            color = _color(tokens, option[2:])
        else:
            raise tokens.error(
                f"option `{shown_word(option)}` is not understood; choose from -c and -t"
            )
    return color


def _color(tokens: Tokens, text: str) -> Color:
    while ")" not in text:
        text += " " + tokens.take("`)`, the end of the color")
    values = [number(word) for word in re.sub(r"[(),]", " ", text).split()]
    known = [value for value in values if value is not None]
    if len(known) != len(values) or len(known) not in (3, 4):
        raise tokens.error(
            f"a color should be (red green blue opacity), not {shown_word(text.strip())}"
        )
    red, green, blue, opacity = (*known, 1.0)[:4]
    return red, green, blue, opacity


def _robot_lines(robot: RobotBody) -> list[str]:
    base = "Planar" if robot.planar else "Volumetric"
    movement = "Rotational" if robot.rotational else "Translational"
    named = _named(robot.geometry, robot.color)
    return ["1", f"{named} {base} {movement}", "Connections", "0"]


def _named(geometry: str, color: Color | None) -> str:
    if color is None:
        return geometry
    return f"{geometry} -c({' '.join(repr(float(value)) for value in color)})"


def _write(path: Path, lines: list[str]) -> None:
    write_whole(Path(path), "\n".join(lines) + "\n")
