"""Whether a file of some format is whole."""

import json
from collections.abc import Callable
from pathlib import Path


def is_whole(path: Path) -> bool:
    """Return whether the file can be read to its end, as its suffix says."""
    try:
        return _READERS[path.suffix](path)
    except Exception:
        return False


def _recording(path: Path) -> bool:
    from rmp3d.recording import RecordingReader

    with RecordingReader.open(path) as recording:
        values = recording.position(), recording.orientation_wxyz(), recording.subgoal()
        return len({len(each) for each in values}) == 1 and recording.events() is not None


def _roadmap(path: Path) -> bool:
    import hashlib

    first, _, body = path.read_bytes().partition(b"\n")
    return hashlib.sha256(body).hexdigest() == first.split()[-1].decode()


def _xml(path: Path) -> bool:
    from lxml import etree

    return etree.parse(path) is not None


def _picture(path: Path) -> bool:
    from PIL import Image

    with Image.open(path) as picture:
        picture.load()
        for row in range(getattr(picture, "n_frames", 1)):
            picture.seek(row)
            picture.load()
    return True


def _page(path: Path) -> bool:
    return path.read_text(encoding="utf-8").rstrip().endswith("</html>")


def _table(path: Path) -> bool:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    return len(lines) > 1 and len({line.count(",") for line in lines}) == 1


def _toml(path: Path) -> bool:
    import tomllib

    return len(tomllib.loads(path.read_text(encoding="utf-8"))) > 1


def _archive(path: Path) -> bool:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        return archive.testzip() is None and len(archive.namelist()) > 0


def _glb(path: Path) -> bool:
    data = path.read_bytes()
    json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    return int.from_bytes(data[8:12], "little") == len(data)


def _stage(path: Path) -> bool:
    from pxr import Usd

    return bool(Usd.Stage.Open(str(path)).GetEndTimeCode() > 0.0)


def _result(path: Path) -> bool:
    return bool(json.loads(path.read_text(encoding="utf-8")))


def _arrays(path: Path) -> bool:
    import numpy as np

    with np.load(path) as arrays:
        return all(arrays[name] is not None for name in arrays.files)


def _parquet(path: Path) -> bool:
    from pyarrow import parquet

    return parquet.read_table(path).num_rows > 0


def _video(path: Path) -> bool:
    import av

    with av.open(str(path)) as container:
        return sum(1 for _ in container.decode(video=0)) > 0


_READERS: dict[str, Callable[[Path], bool]] = {
    ".rmp3d": _recording,
    ".roadmap": _roadmap,
    ".graphml": _xml,
    ".svg": _xml,
    ".png": _picture,
    ".gif": _picture,
    ".html": _page,
    ".csv": _table,
    ".glb": _glb,
    ".toml": _toml,
    ".usda": _stage,
    ".usdz": _archive,
    ".json": _result,
    ".npz": _arrays,
    ".parquet": _parquet,
    ".mp4": _video,
}
