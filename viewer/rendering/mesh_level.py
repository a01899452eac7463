"""A skinned mesh of a look on the graphics card: plain faces, and those with pictures."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models.skeleton import Look
from rmp3d.scenes.paint import NO_PICTURE
from rmp3d.viewer.gpu.buffers import SurfaceBuffer
from rmp3d.viewer.gpu.image_texture import ImageTexture
from rmp3d.viewer.gpu.targets import MOTION_UNIT, MotionTable
from rmp3d.viewer.shapes.surfaces import dyed_share, painted_rows, skin_rows, surface_rows


class MeshLevel:
    """The mesh of some members nearby, and the motions of their joints.

    Attributes:
        plain: Its faces of plain colors; None if all have pictures.
        painted: Pictures, and the faces that have them.
        count: How many members have it.
    """

    def __init__(
        self,
        mesh: TriangleMesh,
        colors: Float,
        look: Look | None,
        pictures: dict[int, ImageTexture],
        of_whole: Float | None = None,
    ) -> None:
        """Upload a mesh.

        Args:
            mesh: F faces, body frame [m].
            colors: (F, 3) of its faces, 0 to 1.
            look: What its vertices follow; None: all follow the one joint that there is.
            pictures: Those on the card already, by the identity of their bytes; its own are added.
            of_whole: Colors of the faces of the whole look, of which this is a simpler mesh.
        """
        self._motions, self.count, self._hidden = MotionTable(), 0, 0
        self.plain: SurfaceBuffer | None = None
        self.painted: list[tuple[ImageTexture, SurfaceBuffer]] = []
        shares = dyed_share(colors, of_whole)
        paint = None if look is None else look.paint
        if paint is None:
            self.plain = _uploaded(surface_rows(mesh, colors, shares), look)
            return
        bare = paint.picture == NO_PICTURE
        if bare.any():
            rows = surface_rows(mesh.select(bare), colors[bare], shares[bare])
            self.plain = _uploaded(rows, look)
        for row in paint.used():
            data = paint.pictures[row]
            if id(data) not in pictures:
                pictures[id(data)] = ImageTexture(data)
            own = np.flatnonzero(paint.picture == row)
            surface = _uploaded(painted_rows(mesh.select(own), paint.places[own]), look)
            self.painted.append((pictures[id(data)], surface))

    def place(self, instances: NDArray[np.float32], motion: Float, hidden: int) -> None:
        """Take where members are.

        Args:
            instances: (n, 12) rows of the members that have it.
            motion: (n, J, 3, 4) of their joints.
            hidden: How many of them, the first ones, the scene may hide.
        """
        self.count, self._hidden = len(instances), hidden
        for surface in self._surfaces:
            surface.instances.upload(instances)
        self._motions.upload(motion)

    def draw(self, *, only_hidden: bool = False) -> None:
        """Draw all faces with the current program, which has SKIN and no pictures."""
        self._motions.bind(MOTION_UNIT)
        for surface in self._surfaces:
            surface.draw(self._hidden if only_hidden else None)

    def draw_plain(self) -> None:
        """Draw the faces of plain colors with the current program."""
        if self.plain is not None:
            self._motions.bind(MOTION_UNIT)
            self.plain.draw()

    def draw_painted(self) -> None:
        """Draw the faces that have pictures with the current program, which has PICTURE."""
        self._motions.bind(MOTION_UNIT)
        for picture, surface in self.painted:
            picture.bind()
            surface.draw()

    @property
    def _surfaces(self) -> list[SurfaceBuffer]:
        plain = [] if self.plain is None else [self.plain]
        return plain + [surface for _, surface in self.painted]


def _uploaded(
    made: tuple[NDArray[np.float32], NDArray[np.uint32]], look: Look | None
) -> SurfaceBuffer:
    rows, faces = made
    return SurfaceBuffer(rows, faces, skin_rows(rows, look))
