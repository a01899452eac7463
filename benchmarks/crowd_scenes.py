"""Scenario files of crowds that meet: head-on, at right angles, at doors, corners and stairs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

Box = tuple[Sequence[float], Sequence[float]]  # lower and upper corner [m]


@dataclass(frozen=True)
class Crowd:
    """A group of a case.

    Attributes:
        members: How many.
        start: Box that they start in.
        goal: Box that they go to.
        character: A built-in model.
    """

    members: int
    start: Box
    goal: Box
    character: str = "pedestrian"


@dataclass(frozen=True)
class Case:
    """A scene of walls on level ground, and the crowds in it.

    Attributes:
        crowds: Who goes where.
        walls: Boxes.
        steps: Boxes that members walk on.
        half: Half the side of the square [m].
        top: Height of its air [m].
        duration: After which a run ends [s].
        behavior: Options of `self_guided`.
        gate: Ends of the line where those who pass are counted.
    """

    crowds: tuple[Crowd, ...]
    walls: tuple[Box, ...] = ()
    steps: tuple[Box, ...] = ()
    half: float = 20.0
    top: float = 4.0
    duration: float = 120.0
    behavior: str = "neighborhood = 20.0"
    gate: tuple[Sequence[float], Sequence[float]] | None = None

    def write(self, folder: Path) -> Path:
        """Write scene and scenario into a folder; return the scenario's path."""
        folder.mkdir(parents=True, exist_ok=True)
        far = 10.0 * self.half
        speck = ([far, far, -1.0], [far + 0.1, far + 0.1, -0.9])
        text = mesh_text([*self.walls, speck], self.steps)
        (folder / "walls.obj").write_text(text)
        path = folder / "scenario.toml"
        path.write_text("\n".join(self._lines()) + "\n")
        return path

    def _lines(self) -> list[str]:
        low, high = [-self.half, -self.half, 0.0], [self.half, self.half, self.top]
        lines = ["[scene]", 'mesh = "walls.obj"', f"bounds = [{low}, {high}]"]
        lines += ["ground = { height = 0.0 }"]
        if self.steps:
            lines += ['roles = { "step*" = "ground" }']
        for row, crowd in enumerate(self.crowds):
            for name, (lower, upper) in (("start", crowd.start), ("goal", crowd.goal)):
                lines += [f"[scene.regions.{name}{row}]"]
                lines += [f"lower = {_list(lower)}", f"upper = {_list(upper)}"]
        for row, crowd in enumerate(self.crowds):
            lines += ["[[groups]]", f'name = "group {row + 1}"', f"members = {crowd.members}"]
            lines += [f'character = "{crowd.character}"']
            lines += [f'start = "start{row}"', f'goal = "goal{row}"']
            lines += [f'behavior = {{ name = "self_guided", {self.behavior} }}']
        if self.gate is not None:
            lines += ["[[measure]]", 'name = "gate"', f"ends = {[_list(end) for end in self.gate]}"]
        return [*lines, "[simulation]", f"duration = {self.duration}"]


def head_on(space: bool, count: int = 30) -> Case:
    """Two groups that walk, or fly, straight towards each other."""
    west, east = _boxes(space, [-18, -4], [-10, 4]), _boxes(space, [10, -4], [18, 4])
    return _meeting(space, count, (west, east), (east, west))


def right_angles(space: bool, count: int = 30) -> Case:
    """Two groups whose paths cross in the middle at right angles, at the same time."""
    west, east = _boxes(space, [-18, -4], [-10, 4]), _boxes(space, [10, -4], [18, 4])
    south, north = _boxes(space, [-4, -18], [4, -10]), _boxes(space, [-4, 10], [4, 18])
    return _meeting(space, count, (west, east), (south, north))


def door(count: int = 200, width: float = 1.12) -> Case:
    """A crowd that leaves a room through a door, by default of two body widths."""
    gap = 0.5 * width
    walls: tuple[Box, ...] = (
        ([-0.15, -20.0, 0.0], [0.15, -gap, 2.5]),
        ([-0.15, gap, 0.0], [0.15, 20.0, 2.5]),
    )
    crowd = Crowd(count, _boxes(False, [-18, -9], [-4, 9]), _boxes(False, [4, -10], [18, 10]))
    return Case((crowd,), walls, duration=400.0, gate=([0.0, -gap], [0.0, gap]))


def corridor(count: int = 100, width: float = 2.0, both: bool = False) -> Case:
    """A crowd in a corridor 10 m long; or two halves that meet in it."""
    gap = 0.5 * width
    walls: tuple[Box, ...] = (
        ([-5.0, -20.0, 0.0], [5.0, -gap, 2.5]),
        ([-5.0, gap, 0.0], [5.0, 20.0, 2.5]),
    )
    west, east = _boxes(False, [-18, -8], [-7, 8]), _boxes(False, [7, -8], [18, 8])
    gate = ([0.0, -gap], [0.0, gap])
    if both:
        crowds = (Crowd(count // 2, west, east), Crowd(count // 2, east, west))
        return Case(crowds, walls, gate=gate)
    return Case((Crowd(count, west, east),), walls, duration=300.0, gate=gate)


def corner(count: int = 100, width: float = 2.0) -> Case:
    """A crowd in a corridor of two straight parts, 10 m each, at right angles."""
    gap = 0.5 * width
    walls: tuple[Box, ...] = (
        ([-10.0, -gap, 0.0], [-gap, 20.0, 2.5]),
        ([-10.0, -20.0, 0.0], [20.0, -gap - width, 2.5]),
        ([gap, -gap - width, 0.0], [20.0, 10.0, 2.5]),
    )
    west, north = _boxes(False, [-19, -15], [-12, 8]), _boxes(False, [2, 12], [18, 19])
    gate = ([-gap, gap], [gap, gap])
    return Case((Crowd(count, west, north),), walls, duration=300.0, gate=gate)


def turning(count: int = 100, width: float = 2.0) -> Case:
    """A crowd in a corridor that turns off into another one at its side, before its end."""
    straight, gap = corner(count, width), 0.5 * width
    walls = (*straight.walls[:2], ([gap, -gap, 0.0], [20.0, 10.0, 2.5]))
    return replace(straight, walls=walls)


def merging(count: int = 100, width: float = 2.0) -> Case:
    """Two halves of a crowd in corridors from both sides, that meet in a third and go on in it."""
    gap = 0.5 * width
    walls: tuple[Box, ...] = (
        ([-10.0, gap, 0.0], [-gap, 10.0, 2.5]),
        ([gap, gap, 0.0], [10.0, 10.0, 2.5]),
        ([-10.0, -20.0, 0.0], [10.0, -gap, 2.5]),
        ([-20.0, 9.8, 0.0], [-10.0, 10.0, 2.5]),
        ([10.0, 9.8, 0.0], [20.0, 10.0, 2.5]),
    )
    west, east = _boxes(False, [-19, -9], [-12, 9]), _boxes(False, [12, -9], [19, 9])
    left, right = _boxes(False, [-18, 12], [-1, 19]), _boxes(False, [1, 12], [18, 19])
    crowds = (Crowd(count // 2, west, left), Crowd(count // 2, east, right))
    return Case(crowds, walls, duration=300.0, gate=([-gap, 8.0], [gap, 8.0]))


def stairs(count: int = 60, width: float = 2.0, up: bool = True) -> Case:
    """A crowd on a flight of stairs between two floors, 20 steps of 15 cm, 30 cm deep."""
    gap, high = 0.5 * width, 3.0
    walls: tuple[Box, ...] = (
        ([-6.0, -20.0, 0.0], [0.0, -gap, 5.5]),
        ([-6.0, gap, 0.0], [0.0, 20.0, 5.5]),
    )
    flight = [
        ([-6.0 + 0.3 * k, -gap, 0.0], [0.0, gap, 0.15 * (k + 1)]) for k in range(round(high / 0.15))
    ]
    floor = ([0.0, -20.0, 0.0], [20.0, 20.0, high])
    low, top = _boxes(False, [-18, -8], [-8, 8]), ([3, -8, high - 0.5], [18, 8, high + 1.5])
    crowd = Crowd(count, *((low, top) if up else (top, low)))
    gate = ([-3.0, -gap], [-3.0, gap])
    return Case((crowd,), walls, (*flight, floor), top=6.5, duration=300.0, gate=gate)


def _meeting(space: bool, count: int, *boxes: tuple[Box, Box]) -> Case:
    """Return the case of groups that start and end in boxes, on foot or in the air."""
    kind = "drone" if space else "pedestrian"
    crowds = tuple(Crowd(count, start, goal, kind) for start, goal in boxes)
    return Case(crowds, top=12.0 if space else 4.0)


def _boxes(space: bool, lower: Sequence[float], upper: Sequence[float]) -> Box:
    return ([*lower, 2.0], [*upper, 10.0]) if space else ([*lower, 0.0], [*upper, 2.0])


def _list(values: Sequence[float]) -> list[float]:
    return [float(value) for value in values]


def mesh_text(boxes: Sequence[Box], steps: Sequence[Box] = ()) -> str:
    """Return an OBJ file of boxes, as parts `wall0`, ..., and `step0`, ..."""
    quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines = []
    names = [f"wall{row}" for row in range(len(boxes))]
    names += [f"step{row}" for row in range(len(steps))]
    for row, (name, (low, high)) in enumerate(zip(names, [*boxes, *steps], strict=True)):
        lines += [f"o {name}"]
        for x in (low[0], high[0]):
            for y in (low[1], high[1]):
                lines += [f"v {x} {y} {z}" for z in (low[2], high[2])]
        lines += ["f " + " ".join(str(v + 8 * row) for v in quad) for quad in quads]
    return "\n".join(lines) + "\n"


CASES: dict[str, Case] = {
    "30 and 30 at right angles, on foot": right_angles(space=False),
    "30 and 30 head-on, on foot": head_on(space=False),
    "30 and 30 at right angles, in the air": right_angles(space=True),
    "30 and 30 head-on, in the air": head_on(space=True),
    "100 through a corridor of 2 m": corridor(),
    "50 and 50 head-on in a corridor of 3 m": corridor(width=3.0, both=True),
    "100 and 100 head-on in a corridor of 4 m": corridor(200, 4.0, both=True),
    "200 through a door of two body widths": door(),
    "60 through a door of 1.0 m": door(60, 1.0),
    "100 through a door of 2.0 m": door(100, 2.0),
    "100 around a corner of 2 m": corner(),
    "100 from one corridor of 2 m into another at its side": turning(),
    "50 and 50 in corridors of 2 m that join": merging(),
    "60 up stairs of 2 m": stairs(),
    "60 down stairs of 2 m": stairs(up=False),
}
