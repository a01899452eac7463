"""Queries of what characters must not touch, for the layers that measure or look."""

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import Character
from rmp3d.scenes import Scene


class ObstacleQueries:
    """Each query is made when it is first asked for; walkers of the same step have the same."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._queries: dict[float | None, MeshQuery | None] = {}

    def of(self, kind: Character) -> MeshQuery | None:
        """Return what a kind of character must not touch; None: there is nothing."""
        max_step = kind.parameters.max_step if kind.grounded else None
        if max_step not in self._queries:
            mesh = obstacles_of(self._scene, kind)
            self._queries[max_step] = None if mesh is None else MeshQuery(mesh)
        return self._queries[max_step]


def obstacles_of(scene: Scene, kind: Character) -> TriangleMesh | None:
    """Return what a kind of character must not touch in a scene; None: there is nothing."""
    if not kind.grounded:
        return scene.flying_obstacles[0]
    return scene.footing(kind.parameters.max_step).obstacles
