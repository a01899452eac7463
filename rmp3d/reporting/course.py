"""How a run went over time: clearances, spread and speed of its groups, sampled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.proximity.gaps import smallest_gap
from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.risers import without_risers
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.models.capsule_places import PlacedCapsules, placed_capsules
from rmp3d.recording import RecordingReader
from rmp3d.scenes import Scene

MOST_SAMPLES = 600
REACH = 3.0
"""Beyond which clearances are not told apart [m]."""


@dataclass(frozen=True, eq=False)
class Course:
    """Figures over time, at S moments.

    Attributes:
        time: (S,) [s].
        to_scene: (S,) smallest clearance of any member to the scene [m], at most `REACH`.
        to_members: (S,) smallest gap between two members [m], at most `REACH`.
        spread: (G, S) root mean square distance of a group's members from their middle [m].
        speed: (G, S, 3) slowest, mean and fastest member of each group [m/s].
    """

    time: Float
    to_scene: Float
    to_members: Float
    spread: Float
    speed: Float


def course_of(
    recording: RecordingReader, position: Float, scene: Scene, characters: Sequence[Character]
) -> Course:
    """Return how the run went.

    Args:
        recording: Of the run.
        position: (T, N, 3) all its positions [m].
        scene: Of the run.
        characters: Its kinds of character.
    """
    header, dt = recording.header, recording.dt
    frames = np.unique(np.linspace(0, len(position) - 1, MOST_SAMPLES).round().astype(np.intp))
    seen, there = position[frames], recording.presence()
    moves = there[np.maximum(frames, 1) % len(there)] & there[np.maximum(frames, 1) - 1]
    there = there[frames]
    walks = np.array([kind.grounded for kind in characters])[header.character_of]
    speed = _speed(position, walks, frames, dt)
    turns = recording.orientation_wxyz()[frames]
    held = [
        placed_capsules([kind.body for kind in characters], header.character_of, *row)
        for row in zip(seen, turns, strict=True)
    ]
    return Course(
        time=frozen(frames * dt),
        to_scene=_to_scene(held, there, header.character_of, scene, characters),
        to_members=_to_members(held, there),
        spread=np.stack([
            _spread(seen[:, own], there[:, own]) for own in _groups(header.group_of)
        ]),
        speed=np.stack([
            _range(speed[:, own], moves[:, own])
            for own in _groups(header.group_of)
        ]),
    )  # fmt: skip


def _groups(group_of: Index) -> list[Index]:
    return [np.flatnonzero(group_of == group) for group in range(int(group_of.max()) + 1)]


def _spread(seen: Float, there: Bool) -> Float:
    """Return the root mean square distance (S,) from the middle of those that are ``there``."""
    count = np.maximum(there.sum(axis=1), 1)
    middle = (seen * there[..., None]).sum(axis=1) / count[:, None]
    square = length(seen - middle[:, None]) ** 2 * there
    spread: Float = np.sqrt(square.sum(axis=1) / count)
    return spread


def _range(speed: Float, there: Bool) -> Float:
    """Return the least, mean and largest speed (S, 3) of those that are ``there``; zero of none."""
    count = there.sum(axis=1)
    least = np.where(there, speed, np.inf).min(axis=1, initial=np.inf)
    mean = (speed * there).sum(axis=1) / np.maximum(count, 1)
    most = (speed * there).max(axis=1, initial=0.0)
    return np.stack([np.where(count > 0, least, 0.0), mean, most], axis=1)


def _speed(position: Float, walks: Bool, frames: Index, dt: float) -> Float:
    """Return speeds (S, N) [m/s] over one frame, backward except at the first."""
    if len(position) < 2:
        return np.zeros((len(frames), position.shape[1]))
    return length(without_risers(np.diff(position, axis=0), walks)[np.maximum(frames, 1) - 1]) / dt


def _to_scene(
    held: Sequence[PlacedCapsules],
    there: Bool,
    character_of: Index,
    scene: Scene,
    characters: Sequence[Character],
) -> Float:
    """Return the least clearance (S,) [m] of the capsules of those that are ``there``."""
    least = np.full(len(held), REACH)
    made: dict[float | None, MeshQuery | None] = {}
    first = held[0]  # the capsules of all moments have the same owners and sizes
    for row, character in enumerate(characters):
        step = character.parameters.max_step if character.grounded else None
        if step not in made:
            met = scene.flying_obstacles[0] if step is None else scene.footing(step).obstacles
            made[step] = _query(met)
        query = made[step]
        own = np.flatnonzero(character_of[first.owner] == row)
        if query is None or len(own) == 0:
            continue
        place = np.array([each.position[own] for each in held])  # (S, c, 3)
        sizes = np.column_stack([first.radius, first.axis])[own]
        for size in np.unique(sizes, axis=0):
            some = (sizes == size).all(axis=1)
            rows = place[:, some]
            clearance, _ = query.capsule_clearance(
                rows.reshape(-1, 3), (size[1], size[2]), size[0], REACH
            )
            here = there[:, first.owner[own[some]]]
            nearest = np.where(here, clearance.reshape(rows.shape[:2]), REACH)
            least = np.minimum(least, nearest.min(axis=1))
    return least


def _to_members(held: Sequence[PlacedCapsules], there: Bool) -> Float:
    """Return the least gap (S,) [m] between two of those that are ``there``."""
    found = []
    for capsules, here in zip(held, there, strict=True):
        owner, place, radius, axis = (each[here[capsules.owner]] for each in capsules)
        found.append(min(smallest_gap(place, radius, axis, REACH, owner), REACH))
    return np.array(found)


def _query(mesh: TriangleMesh | None) -> MeshQuery | None:
    return None if mesh is None else MeshQuery(mesh)
