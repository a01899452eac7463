"""The one renderer, of the window and of pictures: a playback at a moment, into a framebuffer.

Needs a current OpenGL 3.3 context; see `viewer.platforms.open_window`.

There are two ways. A smooth picture is drawn whole, with several samples a pixel. A quick one
takes scene and still layers from a copy that is drawn anew only when the camera or they change,
lays the members' shadows over it, and draws the members on top.
"""

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from viewer.bounds import member_bounds, scene_bounds
from viewer.camera import Camera
from viewer.crowd import Crowd, Detail, SceneDepth, SceneLight, program_of_figures
from viewer.drawings import Label, Seen
from viewer.gpu.buffers import Empty, Quads, Surface
from viewer.gpu.program import Program
from viewer.gpu.targets import Backdrop, Coverage, DepthMap, Picture, most_samples, read_pixels
from viewer.layers import Layers
from viewer.marks import Marks
from viewer.overlay import Overlay
from viewer.palette import linear
from viewer.playback import Playback, Pose
from viewer.sun import SUN_DIRECTION, sun_view_projection
from viewer.surfaces import IDENTITY_INSTANCE, surface_rows

HORIZON, ZENITH, FLOOR = linear(
    np.array([[0.84, 0.88, 0.92], [0.42, 0.60, 0.82], [0.70, 0.73, 0.76]])
)
SCENE_MAP, MEMBER_MAP = 2048, 1024  # texels a side; the shaders know them
SMOOTH, QUICK = Detail(12.0, 1500), Detail(28.0, 150)
XRAY_OPACITY = 0.34


class Renderer:
    """Draws one playback; holds its meshes on the graphics card.

    Attributes:
        playback: What is drawn.
        labels: Of the layers drawn last; whoever makes the overlay sets them.
    """

    def __init__(self, playback: Playback, samples: int = 4) -> None:
        """Upload scene and characters.

        Args:
            playback: What to draw.
            samples: Samples a pixel for smooth edges; fewer if the driver has fewer.
        """
        self.playback = playback
        self.labels: tuple[Label, ...] = ()
        self._samples = min(samples, most_samples())
        self._bounds = scene_bounds(playback)
        self._surfaces = {
            (shadows, taps): Program("surface", SHADOWS=shadows, TAPS=taps)
            for shadows, taps in ((0, 1), (1, 1), (1, 9), (2, 1), (2, 9))
        }
        self._figure, self._ghost = (program_of_figures(ghost=ghost) for ghost in (False, True))
        self._sky, self._shade, self._quad = (Program(name) for name in ("sky", "shade", "overlay"))
        self._parts = []
        for part in playback.scene.parts:
            surface = Surface(*surface_rows(part.mesh, part.colors))
            surface.instances.upload(IDENTITY_INSTANCE)
            self._parts.append(surface)
        self._centers = np.array([part.mesh.bounds.mean(axis=0) for part in playback.scene.parts])
        self._crowd, self._marks = Crowd(playback), Marks(playback)
        self._full_triangle, self._quads = Empty(), Quads()
        self._atlas, self._atlas_version = Coverage(), -1
        self._pictures: dict[int, Picture] = {}  # by samples a pixel
        self._backdrop: Backdrop | None = None
        self._seen: object = None  # how scene and still layers looked in the last quick picture
        self._scene_depth: SceneDepth | None = None
        self._scene_map, self._member_map = DepthMap(SCENE_MAP), DepthMap(MEMBER_MAP)
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
        light = sun_view_projection(member_bounds(self.playback, pose))
        view = _View(camera, view_projection, light, size, layers)
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
            gl.glEnable(gl.GL_MULTISAMPLE)
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
        if overlay.atlas.version != self._atlas_version:
            self._atlas.upload(overlay.atlas.image)
            self._atlas_version = overlay.atlas.version
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        self._atlas.bind(0)
        self._quad.use(
            viewport=np.array(size, float), atlas_size=np.array(self._atlas.size, float), atlas=0
        )
        self._quads.rows.upload(overlay.rows())
        self._quads.draw()
        gl.glDisable(gl.GL_BLEND)
        gl.glEnable(gl.GL_DEPTH_TEST)
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
        gl.glDepthMask(gl.GL_TRUE)
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
        box = self._shaded_box(view, pose)
        if box is None or not (view.layers.shadows and self.playback.member_count):
            return
        backdrop.bind(0, 1)
        self._member_map.bind(2)
        inverse = np.linalg.inv(view.view_projection.astype(float))
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ZERO, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glScissor(*box)
        self._shade.use(
            picture=0, depth=1, member_shadow=2, to_light=view.member_light.astype(float) @ inverse
        )
        self._full_triangle.draw()
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glDisable(gl.GL_BLEND)
        gl.glEnable(gl.GL_DEPTH_TEST)

    def _shaded_box(self, view: "_View", pose: Pose) -> tuple[int, int, int, int] | None:
        """Return left, bottom, width, height of the pixels that members' shadows can fall on."""
        low, high = member_bounds(self.playback, pose)
        pick = np.array(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij")).reshape(3, 8).T
        corners = np.where(pick, high, low)
        fall = (corners[:, 2:] - self._bounds[0, 2]) / SUN_DIRECTION[2]
        corners = np.concatenate([corners, corners - fall * SUN_DIRECTION])
        pixel, depth = view.camera.project(corners, view.size)
        if (depth <= 0.0).any():
            return 0, 0, *view.size
        least = np.clip(np.floor(pixel.min(axis=0)), 0, view.size).astype(int)
        most = np.clip(np.ceil(pixel.max(axis=0)), 0, view.size).astype(int)
        width, height = (most - least).tolist()
        return (int(least[0]), int(least[1]), width, height) if width * height > 0 else None

    def _draw_member_shadow(self, view: "_View") -> None:
        if view.layers.shadows:
            self._begin_depth(self._member_map)
            self._crowd.cast(view.member_light)

    def _begin_depth(self, target: DepthMap) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDisable(gl.GL_BLEND)
        target.begin()

    def _draw_scene(self, view: "_View", *, shadows: int, taps: int = 9) -> None:
        """Draw sky and scene; parts nearer to the eye first, as they hide others."""
        self._draw_sky(view.camera, view.size)
        self._use_surface(view, shadows if view.layers.shadows else 0, taps)
        order = np.argsort(np.linalg.norm(self._centers - view.camera.eye, axis=1))
        if view.layers.wireframe:
            gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_LINE)
        elif view.layers.xray:
            self._surfaces[0, 1].use(opacity=XRAY_OPACITY)
            gl.glEnable(gl.GL_BLEND)
            gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
            gl.glDepthMask(gl.GL_FALSE)
            order = order[::-1]
        for row in order:
            self._parts[row].draw()
        gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_FILL)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDisable(gl.GL_BLEND)

    def _draw_sky(self, camera: Camera, size: tuple[int, int]) -> None:
        tangent = np.tan(camera.field_of_view / 2.0)
        gl.glDisable(gl.GL_DEPTH_TEST)
        self._sky.use(
            view_axes=camera.axes.T,
            half_extent=np.array([tangent * size[0] / size[1], tangent]),
            zenith_color=ZENITH,
            horizon_color=HORIZON,
            floor_color=FLOOR,
        )
        self._full_triangle.draw()
        gl.glEnable(gl.GL_DEPTH_TEST)

    def _use_surface(self, view: "_View", shadows: int, taps: int = 9) -> None:
        self._scene_map.bind(0)
        self._member_map.bind(1)
        if view.layers.xray:
            shadows = 0
        self._surfaces[shadows, taps if shadows else 1].use(
            **self._lighting(view),
            opacity=1.0,
            grain=np.array(
                [_grain(self._scene_light, SCENE_MAP), _grain(view.member_light, MEMBER_MAP)]
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
        self._crowd.draw_near()
        self._figure.use(**self._lighting(view), opacity=1.0)
        gl.glEnable(gl.GL_CULL_FACE)
        self._crowd.draw_far()
        gl.glDisable(gl.GL_CULL_FACE)

    def _draw_hidden_members(self, view: "_View") -> None:
        """Draw members in a flat see-through tint where only the scene is in front of them."""
        self._ghost.use(**self._lighting(view), opacity=0.30)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glDepthFunc(gl.GL_GREATER)
        gl.glDepthMask(gl.GL_FALSE)
        gl.glEnable(gl.GL_CULL_FACE)
        self._crowd.draw_hidden()
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDisable(gl.GL_BLEND)


class _View:
    """What one picture is drawn with."""

    def __init__(
        self,
        camera: Camera,
        view_projection: NDArray[np.float32],
        member_light: NDArray[np.float32],
        size: tuple[int, int],
        layers: Layers,
    ) -> None:
        self.camera, self.view_projection, self.member_light = camera, view_projection, member_light
        self.size, self.layers = size, layers


def _grain(light: NDArray[np.float32], texels: int) -> float:
    """Return the size [m] of a texel of a shadow map, the longer side."""
    scale = np.linalg.norm(light[:2, :3], axis=1)  # clip units per meter
    return float(2.0 / scale.min() / texels)
