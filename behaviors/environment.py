"""What a scene is for characters that move: obstacles, ground and bounds, ready for queries."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import CURB, WalkableSurface
from rmp3d.scenes import Scene
from rmp3d.scenes.footing import Footing

ONE_FOR_ALL: Mapping[float, "Environment"] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Environment:
    """What characters must not touch, walk on, and stay in; by default empty space.

    Attributes:
        walking: What walkers must not touch, or None.
        flying: What flyers must not touch and nobody sees through, ground included, or None.
        surface: What walkers walk on, or None.
        bounds: (2, 3) box that characters stay in [m], or None.
        others: What it is to walkers that take other steps, by these [m]; see
            `rmp3d.behaviors.bodies.Bodies.max_step`.
    """

    walking: MeshQuery | None = None
    flying: MeshQuery | None = None
    surface: WalkableSurface | None = None
    bounds: Float | None = None
    others: Mapping[float, "Environment"] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene, *max_step: float) -> "Environment":
        """Return what a scene is for flyers, and for walkers that take steps up to each height [m].

        By default they take curbs only.
        """
        footings = {step: scene.footing(step) for step in max_step or (CURB,)}
        usual, *others = dict.fromkeys(footings.values())
        flying = _query(scene.flying_obstacles[0])
        made = {footing: cls._on(footing, flying, scene.bounds) for footing in others}
        return replace(
            cls._on(usual, flying, scene.bounds),
            others={step: made[each] for step, each in footings.items() if each is not usual},
        )

    @classmethod
    def _on(cls, footing: Footing, flying: MeshQuery | None, bounds: Float) -> "Environment":
        return cls(_query(footing.obstacles), flying, footing.surface, bounds)

    def of_step(self, max_step: float) -> "Environment":
        """Return what it is to walkers that take steps up to a height [m]."""
        return self.others.get(max_step, self)


def _query(mesh: TriangleMesh | None) -> MeshQuery | None:
    return None if mesh is None else MeshQuery(mesh)
