"""Regions: named boxes and spheres that serve as start and goal."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Bool, Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.short_repr import in_short
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

    def widened(self, by: float) -> "Region":
        """Return the region with its border so far [m] outside."""
        if self.kind == "sphere":
            return Region.sphere(self.name, self.center, self.radius + by)
        return Region.box(self.name, self.lower - by, self.upper + by)

    def contains(self, points: Float) -> Bool:
        """Return whether points (M, 3) are inside or on the border, (M,)."""
        points = np.asarray(points, np.float64)
        if self.kind == "sphere":
            return length(points - self.center) <= self.radius
        return np.all((points >= self.lower) & (points <= self.upper), axis=-1)


@dataclass(frozen=True)
class Box:
    """A place with edges along the axes, where a group starts or ends.

    >>> Box((16, -24, 0), (24, -16, 2)).contains([[20, -20, 1]]).tolist()
    [True]

    Attributes:
        lower: Its least corner (3,) [m].
        upper: Its greatest corner (3,) [m].

    Raises:
        InputError: A corner is not three finite numbers, or ``lower`` is above ``upper``.
    """

    lower: tuple[float, float, float]
    upper: tuple[float, float, float]

    def __post_init__(self) -> None:
        region = Region.box("Box", _point("lower", self.lower), _point("upper", self.upper))
        object.__setattr__(self, "lower", tuple(region.lower.tolist()))
        object.__setattr__(self, "upper", tuple(region.upper.tolist()))

    def named(self, name: str) -> Region:
        """Return the region of this shape that is called ``name``."""
        return Region.box(name, self.lower, self.upper)

    def contains(self, points: ArrayLike) -> Bool:
        """Return whether points (M, 3) [m] are inside or on the border, (M,)."""
        return self.named("Box").contains(np.asarray(points, np.float64))


@dataclass(frozen=True)
class Sphere:
    """A place around a point, where a group starts or ends.

    >>> Sphere((0, 0, 5), 2.0).contains([[0, 0, 3], [0, 0, 0]]).tolist()
    [True, False]

    The formation on a sphere is `rmp3d.behaviors.formations.SphereFormation`.

    Attributes:
        center: Its middle (3,) [m].
        radius: [m].

    Raises:
        InputError: The center is not three finite numbers, or the radius is not positive.
    """

    center: tuple[float, float, float]
    radius: float

    def __post_init__(self) -> None:
        center = _point("center", self.center)
        if isinstance(self.radius, bool) or not isinstance(self.radius, int | float | np.number):
            raise InputError(f"`radius` must be a positive number [m], got {self.radius!r}")
        Region.sphere("Sphere", center, float(self.radius))
        object.__setattr__(self, "center", tuple(center.tolist()))
        object.__setattr__(self, "radius", float(self.radius))

    def named(self, name: str) -> Region:
        """Return the region of this shape that is called ``name``."""
        return Region.sphere(name, self.center, self.radius)

    def contains(self, points: ArrayLike) -> Bool:
        """Return whether points (M, 3) [m] are inside or on the border, (M,)."""
        return self.named("Sphere").contains(np.asarray(points, np.float64))


def _point(name: str, value: ArrayLike) -> Float:
    try:
        point = np.array(value, np.float64)
    except (TypeError, ValueError):
        point = np.empty(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise InputError(
            f"`{name}` must be three finite numbers x, y, z [m], got {in_short(value)}"
        )
    return point
