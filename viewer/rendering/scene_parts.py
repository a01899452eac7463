"""The parts of a scene on the graphics card: faces of plain colors, and those with pictures."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.rotations import quaternion_from_matrix
from rmp3d.scenes import Part
from rmp3d.scenes.paint import NO_PICTURE
from rmp3d.viewer.gpu.buffers import SurfaceBuffer
from rmp3d.viewer.gpu.image_texture import ImageTexture
from rmp3d.viewer.shapes.surfaces import (
    IDENTITY_INSTANCE,
    instance_rows,
    painted_rows,
    surface_rows,
)


class PartDrawing:
    """One part of a scene.

    Attributes:
        plain: Its faces without pictures; None if all have one.
        painted: Pictures, and the faces that have them.
    """

    def __init__(self, part: Part, pictures: dict[int, ImageTexture]) -> None:
        """Upload a part.

        Args:
            part: Of a scene.
            pictures: Those on the card already, by the identity of their bytes; its own are added.
        """
        self.plain: SurfaceBuffer | None = None
        self.painted: list[tuple[ImageTexture, SurfaceBuffer]] = []
        paint, mesh, colors = part.paint, part.mesh, part.colors
        if paint is None:
            self.plain = _uploaded(*surface_rows(mesh, colors))
            return
        bare = paint.picture == NO_PICTURE
        if bare.any():
            self.plain = _uploaded(*surface_rows(mesh.select(bare), colors[bare]))
        for row in paint.used():
            data = paint.pictures[row]
            if id(data) not in pictures:
                pictures[id(data)] = ImageTexture(data)
            own = np.flatnonzero(paint.picture == row)
            surface = _uploaded(*painted_rows(mesh.select(own), paint.places[own]))
            self.painted.append((pictures[id(data)], surface))

    @property
    def surfaces(self) -> list[SurfaceBuffer]:
        """All of it."""
        plain = [] if self.plain is None else [self.plain]
        return plain + [surface for _, surface in self.painted]

    def place(self, rotation: Float, translation: Float) -> None:
        """Turn it by a matrix (3, 3), and move it by (3,) [m], from where the scene has it."""
        row = instance_rows(
            translation[None], quaternion_from_matrix(rotation)[None], np.ones((1, 3)), 0.0
        )
        for surface in self.surfaces:
            surface.instances.upload(row)

    def draw_painted(self) -> None:
        """Draw the faces with pictures, with the current program."""
        for picture, surface in self.painted:
            picture.bind()
            surface.draw()


def _uploaded(vertices: np.ndarray, faces: np.ndarray) -> SurfaceBuffer:
    surface = SurfaceBuffer(vertices, faces)
    surface.instances.upload(IDENTITY_INSTANCE)
    return surface
