"""Members on the graphics card: whole meshes nearby, stand-ins far away, nothing out of sight."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from geometry.arrays import Bool, Float, frozen
from viewer.camera import Camera
from viewer.gpu.buffers import Surface
from viewer.gpu.program import Program
from viewer.palette import SELECTED, group_color
from viewer.playback import Playback, Pose
from viewer.stand_ins import stand_in
from viewer.sun import SUN_DIRECTION
from viewer.surfaces import dyed_share, instance_rows, surface_rows

ALL_DYED = 20.0  # times even the smallest dyed share: all of the selected member
HEIGHTS = frozen([0.25, 0.6, 0.95])
"""Shares of a body's height at which it is asked what hides it, and whether it is in the sun."""


@dataclass(frozen=True)
class Detail:
    """Who is drawn as a whole mesh: the tallest in the picture.

    Attributes:
        least: Height [pixels] below which a member is a stand-in.
        most: Whole meshes at most.
    """

    least: float
    most: int

    def chosen(self, height: Float) -> Bool:
        """Return which members (N,) of heights (N,) [pixels], zero out of sight, are whole."""
        least = self.least
        if np.count_nonzero(height >= least) > self.most:
            least = float(
                np.nextafter(np.partition(height, -self.most - 1)[-self.most - 1], np.inf)
            )
        return np.asarray(height >= least)


class Crowd:
    """Draws the members of one playback."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._near, self._far, self._boxes = [], [], []
        self._depth, self._cast = Program("depth"), Program("cast")
        for kind in playback.characters:
            shares = dyed_share(kind.colors)
            self._near.append(Surface(*surface_rows(kind.mesh, kind.colors, shares)))
            figure, faces = stand_in(kind.mesh, kind.colors, shares)
            self._far.append(Surface(figure, faces))
            self._boxes.append((figure[:, :3].min(axis=0), figure[:, :3].max(axis=0)))
        boxes = [kind.mesh.bounds for kind in playback.characters]
        reach = [float(np.linalg.norm(np.abs(box).max(axis=0))) for box in boxes]
        self._reach = frozen([reach[kind] for kind in playback.character_of])
        rows = [boxes[kind][:, 2] for kind in playback.character_of]
        self._low, self._high = np.reshape(rows, (-1, 2)).T
        self._tint = group_color(playback.group_of)
        self._seen: dict[Surface, int] = {}
        self._hidden: dict[Surface, int] = {}

    def place(
        self,
        pose: Pose,
        camera: Camera,
        size: tuple[int, int],
        *,
        selected: int,
        detail: "Detail",
        light: "SceneLight",
        scene: "SceneDepth | None" = None,
    ) -> None:
        """Upload where members are.

        Args:
            pose: Of the moment.
            camera: From where they are seen.
            size: Of the picture [pixels].
            selected: Row of the member to highlight, -1 for none.
            detail: How many whole meshes there are.
            light: Of the scene.
            scene: What hides members from the camera; None: all may be hidden.
        """
        tint, strength = self._tint, np.ones(len(self._tint))
        if selected >= 0:
            tint = tint.copy()
            tint[selected], strength[selected] = SELECTED, ALL_DYED
        inside, height = self._in_picture(pose.position, camera, size)
        inside &= ~self._holds(pose, camera.eye)
        near = detail.chosen(np.where(inside, height, 0.0))
        points = self._points(pose)
        share = light.share(points[1])
        rows = instance_rows(pose.position, pose.orientation_wxyz, tint, strength, share)
        hidden = inside if scene is None else inside & scene.hides(points)
        kinds = self._playback.character_of
        for kind, (close, distant) in enumerate(zip(self._near, self._far, strict=True)):
            for surface, level, rest in ((close, near, None), (distant, ~near, ~inside)):
                own = (kinds == kind) & level
                parts = [hidden & own, inside & own & ~hidden]
                parts += [] if rest is None else [rest & own]
                order = [np.flatnonzero(part) for part in parts]
                surface.instances.upload(rows[np.concatenate(order)])
                self._hidden[surface] = len(order[0])
                self._seen[surface] = len(order[0]) + len(order[1])

    def draw_near(self) -> None:
        """Draw whole meshes in the picture with the current program."""
        for surface in self._near:
            surface.draw()

    def draw_far(self) -> None:
        """Draw stand-ins in the picture with the current program."""
        for surface in self._far:
            surface.draw(self._seen[surface])

    def draw_hidden(self) -> None:
        """Draw who may be hidden by the scene with the current program."""
        for surface in [*self._near, *self._far]:
            surface.draw(self._hidden[surface])

    def cast(self, light: NDArray[np.float32]) -> None:
        """Draw everybody into a shadow map with its matrix (4, 4), stand-ins as squares."""
        self._depth.use(view_projection=light)
        for surface in self._near:
            surface.draw()
        self._cast.use(view_projection=light, sun_direction=SUN_DIRECTION)
        for surface, (low, high) in zip(self._far, self._boxes, strict=True):
            self._cast.set(low=low, high=high)
            surface.draw_squares()

    def _points(self, pose: Pose) -> Float:
        """Return points (3, N, 3) of the members: low, in the middle, and high."""
        points = np.repeat(pose.position[None], len(HEIGHTS), axis=0)
        points[:, :, 2] += self._low + HEIGHTS[:, None] * (self._high - self._low)
        return points

    def _holds(self, pose: Pose, eye: Float) -> Bool:
        """Return in whose capsules (N,) a point is: nobody is seen from inside."""
        offset = eye - pose.position
        spine, radius = self._playback.spine, self._playback.radius
        offset[:, 2] -= np.clip(offset[:, 2], spine[:, 0], spine[:, 1])
        return np.asarray((offset * offset).sum(axis=1) < radius * radius)

    def _in_picture(
        self, position: Float, camera: Camera, size: tuple[int, int]
    ) -> tuple[Bool, Float]:
        """Return which members (N,) can be in the picture, and their heights (N,) in pixels."""
        seen = (position - camera.eye) @ camera.axes.T
        depth = -seen[:, 2]
        slope = np.tan(camera.field_of_view / 2.0)
        slopes = slope * np.array([size[0] / size[1], 1.0])
        margin = self._reach[:, None] * np.hypot(1.0, slopes)
        inside = (np.abs(seen[:, :2]) <= depth[:, None] * slopes + margin).all(axis=1)
        height = size[1] * self._reach / (2.0 * slope * np.maximum(depth, 1e-3))
        return inside & (depth > -self._reach), height


class SceneLight:
    """Which points the scene keeps the sun from, looked up in its shadow map."""

    def __init__(self, matrix: NDArray[np.float32], depth: NDArray[np.float32]) -> None:
        """Keep a map.

        Args:
            matrix: (4, 4) from world to the clip space of the map; parallel.
            depth: (S, S) 0..1, lowest row first.
        """
        self._matrix, self._depth = matrix.astype(float), depth

    def share(self, points: Float) -> Float:
        """Return the share (M,) of the sun that reaches points (M, 3) [m], from nine texels."""
        at = (points @ self._matrix[:3, :3].T + self._matrix[:3, 3]) * 0.5 + 0.5
        side = len(self._depth)
        texel = (at[:, :2] * side).astype(np.intp)
        lit = np.zeros(len(points))
        for across in (-1, 0, 1):
            for up in (-1, 0, 1):
                x, y = np.clip(texel + np.array([across, up]), 0, side - 1).T
                lit += at[:, 2] <= self._depth[y, x] + 2e-3
        return lit / 9.0


class SceneDepth:
    """What the scene hides from a camera, looked up in the depths of its picture."""

    def __init__(self, view_projection: NDArray[np.float32], depth: NDArray[np.float32]) -> None:
        """Keep a picture's depths (H, W), 0..1, lowest row first, and its matrix (4, 4)."""
        self._matrix, self._depth = view_projection.astype(float), depth

    def hides(self, points: Float) -> Bool:
        """Return which members (N,) have one of their points (S, N, 3) [m] behind the scene."""
        clip = points @ self._matrix[:, :3].T + self._matrix[:, 3]  # (S, N, 4)
        at = clip[..., :3] / np.maximum(clip[..., 3:], 1e-9) * 0.5 + 0.5
        height, width = self._depth.shape
        x = np.clip(at[..., 0] * width, 0, width - 1).astype(np.intp)
        y = np.clip(at[..., 1] * height, 0, height - 1).astype(np.intp)
        return np.asarray((at[..., 2] > self._depth[y, x]).any(axis=0))


def program_of_figures(*, ghost: bool) -> Program:
    """Return the program that draws stand-ins, or see-through members behind walls."""
    return Program("figure", GHOST=int(ghost))
