"""``.png``: one picture that tells the run, key moments side by side under an overview."""

from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.presets import around_members, iso
from rmp3d.viewer.cameras.sight import ClearView
from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.export.moments import Moment, key_moments
from rmp3d.viewer.layers import Layers
from rmp3d.viewer.overlay.labels import clock_text
from rmp3d.viewer.overlay.text import load_font
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import scene_bounds
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.rendering.offscreen import Offscreen

PAPER, INK, DIM = (250, 250, 248), (30, 34, 38), (110, 116, 122)
PANEL_WIDTHS = (80, 2400)
MAX_EVENTS = 9  # listed beside the overview


@EXPORTERS.register(".png")
@dataclass(frozen=True)
class ContactSheet:
    """An overview of the scene, and below it six to nine key moments seen from nearby.

    Attributes:
        panel_width: Width [pixels] of each moment's picture; three make the sheet's width.

    Raises:
        InputError: The width is out of range.
    """

    panel_width: int = 640

    def __post_init__(self) -> None:
        low, high = PANEL_WIDTHS
        if not low <= self.panel_width <= high:
            raise InputError(
                f"`panel_width` must be from {low} to {high} pixels, got {self.panel_width}"
            )

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write a PNG picture; see `Exporter.write`."""
        self.picture(playback, progress).save(file, format="PNG")

    def picture(self, playback: Playback, progress: Progress | None = None) -> Any:
        """Return the sheet as a Pillow image."""
        moments = key_moments(playback)
        sheet = _Sheet(self.panel_width, len(moments))
        total = len(moments) + 1
        with Offscreen(playback, sheet.overview_size) as offscreen:
            camera = iso(scene_bounds(playback), sheet.overview_aspect)
            pixels = offscreen.picture(playback.duration, camera, layers=Layers(trails=True))
        sheet.place_overview(pixels, playback, moments, camera)
        if progress:
            progress(1, total)
        clear = ClearView(playback)
        with Offscreen(playback, sheet.panel_size) as offscreen:
            for row, moment in enumerate(moments):
                view = _panel_camera(playback, moment.time, sheet.panel_aspect, clear)
                layers = Layers(trails=True)
                sheet.place_panel(row, offscreen.picture(moment.time, view, layers=layers))
                sheet.caption(row, _caption(playback, moment))
                if progress:
                    progress(row + 2, total)
        sheet.describe(playback)
        return sheet.image


class _Sheet:
    """Where things are on the sheet, and a Pillow image to put them on."""

    COLUMNS = 3

    def __init__(self, panel_width: int, panels: int) -> None:
        from PIL import Image, ImageDraw

        self.gap = max(panel_width // 40, 2)
        self.panel_size = (panel_width, panel_width * 9 // 16)
        self.line = max(panel_width // 26, 9)
        width = self.COLUMNS * panel_width + (self.COLUMNS + 1) * self.gap
        self.overview_size = (2 * panel_width + self.gap, panel_width * 3 // 4)
        self._first_row = self.overview_size[1] + 2 * self.gap
        self._row_height = self.panel_size[1] + 2 * self.line + self.gap
        rows = -(-panels // self.COLUMNS)
        height = self._first_row + rows * self._row_height
        self.image = Image.new("RGB", (width, height), PAPER)
        self._draw = ImageDraw.Draw(self.image)
        self._font = load_font(round(self.line * 0.8))

    @property
    def panel_aspect(self) -> float:
        """Width over height of a moment's picture."""
        return self.panel_size[0] / self.panel_size[1]

    @property
    def overview_aspect(self) -> float:
        """Width over height of the overview."""
        return self.overview_size[0] / self.overview_size[1]

    def place_overview(
        self,
        pixels: NDArray[np.uint8],
        playback: Playback,
        moments: tuple[Moment, ...],
        camera: Camera,
    ) -> None:
        """Put the overview at the top left, numbered where the members are at each moment."""
        from PIL import Image

        self.image.paste(Image.fromarray(pixels), (self.gap, self.gap))
        if playback.member_count == 0:
            return
        width, height = self.overview_size
        centers = np.array([playback.pose(m.time).position.mean(axis=0) for m in moments])
        at, _ = camera.project(centers, self.overview_size)
        at = self.gap + np.clip(np.column_stack([at[:, 0], height - at[:, 1]]), 0, [width, height])
        places = _apart(at, 1.7 * self.line)
        for spot, place in zip(at, places, strict=True):
            self._draw.line((*spot, *place), fill=INK, width=max(self.line // 10, 1))
        for number, place in enumerate(places, start=1):
            self._badge(number, (float(place[0]), float(place[1])))

    def place_panel(self, row: int, pixels: NDArray[np.uint8]) -> None:
        """Put the picture of one moment in its place."""
        from PIL import Image

        self.image.paste(Image.fromarray(pixels), self._corner(row))

    def caption(self, row: int, text: str) -> None:
        """Write below a moment's picture."""
        x, y = self._corner(row)
        y += self.panel_size[1] + self.line
        self._badge(row + 1, (x + 0.8 * self.line, y))
        self._draw.text((x + 2.0 * self.line, y), text, fill=INK, font=self._font, anchor="lm")

    def describe(self, playback: Playback) -> None:
        """Write title, groups and events to the right of the overview."""
        x = self.overview_size[0] + 2 * self.gap
        y = float(self.gap)
        width = self.panel_size[0]
        title = load_font(round(self.line * 1.3))
        self._draw.text((x, y), self._cut(playback.title, width, title), fill=INK, font=title)
        y += 2.0 * self.line
        facts = f"scene {playback.scene.name} · {clock_text(playback.duration)} · "
        count = playback.member_count
        facts += f"{count} member" if count == 1 else f"{count} members"
        self._draw.text((x, y), self._cut(facts, width), fill=DIM, font=self._font)
        y += 1.8 * self.line
        for group, name in enumerate(playback.group_names[:6]):
            color = tuple(round(255 * value) for value in group_color(group))
            self._draw.rectangle(
                (x, y + 2, x + 0.8 * self.line, y + 0.8 * self.line + 2), fill=color
            )
            members = playback.members(group)
            kinds = {playback.characters[k].name for k in playback.character_of[members]}
            text = f"{name} · {len(members)} \N{MULTIPLICATION SIGN} {', '.join(sorted(kinds))}"
            at = (x + 1.3 * self.line, y)
            self._draw.text(at, self._cut(text, width - 1.3 * self.line), fill=INK, font=self._font)
            y += 1.4 * self.line
        y += 0.6 * self.line
        events = [event for event in playback.events if event.kind != "arrived"]
        for event in events[:MAX_EVENTS]:
            if y > self.overview_size[1] - self.line:
                break
            text = f"{clock_text(event.time)}  {event.text or event.kind}"
            self._draw.text((x, y), self._cut(text, width), fill=DIM, font=self._font)
            y += 1.4 * self.line

    def _corner(self, row: int) -> tuple[int, int]:
        across, down = row % self.COLUMNS, row // self.COLUMNS
        x = self.gap + across * (self.panel_size[0] + self.gap)
        return x, self._first_row + down * self._row_height

    def _badge(self, number: int, center: tuple[float, float]) -> None:
        x, y = center
        reach = 0.72 * self.line
        box = (x - reach, y - reach, x + reach, y + reach)
        self._draw.ellipse(box, fill=INK, outline=(255, 255, 255), width=max(self.line // 12, 1))
        font = load_font(round(self.line * 0.75))
        self._draw.text((x, y), str(number), fill=(255, 255, 255), font=font, anchor="mm")

    def _cut(self, text: str, width: float, font: Any = None) -> str:
        font = font or self._font
        if font.getlength(text) <= width:
            return text
        while text and font.getlength(text + "…") > width:
            text = text[:-1]
        return text.rstrip() + "…"


def _apart(points: Float, gap: float) -> Float:
    """Return points (M, 2) moved, each as little as possible, so that none is nearer than gap."""
    turn = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False) + np.pi / 2
    circle = np.stack([np.cos(turn), -np.sin(turn)], axis=-1)  # upwards first
    placed = np.empty((0, 2))
    for point in points:
        rings = [point + reach * gap * circle for reach in np.arange(0.0, len(points) + 1.0, 0.25)]
        tries = np.concatenate(rings)
        far = np.linalg.norm(tries[:, None] - placed[None], axis=2) >= gap  # (tries, placed)
        placed = np.vstack([placed, tries[np.argmax(far.all(axis=1))]])
    return placed


def _panel_camera(playback: Playback, time: float, aspect: float, clear: ClearView) -> Camera:
    """Return a camera on the members, not nearer than lets a single one be seen in its place."""
    camera = around_members(playback, time, aspect, clear)
    least = 14.0 * float(playback.radius.max()) if playback.member_count else 0.0
    return replace(camera, distance=max(camera.distance, least))


def _caption(playback: Playback, moment: Moment) -> str:
    """Return time, formations (of a change: from which to which), and why the moment is shown."""
    words = [clock_text(moment.time)]
    for group in range(min(len(playback.group_names), 3)):
        now = playback.formation_at(moment.time, group)
        if moment.reason == "change":
            before = playback.formation_at(moment.time - playback.dt, group)
            after = playback.formation_at(moment.time + playback.dt, group)
            now = f"{before} → {after}" if before != after else now
        words += [now] if now else []
    words += {"before": ["before the change"], "after": ["after the change"]}.get(
        moment.reason, [moment.reason] if moment.reason in ("start", "end") else []
    )
    return " · ".join(words)
