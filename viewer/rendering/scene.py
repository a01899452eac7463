"""The scene and the sky of a picture: lit by the sun, see-through, or as edges."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.gpu.buffers import EmptyBuffer
from rmp3d.viewer.gpu.image_texture import PICTURE_UNIT, ImageTexture
from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.state import SEE_THROUGH, set_state
from rmp3d.viewer.gpu.targets import MOTION_UNIT, DepthMap
from rmp3d.viewer.palette import linear
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.rendering.occlusion import SceneLight
from rmp3d.viewer.rendering.scene_parts import PartDrawing
from rmp3d.viewer.rendering.sun import SUN_DIRECTION, sun_view_projection
from rmp3d.viewer.rendering.view import NEVER, View
from rmp3d.viewer.visibility import KEEPS_ALL

HORIZON, ZENITH, FLOOR = linear(
    np.array([[0.84, 0.88, 0.92], [0.42, 0.60, 0.82], [0.70, 0.73, 0.76]])
)
SCENE_MAP = 2048  # texels a side
XRAY_OPACITY = 0.34
PUSH = 2e-6  # in depth, more than rounding: 0.1 mm at 1 m, 5 mm at 50 m
BACK_SIDES = 2.0 * PUSH
MOST_PUSHED = 7
"""A part is pushed back by its size, by one `PUSH` for each factor of four over one square meter,
up to so many: what lies on a floor is drawn, and not stripes of both."""


class SceneDrawing:
    """Draws a scene and the sky, and lights members as it lights the scene.

    Attributes:
        bounds: (2, 3) corners of all that is seen [m].
        light: Which points of the scene the sun reaches.
        places: Where the moving parts are; other bytes if one has moved.
    """

    def __init__(
        self, playback: Playback, bounds: Float, like: "SceneDrawing | None" = None
    ) -> None:
        """Upload the scene, and draw it once as the sun sees it.

        Args:
            playback: Its scene is drawn.
            bounds: (2, 3) corners of all that is seen [m].
            like: Another one, not used any more; what it has on the card is taken over.
        """
        scene = playback.scene
        self._hash, self.bounds = scene.hash, bounds
        self._surfaces = {
            (shadows, taps, skin): _program(shadows, taps, skin)
            for shadows, taps, skin in (
                (0, 1, 0),
                (1, 1, 0),
                (1, 9, 0),
                (2, 1, 0),
                (2, 9, 0),
                (0, 1, 1),
                (2, 1, 1),
                (2, 9, 1),
            )
        }
        self._painted: dict[tuple[int, int, int], Program] = {}  # made when they are needed
        self._sky, self._full_triangle = Program("sky"), EmptyBuffer()
        same = like is not None and like._hash == scene.hash
        pictures: dict[int, ImageTexture] = {}
        self._parts: list[PartDrawing] = (
            like._parts if like and same else [PartDrawing(part, pictures) for part in scene.parts]
        )
        self._centers = np.array([part.mesh.bounds.mean(axis=0) for part in scene.parts])
        sizes = np.array([float(part.mesh.areas.sum()) for part in scene.parts])
        steps = np.log2(np.maximum(sizes, 1.0)) / 2.0
        self._push = PUSH * np.minimum(np.floor(steps), MOST_PUSHED)
        self._map: DepthMap = like._map if like else DepthMap(SCENE_MAP)
        self._light, self._depth = sun_view_projection(bounds), Program("depth", SKIN=0)
        self._names = [part.name for part in scene.parts]
        self._cuts: tuple[float, bytes, frozenset[str], bytes] | None = None
        self._moving = scene.moving.tolist()
        self._motions = [scene.parts[row].motion for row in self._moving]
        self.places = b""
        self._away: frozenset[str] = frozenset()
        self.light = self._lit(np.inf, KEEPS_ALL, frozenset())

    def move(self, clocks: Float) -> None:
        """Put the moving parts where their clocks (K,) [s] say; before `cut`."""
        poses = [
            motion.poses(clocks[k : k + 1])
            for k, motion in enumerate(self._motions)
            if motion is not None
        ]
        there = [
            bool(motion.is_there(clocks[k]))
            for k, motion in enumerate(self._motions)
            if motion is not None
        ]
        rows = zip(self._moving, there, strict=True)
        self._away = frozenset(self._names[row] for row, shown in rows if not shown)
        places = b"".join(turn.tobytes() + move.tobytes() for turn, move in poses) + bytes(there)
        if places != self.places:
            self.places = places
            for row, (turn, move) in zip(self._moving, poses, strict=True):
                self._parts[row].place(turn[0], move[0])

    def cut(self, height: float, clip: Float, hidden: frozenset[str]) -> None:
        """Leave out a part of the scene, so that the sun shines in, from now on.

        Args:
            height: All above is left out [m].
            clip: (4,) equation of a plane; all is left out where it is negative.
            hidden: Names of parts that are left out.
        """
        if (height, clip.tobytes(), hidden, self.places) != self._cuts:
            self.light = self._lit(height, clip, hidden)

    def _lit(self, height: float, clip: Float, hidden: frozenset[str]) -> SceneLight:
        """Draw the scene as the sun sees it."""
        self._cuts = (height, clip.tobytes(), hidden, self.places)
        set_state(clip=True)
        self._map.begin()
        self._depth.use(view_projection=self._light, cut=min(height, NEVER), clip=clip)
        for name, part in zip(self._names, self._parts, strict=True):
            if name not in hidden and name not in self._away:
                for surface in part.surfaces:
                    surface.draw()
        return SceneLight(self._light, self._map.read())

    def draw(self, view: View, *, shadows: int, taps: int = 9) -> None:
        """Draw scene and sky; parts nearer to the eye first, as they hide others.

        Args:
            view: Of the picture.
            shadows: Which shadows fall on the scene: 0 none, 1 the scene's, 2 the members' too.
            taps: Points of a shadow map that are averaged for a pixel, 1 or 9.
        """
        if view.layers.xray or view.layers.wireframe:
            self._draw_sky(view.camera, view.size)
        program = self.use_surface(view, shadows, taps, min(view.cut, NEVER), view.clip)
        order = np.argsort(np.linalg.norm(self._centers - view.camera.eye, axis=1))
        if view.layers.xray and not view.layers.wireframe:
            program = self._surfaces[0, 1, 0]
            program.use(opacity=XRAY_OPACITY)
            set_state(write_depth=False, blend=SEE_THROUGH, clip=view.clips)
            order = order[::-1]
        else:
            set_state(wireframe=view.layers.wireframe, clip=view.clips)
        hidden = view.hidden | self._away
        shown = [row for row in order if self._names[row] not in hidden]
        for row in shown:
            plain = self._parts[row].plain
            if plain is not None:
                program.set(push=np.array([self._push[row], BACK_SIDES]))
                plain.draw()
        self._draw_painted(view, shadows, taps, [row for row in shown if self._parts[row].painted])
        if not (view.layers.xray or view.layers.wireframe):
            self._draw_sky(view.camera, view.size)

    def _draw_painted(self, view: View, shadows: int, taps: int, rows: list[int]) -> None:
        """Draw the faces of parts that have pictures, as the others were."""
        if not rows:
            return
        see_through = view.layers.xray and not view.layers.wireframe
        program = self._use(view, shadows, taps, min(view.cut, NEVER), view.clip, picture=True)
        program.set(opacity=XRAY_OPACITY if see_through else 1.0, picture=PICTURE_UNIT)
        for row in rows:
            program.set(push=np.array([self._push[row], BACK_SIDES]))
            self._parts[row].draw_painted()

    def use_surface(
        self,
        view: View,
        shadows: int,
        taps: int = 9,
        cut: float = NEVER,
        clip: Float = KEEPS_ALL,
        skin: int = 0,
        *,
        picture: bool = False,
    ) -> Program:
        """Make the program of lit surfaces current, and return it.

        Args:
            view: As of `draw`.
            shadows: As of `draw`.
            taps: As of `draw`.
            cut: Height [m] above which nothing is drawn, if clipping is on.
            clip: (4,) equation of a plane; nothing is drawn where it is negative, likewise.
            skin: Whether what is drawn has joints, 0 or 1.
            picture: Whether it has pictures.
        """
        program = self._use(view, shadows, taps, cut, clip, skin, picture=picture)
        if picture:
            program.set(picture=PICTURE_UNIT)
        return program

    def _use(
        self,
        view: View,
        shadows: int,
        taps: int,
        cut: float,
        clip: Float,
        skin: int = 0,
        *,
        picture: bool = False,
    ) -> Program:
        """Make the program of lit surfaces current, or the one of pictures, and return it."""
        self._map.bind(0)
        view.member_map.bind(1)
        if view.layers.xray or not view.layers.shadows:
            shadows = 0
        taps = taps if shadows else 1
        key = shadows, taps, skin
        if picture and key not in self._painted:
            self._painted[key] = _program(*key, picture=1)
        program = self._painted[key] if picture else self._surfaces[key]
        program.use(
            **self.lighting(view),
            opacity=1.0,
            cut=cut,
            clip=clip,
            push=np.zeros(2),
            grain=np.array(
                [
                    _grain(self._light, SCENE_MAP),
                    _grain(view.member_light, view.member_map.size),
                ]
            ),
            scene_light=self._light,
            member_light=view.member_light,
            scene_shadow=0,
            member_shadow=1,
            motion=MOTION_UNIT,
        )
        return program

    def lighting(self, view: View) -> dict[str, object]:
        """Return what every program that lights something needs."""
        size = float(np.linalg.norm(self.bounds[1] - self.bounds[0]))
        return {
            "view_projection": view.view_projection,
            "eye": view.camera.eye,
            "sun_direction": SUN_DIRECTION,
            "haze_color": HORIZON,
            "haze_distance": 4.0 * size + 2.0 * view.camera.distance,
        }

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


def _program(shadows: int, taps: int, skin: int, picture: int = 0) -> Program:
    return Program("surface", SHADOWS=shadows, TAPS=taps, SKIN=skin, PICTURE=picture)


def _grain(light: NDArray[np.float32], texels: int) -> float:
    """Return the size [m] of a texel of a shadow map, the longer side."""
    scale = np.linalg.norm(light[:2, :3], axis=1)  # clip units per meter
    return float(2.0 / scale.min() / texels)
