"""A town of one kilometer in levels: streets, a river, an overpass, an underpass, a car park.

Everything that is walked on is a flat patch of 2 m cells: the ground, decks, a tunnel, and ramps
between two patches. So what the shortest way is can be computed by other means than the planner's
(`benchmarks.geodesics`). Every obstacle is a box on one or more patches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.scenes import Scene

Solid = tuple[Float, Index]
"""Vertices (V, 3) [m] and faces (F, 3)."""
Rectangle = tuple[float, float, float, float]
"""x0, x1, y0, y1 [m]."""

SIDE = 1000.0
CELL = 2.0
BLOCK, STREET = 50.0, 12.0
WALL, PARAPET = 0.3, 1.0
WINDOW = 3.0
"""Largest side [m] of the cells of facades."""
STOREY = 4.0
SPACE = 7.0
"""Around structures [m]: no building."""


@dataclass
class Patch:
    """A flat piece of what is walked on.

    Attributes:
        name: Of the part.
        outline: In plan.
        z: Height [m] at the low and the high end; of a level patch both are the same.
        axis: Along which a ramp rises, 0 or 1; ``up``: whether with the coordinate.
        holes: Without ground.
        walls: (P, 4, 2) corners [m] of obstacles, counterclockwise.
    """

    name: str
    outline: Rectangle
    z: tuple[float, float]
    axis: int = 0
    up: bool = True
    holes: list[Rectangle] = field(default_factory=list)
    walls: list[Float] = field(default_factory=list)


@dataclass(frozen=True)
class Ramp:
    """A ramp between two level patches; it is a hole in both where they are above or below it.

    Attributes:
        patch: Its own number.
        low: Number of the patch at its foot.
        high: Number of the patch at its top.
    """

    patch: int
    low: int
    high: int


@dataclass
class Town:
    """The town under construction: patches, ramps, and the meshes of obstacles by name."""

    patches: list[Patch] = field(default_factory=list)
    ramps: list[Ramp] = field(default_factory=list)
    solids: dict[str, Solid] = field(default_factory=dict)
    reserved: list[Rectangle] = field(default_factory=list)

    def level(self, name: str, outline: Rectangle, z: float) -> int:
        """Add a level patch; return its number."""
        self.patches.append(Patch(name, outline, (z, z)))
        return len(self.patches) - 1

    def box(self, corners: Float, z: tuple[float, float], patches: Sequence[int]) -> None:
        """Add an upright box over corners (4, 2), counterclockwise, an obstacle on patches."""
        self.solids[f"block {len(self.solids) + 1}"] = _box(corners, *z)
        for number in patches:
            self.patches[number].walls.append(corners)

    def wall(self, area: Rectangle, z: tuple[float, float], patches: Sequence[int]) -> None:
        """Add a box over a rectangle."""
        self.box(_corners(area), z, patches)

    def ramp(
        self, area: Rectangle, axis: int, up: bool, low: int, high: int, within: tuple[bool, bool]
    ) -> None:
        """Add a ramp that fills an area, with walls on its sides.

        Args:
            area: In plan.
            axis: Along which it rises.
            up: Whether with the coordinate.
            low: Patch at the foot.
            high: Patch at the top.
            within: Whether the lower, and the upper, patch go on around it.
        """
        bottom, top = self.patches[low].z[0], self.patches[high].z[0]
        self.patches.append(Patch(f"ramp {len(self.ramps) + 1}", area, (bottom, top), axis, up))
        self.ramps.append(Ramp(len(self.patches) - 1, low, high))
        around = [patch for patch, inside in zip((low, high), within, strict=True) if inside]
        for patch in around:
            self.patches[patch].holes.append(area)
        for side in _sides(area, 1 - axis):
            self.wall(side, (bottom - 0.5, top + PARAPET), around)
        ends = _sides(area, axis)
        foot, head = ends if up else ends[::-1]
        if within[0]:
            self.wall(head, (bottom, top - 0.3), [low])
        if within[1]:
            self.wall(foot, (top - 0.3, top + PARAPET), [high])

    def scene(self) -> Scene:
        """Return it as a scene."""
        grounds = {patch.name: _ground(patch) for patch in self.patches}
        roles = {name: "ground" for name in grounds}
        bounds = [[0.0, 0.0, -10.0], [SIDE, SIDE, 60.0]]
        return Scene.from_mesh(
            {**grounds, **self.solids}, name="town", roles=roles, bounds=bounds, up="z"
        )


def make_town(seed: int = 0) -> Town:
    """Return the town; the seed chooses its buildings."""
    town, side = Town(), (0.0, SIDE)
    ground = town.level("ground", (*side, *side), 0.0)
    _river(town, ground)
    _overpass(town, ground)
    _underpass(town, ground)
    _car_park(town, ground)
    _buildings(town, ground, np.random.default_rng(seed))
    return town


def _river(town: Town, ground: int) -> None:
    """Take a river out of the ground, between two bridges that are level with it."""
    for low, high in ((-SIDE, 244.0), (256.0, 744.0), (756.0, 2.0 * SIDE)):
        town.patches[ground].holes.append((480.0, 500.0, low, high))
    town.reserved.append((480.0, 500.0, 0.0, SIDE))


def _overpass(town: Town, ground: int) -> None:
    """Put a street on piers over streets and the river."""
    deck = town.level("overpass", (350.0, 650.0, 496.0, 504.0), 5.0)
    for side in _sides(town.patches[deck].outline, 1):
        town.wall(side, (4.7, 5.0 + PARAPET), [deck])
    town.ramp((300.0, 350.0, 496.0, 504.0), 0, True, ground, deck, (True, False))
    town.ramp((650.0, 700.0, 496.0, 504.0), 0, False, ground, deck, (True, False))
    for x in (380.0, 420.0, 460.0, 520.0, 560.0, 600.0):
        town.wall((x, x + 1.0, 499.5, 500.5), (-1.0, 4.7), [ground])
    town.reserved.append((300.0, 700.0, 496.0, 504.0))


def _underpass(town: Town, ground: int) -> None:
    """Fence a railway, with two crossings, and dig a tunnel under it."""
    tunnel = town.level("tunnel", (746.0, 754.0, 340.0, 380.0), -4.0)
    for side in _sides(town.patches[tunnel].outline, 0):
        town.wall(side, (-4.5, -0.3), [tunnel])
    town.ramp((746.0, 754.0, 300.0, 340.0), 1, False, tunnel, ground, (False, True))
    town.ramp((746.0, 754.0, 380.0, 420.0), 1, True, tunnel, ground, (False, True))
    for low, high in ((500.0, 560.0), (564.0, 900.0), (904.0, SIDE)):
        town.wall((low, high, 359.8, 360.2), (-0.2, 2.2), [ground])
    town.reserved += [(500.0, SIDE, 359.0, 361.0), (746.0, 754.0, 300.0, 420.0)]


def _car_park(town: Town, ground: int) -> None:
    """Put decks over one another, with pillars, and ramps from each to the next."""
    area = (196.0, 268.0, 694.0, 744.0)
    levels = [ground]
    for storey in (1, 2, 3):
        levels.append(town.level(f"deck {storey}", area, STOREY * storey))
        for axis in (0, 1):
            for side in _sides(area, axis):
                z = STOREY * storey
                town.wall(side, (z - 0.3, z + PARAPET), [levels[-1]])
    for storey, (low, high) in enumerate(pairwise(levels)):
        lane = (210.0, 250.0, *((730.0, 734.0) if storey % 2 else (704.0, 708.0)))
        town.ramp(lane, 0, storey % 2 == 0, low, high, (True, True))
    for x in np.arange(200.0, 268.0, 12.0):
        for y in (698.0, 712.0, 720.0, 740.0):
            town.wall((x, x + 0.6, y, y + 0.6), (-1.0, 14.0), levels)
    town.reserved.append(area)


def _buildings(town: Town, ground: int, rng: np.random.Generator) -> None:
    """Put one to four turned buildings on each block, but none on what is reserved."""
    for x in np.arange(0.0, SIDE, BLOCK):
        for y in np.arange(0.0, SIDE, BLOCK):
            lot = BLOCK - STREET
            parts = rng.choice([1, 2, 4], p=[0.2, 0.3, 0.5])
            columns, rows = {1: (1, 1), 2: (2, 1), 4: (2, 2)}[int(parts)]
            for i in range(columns):
                for j in range(rows):
                    size = np.array([lot / columns, lot / rows])
                    middle = np.array([x, y]) + 0.5 * STREET + (np.array([i, j]) + 0.5) * size
                    corners = _turned(middle, size * rng.uniform(0.55, 0.8, 2), rng)
                    height = rng.uniform(6.0, 30.0)
                    if not any(_meet(corners, area) for area in town.reserved):
                        town.box(corners, (-1.0, height), [ground])


def _turned(middle: Float, size: Float, rng: np.random.Generator) -> Float:
    angle = rng.uniform(-0.2, 0.2)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    found: Float = middle + (unit * size) @ turn.T
    return found


def _meet(corners: Float, area: Rectangle) -> bool:
    low, high = corners.min(axis=0) - SPACE, corners.max(axis=0) + SPACE
    x0, x1, y0, y1 = area
    return bool(low[0] < x1 and high[0] > x0 and low[1] < y1 and high[1] > y0)


def _corners(area: Rectangle) -> Float:
    x0, x1, y0, y1 = area
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _sides(area: Rectangle, axis: int) -> list[Rectangle]:
    """Return thin rectangles beside an area, before and behind it along an axis."""
    x0, x1, y0, y1 = area
    if axis == 0:
        return [(x0 - WALL, x0, y0, y1), (x1, x1 + WALL, y0, y1)]
    return [(x0, x1, y0 - WALL, y0), (x0, x1, y1, y1 + WALL)]


def height_at(patch: Patch, points: Float) -> Float:
    """Return the heights (M,) [m] of a patch at points (M, 2) in plan."""
    low, high = np.array(patch.outline).reshape(2, 2)[patch.axis]
    share = (points[:, patch.axis] - low) / (high - low)
    share = share if patch.up else 1.0 - share
    found: Float = patch.z[0] + share * (patch.z[1] - patch.z[0])
    return found


def _ground(patch: Patch) -> Solid:
    x0, x1, y0, y1 = patch.outline
    x, y = np.arange(x0, x1 + 0.5 * CELL, CELL), np.arange(y0, y1 + 0.5 * CELL, CELL)
    plan = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    corner = (np.arange(len(x) - 1)[:, None] * len(y) + np.arange(len(y) - 1)).reshape(-1)
    middle = plan[corner] + 0.5 * CELL
    kept = np.ones(len(corner), np.bool_)
    for a0, a1, b0, b1 in patch.holes:
        inside = (middle[:, 0] > a0) & (middle[:, 0] < a1)
        kept &= ~(inside & (middle[:, 1] > b0) & (middle[:, 1] < b1))
    faces = _sheet(corner[kept], len(y))
    return np.column_stack([plan, height_at(patch, plan)]), faces


def _sheet(corner: Index, across: int) -> Index:
    beside = corner + across
    first = np.column_stack([corner, beside, beside + 1])
    return np.concatenate([first, np.column_stack([corner, beside + 1, corner + 1])])


def _box(corners: Float, low: float, high: float) -> Solid:
    """Return a closed upright prism; its sides are cut into cells as large as windows."""
    rows = max(1, int(np.ceil((high - low) / WINDOW)))
    ring = []
    for k in range(4):
        side = np.linalg.norm(corners[(k + 1) % 4] - corners[k])
        share = np.arange(max(1, int(np.ceil(side / WINDOW)))) / max(1, np.ceil(side / WINDOW))
        ring.append(corners[k] + share[:, None] * (corners[(k + 1) % 4] - corners[k]))
    around = np.concatenate(ring)
    count = len(around)
    heights = np.linspace(low, high, rows + 1)
    vertices = [np.column_stack([around, np.full(count, z)]) for z in heights]
    vertices += [np.array([[*corners.mean(axis=0), z]]) for z in (low, high)]
    here = np.arange(count)
    there = (here + 1) % count
    faces = []
    for row in range(rows):
        a, b = row * count + here, row * count + there
        faces += [np.column_stack([a, b, b + count]), np.column_stack([a, b + count, a + count])]
    bottom, top = (rows + 1) * count, (rows + 1) * count + 1
    faces.append(np.column_stack([there, here, np.full(count, bottom)]))
    faces.append(np.column_stack([rows * count + here, rows * count + there, np.full(count, top)]))
    return np.concatenate(vertices), np.concatenate(faces)
