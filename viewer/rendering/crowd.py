"""Members on the graphics card: whole meshes nearby, impostors far away, nothing out of sight."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.models import Character
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.gpu.buffers import SquareBuffer, SurfaceBuffer
from rmp3d.viewer.gpu.image_texture import ImageTexture
from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.targets import MOTION_UNIT
from rmp3d.viewer.palette import SELECTED, group_color
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.playback.posing import Poses, look_of
from rmp3d.viewer.rendering.mesh_level import MeshLevel
from rmp3d.viewer.rendering.occlusion import SceneDepth, SceneLight
from rmp3d.viewer.rendering.sun import SUN_DIRECTION
from rmp3d.viewer.rendering.view import NEVER
from rmp3d.viewer.shapes.impostors import impostor
from rmp3d.viewer.shapes.surfaces import dyed_share, instance_rows

ALL_DYED = 20.0  # times even the smallest dyed share: all of the selected member
FEW = 300  # impostors behind walls; more of them are squares
FEW_WHOLE, SMALLEST = 50, 12.0  # members in sight that are whole from this height [pixels] on
SIMPLER_BELOW = (30.0, 90.0, 240.0)
"""Heights [pixels] below which a member has the simplest mesh of its look, the next one, ..."""
PAINTED_BELOW = 0.4
"""The same of members with pictures, of these heights: simpler meshes have none."""
HEIGHTS = frozen([0.25, 0.6, 0.95])
"""Shares of a body's height at which it is asked what hides it, and whether it is in the sun."""
CORNERS = frozen([0.03, 1.0])
"""Those at which it is asked, on both sides, whether the scene hides all of it."""


@dataclass(frozen=True)
class Detail:
    """Which members are drawn as whole meshes: the tallest in the picture.

    Attributes:
        least: Height [pixels] below which a member is an impostor.
        most: Whole meshes at most.
    """

    least: float
    most: int

    def chosen(self, height: Float) -> Bool:
        """Return which members (N,) of heights (N,) [pixels], zero out of sight, are whole.

        Where few are in sight, smaller ones are whole, too.
        """
        few = np.count_nonzero(height) <= FEW_WHOLE
        least = min(self.least, SMALLEST) if few else self.least
        if np.count_nonzero(height >= least) > self.most:
            least = float(
                np.nextafter(np.partition(height, -self.most - 1)[-self.most - 1], np.inf)
            )
        return np.asarray(height >= least)


class DrawnCrowd:
    """Draws the members of one playback.

    Attributes:
        casts: (N,) members that cast shadows; the scene's own swallows the shadows of others.
    """

    def __init__(self, playback: Playback, pale: float = 0.0) -> None:
        """Upload the characters; ``pale`` is the share of white in the groups' colors."""
        self._playback = playback
        pictures: dict[int, ImageTexture] = {}
        self._kinds = [
            _Kind(kind, row, look, pictures)
            for row, kind in enumerate(playback.characters)
            for look in range(1 if kind.rig is None else len(kind.rig.looks))
        ]
        self._poses = Poses(playback)
        looks = np.array([1 if c.rig is None else len(c.rig.looks) for c in playback.characters])
        members = np.arange(playback.member_count)
        look = look_of(members, looks[playback.character_of])
        for kind in self._kinds:
            own = (playback.character_of == kind.row) & (look == kind.look)
            kind.members = np.flatnonzero(own)
        self._depth, self._cast = Program("depth", SKIN=1), Program("square")
        self._ghost, self._square_ghost = Program("figure", GHOST=1, SKIN=0), Program("square")
        self._skin_ghost = Program("figure", GHOST=1, SKIN=1)
        self._figure = Program("figure", GHOST=0, SKIN=0)
        boxes = [kind.mesh.bounds for kind in playback.characters]
        reach = [float(np.linalg.norm(np.abs(box).max(axis=0))) for box in boxes]
        girth = [float(np.abs(box[:, :2]).max()) for box in boxes]
        self._reach = frozen([reach[kind] for kind in playback.character_of])
        self._girth = frozen([girth[kind] for kind in playback.character_of])
        rows = [boxes[kind][:, 2] for kind in playback.character_of]
        self._low, self._high = np.reshape(rows, (-1, 2)).T
        self._tint = (1.0 - pale) * group_color(playback.group_of) + pale
        self.casts: Bool = np.ones(len(self._tint), np.bool_)

    def show(self, playback: Playback) -> None:
        """Draw another playback of the same members and characters from now on."""
        self._playback = playback
        self._poses.show(playback)

    def place(
        self,
        pose: Pose,
        time: float,
        camera: Camera,
        size: tuple[int, int],
        *,
        selected: Sequence[int],
        detail: "Detail",
        light: SceneLight,
        scene: SceneDepth | None = None,
    ) -> None:
        """Upload where members are.

        Args:
            pose: Of the moment.
            time: The moment [s].
            camera: From where they are seen.
            size: Of the picture [pixels].
            selected: Rows of members to highlight.
            detail: How many whole meshes there are.
            light: Of the scene.
            scene: What hides members from the camera; None: all may be hidden.
        """
        tint, strength = self._tint, np.ones(len(self._tint))
        if selected:
            tint = tint.copy()
            tint[list(selected)], strength[list(selected)] = SELECTED, ALL_DYED
        inside, height = self._in_picture(pose.position, camera, size)
        inside &= pose.there & ~self._holds(pose, camera.eye)
        near = detail.chosen(np.where(inside, height, 0.0))
        points = self._points(pose, HEIGHTS)
        share = light.share(points.reshape(-1, 3)).reshape(len(HEIGHTS), -1)
        rows = instance_rows(pose.position, pose.orientation_wxyz, tint, strength, share[1])
        self.casts = np.asarray((share > 0.0).any(axis=0)) & pose.there
        hidden, buried = inside, np.zeros_like(inside)
        if scene is not None:
            behind = scene.hides(points)
            hidden = inside & behind.any(axis=0)
            buried = self._buried(pose, camera, scene, inside & behind.all(axis=0))
        motions = self._motions(near & pose.there, pose, time)
        few = np.count_nonzero(~near & hidden) <= FEW
        for kind in self._kinds:
            own = kind.members[pose.there[kind.members]]
            close = near[own]
            whole, distant = own[close], own[~close]
            behind = hidden[whole]
            whole = np.concatenate([whole[behind], whole[~behind]])
            members, motion = motions[kind.row]
            fineness = kind.level_of(height[whole])
            for row, level in enumerate(kind.levels):
                those = whole[fineness == row]
                hiding = int(np.count_nonzero(hidden[those]))
                level.place(rows[those], motion[np.searchsorted(members, those)], hiding)
            kind.figure.instances.upload(rows[distant[inside[distant] & ~buried[distant]]])
            ghosts = rows[distant[hidden[distant]]]
            kind.ghosts.instances.upload(ghosts if few else ghosts[:0])
            kind.squares.instances.upload(ghosts[:0] if few else ghosts)
            kind.shadows.instances.upload(rows[distant[self.casts[distant]]])

    def _motions(self, near: Bool, pose: Pose, time: float) -> list[tuple[Index, Float]]:
        """Return, for each character, its members that are near and their joints' motions."""
        rows = np.flatnonzero(near)
        kinds = self._playback.character_of[rows]
        own = [rows[kinds == kind] for kind in range(len(self._playback.characters))]
        return [
            (each, self._poses.motions(kind, each, pose, time)) for kind, each in enumerate(own)
        ]

    def draw_near(self) -> None:
        """Draw whole meshes in the picture with the current program, which has SKIN.

        Faces that have pictures are left out.
        """
        for level in self._levels:
            level.draw_plain()

    @property
    def is_painted(self) -> bool:
        """Whether some members have pictures on their faces."""
        return any(level.painted for level in self._levels)

    def draw_painted(self) -> None:
        """Draw the faces that have pictures, with the current program, which has PICTURE."""
        for level in self._levels:
            level.draw_painted()

    @property
    def _levels(self) -> list[MeshLevel]:
        return [level for kind in self._kinds for level in kind.levels]

    def draw_far(self, **lighting: Any) -> None:
        """Draw impostors in the picture."""
        self._figure.use(**lighting, opacity=1.0)
        for kind in self._kinds:
            kind.figure.draw()

    def pose(self, time: float) -> Pose:
        """Return where the members are at a moment [s]."""
        return self._playback.pose(time)

    def draw_ghosts(self, opacity: float, **lighting: Any) -> None:
        """Draw all members in the picture in a flat tint."""
        self._skin_ghost.use(**lighting, opacity=opacity, motion=MOTION_UNIT)
        for kind in self._kinds:
            kind.draw_whole()
        self._ghost.use(**lighting, opacity=opacity)
        for kind in self._kinds:
            kind.figure.draw()

    def draw_hidden(self, opacity: float, **lighting: Any) -> None:
        """Draw members that the scene may hide in a flat tint."""
        self._skin_ghost.use(**lighting, opacity=opacity, motion=MOTION_UNIT)
        for kind in self._kinds:
            kind.draw_whole(only_hidden=True)
        self._ghost.use(**lighting, opacity=opacity)
        for kind in self._kinds:
            kind.ghosts.draw()
        eye = np.append(lighting["eye"], 1.0)
        self._square_ghost.use(**lighting, viewer=eye, opacity=opacity)
        for kind in self._kinds:
            self._square_ghost.set(low=kind.box[0], high=kind.box[1])
            kind.squares.draw()

    def cast(self, light: NDArray[np.float32]) -> None:
        """Draw all members into a shadow map with its matrix (4, 4), impostors as squares."""
        self._depth.use(view_projection=light, cut=NEVER, motion=MOTION_UNIT)
        for kind in self._kinds:
            kind.draw_whole()
        self._cast.use(view_projection=light, viewer=np.append(SUN_DIRECTION, 0.0), opacity=1.0)
        for kind in self._kinds:
            self._cast.set(low=kind.box[0], high=kind.box[1])
            kind.shadows.draw()

    def _points(self, pose: Pose, heights: Float) -> Float:
        """Return points (S, N, 3) of the members at shares (S,) of their heights."""
        points = np.repeat(pose.position[None], len(heights), axis=0)
        points[:, :, 2] += self._low + heights[:, None] * (self._high - self._low)
        return points

    def _buried(self, pose: Pose, camera: Camera, scene: SceneDepth, maybe: Bool) -> Bool:
        """Return which of the members ``maybe`` (N,) have all corners behind the scene."""
        rows = np.flatnonzero(maybe)
        ends = self._points(pose, CORNERS)[:, rows]
        aside = self._girth[rows, None] * camera.axes[0]
        buried = np.zeros_like(maybe)
        buried[rows] = scene.hides(np.concatenate([ends - aside, ends + aside])).all(axis=0)
        return buried

    def _holds(self, pose: Pose, eye: Float) -> Bool:
        """Return which capsules (N,) contain a point: no member is seen from inside."""
        offset = eye - pose.position
        capsule_axis, radius = self._playback.capsule_axis, self._playback.radius
        offset[:, 2] -= np.clip(offset[:, 2], capsule_axis[:, 0], capsule_axis[:, 1])
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


class _Kind:
    """One look of one kind of character on the graphics card.

    Attributes:
        row: Of the character.
        look: Which of its looks.
        members: (n,) who look so.
        levels: Its mesh, drawn for members nearby, and simpler ones of it, from the finest on.
        figure: Its impostor.
        ghosts: Its impostor again, for those of the others that the scene may hide.
        squares: Squares in place of `ghosts` if these are many.
        shadows: Squares for those of the others that cast a shadow.
        box: (2, 3) corners of the impostor, body frame [m].
    """

    def __init__(
        self, kind: Character, row: int, look: int, pictures: dict[int, ImageTexture]
    ) -> None:
        self.row, self.look = row, look
        self.members: Index = np.zeros(0, np.intp)
        own = None if kind.rig is None else kind.rig.looks[look]
        mesh, colors = (kind.mesh, kind.colors) if own is None else (own.mesh, own.colors)
        whole = colors
        simpler = () if own is None else own.levels
        self.levels = [MeshLevel(mesh, colors, own, pictures)]
        self.levels += [
            MeshLevel(each.mesh, each.colors, each, pictures, whole) for each in simpler
        ]
        later = PAINTED_BELOW if own is not None and own.paint is not None else 1.0
        self._limits = later * np.array(SIMPLER_BELOW[: len(simpler)])
        if simpler:  # what it was just before, a little nearer
            mesh, colors = simpler[-1].mesh, simpler[-1].colors
        figure, faces = impostor(mesh, colors, dyed_share(colors, whole))
        self.figure = SurfaceBuffer(figure, faces)
        self.ghosts = SurfaceBuffer(figure, faces)
        self.squares, self.shadows = SquareBuffer(), SquareBuffer()
        self.box = np.array([figure[:, :3].min(axis=0), figure[:, :3].max(axis=0)])

    def level_of(self, height: Float) -> Index:
        """Return which of the levels (n,) members have that are so high (n,) [pixels]."""
        return len(self._limits) - np.searchsorted(self._limits, height, side="right")

    def draw_whole(self, *, only_hidden: bool = False) -> None:
        """Draw the meshes of members nearby with the current program.

        Args:
            only_hidden: Whether to draw only those that the scene may hide.
        """
        for level in self.levels:
            level.draw(only_hidden=only_hidden)
