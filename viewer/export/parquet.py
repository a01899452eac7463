"""``.parquet``: the long table with types, for data frames and databases."""

import json
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.playback.playback import Playback

ROWS_PER_BLOCK = 200_000
UNITS = {"time": "s", "position": "m", "orientation": "unit quaternion, scalar first"}
FRAME = "world, right-handed, z up"


@EXPORTERS.register(".parquet")
@dataclass(frozen=True)
class ColumnTable:
    """A row per frame and member, in order of frame, then member; typed columns, compressed.

    ``frame`` and ``member`` int32; ``time`` [s]; ``x y z`` [m] and ``qw qx qy qz`` of the body's
    orientation; ``sx sy sz`` [m], the point that the member wanted (null if not recorded);
    ``group``, ``character`` and ``formation`` as dictionaries (null for no formation). The
    schema's metadata has, as JSON: ``units``, ``frame``, ``scene``, ``title``, ``dt``, ``events``
    and ``paths``.

    Raises:
        InputError: pyarrow is not installed.
    """

    def __post_init__(self) -> None:
        _arrow()

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write a Parquet file; see `Exporter.write`."""
        arrow = _arrow()
        schema = arrow.schema(_fields(arrow), metadata=_metadata(playback))
        per_block = max(ROWS_PER_BLOCK // max(playback.member_count, 1), 1)
        frames = playback.frame_count
        with arrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            for start in range(0, frames, per_block):
                stop = min(start + per_block, frames)
                columns = _columns(arrow, playback, slice(start, stop))
                table = arrow.Table.from_arrays(columns, schema=schema)
                if playback.life is not None:
                    there = [playback.there(frame) for frame in range(start, stop)]
                    table = table.filter(arrow.array(np.concatenate(there)))
                writer.write_table(table)
                if progress:
                    progress(stop, frames)


def _fields(arrow: Any) -> list[tuple[str, Any]]:
    word = arrow.dictionary(arrow.int32(), arrow.string())
    numbers = [("frame", arrow.int32()), ("time", arrow.float64()), ("member", arrow.int32())]
    words = [("group", word), ("character", word)]
    place = [(name, arrow.float64()) for name in ("x", "y", "z", "qw", "qx", "qy", "qz")]
    wanted = [(name, arrow.float64()) for name in ("sx", "sy", "sz")]
    return [*numbers, *words, *place, *wanted, ("formation", word)]


def _columns(arrow: Any, playback: Playback, rows: slice) -> list[Any]:
    """Return the columns of some frames, in the order of `_fields`."""
    frame = np.arange(rows.start, rows.stop)
    count, members = len(frame), playback.member_count
    kinds = [character.name for character in playback.characters]
    formation = playback.formation_of[rows][:, playback.group_of].reshape(-1)
    poses = [playback.position[rows], playback.orientation_wxyz[rows]]
    place = np.concatenate(poses, axis=2).reshape(-1, 7)
    if playback.subgoal is None:
        wanted = [arrow.nulls(count * members, arrow.float64())] * 3
    else:
        wanted = [arrow.array(column) for column in playback.subgoal[rows].reshape(-1, 3).T]
    return [
        arrow.array(frame.repeat(members), arrow.int32()),
        arrow.array((frame * playback.dt).repeat(members)),
        arrow.array(np.tile(np.arange(members), count), arrow.int32()),
        _words(arrow, np.tile(playback.group_of, count), playback.group_names),
        _words(arrow, np.tile(playback.character_of, count), kinds),
        *(arrow.array(column) for column in place.T),
        *wanted,
        _words(arrow, formation, playback.formation),
    ]


def _words(arrow: Any, rows: np.ndarray, names: Any) -> Any:
    """Return a dictionary column of row numbers in names; -1 is null."""
    indices = arrow.array(rows.astype(np.int32), mask=rows < 0)
    return arrow.DictionaryArray.from_arrays(indices, arrow.array(list(names), arrow.string()))


def _metadata(playback: Playback) -> dict[str, str]:
    events = [
        {
            "time": event.time,
            "kind": event.kind,
            "group": playback.group_names[event.group],
            "member": event.member if event.member >= 0 else None,
            "text": event.text,
        }
        for event in playback.events
    ]
    paths = dict(zip(playback.group_names, (p.tolist() for p in playback.paths), strict=False))
    facts = {
        "units": UNITS,
        "frame": FRAME,
        "scene": playback.scene.name,
        "title": playback.title,
        "dt": playback.dt,
        "events": events,
        "paths": paths,
    }
    return {name: json.dumps(value, ensure_ascii=False) for name, value in facts.items()}


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            "a .parquet file needs pyarrow, which is not installed; "
            "`pip install 'rmp3d[parquet]'`, or use .npz or .csv"
        ) from None
    return pyarrow
