"""Potential field: straight where that is free, else downhill around the obstacles."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Bool, Float, Index, InputError
from rmp3d.geometry.vectors import unit
from rmp3d.planner.local_planners.local_planner import LOCAL_PLANNERS
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.directions import clearance_and_gradient, within_space

HALVINGS = 3  # of a step that does not lead downhill, before it counts as a local minimum


@LOCAL_PLANNERS.register("potential_field")
@dataclass(frozen=True)
class PotentialFieldPlanner:
    r"""Step down a potential that attracts to the end and repels from obstacles.

    With the distance d to the end, the clearance c and the influence r, the potential [m] is

    .. math:: U = d + \tfrac12 s\, r\, \max(0,\; r / c - 1)^2

    Its repulsive part is that of Khatib (1986, "Real-time obstacle avoidance for manipulators and
    mobile robots"); the attractive one is conic, so that far ends do not drown it. Steps go
    against the gradient, in plan on the ground; a body that can turn is turned by it too, and
    distances count its turns. A step that is not proved free or does not lower U
    is halved, up to three times; then it is a local minimum, and there is no path. After every
    step the straight motion to the end is tried. The path is the certified polyline of the steps.

    Attributes:
        step: Length of a step [m].
        steps: Most steps from start to end.
        influence: Obstacles farther away than this clearance r do not repel [m].
        strength: Strength s of the repulsion.
    """

    step: float = 0.5
    steps: int = 30
    influence: float = 1.0
    strength: float = 0.2

    def __post_init__(self) -> None:
        for name in ("step", "influence", "strength"):
            value = getattr(self, name)
            if not 0.0 < value < np.inf:
                raise InputError(f"`{name}` must be positive and finite, got {value}")
        if self.steps < 0:
            raise InputError(f"`steps` must not be negative, got {self.steps}")

    def sampled(self, space: Space) -> Space:
        """Return the space itself."""
        return space

    def connect(self, space: Space, start: Float, end: Float) -> list[Float | None]:
        """Return the certified paths that were found, straight or in steps; None for the rest."""
        found = space.connect(start, end)
        rows = np.array([row for row, motion in enumerate(found) if motion is None], dtype=np.intp)
        trails: list[list[Float]] = [[] for _ in found]
        point, goal = start[rows], end[rows]
        potential, direction = self._slope(space, point, goal)
        step = self.step * space.meter
        size = np.full(len(rows), step)
        for _ in range(self.steps):
            if len(rows) == 0:
                break
            target, arrived = space.move(point, size[:, None] * direction)
            target_potential, target_direction = self._slope(space, target, goal)
            pieces = space.connect(point, target)
            proved = np.array([piece is not None for piece in pieces])
            down = arrived & proved & (target_potential < potential)
            for k in np.flatnonzero(down).tolist():
                piece = pieces[k]
                assert piece is not None
                trails[rows[k]].append(piece)
            point = np.where(down[:, None], target, point)
            direction = np.where(down[:, None], target_direction, direction)
            potential = np.where(down, target_potential, potential)
            size = np.where(down, step, 0.5 * size)
            reached = _finish(space, point, goal, rows, down, trails, found)
            stuck = size < step * 0.5**HALVINGS
            goes_on = ~reached & ~stuck
            rows, point, goal, size = rows[goes_on], point[goes_on], goal[goes_on], size[goes_on]
            potential, direction = potential[goes_on], direction[goes_on]
        return found

    def _slope(self, space: Space, point: Float, goal: Float) -> tuple[Float, Float]:
        """Return the potential (M,) [m] and the unit direction downhill (M, F)."""
        clearance, away = clearance_and_gradient(space, point, len(space.freedom))
        clearance = np.maximum(clearance, space.world.tolerance)
        influence = self.influence * space.meter
        excess = np.maximum(0.0, influence / clearance - 1.0)
        potential = space.distance(point, goal) + 0.5 * self.strength * influence * excess**2
        push = self.strength * excess * (influence / clearance) ** 2
        pull = unit(space.toward(point, goal))
        return potential, unit(within_space(space, pull + push[:, None] * away))


def _finish(
    space: Space,
    point: Float,
    goal: Float,
    rows: Index,
    moved: Bool,
    trails: list[list[Float]],
    found: list[Float | None],
) -> Bool:
    """Enter the paths that now end in a straight motion into ``found``; return which (M,)."""
    reached = np.zeros(len(rows), dtype=np.bool_)
    tried = np.flatnonzero(moved)
    last = space.connect(point[tried], goal[tried])
    for k, motion in zip(tried.tolist(), last, strict=True):
        if motion is not None:
            found[rows[k]] = joined([*trails[rows[k]], motion])
            reached[k] = True
    return reached
