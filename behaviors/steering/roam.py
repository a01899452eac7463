"""Roam: go to one random place after another."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.noise import uniform
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    offset_to,
)
from rmp3d.behaviors.terrain.ahead import first_touch
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit

CHANNELS = (20, 21, 22)
# Places drawn at a time, of which the first good one is taken.
DRAWS = 8
# A walk that ends this near to a place [m] has come to it, and not below or above it.
SAME = 0.05
NO_SPHERES = np.zeros((0, 4))


@STEERING_BEHAVIORS.register("roam")
@dataclass(frozen=True)
class Roam:
    """Wander over random subgoals: seek a random place; when there, or out of patience, another.

    Places are drawn uniformly from the scene's bounds (or the box given); the first of eight is
    taken that is free for the body and that it can go straight to, for walkers over the ground.
    Without one the agent stays for now, and eight more are drawn in the next step. Herrera Walls
    2009 (thesis), 3.3.3: "each point generated is a subgoal of the character".

    Attributes:
        lower: Corner of the box that places are drawn from [m]; empty for the scene's bounds.
        upper: The opposite corner [m].
        arrival: Near enough to the place [m].
        patience: After this time another place is drawn [s].
    """

    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    arrival: float = 1.0
    patience: float = 20.0
    needs: ClassVar[tuple[str, ...]] = ("bounds",)

    def __post_init__(self) -> None:
        check_box(self.lower, self.upper)
        for name in ("arrival", "patience"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return for each agent (N, 5): its place [m], when it took it [s], how many it has had."""
        box = box_of(self.lower, self.upper, around)
        if box is None:
            return np.hstack([flock.position, np.zeros((len(flock), 2))])
        if around.memory is None:
            kept = np.hstack([flock.position, np.zeros((len(flock), 2))])
            rows = np.arange(len(flock))
        else:
            kept = np.array(around.memory)
            there = length(offset_to(flock, kept[:, :3])) < self.arrival
            rows = np.flatnonzero(there | (around.time - kept[:, 3] > self.patience))
        if len(rows) == 0:
            return kept
        place = self._draw(flock, around, rows, box, kept[rows, 4])
        kept[rows] = np.column_stack([place, np.full(len(rows), around.time), kept[rows, 4] + 1])
        return kept

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        kept = self.remembered(flock, around) if around.memory is None else around.memory
        offset = offset_to(flock, kept[:, :3])
        return force_towards(flock, flock.bodies.cruise_speed[:, None] * unit(offset))

    def _draw(
        self, flock: Flock, around: Surroundings, rows: Index, box: Float, count: Float
    ) -> Float:
        chance, found = around.chance[rows], np.array(flock.position[rows])
        looking = np.ones(len(rows), np.bool_)
        for draw in range(DRAWS):
            number = (DRAWS * count + draw).astype(np.int64)
            share = np.stack([uniform(around.seed, chance, c, number) for c in CHANNELS], axis=1)
            place = box[0] + share * (box[1] - box[0])
            place, free = _free(flock, around, rows, place)
            good = looking & free
            good[good] = _in_reach(flock, around, rows[good], place[good])
            found[good] = place[good]
            looking &= ~good
        return found


def _free(flock: Flock, around: Surroundings, rows: Index, place: Float) -> tuple[Float, Bool]:
    """Return places (M, 3), put on the ground for walkers, and whether a body fits there (M,)."""
    free = np.ones(len(rows), np.bool_)
    if around.surface is not None:
        ground, face = around.surface.locate(place, np.inf, np.inf)
        walking = flock.bodies.grounded[rows]
        place = np.where(walking[:, None], ground, place)
        free &= ~walking | (face >= 0)
    if around.obstacles is not None:
        low, high = flock.bodies.capsule_axis[rows].T
        middle = place + 0.5 * (low + high)[:, None] * [0.0, 0.0, 1.0]
        needed = flock.bodies.radius[rows] + 0.5 * (high - low)
        gap, _, _ = around.obstacles.closest_point(middle, float(needed.max()))
        free &= gap >= needed
    return place, free


def _in_reach(flock: Flock, around: Surroundings, rows: Index, place: Float) -> Bool:
    """Return whether bodies can go straight to places (M, 3): nothing in the way, ground all along.

    A ray would pass between the bars of a railing.
    """
    reach = np.ones(len(rows), np.bool_)
    offset = place - flock.position[rows]
    walking = flock.face[rows] >= 0
    if around.surface is not None and walking.any():
        own = rows[walking]
        end, _, arrived = around.surface.walk(
            flock.position[own], flock.face[own], offset[walking, :2]
        )
        reach[walking] = arrived & (length(end - place[walking]) < SAME)
    if around.obstacles is not None:
        touched, _ = first_touch(
            around.obstacles, NO_SPHERES, flock.position[rows], unit(offset), length(offset),
            flock.bodies.capsule_axis[rows], flock.bodies.radius[rows],
        )  # fmt: skip
        reach &= np.isinf(touched)
    return reach


def check_box(lower: tuple[float, ...], upper: tuple[float, ...]) -> None:
    """Refuse a box that is not empty and not two corners in order."""
    if (len(lower), len(upper)) not in ((0, 0), (3, 3)):
        raise InputError("`lower` and `upper` must both be [x, y, z], or both be left out")
    if any(not a < b for a, b in zip(lower, upper, strict=True)):
        raise InputError(f"`lower` {list(lower)} must be below `upper` {list(upper)}")


def box_of(
    lower: tuple[float, ...], upper: tuple[float, ...], around: Surroundings
) -> Float | None:
    """Return the corners (2, 3) [m] of a box: the given one, else the scene's, else None."""
    return np.array([lower, upper]) if lower else around.bounds
