"""``.gif``: an animation for pages that show no video."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import numpy as np

from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.export.film import Film
from rmp3d.viewer.playback.playback import Playback

COLORS = 255
PALETTE_PICTURES = 6


@EXPORTERS.register(".gif")
@dataclass(frozen=True)
class Animation(Film):
    """A GIF that repeats, all pictures in one palette so that nothing flickers.

    Ten seconds at the usual size take one to four megabytes; for more, use ``.mp4``.
    """

    fps: float = 12.5
    size: tuple[int, int] = (640, 360)

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write a GIF file; see `Exporter.write`."""
        palette = self._palette(playback)
        pictures = self._reduced(playback, palette, progress)
        count = len(self.times(playback))
        hundredths = np.diff(np.round(np.arange(count + 1) * 100.0 / self.fps))
        next(pictures).save(
            file,
            format="GIF",
            save_all=True,
            append_images=pictures,
            duration=(10.0 * hundredths).tolist(),  # Pillow takes milliseconds
            loop=0,
            optimize=False,
        )

    def _reduced(
        self, playback: Playback, palette: Any, progress: Progress | None
    ) -> Iterator[Any]:
        """Yield the pictures in the colors of a palette."""
        from PIL import Image

        for picture in self.pictures(playback, progress):
            yield Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)

    def _palette(self, playback: Playback) -> Any:
        """Return a Pillow image whose palette suits pictures from all of the film."""
        from PIL import Image

        times = self.times(playback)
        span = float(times[-1] - times[0])
        few = replace(self, fps=1.0, speed=max(span / (PALETTE_PICTURES - 1), 0.01))
        pictures = list(few.pictures(playback, None))
        sheet = Image.fromarray(np.concatenate(pictures))
        return sheet.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
