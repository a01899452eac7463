"""One named mesh of a scene, with its role."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.short_repr import short_repr
from rmp3d.scenes.motion import PartMotion
from rmp3d.scenes.paint import Paint

Role: TypeAlias = Literal["obstacle", "ground", "decor"]


@dataclass(frozen=True, eq=False)
class Part:
    """One named mesh of a scene.

    Attributes:
        name: Unique in its scene.
        role: ``obstacle`` must not be touched, ``ground`` is walked on, ``decor`` is only seen.
        mesh: World frame [m].
        colors: (F, 3) red, green, blue of each face, each 0 to 1.
        paint: Pictures on the faces; None: all have their colors.
        motion: How it moves; None: it stands still. An obstacle that moves has the role `decor`
            here, because it is in no place for ever; its motion knows what it is.
    """

    name: str
    role: Role
    mesh: TriangleMesh
    colors: Float
    paint: Paint | None = None
    motion: PartMotion | None = None

    __repr__ = short_repr

    @property
    def stated_role(self) -> Role:
        """The role that was given to it, moving or not."""
        return self.role if self.motion is None else self.motion.role

    @property
    def carries(self) -> bool:
        """Whether walkers ride on it."""
        return self.motion is not None and self.motion.carries

    def moving(self, motion: PartMotion) -> "Part":
        """Return the part with a motion; an obstacle becomes decor."""
        role: Role = "decor" if self.role == "obstacle" else self.role
        return replace(self, motion=motion, role=role)

    def __post_init__(self) -> None:
        colors = frozen(self.colors)
        if colors.shape != (len(self.mesh.faces), 3):
            raise InputError(
                f"`{self.name}`: `colors` must have shape ({len(self.mesh.faces)}, 3), "
                f"got {colors.shape}"
            )
        object.__setattr__(self, "colors", colors)
        if self.paint is not None and len(self.paint.picture) != len(colors):
            raise InputError(
                f"`{self.name}`: `paint` must have {len(colors)} faces, "
                f"got {len(self.paint.picture)}"
            )
