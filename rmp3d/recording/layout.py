"""Names, types and precision of the data in a recording file.

====================  =========================================================================
``/`` attributes      ``format``, ``format_version``, ``package_version``, ``seed``, ``dt`` [s],
                      ``scene_hash``
``/scenario``         the resolved scenario, JSON text (bytes)
``/characters``       rows (name, sha256); kinds in the order the scenario first names them
``/members``          rows (group, character), one per member
``/formations``       names
``/moving``           names of the parts of the scene that move; only where there are any
``/behaviors``        names of steering behaviors whose forces are recorded; may have none
``/groups/<g>/path``  (K, 3) planned path [m]; ``/groups/<g>/plan/...`` named arrays;
                      ``/groups/<g>/series/...`` named arrays (S, ...), one row for each of
                      ``series/time`` (S,) [s]; ``/groups/<g>/figures`` JSON text (bytes)
``/frames/...``       codes (see `rmp3d.recording.coding`) of ``position`` and ``subgoal``
                      (3, N, T) [m], ``orientation_xyz`` (3, N, T), ``orientation_w`` (1, N, T);
                      ``formation`` (T, G); where there are ``/behaviors``, ``force``
                      (T, B, N, 3) [N]; where there is ``/moving``, ``clock`` (T, K) [s]; frame k
                      is at time ``k dt``
``/embedded/...``     ``meshes``: of meshes that are in no file ``names``, JSON text (bytes),
                      ``counts`` (M, 2) of vertices and faces, ``vertices``, ``faces``, ``colors``;
                      ``characters/<i>``: name, vertices, faces, colors, and ``character``, JSON
                      text (bytes)
``/events``           rows (time [s], kind, group, member, text); -1 where none is meant
``/presence``         rows (frame, member, there): from this frame on, the member is there (1) or
                      not (0); without a row before, it is there
``/status``           ``state`` (1,) and ``reason`` (1,): how the run ended
====================  =========================================================================

Nothing in the file depends on the clock, so equal runs give equal bytes. The file is written in
HDF5's single-writer-multiple-reader mode: at every moment it is complete on the disk, and ends
with the frames of the last flush.
"""

from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

import h5py
import numpy as np
from numpy.typing import ArrayLike

FORMAT = "rmp3d recording"
VERSION = 4
READABLE = (2, 3, 4)
"""Versions that are read: in format 2 every member is there in every frame; up to format 3 each
embedded mesh has arrays of its own."""
LIBRARY_VERSIONS = ("v110", "v110")
"""HDF5 1.10 is the first version with the single-writer mode; newer versions read its files."""

POSITION_STEP = 2.0**-20
"""Recorded positions are multiples of this [m], about a micrometer: smaller digits are noise, which
does not compress."""
ORIENTATION_STEP = 2.0**-16
"""Components of recorded quaternions are multiples of this: 3e-5 rad."""
FORCE_STEP = 2.0**-6
"""Recorded forces are multiples of this [N]."""
SUBGOAL_STEP = 2.0**-10
"""Recorded subgoals are multiples of this [m], about a millimeter."""
CHECKED: Mapping[str, Any] = {"fletcher32": True}
"""How arrays are stored that are written anew in their place: with a checksum in every chunk."""
COMPRESSED: Mapping[str, Any] = {
    "compression": "gzip", "compression_opts": 4, "shuffle": True, **CHECKED,
}  # fmt: skip
"""How all other arrays are stored. A wrong bit anywhere is found: HDF5 has checksums in its own
structures, too."""
LARGEST_CHUNK = 2**20
"""Bytes of a chunk of an array that is written at once."""
BLOCK_FRAMES = 30
"""Frames between two writes to the file; a killed run loses at most so many."""

CHARACTER = np.dtype([("name", "S256"), ("sha256", "S64")])
MEMBER = np.dtype([("group", "<i4"), ("character", "<i4")])
EVENT = np.dtype(
    [("time", "<f8"), ("kind", "S24"), ("group", "<i4"), ("member", "<i4"), ("text", "S200")]
)
PRESENCE = np.dtype([("frame", "<i8"), ("member", "<i4"), ("there", "<i4")])
REASON = np.dtype("S400")
STATES = ("running", "finished", "stopped")


class Coded(NamedTuple):
    """An encoded array (axes, N, T): the step of its values and the order of its differences."""

    axes: int
    step: float
    order: int


CODED = {
    "position": Coded(3, POSITION_STEP, 3),
    "orientation_xyz": Coded(3, ORIENTATION_STEP, 3),
    "orientation_w": Coded(1, ORIENTATION_STEP, 0),
    "subgoal": Coded(3, SUBGOAL_STEP, 3),
}
"""``orientation_w`` is the difference between w and `rounded_scalar`."""


def fixed(text: str, size: int) -> bytes:
    """Return UTF-8 bytes of at most ``size``, cut between characters."""
    return text.encode()[:size].decode(errors="ignore").encode()


def write_array(group: h5py.Group, name: str, values: ArrayLike, **stored: Any) -> h5py.Dataset:
    """Write a whole array, compressed unless ``stored`` says otherwise, with checksums."""
    data = np.asarray(values)
    if not data.size:
        return group.create_dataset(name, data=data)
    rows = max(1, LARGEST_CHUNK // (data.itemsize * prod(data.shape[1:])))
    chunks = min(rows, len(data)), *data.shape[1:]
    return group.create_dataset(name, data=data, chunks=chunks, **(stored or COMPRESSED))
