"""The narrowest place of an opening: the saddle of the distance to the walls."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.query import MeshQuery

ROUNDS = 6
LINE = 801  # points on a line that is searched
PIECE = 50  # of them that are looked at together
OPPOSED = -0.9  # cosine at most, of the directions to two walls on opposite sides
FLAT = 1e-3  # times half the line: what differs by less is as narrow


class Saddle(NamedTuple):
    """The narrowest place.

    Attributes:
        place: (3,) in the middle, at the height of the feet [m].
        width: From wall to wall [m].
        faces: (2,) of the walls on both sides; -1: none.
        opposed: Whether the nearest points of the walls are on opposite sides.
    """

    place: Float
    width: float
    faces: Index
    opposed: bool


def saddle(
    walls: MeshQuery, axis: tuple[float, float], place: Float, direction: Float, radius: float
) -> Saddle:
    """Return the narrowest place near a place (3,), for a way in a direction (3,).

    The distance to the walls is greatest across the way, and least along it.

    Args:
        walls: What is between.
        axis: Heights [m] over the feet between which the walls count.
        place: Where to begin, at the height of the feet.
        direction: Of the way; its part in plan counts.
        radius: The scale [m] of the search.
    """
    across = np.array([-direction[1], direction[0], 0.0])
    across /= max(float(np.linalg.norm(across)), 1e-12)
    span = np.linspace(-2.0, 2.0, LINE) * radius

    def values(line: Float) -> Float:
        return walls.nearest(line, axis)[0]

    def narrowness(line: Float) -> Float:
        return -values(line)

    for _ in range(ROUNDS):
        place = _climbed(values, place, across, span)
        place = _climbed(narrowness, place, np.array([-across[1], across[0], 0.0]), span)
        across = _facing(walls, axis, place, across)
    place = _climbed(values, place, across, span)
    place = _middle(values, place, np.array([-across[1], across[0], 0.0]), span)
    sides = place + np.array([[-1.0], [1.0]]) * 0.02 * radius * across
    distance, _, _ = walls.nearest(place[None], axis)
    _, near, faces = walls.nearest(sides, axis)
    toward = near[:, :2] - place[:2]
    size = np.maximum(np.linalg.norm(toward, axis=1), 1e-12)
    opposed = bool(toward[0] @ toward[1] < OPPOSED * size[0] * size[1])
    return Saddle(place, 2.0 * float(distance[0]), faces, opposed)


def _middle(values: Callable[[Float], Float], place: Float, along: Float, span: Float) -> Float:
    """Return the middle of the stretch along a way where it is as narrow as at a place."""
    value = values(place + span[:, None] * along)
    middle = len(span) // 2
    wide = np.flatnonzero(value > value[middle] + FLAT * abs(span[0]))
    before, after = wide[wide < middle], wide[wide > middle]
    if len(before) == 0 or len(after) == 0:
        return place
    return place + 0.5 * (span[before[-1]] + span[after[0]]) * along


def _climbed(values: Callable[[Float], Float], place: Float, way: Float, span: Float) -> Float:
    """Return where a climb along a line ends: at its nearest highest point.

    Args:
        values: The heights (M,) at points (M, 3).
        place: (3,) in the middle of the line.
        way: (3,) its direction, of length 1.
        span: (L,) how far [m] the points of the line are from its middle; L is odd.
    """
    line, middle = place + span[:, None] * way, len(span) // 2
    before, after = values(line[[middle - 1, middle + 1]])
    line = line[middle:] if after >= before else line[middle::-1]
    at = 0
    while at < len(line) - 1:
        value = values(line[at : at + PIECE])
        falls = np.flatnonzero(np.diff(value) <= 0.0)
        if len(falls):
            return line[at + int(falls[0])]
        at += len(value) - 1
    return line[at]


def _facing(walls: MeshQuery, axis: tuple[float, float], place: Float, across: Float) -> Float:
    """Return the direction in plan to the nearest wall; the old one if that is straight above."""
    _, near, _ = walls.nearest(place[None], axis)
    toward = near[0] - place
    toward[2] = 0.0
    size = float(np.linalg.norm(toward))
    return across if size < 1e-9 else toward / size
