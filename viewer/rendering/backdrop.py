"""The backdrop of quick pictures: scene and still layers, drawn anew only when they change."""

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.gpu.buffers import BoxBuffer
from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.state import begin_picture, set_state
from rmp3d.viewer.gpu.targets import Backdrop
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.rendering.crowd import DrawnCrowd
from rmp3d.viewer.rendering.marks import Marks
from rmp3d.viewer.rendering.occlusion import SceneDepth
from rmp3d.viewer.rendering.scene import SceneDrawing
from rmp3d.viewer.rendering.tiles import covered, runs, shaded_boxes
from rmp3d.viewer.rendering.view import View

DARKEN = (gl.GL_ZERO, gl.GL_ONE_MINUS_SRC_ALPHA) * 2


class BackdropDrawing:
    """Keeps one backdrop, and lays the members' shadows over its copies.

    Attributes:
        depth: What of the scene hides members; None before the first backdrop.
    """

    def __init__(
        self, scene: SceneDrawing, marks: Marks, like: "BackdropDrawing | None" = None
    ) -> None:
        """Begin without one; what ``like`` has on the card is taken over."""
        self._scene, self._marks = scene, marks
        self._shade, self._tiles = Program("shade"), BoxBuffer()
        self._kept: Backdrop | None = like._kept if like else None
        self._seen: object = None  # how scene and still layers looked in the last picture
        self.depth: SceneDepth | None = None
        self.forget()

    def forget(self) -> None:
        """Draw it anew for the next picture."""
        if self._kept is not None:
            self._kept.key = None

    def drawn(self, view: View, still: object) -> Backdrop:
        """Return the backdrop, drawn anew if it looks different now.

        Args:
            view: Of the picture.
            still: A value that changes when still layers do.
        """
        if self._kept is None or self._kept.size != view.size:
            if self._kept is not None:
                self._kept.delete()
            self._kept = Backdrop(view.size)
        layers = view.layers
        style = (layers.wireframe, layers.xray, layers.shadows, layers.hidden)
        cuts = (view.cut, view.clip.tobytes(), view.hidden, self._scene.places)
        key = (view.view_projection.tobytes(), style, still, cuts)
        # While the camera moves, shadows are coarse; when it rests they are drawn once more.
        taps = 9 if key == self._seen else 1
        self._seen = key
        if self._kept.key != (key, 9):
            self._kept.key = (key, taps)
            begin_picture(self._kept.framebuffer, view.size)
            self._scene.draw(view, shadows=1, taps=taps)
            self.depth = SceneDepth(view.view_projection, self._kept.depth())
            self._marks.draw(
                view.camera,
                view.view_projection,
                view.size,
                still=True,
                moving=False,
                hidden=layers.hidden,
            )
        return self._kept

    def shadow(
        self, view: View, backdrop: Backdrop, playback: Playback, pose: Pose, crowd: DrawnCrowd
    ) -> None:
        """Darken a copy of the backdrop where members' shadows fall."""
        if not (view.layers.shadows and playback.member_count):
            return
        self._tiles.rows.upload(_shaded(view, playback, pose, crowd, self._scene.bounds))
        backdrop.bind(0, 1)
        view.member_map.bind(2)
        inverse = np.linalg.inv(view.view_projection.astype(float))
        set_state(depth=None, blend=DARKEN)
        self._shade.use(
            picture=0,
            depth=1,
            member_shadow=2,
            viewport=np.array(view.size, float),
            to_light=view.member_light.astype(float) @ inverse,
        )
        self._tiles.draw()


def _shaded(
    view: View, playback: Playback, pose: Pose, crowd: DrawnCrowd, bounds: Float
) -> NDArray[np.float32]:
    """Return boxes (R, 4) of the pixels that members' shadows can fall on."""
    rows = np.flatnonzero(crowd.casts)
    low, high = pose.position[rows], pose.position[rows]
    low[:, 2] += playback.capsule_axis[rows, 0]
    high[:, 2] += playback.capsule_axis[rows, 1]
    radius, floor = playback.radius[rows], float(bounds[0, 2])
    boxes = shaded_boxes(low, high, radius, floor, view.camera, view.size)
    if boxes is None:
        return np.array([[0, 0, *view.size]], np.float32)
    return runs(covered(boxes, view.size))
