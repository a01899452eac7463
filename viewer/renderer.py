"""The one renderer, of the window and of pictures: a playback at a moment, into a framebuffer.

Needs a current OpenGL 3.3 context; see `viewer.platforms.open_window`.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from viewer.camera import Camera
from viewer.gpu.buffers import Empty, Quads, Segments, Surface
from viewer.gpu.program import Program
from viewer.gpu.targets import Coverage, DepthMap, Picture, most_samples, read_pixels
from viewer.layers import Layers, member_bounds, moving_lines, scene_bounds, static_lines
from viewer.overlay import Overlay
from viewer.palette import SELECTED, group_color, linear
from viewer.playback import Playback, Pose
from viewer.sun import SUN_DIRECTION, sun_view_projection
from viewer.surfaces import IDENTITY_INSTANCE, dyed_share, instance_rows, surface_vertices

HORIZON, ZENITH, FLOOR = linear(
    np.array([[0.84, 0.88, 0.92], [0.42, 0.60, 0.82], [0.70, 0.73, 0.76]])
)
SCENE_MAP, MEMBER_MAP = 2048, 1024  # texels a side; the fragment shader knows them
NOBODY = IDENTITY_INSTANCE[:0]
ALL_DYED = 20.0  # times even the smallest dyed share: all of the selected member
REFERENCE_HEIGHT = 720.0  # line widths are stated for pictures of this height


class Renderer:
    """Draws one playback; holds its meshes on the graphics card."""

    def __init__(self, playback: Playback, samples: int = 4) -> None:
        """Upload scene and characters.

        Args:
            playback: What to draw.
            samples: Samples a pixel for smooth edges; fewer if the driver has fewer.
        """
        self.playback = playback
        self._samples = min(samples, most_samples())
        self._bounds = scene_bounds(playback)
        self._surface, self._depth, self._sky, self._segment, self._quad = (
            Program(name) for name in ("surface", "depth", "sky", "segment", "overlay")
        )
        parts = playback.scene.parts
        vertices = np.concatenate([surface_vertices(part.mesh, part.colors) for part in parts])
        self._scene = Surface(vertices, IDENTITY_INSTANCE)
        self._characters = [
            Surface(surface_vertices(kind.mesh, kind.colors, dyed_share(kind.colors)), NOBODY)
            for kind in playback.characters
        ]
        self._still_lines, self._moving_lines = Segments(), Segments()
        self._still_layers: Layers | None = None
        self._full_triangle, self._quads = Empty(), Quads()
        self._atlas, self._atlas_version = Coverage(), -1
        self._pictures: dict[int, Picture] = {}  # by samples a pixel
        self._scene_map, self._member_map = DepthMap(SCENE_MAP), DepthMap(MEMBER_MAP)
        self._scene_light = sun_view_projection(self._bounds)
        self._draw_scene_shadow()

    def draw(
        self,
        time: float,
        camera: Camera,
        size: tuple[int, int],
        *,
        layers: Layers | None = None,
        selected: int = -1,
        overlay: Overlay | None = None,
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
            overlay: Panels and text on top.
            smooth: Whether edges are smoothed; without, a software renderer is twice as fast.
            framebuffer: OpenGL name; zero is the window.
        """
        layers = layers or Layers()
        pose = self.playback.pose(time)
        view_projection = camera.view_projection(size[0] / size[1], self._bounds)
        self._place_members(pose, selected)
        member_light = self._draw_member_shadow(pose, layers)
        picture = self._picture_of(size, self._samples if smooth else 0)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, picture.framebuffer)
        gl.glViewport(0, 0, *size)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_MULTISAMPLE)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        self._draw_sky(camera, size)
        self._draw_surfaces(camera, view_projection, member_light, layers)
        rows = moving_lines(self.playback, time, pose, layers, selected)
        self._draw_lines(view_projection, camera, size, layers, rows)
        picture.copy_to(framebuffer)
        if overlay is not None:
            self._draw_overlay(overlay, size)
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

    def _place_members(self, pose: Pose, selected: int) -> None:
        tint = group_color(self.playback.group_of)
        strength = np.ones(len(tint))
        if selected >= 0:
            tint[selected], strength[selected] = SELECTED, ALL_DYED
        rows = instance_rows(pose.position, pose.orientation_wxyz, tint, strength)
        for kind, surface in enumerate(self._characters):
            surface.instances.upload(rows[self.playback.character_of == kind])

    def _draw_scene_shadow(self) -> None:
        self._begin_depth(self._scene_map, self._scene_light)
        self._scene.draw()

    def _draw_member_shadow(self, pose: Pose, layers: Layers) -> NDArray[np.float32]:
        light = sun_view_projection(member_bounds(self.playback, pose))
        self._begin_depth(self._member_map, light)
        if layers.shadows:
            for surface in self._characters:
                surface.draw()
        return light

    def _begin_depth(self, target: DepthMap, light: NDArray[np.float32]) -> None:
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDisable(gl.GL_BLEND)
        target.begin()
        self._depth.use(view_projection=light)

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

    def _draw_surfaces(
        self,
        camera: Camera,
        view_projection: NDArray[np.float32],
        member_light: NDArray[np.float32],
        layers: Layers,
    ) -> None:
        self._scene_map.bind(0)
        self._member_map.bind(1)
        size = float(np.linalg.norm(self._bounds[1] - self._bounds[0]))
        self._surface.use(
            view_projection=view_projection,
            eye=camera.eye,
            sun_direction=SUN_DIRECTION,
            haze_color=HORIZON,
            haze_distance=4.0 * size + 2.0 * camera.distance,
            ghost=0.0,
            shadow_strength=1.0 if layers.shadows else 0.0,
            grain=np.array(
                [_grain(self._scene_light, SCENE_MAP), _grain(member_light, MEMBER_MAP)]
            ),
            scene_light=self._scene_light,
            member_light=member_light,
            scene_shadow=0,
            member_shadow=1,
        )
        if layers.wireframe:
            gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_LINE)
        self._scene.draw()
        gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_FILL)
        if layers.hidden:
            self._draw_hidden_members()
        for surface in self._characters:
            surface.draw()

    def _draw_hidden_members(self) -> None:
        """Draw members in a flat see-through tint where only the scene is in front of them."""
        self._surface.set(ghost=0.30)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glDepthFunc(gl.GL_GREATER)
        gl.glDepthMask(gl.GL_FALSE)
        gl.glEnable(gl.GL_CULL_FACE)
        for surface in self._characters:
            surface.draw()
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDisable(gl.GL_BLEND)
        self._surface.set(ghost=0.0)

    def _draw_lines(
        self,
        view_projection: NDArray[np.float32],
        camera: Camera,
        size: tuple[int, int],
        layers: Layers,
        moving: NDArray[np.float32],
    ) -> None:
        drawn = replace(layers, hidden=True, shadows=True, wireframe=False, trails=False)
        if drawn != self._still_layers:
            self._still_lines.rows.upload(static_lines(self.playback, layers))
            self._still_layers = drawn
        self._moving_lines.rows.upload(moving)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glDepthMask(gl.GL_FALSE)
        self._segment.use(
            view_projection=view_projection,
            viewport=np.array(size, float),
            near=camera.distance / 100.0,
            width_scale=max(size[1] / REFERENCE_HEIGHT, 0.5),
        )
        # Once where they are seen, once, faintly, where the scene hides them.
        passes = [(gl.GL_LEQUAL, 1.0)] + [(gl.GL_GREATER, 0.22)] * layers.hidden
        for test, opacity in passes:
            gl.glDepthFunc(test)
            self._segment.set(opacity=opacity)
            self._still_lines.draw()
            self._moving_lines.draw()
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDisable(gl.GL_BLEND)

    def _draw_overlay(self, overlay: Overlay, size: tuple[int, int]) -> None:
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


def _grain(light: NDArray[np.float32], texels: int) -> float:
    """Return the size [m] of a texel of a shadow map, the longer side."""
    scale = np.linalg.norm(light[:2, :3], axis=1)  # clip units per meter
    return float(2.0 / scale.min() / texels)
