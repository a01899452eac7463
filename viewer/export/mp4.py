"""``.mp4``: a video that plays everywhere."""

import shutil
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.export.film import Film
from rmp3d.viewer.playback.playback import Playback

CODEC = "libx264"
QUALITY = {"crf": "20", "preset": "medium"}
BT709 = 1  # ITU-T H.273: primaries, transfer and matrix of high-definition video


@EXPORTERS.register(".mp4")
@dataclass(frozen=True)
class Video(Film):
    """H.264 in yuv420p, with its index in front: plays in browsers, slides and on telephones.

    The width and height must be even.

    Raises:
        InputError: PyAV is not installed, or see `Film`.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size[0] % 2 or self.size[1] % 2:
            raise InputError(
                f"`size` of an .mp4 must be even, got {self.size[0]}x{self.size[1]}; "
                "its colors are stored for 2x2 pixels"
            )
        if CODEC not in _av().codecs_available:
            raise InputError("the installed PyAV cannot write H.264 (no libx264); use .gif")

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write an MP4 file; see `Exporter.write`."""
        with TemporaryDirectory() as folder:  # the index can be put in front of a named file only
            path = Path(folder) / "film.mp4"
            self._encode(playback, path, progress)
            with path.open("rb") as video:
                shutil.copyfileobj(video, file)

    def _encode(self, playback: Playback, path: Path, progress: Progress | None) -> None:
        av = _av()
        with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
            rate = Fraction(self.fps).limit_denominator(1001)
            stream = container.add_stream(CODEC, rate=rate, options=QUALITY)
            stream.width, stream.height = self.size
            stream.pix_fmt = "yuv420p"
            context = stream.codec_context
            context.color_primaries = context.color_trc = context.colorspace = BT709
            context.color_range = av.video.reformatter.ColorRange.MPEG
            for picture in self.pictures(playback, progress):
                frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
                frame = frame.reformat(
                    format="yuv420p",
                    src_color_range="JPEG",
                    dst_color_range="MPEG",
                    dst_colorspace="ITU709",
                )
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))


def _av() -> Any:
    try:
        import av
    except ImportError:
        raise InputError(
            "an .mp4 needs PyAV, which is not installed; `pip install 'rmp3d[video]'`, or use .gif"
        ) from None
    return av
