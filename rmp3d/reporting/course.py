"""How a run went over time: clearances, spread and speed of its groups, sampled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.proximity.gaps import smallest_gap
from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
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
    seen = position[frames]
    return Course(
        time=frozen(frames * dt),
        to_scene=_to_scene(seen, header.character_of, scene, characters),
        to_members=_to_members(seen, header.character_of, characters),
        spread=np.stack([
            np.sqrt((length(rows - rows.mean(axis=1, keepdims=True)) ** 2).mean(axis=1))
            for rows in _by_group(seen, header.group_of)
        ]),
        speed=np.stack([
            np.stack([rows.min(axis=1), rows.mean(axis=1), rows.max(axis=1)], axis=1)
            for rows in _by_group(_speed(position, frames, dt), header.group_of)
        ]),
    )  # fmt: skip


def _by_group(rows: Float, group_of: np.ndarray) -> list[Float]:
    return [rows[:, group_of == group] for group in range(int(group_of.max()) + 1)]


def _speed(position: Float, frames: np.ndarray, dt: float) -> Float:
    """Return speeds (S, N) [m/s] over one frame, backward except at the first."""
    if len(position) < 2:
        return np.zeros((len(frames), position.shape[1]))
    after = np.maximum(frames, 1)
    return length(position[after] - position[after - 1]) / dt


def _to_scene(
    seen: Float, character_of: np.ndarray, scene: Scene, characters: Sequence[Character]
) -> Float:
    least = np.full(len(seen), REACH)
    made: dict[float | None, MeshQuery | None] = {}
    for row, character in enumerate(characters):
        step = character.parameters.max_step if character.grounded else None
        if step not in made:
            met = scene.flying_obstacles[0] if step is None else scene.footing(step).obstacles
            made[step] = _query(met)
        query = made[step]
        rows = seen[:, character_of == row]
        if query is None or rows.size == 0:
            continue
        body = character.body
        clearance, _ = query.capsule_clearance(
            rows.reshape(-1, 3), body.capsule_axis, body.radius, REACH
        )
        least = np.minimum(least, clearance.reshape(rows.shape[:2]).min(axis=1))
    return least


def _to_members(seen: Float, character_of: np.ndarray, characters: Sequence[Character]) -> Float:
    radius = np.array([kind.body.radius for kind in characters])[character_of]
    capsule_axis = np.array([kind.body.capsule_axis for kind in characters])[character_of]
    return np.array([min(smallest_gap(rows, radius, capsule_axis, REACH), REACH) for rows in seen])


def _query(mesh: TriangleMesh | None) -> MeshQuery | None:
    return None if mesh is None else MeshQuery(mesh)
