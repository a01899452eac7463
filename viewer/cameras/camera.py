"""An orbit camera, z up: where it looks, its matrices, and the ray through a pixel."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.vectors import unit

STEEPEST = np.pi / 2
LOWEST = -np.radians(20.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Camera:
    """Looks at ``target`` from ``distance``, standing at an azimuth and an elevation.

    ``eye = target + distance (cos el cos az, cos el sin az, sin el)``. The camera's axes are
    right, up and back (towards the eye), so a view straight down is no special case: up in the
    picture is then the direction from the eye's azimuth to the target.

    Pixels are counted from the lower left corner of the picture, as windows do.

    Attributes:
        target: (3,) [m].
        azimuth: Of the eye seen from the target, from +x towards +y [rad].
        elevation: Of the eye above the horizon [rad].
        distance: From the eye to the target [m].
        field_of_view: Vertical angle of the picture [rad].
        under_roof: Whose roofs it looks through: a member's row, -1 for all members, None for
            none.
    """

    target: Float = field(default_factory=lambda: np.zeros(3))
    azimuth: float = np.radians(-60.0)
    elevation: float = np.radians(52.0)
    distance: float = 30.0
    field_of_view: float = np.radians(38.0)
    under_roof: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", frozen(self.target))

    @property
    def axes(self) -> Float:
        """(3, 3) rows right, up and back, unit, in the world frame."""
        ca, sa = np.cos(self.azimuth), np.sin(self.azimuth)
        ce, se = np.cos(self.elevation), np.sin(self.elevation)
        return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])

    @property
    def eye(self) -> Float:
        """(3,) where the camera is [m]."""
        return self.target + self.distance * self.axes[2]

    def view(self) -> NDArray[np.float32]:
        """Return the (4, 4) matrix from world to camera; acts on columns."""
        return self._view().astype(np.float32)

    def projection(self, aspect: float, bounds: Float) -> NDArray[np.float32]:
        """Return the (4, 4) matrix from camera to OpenGL's clip space; acts on columns.

        Args:
            aspect: Width of the picture over its height.
            bounds: (2, 3) corners of what there is to see; sets the far plane.
        """
        return self._projection(aspect, bounds).astype(np.float32)

    def view_projection(self, aspect: float, bounds: Float) -> NDArray[np.float32]:
        """Return projection times view, (4, 4), multiplied before rounding to float32."""
        return (self._projection(aspect, bounds) @ self._view()).astype(np.float32)

    def _view(self) -> Float:
        view = np.eye(4)
        view[:3, :3] = self.axes
        view[:3, 3] = -self.axes @ self.eye
        return view

    def _projection(self, aspect: float, bounds: Float) -> Float:
        reach = np.linalg.norm(np.maximum(np.abs(bounds - self.eye), 1e-3), axis=1).max()
        near, far = self.distance / 100.0, 1.1 * reach + 4.0 * self.distance
        focal = 1.0 / np.tan(self.field_of_view / 2.0)
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[1, 1] = focal / aspect, focal
        matrix[2, 2], matrix[2, 3] = (far + near) / (near - far), 2.0 * far * near / (near - far)
        matrix[3, 2] = -1.0
        return matrix

    def project(self, points: Float, size: tuple[int, int]) -> tuple[Float, Float]:
        """Return the pixels (M, 2) of points (M, 3) [m] and their depth (M,) [m].

        Depth is along the view; it is not positive for a point beside or behind the eye, whose
        pixel has then no meaning.
        """
        width, height = size
        seen = (np.atleast_2d(points) - self.eye) @ self.axes.T
        depth = -seen[:, 2]
        focal = height / 2.0 / np.tan(self.field_of_view / 2.0)
        safe = np.where(depth > 0.0, depth, np.nan)[:, None]
        return np.array([width, height]) / 2.0 + focal * seen[:, :2] / safe, depth

    def ray(self, pixel: tuple[float, float], size: tuple[int, int]) -> tuple[Float, Float]:
        """Return origin (3,) and unit direction (3,) of the line of sight through a pixel."""
        width, height = size
        focal = height / 2.0 / np.tan(self.field_of_view / 2.0)
        seen = np.array([pixel[0] - width / 2.0, pixel[1] - height / 2.0, -focal])
        return self.eye, unit(seen @ self.axes)

    def orbited(self, azimuth: float, elevation: float) -> "Camera":
        """Return the camera carried around its target by angles [rad]."""
        raised = float(np.clip(self.elevation + elevation, LOWEST, STEEPEST))
        return replace(self, azimuth=self.azimuth + azimuth, elevation=raised)

    def panned(self, pixels: tuple[float, float], size: tuple[int, int]) -> "Camera":
        """Return the camera moved so that the target's plane follows the mouse by ``pixels``."""
        scale = 2.0 * self.distance * np.tan(self.field_of_view / 2.0) / size[1]
        right, up, _ = self.axes
        return replace(self, target=self.target - scale * (pixels[0] * right + pixels[1] * up))

    def zoomed(self, factor: float) -> "Camera":
        """Return the camera at ``factor`` times its distance, within 5 cm and 10 km."""
        return replace(self, distance=float(np.clip(self.distance * factor, 0.05, 1e4)))

    def fit(self, bounds: Float, aspect: float, margin: float = 1.06) -> "Camera":
        """Return the camera, turned as it is, from as near as shows all of a box.

        Let a corner be at (x, y, z) on the axes right, up and back, and the eye at (a, b, e). It
        is in the picture if ``|x - a| <= (e - z) s`` with s the tangent of the half angle across,
        so ``e s + a >= max(x + z s)`` and ``e s - a >= max(z s - x)``; the least e has equality
        in both. Up and down give another e; the larger one is taken, and a and b leave equal
        margins on both sides. The target is the point in the picture's middle at the
        depth of the box's center.

        Args:
            bounds: (2, 3) corners [m].
            aspect: Width of the picture over its height.
            margin: How much larger than the box the picture is.
        """
        low, high = np.asarray(bounds, float)
        pick = np.array(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij")).reshape(3, 8).T
        center = (low + high) / 2.0
        seen = (np.where(pick, high, low) - center) @ self.axes.T  # (8, 3)
        slope = np.tan(self.field_of_view / 2.0) / margin * np.array([aspect, 1.0])
        after = np.max(seen[:, :2] + seen[:, 2:] * slope, axis=0)
        before = np.max(seen[:, 2:] * slope - seen[:, :2], axis=0)
        distance = max(float(np.max((after + before) / (2.0 * slope))), 0.05)
        aside = (after - before) / 2.0  # (2,) where the eye looks, right and up of the center
        return replace(self, target=center + aside @ self.axes[:2], distance=distance)
