"""What a line of sight meets of a scene: where, on which part, on how steep a face."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.scenes import Scene
from rmp3d.viewer.cameras.cutaway import scene_query
from rmp3d.viewer.texts import tr
from rmp3d.viewer.visibility import ClipPlane, Visibility

BEHIND = 1e-4  # [m] behind a hidden face from where a line of sight goes on
MOST_HIDDEN = 64  # hidden faces in a row that it goes through


@dataclass(frozen=True, eq=False)
class SurfacePoint:
    """A point of the surface of a scene.

    Attributes:
        position: (3,) [m].
        part: Name of the part.
        slope: Of the face against the level [rad], 0 to pi / 2.
    """

    position: Float
    part: str
    slope: float

    @property
    def text(self) -> str:
        """Where it is, in a few words."""
        x, y, z = np.round(self.position, 2) + 0.0
        slope = tr("slope {slope}°", slope=f"{np.degrees(self.slope):.0f}")
        return f"{x:.2f}, {y:.2f}, {z:.2f} m · {self.part} · {slope}"


@weak_cache
def _faces(scene: Scene) -> tuple[Index, Float]:
    """Return the part of each face (F,) and how far each normal is upright (F,), 0 to 1."""
    counts = [len(part.mesh.faces) for part in scene.parts]
    upright = np.concatenate([np.abs(part.mesh.normals[:, 2]) for part in scene.parts])
    return frozen(np.repeat(np.arange(len(counts)), counts), np.intp), frozen(upright)


def seen_point(
    scene: Scene, visible: Visibility, origin: Float, direction: Float, cut: float = np.inf
) -> SurfacePoint | None:
    """Return what a line of sight meets first of what is drawn; None for nothing.

    Args:
        scene: The scene.
        visible: What is drawn of it.
        origin: (3,) [m].
        direction: (3,) unit.
        cut: Height [m] above which nothing is drawn.
    """
    planes = [] if visible.clip is None else [visible.clip]
    if np.isfinite(cut):
        planes.append(ClipPlane(2, cut))
    near, far = kept_reach(planes, origin, direction)
    part_of, upright = _faces(scene)
    for _ in range(MOST_HIDDEN):
        if not near < far:
            return None
        gone, face = scene_query(scene).cast_ray(origin + near * direction, direction)
        near += float(gone[0])
        if face[0] < 0 or near > far:
            return None
        part = scene.parts[part_of[face[0]]].name
        if part not in visible.hidden_parts:
            slope = float(np.arccos(min(upright[face[0]], 1.0)))
            return SurfacePoint(frozen(origin + near * direction), part, slope)
        near += BEHIND
    return None


def kept_reach(planes: list[ClipPlane], origin: Float, direction: Float) -> tuple[float, float]:
    """Return from and to which distance [m] a line of sight is on the sides that are drawn."""
    near, far = 0.0, np.inf
    for plane in planes:
        gap = plane.sign * (origin[plane.axis] - plane.at)  # [m] on its side
        speed = plane.sign * direction[plane.axis]
        if speed == 0.0:
            far = far if gap >= 0.0 else -np.inf
        elif speed > 0.0:
            near = max(near, -gap / speed)
        else:
            far = min(far, -gap / speed)
    return near, far
