"""What ``.mp4`` and ``.gif`` share: which moments, from where, how large."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.viewer.export.camera_path import camera_path
from rmp3d.viewer.export.exporter import Progress
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.rendering.offscreen import Offscreen

FASTEST_FPS = 120.0
SMALLEST, LARGEST = 16, 4096


@dataclass(frozen=True)
class Film:
    """Pictures of a playback at even times.

    Attributes:
        camera: Name of a camera, see `rmp3d.viewer.export.camera_path`.
        fps: Pictures per second of film.
        size: Width and height [pixels].
        speed: Seconds of the playback per second of film.
        start: First moment [s].
        end: Last moment [s]; None is the playback's end.
        clock: Whether the time is written into the pictures.

    Raises:
        InputError: A value is out of range.
    """

    camera: str = "iso"
    fps: float = 30.0
    size: tuple[int, int] = (1280, 720)
    speed: float = 1.0
    start: float = 0.0
    end: float | None = None
    clock: bool = False

    def __post_init__(self) -> None:
        if not 0.1 <= self.fps <= FASTEST_FPS:
            raise InputError(f"`fps` must be from 0.1 to {FASTEST_FPS:g}, got {self.fps:g}")
        if not 0.01 <= self.speed <= 1000.0:
            raise InputError(f"`speed` must be from 0.01 to 1000, got {self.speed:g}")
        if not SMALLEST <= min(self.size) <= max(self.size) <= LARGEST:
            width, height = self.size
            raise InputError(
                f"`size` must be from {SMALLEST} to {LARGEST} pixels a side, got {width}x{height}"
            )
        if not 0.0 <= self.start < np.inf:
            raise InputError(f"`start` must not be negative, got {self.start:g}")
        if self.end is not None and not self.start <= self.end < np.inf:
            raise InputError(f"`end` must not be before `start` ({self.start:g}), got {self.end:g}")

    def times(self, playback: Playback) -> Float:
        """Return the moments (M,) [s] that are shown, at least one.

        Raises:
            InputError: The film starts after the playback's end.
        """
        if self.start > playback.duration:
            raise InputError(
                f"`start` is {self.start:g} s, after the end at {playback.duration:.2f} s"
            )
        end = playback.duration if self.end is None else min(self.end, playback.duration)
        step = self.speed / self.fps
        count = int((end - self.start) / step + 1e-9) + 1
        return np.asarray(self.start + step * np.arange(count), np.float64)

    def pictures(
        self, playback: Playback, progress: Progress | None
    ) -> Iterator[NDArray[np.uint8]]:
        """Yield the pictures (H, W, 3), top row first.

        Raises:
            InputError: See `times`; or no such camera.
            ViewerError: There is no OpenGL 3.3 here.
        """
        times = self.times(playback)
        cameras = camera_path(self.camera, playback, times, self.size[0] / self.size[1])
        with Offscreen(playback, self.size) as offscreen:
            for row, (time, camera) in enumerate(zip(times, cameras, strict=True)):
                yield offscreen.picture(float(time), camera, clock=self.clock)
                if progress:
                    progress(row + 1, len(times))
