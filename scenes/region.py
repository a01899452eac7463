"""Regions: named boxes and spheres that serve as start and goal."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Bool, Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


@dataclass(frozen=True, eq=False)
class Region:
    """A named box or ball; make one with `Region.box` or `Region.sphere`.

    Attributes:
        name: Unique in its scene.
        kind: ``box`` or ``sphere``.
        bounds: (2, 3) corners [m] of the box, or of the box around the sphere.
        radius: Radius [m] of the sphere, or of the sphere around the box.
    """

    name: str
    kind: Literal["box", "sphere"]
    bounds: Float
    radius: float

    @classmethod
    def box(cls, name: str, lower: ArrayLike, upper: ArrayLike) -> "Region":
        """Return the box between two corners (3,) [m].

        Raises:
            InputError: Not finite, or ``lower`` is above ``upper``.
        """
        bounds = frozen([np.asarray(lower, float), np.asarray(upper, float)])
        if bounds.shape != (2, 3) or not np.isfinite(bounds).all():
            raise InputError(f"region `{name}`: the corners of a box are [x, y, z], finite")
        if (bounds[0] > bounds[1]).any():
            raise InputError(
                f"region `{name}`: `lower` {bounds[0].tolist()} is not below "
                f"`upper` {bounds[1].tolist()} in every coordinate"
            )
        return cls(name, "box", bounds, float(length(bounds[1] - bounds[0])) / 2)

    @classmethod
    def sphere(cls, name: str, center: ArrayLike, radius: float) -> "Region":
        """Return the ball around ``center`` (3,) [m].

        Raises:
            InputError: Not finite, or the radius is not positive.
        """
        middle = frozen(center)
        if middle.shape != (3,) or not np.isfinite(middle).all():
            raise InputError(f"region `{name}`: `center` is [x, y, z], finite")
        if not 0.0 < radius < np.inf:
            raise InputError(f"region `{name}`: `radius` must be positive, got {radius}")
        return cls(name, "sphere", frozen([middle - radius, middle + radius]), float(radius))

    @property
    def center(self) -> Float:
        """The middle (3,) [m]."""
        return self.bounds.mean(axis=0)

    @property
    def lower(self) -> Float:
        """The lower corner (3,) [m]."""
        return self.bounds[0]

    @property
    def upper(self) -> Float:
        """The upper corner (3,) [m]."""
        return self.bounds[1]

    def contains(self, points: Float) -> Bool:
        """Return whether points (M, 3) are inside or on the border, (M,)."""
        points = np.asarray(points, np.float64)
        if self.kind == "sphere":
            return length(points - self.center) <= self.radius
        return np.all((points >= self.lower) & (points <= self.upper), axis=-1)
