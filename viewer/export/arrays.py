"""``.npz``: the playback's arrays, for NumPy."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from rmp3d.viewer.export.exporter import EXPORTERS, Progress
from rmp3d.viewer.playback.playback import Playback


@EXPORTERS.register(".npz")
@dataclass(frozen=True)
class Arrays:
    """All arrays of the playback by their names; read with ``numpy.load``, without pickle.

    Besides the playback's own: ``time`` (T,) [s]; ``character`` and ``group_names``, which
    ``character_of`` and ``group_of`` count in; ``event_time`` to ``event_text``; ``path`` (K, 3)
    with ``path_group`` (K,), all groups' paths one after the other. The same playback gives the
    same bytes.
    """

    def write(self, playback: Playback, file: BinaryIO, progress: Progress | None) -> None:
        """Write a compressed archive; see `Exporter.write`."""
        events, paths = playback.events, playback.paths
        arrays = {
            "time": np.arange(playback.frame_count) * playback.dt,
            "position": playback.position,
            "orientation_wxyz": playback.orientation_wxyz,
            "character": _text(kind.name for kind in playback.characters),
            "character_of": playback.character_of,
            "group_names": _text(playback.group_names),
            "group_of": playback.group_of,
            "formation": _text(playback.formation),
            "formation_of": playback.formation_of,
            "event_time": np.array([event.time for event in events], float),
            "event_kind": _text(event.kind for event in events),
            "event_group": np.array([event.group for event in events], np.intp),
            "event_member": np.array([event.member for event in events], np.intp),
            "event_text": _text(event.text for event in events),
            "path": np.concatenate([np.empty((0, 3)), *paths]),
            "path_group": np.repeat(np.arange(len(paths)), [len(path) for path in paths]),
            "scene": np.array(playback.scene.name),
            "title": np.array(playback.title),
        }
        if playback.life is not None:
            arrays["life"] = playback.life
        if playback.subgoal is not None:
            arrays["subgoal"] = playback.subgoal
        np.savez_compressed(file, allow_pickle=False, **arrays)
        if progress:
            progress(1, 1)


def _text(words: Iterable[str]) -> np.ndarray:
    return np.array(list(words), np.str_)
