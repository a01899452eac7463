"""The one renderer, of the window and of pictures: a playback at a moment, into a framebuffer.

Needs a current OpenGL 3.3 context; see `rmp3d.viewer.gpu.platforms.open_window`.
A smooth picture is drawn whole, with several samples a pixel. A quick one copies scene and still
layers, drawn anew only when camera or they change, adds shadows and draws the members.
"""

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from rmp3d.scenes import Part
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.drawings import Label, Seen
from rmp3d.viewer.gpu.buffers import BoxBuffer, EmptyBuffer, QuadBuffer, SurfaceBuffer
from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.state import SEE_THROUGH, set_state
from rmp3d.viewer.gpu.targets import (
    Backdrop,
    Coverage,
    DepthMap,
    Picture,
    most_samples,
    read_pixels,
)
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.palette import linear
from rmp3d.viewer.playback.bounds import member_bounds, scene_bounds
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.rendering.crowd import SMALLEST, Crowd, Detail
from rmp3d.viewer.rendering.marks import Marks
from rmp3d.viewer.rendering.occlusion import SceneDepth, SceneLight
from rmp3d.viewer.rendering.sun import (
    SUN_DIRECTION,
    steady_sun_view_projection,
    sun_view_projection,
)
from rmp3d.viewer.rendering.tiles import covered, runs, shaded_boxes
from rmp3d.viewer.shapes.surfaces import IDENTITY_INSTANCE, surface_rows

HORIZON, ZENITH, FLOOR = linear(
    np.array([[0.84, 0.88, 0.92], [0.42, 0.60, 0.82], [0.70, 0.73, 0.76]])
)
SCENE_MAP = 2048  # texels a side
COARSE = 1.25  # pixels that a texel of the members' shadows may cover in a quick picture
SMOOTH, QUICK = Detail(SMALLEST, 1500), Detail(28.0, 150)
XRAY_OPACITY, GHOST_OPACITY = 0.34, 0.30
DARKEN = (gl.GL_ZERO, gl.GL_ONE_MINUS_SRC_ALPHA) * 2


class Renderer:
    """Draws one playback; holds its meshes on the graphics card.

    Attributes:
        playback: What is drawn.
        labels: Of the layers drawn last; whoever makes the overlay sets them.
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
        self.playback = playback
        self.labels: tuple[Label, ...] = ()
        self._samples = min(samples, most_samples())
        self._bounds = scene_bounds(playback)
        self._surfaces = {
            (shadows, taps): Program("surface", SHADOWS=shadows, TAPS=taps)
            for shadows, taps in ((0, 1), (1, 1), (1, 9), (2, 1), (2, 9))
        }
        self._sky, self._shade, self._quad = (Program(name) for name in ("sky", "shade", "overlay"))
        same = like is not None and like.playback.scene.hash == playback.scene.hash
        self._parts: list[SurfaceBuffer] = (
            like._parts if like and same else [_still(part) for part in playback.scene.parts]
        )
        self._centers = np.array([part.mesh.bounds.mean(axis=0) for part in playback.scene.parts])
        self._crowd, self._marks = Crowd(playback), Marks(playback)
        self._full_triangle, self._quads, self._tiles = EmptyBuffer(), QuadBuffer(), BoxBuffer()
        self._atlas = Coverage()
        self._letters: NDArray[np.uint8] | None = None  # the picture that `_atlas` holds
        self._pictures: dict[int, Picture] = like._pictures if like else {}  # by samples a pixel
        self._backdrop: Backdrop | None = like._backdrop if like else None
        if self._backdrop is not None:
            self._backdrop.key = None
        self._seen: object = None  # how scene and still layers looked in the last quick picture
        self._scene_depth: SceneDepth | None = None
        self._scene_map: DepthMap = like._scene_map if like else DepthMap(SCENE_MAP)
        # By texels a side:
        self._member_maps: dict[int, DepthMap] = like._member_maps if like else {}
        self._scene_light = sun_view_projection(self._bounds)
        self._begin_depth(self._scene_map)
        Program("depth").use(view_projection=self._scene_light)
        for surface in self._parts:
            surface.draw()
        self._light = SceneLight(self._scene_light, self._scene_map.read())

    def show(self, playback: Playback) -> None:
        """Draw another playback of the same scene, members and characters from now on."""
        before, self.playback = self.playback, playback
        self._marks.show(playback)
        # A run that goes on keeps both; redrawing the scene for each of its frames would be slow.
        same = playback.paths is before.paths and playback.details is before.details
        if self._backdrop is not None and not same:
            self._backdrop.key = None

    def draw(
        self,
        time: float,
        camera: Camera,
        size: tuple[int, int],
        *,
        layers: Layers | None = None,
        selected: int = -1,
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
            smooth: Whether edges are smoothed; without, a software renderer is many times as
                fast.
            framebuffer: OpenGL name; zero is the window.
        """
        layers = layers or Layers()
        pose = self.playback.pose(time)
        view_projection = camera.view_projection(size[0] / size[1], self._bounds)
        still = self._marks.update(Seen(time, pose, selected), layers)
        self.labels = self._marks.labels
        finest = 0.0 if smooth else COARSE * self._least_pixel(pose, camera, size)
        light, side = steady_sun_view_projection(member_bounds(self.playback, pose), finest)
        if side not in self._member_maps:
            self._member_maps[side] = DepthMap(side)
        view = _View(camera, view_projection, light, self._member_maps[side], size, layers)
        backdrop = None if smooth else self._backdrop_of(view, still)
        self._crowd.place(
            pose,
            camera,
            size,
            selected=selected,
            detail=SMOOTH if smooth else QUICK,
            light=self._light,
            scene=self._scene_depth if backdrop else None,
        )
        self._draw_member_shadow(view)
        picture = self._picture_of(size, self._samples if smooth else 0)
        if backdrop:
            backdrop.copy_to(picture.framebuffer)
            gl.glViewport(0, 0, *size)
            self._lay_shadows(view, backdrop, pose)
        else:
            self._begin(picture.framebuffer, size)
            self._draw_scene(view, shadows=2)
        self._draw_members(view, 9 if smooth else 1)
        self._marks.draw(
            camera, view_projection, size, still=smooth, moving=True, hidden=layers.hidden
        )
        picture.copy_to(framebuffer)
        gl.glBindVertexArray(0)

    def draw_overlay(self, overlay: Overlay, size: tuple[int, int]) -> None:
        """Draw panels and text over what was drawn last."""
        if overlay.atlas.image is not self._letters:
            self._letters = overlay.atlas.image
            self._atlas.upload(self._letters)
        set_state(depth=None, blend=SEE_THROUGH)
        self._atlas.bind(0)
        self._quad.use(
            viewport=np.array(size, float), atlas_size=np.array(self._atlas.size, float), atlas=0
        )
        self._quads.rows.upload(overlay.rows())
        self._quads.draw()
        gl.glBindVertexArray(0)

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

    def _begin(self, framebuffer: int, size: tuple[int, int]) -> None:
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)
        gl.glViewport(0, 0, *size)
        set_state()
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)

    def _backdrop_of(self, view: "_View", still: object) -> Backdrop:
        """Return the picture of scene and still layers, drawn anew if it looks different now."""
        if self._backdrop is None or self._backdrop.size != view.size:
            if self._backdrop is not None:
                self._backdrop.delete()
            self._backdrop = Backdrop(view.size)
        layers = view.layers
        style = (layers.wireframe, layers.xray, layers.shadows, layers.hidden)
        key = (view.view_projection.tobytes(), style, still)
        # While the camera moves, shadows are coarse; when it rests they are drawn once more.
        taps = 9 if key == self._seen else 1
        self._seen = key
        if self._backdrop.key != (key, 9):
            self._backdrop.key = (key, taps)
            self._begin(self._backdrop.framebuffer, view.size)
            self._draw_scene(view, shadows=1, taps=taps)
            self._scene_depth = SceneDepth(view.view_projection, self._backdrop.depth())
            self._marks.draw(
                view.camera,
                view.view_projection,
                view.size,
                still=True,
                moving=False,
                hidden=layers.hidden,
            )
        return self._backdrop

    def _lay_shadows(self, view: "_View", backdrop: Backdrop, pose: Pose) -> None:
        if not (view.layers.shadows and self.playback.member_count):
            return
        self._tiles.rows.upload(self._shaded(view, pose))
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

    def _shaded(self, view: "_View", pose: Pose) -> NDArray[np.float32]:
        """Return boxes (R, 4) of the pixels that members' shadows can fall on."""
        rows = np.flatnonzero(self._crowd.casts)
        low, high = pose.position[rows], pose.position[rows]
        low[:, 2] += self.playback.capsule_axis[rows, 0]
        high[:, 2] += self.playback.capsule_axis[rows, 1]
        radius, floor = self.playback.radius[rows], float(self._bounds[0, 2])
        boxes = shaded_boxes(low, high, radius, floor, view.camera, view.size)
        if boxes is None:
            return np.array([[0, 0, *view.size]], np.float32)
        return runs(covered(boxes, view.size))

    def _least_pixel(self, pose: Pose, camera: Camera, size: tuple[int, int]) -> float:
        """Return the size [m] of a pixel where the member nearest to the eye is."""
        depth = (camera.eye - pose.position) @ camera.axes[2]
        near = float(depth[depth > 0.0].min(initial=4.0 * camera.distance))
        return 2.0 * near * float(np.tan(camera.field_of_view / 2.0)) / size[1]

    def _draw_member_shadow(self, view: "_View") -> None:
        if view.layers.shadows:
            self._begin_depth(view.member_map)
            self._crowd.cast(view.member_light)

    def _begin_depth(self, target: DepthMap) -> None:
        set_state()
        target.begin()

    def _draw_scene(self, view: "_View", *, shadows: int, taps: int = 9) -> None:
        """Draw scene and sky; parts nearer to the eye first, as they hide others."""
        if view.layers.xray or view.layers.wireframe:
            self._draw_sky(view.camera, view.size)
        self._use_surface(view, shadows if view.layers.shadows else 0, taps)
        order = np.argsort(np.linalg.norm(self._centers - view.camera.eye, axis=1))
        if view.layers.xray and not view.layers.wireframe:
            self._surfaces[0, 1].use(opacity=XRAY_OPACITY)
            set_state(write_depth=False, blend=SEE_THROUGH)
            order = order[::-1]
        else:
            set_state(wireframe=view.layers.wireframe)
        for row in order:
            self._parts[row].draw()
        if not (view.layers.xray or view.layers.wireframe):
            self._draw_sky(view.camera, view.size)

    def _draw_sky(self, camera: Camera, size: tuple[int, int]) -> None:
        """Draw the sky at the far end of what can be seen."""
        tangent = np.tan(camera.field_of_view / 2.0)
        set_state(write_depth=False)
        self._sky.use(
            view_axes=camera.axes.T,
            half_extent=np.array([tangent * size[0] / size[1], tangent]),
            zenith_color=ZENITH,
            horizon_color=HORIZON,
            floor_color=FLOOR,
        )
        self._full_triangle.draw()

    def _use_surface(self, view: "_View", shadows: int, taps: int = 9) -> None:
        self._scene_map.bind(0)
        view.member_map.bind(1)
        if view.layers.xray:
            shadows = 0
        self._surfaces[shadows, taps if shadows else 1].use(
            **self._lighting(view),
            opacity=1.0,
            grain=np.array(
                [
                    _grain(self._scene_light, SCENE_MAP),
                    _grain(view.member_light, view.member_map.size),
                ]
            ),
            scene_light=self._scene_light,
            member_light=view.member_light,
            scene_shadow=0,
            member_shadow=1,
        )

    def _lighting(self, view: "_View") -> dict[str, object]:
        size = float(np.linalg.norm(self._bounds[1] - self._bounds[0]))
        return {
            "view_projection": view.view_projection,
            "eye": view.camera.eye,
            "sun_direction": SUN_DIRECTION,
            "haze_color": HORIZON,
            "haze_distance": 4.0 * size + 2.0 * view.camera.distance,
        }

    def _draw_members(self, view: "_View", taps: int) -> None:
        if view.layers.hidden:
            self._draw_hidden_members(view)
        self._use_surface(view, 2 if view.layers.shadows else 0, taps)
        set_state()
        self._crowd.draw_near()
        set_state(cull=True)
        self._crowd.draw_far(**self._lighting(view))

    def _draw_hidden_members(self, view: "_View") -> None:
        """Draw members in a flat see-through tint where only the scene is in front of them."""
        set_state(depth=gl.GL_GREATER, write_depth=False, blend=SEE_THROUGH, cull=True)
        self._crowd.draw_hidden(GHOST_OPACITY, **self._lighting(view))


class _View:
    """What one picture is drawn with."""

    def __init__(
        self,
        camera: Camera,
        view_projection: NDArray[np.float32],
        member_light: NDArray[np.float32],
        member_map: DepthMap,
        size: tuple[int, int],
        layers: Layers,
    ) -> None:
        self.camera, self.view_projection = camera, view_projection
        self.member_light, self.member_map = member_light, member_map
        self.size, self.layers = size, layers


def _still(part: Part) -> SurfaceBuffer:
    """Return a part of a scene on the graphics card."""
    surface = SurfaceBuffer(*surface_rows(part.mesh, part.colors))
    surface.instances.upload(IDENTITY_INSTANCE)
    return surface


def _grain(light: NDArray[np.float32], texels: int) -> float:
    """Return the size [m] of a texel of a shadow map, the longer side."""
    scale = np.linalg.norm(light[:2, :3], axis=1)  # clip units per meter
    return float(2.0 / scale.min() / texels)
