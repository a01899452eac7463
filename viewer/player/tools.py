"""Tools that look into a scene: hiding, cutting, pointing, measuring."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiles_first
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import Cutaway
from rmp3d.viewer.cameras.measuring import Measured
from rmp3d.viewer.cameras.pointing import SurfacePoint, seen_point
from rmp3d.viewer.cameras.storeys import StoreyCut, storey_cuts
from rmp3d.viewer.drawings import Label
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.palette import SELECTED
from rmp3d.viewer.playback.bounds import scene_bounds, whole_bounds
from rmp3d.viewer.playback.clock import PlaybackClock
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines
from rmp3d.viewer.texts import tr
from rmp3d.viewer.visibility import AXES, ClipPlane, Visibility

STEP, STRIDE = 0.25, 2.5  # [m] that a key moves the clip plane, and with Shift
CROSS = 0.15  # [m] half the size of the mark at a measured point
LIFTED = np.array([0.0, 0.0, 0.05])  # [m] that lines of measuring are drawn above the ground
ALONG = np.array([0.25, 0.75, 1.0])  # color of the way along the ground


class Viewed(Protocol):
    """What tools work on; see `Controls`."""

    clock: PlaybackClock
    layers: Layers
    size: tuple[int, int]
    changed: bool

    @property
    def playback(self) -> Playback:
        """What is shown."""
        ...

    @property
    def camera(self) -> Camera:
        """From where."""
        ...

    @property
    def selection(self) -> tuple[int, ...]:
        """Rows of all selected members."""
        ...

    def notify(self, message: str) -> None:
        """Put a short notice on the screen."""
        ...


class Tools:
    """The state of the tools, and what keys do to it.

    Attributes:
        visible: What of scene and members is drawn.
        pointed: What is under the mouse.
        measuring: Whether clicks are points to measure between.
        points: Those that were clicked, two at most [m].
        measured: The distances between two points.
        version: Grows when the lines of what is measured are others.
    """

    def __init__(self, shown: Viewed) -> None:
        self._shown = shown
        self.visible = Visibility()
        self.pointed: SurfacePoint | None = None
        self.measuring = False
        self.points: tuple[Float, ...] = ()
        self.measured: Measured | None = None
        self.version = 0
        self._pixel = 0.0, 0.0  # where the mouse is
        self._seen_from: Camera | None = None
        self._cutaway: tuple[Playback, Cutaway] | None = None

    def key(self, name: str, *, shift: bool) -> bool:
        """Take a key press; return whether it was one of the tools'."""
        actions: dict[tuple[str, bool], Callable[[], None]] = {
            ("pagedown", False): lambda: self.change_storey(-1),
            ("pageup", False): lambda: self.change_storey(1),
            ("up", False): lambda: self.move_clip(STEP),
            ("up", True): lambda: self.move_clip(STRIDE),
            ("down", False): lambda: self.move_clip(-STEP),
            ("down", True): lambda: self.move_clip(-STRIDE),
            ("delete", False): self.hide,
            ("delete", True): self.isolate,
            ("insert", False): self.show_all,
            ("m", True): self.toggle_measuring,
            **{(axis, True): partial(self.turn_clip, row) for row, axis in enumerate(AXES)},
        }
        action = actions.get((name, shift))
        if action is not None:
            action()
        return action is not None

    def show(self, visible: Visibility) -> None:
        """Draw this from now on; something else may be under the mouse then."""
        self.visible, self._shown.changed = visible, True
        if self.pointed is not None:
            self.pointed = self.at(self._pixel)

    @property
    def storeys(self) -> tuple[StoreyCut, ...]:
        """The storeys that something is over, from below."""
        return tuple(
            each for each in storey_cuts(self._shown.playback.scene) if np.isfinite(each.cut)
        )

    @property
    def storey(self) -> int:
        """Row in `storeys` of the one that is looked into, their number for none."""
        clip = self.visible.clip
        heights = [ClipPlane(2, each.cut) for each in self.storeys]
        return heights.index(clip) if clip in heights else len(heights)

    def change_storey(self, step: int) -> None:
        """Look into the storey so many above; above the highest one, nothing is cut."""
        row = min(max(self.storey + step, 0), len(self.storeys))
        self.choose_storey(row)

    def choose_storey(self, row: int) -> None:
        """Leave out what is over a row of `storeys`; nothing from their number on."""
        if not self.storeys:
            self._shown.notify(tr("the scene has no storeys: nothing is over its ground"))
        elif row >= len(self.storeys):
            self.show(replace(self.visible, clip=None))
            self._shown.notify(tr("all storeys"))
        else:
            self.show(replace(self.visible, clip=ClipPlane(2, self.storeys[row].cut)))
            height = self.storeys[row].height
            numbers = {"row": row + 1, "count": len(self.storeys), "height": f"{height:.2f}"}
            self._shown.notify(tr("storey {row} of {count}, floor at {height} m", **numbers))

    def turn_clip(self, axis: int) -> None:
        """Cut across an axis through the middle; then keep the other side; then all again."""
        clip, bounds = self.visible.clip, scene_bounds(self._shown.playback)
        if clip is None or clip.axis != axis:
            clip = ClipPlane(axis, float(np.round(bounds[:, axis].mean() / STEP) * STEP))
        else:
            clip = clip.flipped() if clip.keeps == "below" else None
        self.put_clip(clip)

    def move_clip(self, step: float) -> None:
        """Move the plane up its axis [m]."""
        clip = self.visible.clip
        if clip is None:
            self._shown.notify(tr("there is no clip plane; Shift+X, Y or Z makes one"))
            return
        low, high = whole_bounds(self._shown.playback)[:, clip.axis]
        self.put_clip(replace(clip, at=float(np.clip(clip.at + step, low, high))))

    def put_clip(self, clip: ClipPlane | None) -> None:
        """Cut here, and say where."""
        self.show(replace(self.visible, clip=clip))
        where = tr("no clip plane")
        if clip is not None:
            where = clip.text
        self._shown.notify(where)

    def hide(self) -> None:
        """Hide the selected members; the part under the mouse if there are none."""
        rows = self._shown.selection
        if rows:
            self.show(self.visible.with_members(rows, shown=False))
            self._shown.notify(tr("{what} hidden; Insert shows all", what=len(rows)))
        elif self.pointed is not None:
            part = self.pointed.part
            self.show(self.visible.with_parts([part], shown=False))
            self._shown.notify(tr("{what} hidden; Insert shows all", what=part))
        else:
            self._shown.notify(tr("nothing is selected, and no part is under the mouse"))

    def isolate(self) -> None:
        """Show only the selected members; only the part under the mouse if there are none."""
        rows, playback = self._shown.selection, self._shown.playback
        if rows:
            others = set(range(playback.member_count)) - set(rows)
            self.show(replace(self.visible, hidden_members=frozenset(others)))
            self._shown.notify(tr("only {what} shown; Insert shows all", what=len(rows)))
        elif self.pointed is not None:
            part = self.pointed.part
            parts = set(playback.scene.part_names) - {part}
            self.show(replace(self.visible, hidden_parts=frozenset(parts)))
            self._shown.notify(tr("only {what} shown; Insert shows all", what=part))
        else:
            self._shown.notify(tr("nothing is selected, and no part is under the mouse"))

    def show_all(self) -> None:
        """Show all parts and members, and cut nothing."""
        self.show(Visibility())
        self._shown.notify(tr("all is shown"))

    def forget_members(self) -> None:
        """Show all members, as there are others now."""
        self.show(replace(self.visible, hidden_members=frozenset()))

    def hover(self, pixel: tuple[float, float]) -> None:
        """Note what is under the mouse; nothing is where it is beside the picture."""
        self._pixel, self._seen_from = pixel, self._shown.camera
        inside = all(0.0 <= at < end for at, end in zip(pixel, self._shown.size, strict=True))
        self._point(self.at(pixel) if inside else None)

    def leave(self) -> None:
        """Note that the mouse points at nothing: it turns the view, or is over something else."""
        self._point(None)

    def look_again(self) -> None:
        """Note what is under the mouse where it rests and the camera has moved."""
        if self.pointed is not None and self._seen_from is not self._shown.camera:
            self.hover(self._pixel)

    def _point(self, pointed: SurfacePoint | None) -> None:
        if pointed is not None or self.pointed is not None:
            self.pointed, self._shown.changed = pointed, True

    def at(self, pixel: tuple[float, float]) -> SurfacePoint | None:
        """Return what is seen of the scene at a pixel, members aside.

        Nothing where that would make the user wait for the kernels to be compiled.
        """
        shown = self._shown
        if compiles_first():
            return None
        origin, direction = shown.camera.ray(pixel, shown.size)
        return seen_point(shown.playback.scene, self.visible, origin, direction, self._roof())

    def _roof(self) -> float:
        """Return the height [m] above which roofs are left out."""
        shown, member = self._shown, self._shown.camera.under_roof
        if member is None or shown.layers.roofs:
            return np.inf
        if self._cutaway is None or self._cutaway[0] is not shown.playback:
            self._cutaway = shown.playback, Cutaway(shown.playback)
        return self._cutaway[1].height(shown.clock.time, member)

    def toggle_measuring(self) -> None:
        """Begin to measure, or end it."""
        self.measuring = not self.measuring
        self.points, self.measured = (), None
        self.version += 1
        self._shown.notify(
            tr("click two points to measure between" if self.measuring else "measuring is over")
        )

    def click(self, pixel: tuple[float, float]) -> None:
        """Take a point to measure between."""
        found = self.at(pixel)
        if found is None:
            self._shown.notify(tr("there is nothing to measure here"))
            return
        self.points = (*(self.points if len(self.points) < 2 else ()), found.position)
        self.measured, self.version = None, self.version + 1
        if len(self.points) == 2:
            self.measured = Measured.between(self._shown.playback.scene, *self.points)
        self._shown.changed = True

    @property
    def labels(self) -> list[Label]:
        """Texts at what is measured."""
        if self.measured is None:
            return []
        middle = (self.measured.start + self.measured.end) / 2.0
        return [Label(self.measured.lines[0], middle, SELECTED)]

    def line_rows(self, origin: Float) -> NDArray[np.float32]:
        """Return the lines of what is measured, seen from ``origin`` (3,)."""
        rows = [lines.NO_LINES]
        lift = LIFTED - origin
        if self.measured is not None:
            way = self.measured.ground
            if len(way) > 1:
                rows.append(lines.polyline(way + lift, ALONG, 3.0))
            ends = np.stack([self.measured.start, self.measured.end]) + lift
            rows.append(lines.polyline(ends, SELECTED, 2.5))
        for point in self.points:
            arms = CROSS * np.eye(3)
            at = np.tile(point + lift, (3, 1))
            rows.append(lines.segments(at - arms, at + arms, SELECTED, 2.5, (1.0, 1.0)))
        return np.concatenate(rows)
