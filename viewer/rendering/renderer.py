"""The one renderer, of the window and of pictures: a playback at a moment, into a framebuffer.

Needs a current OpenGL 3.3 context; see `rmp3d.viewer.gpu.platforms.open_window`.
A smooth picture is drawn whole, with several samples a pixel. A quick one copies the backdrop
(scene and still layers), adds shadows and draws the members.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import Cutaway
from rmp3d.viewer.drawings import Label, Legend, Seen
from rmp3d.viewer.gpu.state import SEE_THROUGH, begin_picture, end_picture, set_state
from rmp3d.viewer.gpu.targets import (
    DepthMap,
    Picture,
    most_samples,
    read_pixels,
)
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.playback.bounds import drawn_bounds, member_bounds
from rmp3d.viewer.playback.near_origin import drawing_origin, near_origin
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.rendering.backdrop import BackdropDrawing
from rmp3d.viewer.rendering.crowd import SMALLEST, Detail, DrawnCrowd
from rmp3d.viewer.rendering.marks import Marks
from rmp3d.viewer.rendering.overlay_drawing import OverlayDrawing
from rmp3d.viewer.rendering.scene import SceneDrawing
from rmp3d.viewer.rendering.sun import steady_sun_view_projection
from rmp3d.viewer.rendering.view import View
from rmp3d.viewer.visibility import ALL, Visibility

COARSE = 1.25  # pixels that a texel of the members' shadows may cover in a quick picture
SMOOTH, QUICK = Detail(SMALLEST, 1500), Detail(20.0, 200)
GHOST_OPACITY = 0.30
OTHER_OPACITY, PALE = 0.5, 0.5  # of members of another playback; share of white in them


class Renderer:
    """Draws one playback; its meshes are on the graphics card.

    It draws relative to a point in the scene's middle if that is far from the origin (see
    `rmp3d.viewer.playback.near_origin`). Cameras and labels have the scene's coordinates.

    Attributes:
        playback: What is drawn.
        origin: (3,) the point that is the origin on the graphics card [m].
        labels: Of the layers drawn last, for the overlay.
        legends: Likewise.
        ghosts: Whose members are drawn see-through beside those of the playback, if anybody's.
    """

    def __init__(
        self, playback: Playback, samples: int = 4, like: "Renderer | None" = None
    ) -> None:
        """Upload scene and characters.

        Args:
            playback: What to draw.
            samples: Samples a pixel for smooth edges; fewer if the driver has fewer.
            like: Another one, not used any more; what it has on the card is taken over.
        """
        self.playback, self.origin = playback, drawing_origin(playback.scene)
        self._near = playback = near_origin(playback, self.origin)
        self.labels: tuple[Label, ...] = ()
        self.legends: tuple[Legend, ...] = ()
        self._samples = min(samples, most_samples())
        self._bounds = drawn_bounds(playback)
        self._scene: SceneDrawing = SceneDrawing(
            playback, self._bounds, like._scene if like else None
        )
        self._crowd, self._marks = DrawnCrowd(playback), Marks(playback)
        self.ghosts: Playback | None = None
        self._ghosts: DrawnCrowd | None = None
        self._cutaway = Cutaway(playback)
        self._backdrop: BackdropDrawing = BackdropDrawing(
            self._scene, self._marks, like._backdrop if like else None
        )
        self._overlay = OverlayDrawing()
        self._pictures: dict[int, Picture] = like._pictures if like else {}  # by samples a pixel
        # By texels a side:
        self._member_maps: dict[int, DepthMap] = like._member_maps if like else {}

    def show(self, playback: Playback) -> None:
        """Draw another playback of the same scene, members and characters from now on."""
        before, self.playback = self.playback, playback
        self._near = near_origin(playback, self.origin, self._near.scene)
        self._marks.show(self._near)
        self._crowd.show(self._near)
        self._cutaway = Cutaway(self._near)
        # A run that goes on keeps both; redrawing the scene for each of its frames would be slow.
        if not (playback.paths is before.paths and playback.details is before.details):
            self._backdrop.forget()

    def show_ghosts(self, playback: Playback | None) -> None:
        """Draw the members of another playback see-through from now on, none if None."""
        self.ghosts = playback
        moved = None if playback is None else near_origin(playback, self.origin)
        self._ghosts = None if moved is None else DrawnCrowd(moved, PALE)

    def draw(
        self,
        time: float,
        camera: Camera,
        size: tuple[int, int],
        *,
        layers: Layers | None = None,
        selected: int = -1,
        chosen: Collection[int] = (),
        visible: Visibility = ALL,
        smooth: bool = True,
        framebuffer: int = 0,
    ) -> None:
        """Draw the moment ``time`` [s] into a framebuffer of ``size`` pixels.

        Args:
            time: Taken into the playback's duration.
            camera: From where.
            size: Width and height of the framebuffer.
            layers: What beside scene and characters; the usual ones if None.
            selected: Row of the member to highlight, -1 for none.
            chosen: Rows of further members to highlight.
            visible: What of scene and members is drawn.
            smooth: Whether edges are smoothed; a software renderer is far faster without.
            framebuffer: OpenGL name; zero is the window.
        """
        layers = layers or Layers()
        camera, pose = self.nearby(camera), self._near.pose(time)
        if not visible.is_whole:
            shown = visible.members(pose.position + self.origin)
            pose = replace(pose, there=pose.there & shown)
        still = self._update_marks(Seen(time, pose, selected, tuple(chosen), layers.mean), layers)
        view = self._view(time, pose, camera, size, layers, visible, smooth=smooth)
        backdrop = None if smooth else self._backdrop.drawn(view, still)
        self._crowd.place(
            pose,
            time,
            camera,
            size,
            selected=[*chosen, *[selected] * (selected >= 0)],
            detail=SMOOTH if smooth else QUICK,
            light=self._scene.light,
            scene=self._backdrop.depth if backdrop else None,
        )
        self._draw_member_shadow(view)
        picture = self._picture_of(size, self._samples if smooth else 0)
        if backdrop:
            backdrop.copy_to(picture.framebuffer)
            gl.glViewport(0, 0, *size)
            self._backdrop.shadow(view, backdrop, self._near, pose, self._crowd)
        else:
            begin_picture(picture.framebuffer, size)
            self._scene.draw(view, shadows=2)
        self._draw_members(view, 9 if smooth else 1)
        self._draw_ghosts(view, time, visible)
        self._marks.draw(
            camera, view.view_projection, size, still=smooth, moving=True, hidden=layers.hidden
        )
        picture.copy_to(framebuffer)
        end_picture()

    def _update_marks(self, seen: Seen, layers: Layers) -> object:
        """Upload the layers; return a value that changes when still ones do."""
        still = self._marks.update(seen, layers)
        self.labels = tuple(each._replace(at=each.at + self.origin) for each in self._marks.labels)
        self.legends = self._marks.legends
        return still

    def _view(
        self,
        time: float,
        pose: Pose,
        camera: Camera,
        size: tuple[int, int],
        layers: Layers,
        visible: Visibility,
        *,
        smooth: bool,
    ) -> View:
        """Return what a picture is drawn with, and light the scene as it is cut."""
        finest = 0.0 if smooth else COARSE * self._least_pixel(pose, camera, size)
        light, side = steady_sun_view_projection(member_bounds(self._near, pose), finest)
        if side not in self._member_maps:
            self._member_maps[side] = DepthMap(side)
        cut, clip = self._cut(time, camera, layers), visible.equation(self.origin)
        self._scene.move(self._near.clocks(time))
        self._scene.cut(cut, clip, visible.hidden_parts)
        return View(
            camera,
            camera.view_projection(size[0] / size[1], self._bounds),
            light,
            self._member_maps[side],
            size,
            layers,
            cut=cut,
            clip=clip,
            hidden=visible.hidden_parts,
        )

    def nearby(self, camera: Camera) -> Camera:
        """Return a camera as seen from `origin`."""
        return replace(camera, target=camera.target - self.origin)

    def draw_overlay(
        self, overlay: Overlay, size: tuple[int, int], corner: tuple[int, int] = (0, 0)
    ) -> None:
        """Draw panels and text over what was drawn last, of ``size`` pixels from a corner on."""
        self._overlay.draw(overlay, size, corner)

    def read(self, size: tuple[int, int], framebuffer: int = 0) -> NDArray[np.uint8]:
        """Return the pixels (H, W, 3) that were drawn, top row first."""
        return read_pixels(framebuffer, size)

    def _picture_of(self, size: tuple[int, int], samples: int) -> Picture:
        picture = self._pictures.get(samples)
        if picture is None or picture.size != size:
            if picture is not None:
                picture.delete()
            picture = self._pictures[samples] = Picture(size, samples)
        return picture

    def _least_pixel(self, pose: Pose, camera: Camera, size: tuple[int, int]) -> float:
        """Return the size [m] of a pixel where the member nearest to the eye is."""
        depth = (camera.eye - pose.position) @ camera.axes[2]
        near = float(depth[depth > 0.0].min(initial=4.0 * camera.distance))
        return 2.0 * near * float(np.tan(camera.field_of_view / 2.0)) / size[1]

    def _cut(self, time: float, camera: Camera, layers: Layers) -> float:
        """Return from which height [m] on the camera looks through roofs."""
        if camera.under_roof is None or layers.roofs:
            return np.inf
        return self._cutaway.height(time, camera.under_roof)

    def _draw_member_shadow(self, view: View) -> None:
        if view.layers.shadows:
            set_state()
            view.member_map.begin()
            self._crowd.cast(view.member_light)

    def _draw_members(self, view: View, taps: int) -> None:
        lighting = self._scene.lighting(view)
        if view.layers.hidden:
            # A flat see-through tint where only the scene is in front of them.
            set_state(depth=gl.GL_GREATER, write_depth=False, blend=SEE_THROUGH, cull=True)
            self._crowd.draw_hidden(GHOST_OPACITY, **lighting)
        self._scene.use_surface(view, 2, taps, skin=1)
        set_state()
        self._crowd.draw_near()
        if self._crowd.is_painted:
            self._scene.use_surface(view, 2, taps, skin=1, picture=True)
            self._crowd.draw_painted()
        set_state(cull=True)
        self._crowd.draw_far(**lighting)

    def _draw_ghosts(self, view: View, time: float, visible: Visibility) -> None:
        """Draw the members of the other playback, if there is one."""
        if self._ghosts is None:
            return
        pose = self._ghosts.pose(time)
        clip = Visibility(clip=visible.clip).members(pose.position + self.origin)
        self._ghosts.place(
            replace(pose, there=pose.there & clip),
            time,
            view.camera,
            view.size,
            selected=[],
            detail=QUICK,
            light=self._scene.light,
        )
        set_state(write_depth=False, blend=SEE_THROUGH, cull=True)
        self._ghosts.draw_ghosts(OTHER_OPACITY, **self._scene.lighting(view))
