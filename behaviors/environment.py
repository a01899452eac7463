"""What a scene is for characters that move: obstacles, ground and bounds, ready for queries."""

from dataclasses import dataclass

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.scenes import Scene


@dataclass(frozen=True, eq=False)
class Environment:
    """What characters must not touch, walk on, and stay in; by default empty space.

    Attributes:
        walking: What walkers must not touch, or None.
        flying: What flyers must not touch and nobody sees through, ground included, or None.
        surface: What walkers walk on, or None.
        bounds: (2, 3) box that characters stay in [m], or None.
    """

    walking: MeshQuery | None = None
    flying: MeshQuery | None = None
    surface: WalkableSurface | None = None
    bounds: Float | None = None

    @classmethod
    def of(cls, scene: Scene) -> "Environment":
        """Return what a scene is for walkers and flyers."""
        walkable = scene.walkable
        return cls.on(scene, None if walkable is None else WalkableSurface(walkable))

    @classmethod
    def on(cls, scene: Scene, surface: WalkableSurface | None) -> "Environment":
        """Return what a scene is, with its surface made already; None if nobody walks."""
        return cls(
            _query(scene.walking_obstacles[0]),
            _query(scene.flying_obstacles[0]),
            surface,
            scene.bounds,
        )


def _query(mesh: TriangleMesh | None) -> MeshQuery | None:
    return None if mesh is None else MeshQuery(mesh)
