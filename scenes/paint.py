"""Pictures on the faces of a mesh: what a renderer draws instead of one color a face."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.short_repr import short_repr

NO_PICTURE = -1


@dataclass(frozen=True, eq=False)
class Paint:
    """Pictures on F faces.

    Attributes:
        pictures: Encoded, PNG or JPEG; all of the file that the mesh is from.
        picture: (F,) row of each face's picture, `NO_PICTURE` where it has its plain color.
        places: (F, 3, 2) texture coordinates of the corners, u to the right and v up from the
            picture's lower left corner; the picture repeats.
    """

    pictures: tuple[bytes, ...]
    picture: Index
    places: Float

    __repr__ = short_repr

    def __post_init__(self) -> None:
        object.__setattr__(self, "picture", frozen(self.picture, np.intp))
        object.__setattr__(self, "places", frozen(self.places))
        faces = len(self.picture)
        if self.places.shape != (faces, 3, 2):
            raise ValueError(f"`places` must have shape ({faces}, 3, 2), got {self.places.shape}")
        known = (self.picture >= NO_PICTURE) & (self.picture < len(self.pictures))
        if not known.all() or not np.isfinite(self.places).all():
            raise ValueError(
                "a face has a picture that is not there, or places that are not finite"
            )

    def select(self, mask_or_rows: Any) -> "Paint | None":
        """Return the paint of some of the faces; None if none of them has a picture."""
        picture = self.picture[mask_or_rows]
        if (picture == NO_PICTURE).all():
            return None
        return Paint(self.pictures, picture, self.places[mask_or_rows])

    def flipped(self) -> "Paint":
        """Return the paint of the faces with their corners in the other order."""
        return Paint(self.pictures, self.picture, self.places[:, ::-1])

    def used(self) -> list[int]:
        """Return the rows of the pictures that some face has."""
        rows: list[int] = np.unique(self.picture[self.picture != NO_PICTURE]).tolist()
        return rows


def joined_places(
    parts: Sequence[tuple[Index | None, Float | None, int]],
) -> tuple[Index | None, Float | None]:
    """Return pictures (F,) and places (F, 3, 2) of several meshes as those of one; None for none.

    Args:
        parts: Those of each mesh, or None, and its number of faces.
    """
    if all(picture is None for picture, _, _ in parts):
        return None, None
    pictures = [np.full(n, NO_PICTURE) if own is None else own for own, _, n in parts]
    places = [np.zeros((n, 3, 2)) if own is None else own for _, own, n in parts]
    return np.concatenate(pictures), np.concatenate(places)
