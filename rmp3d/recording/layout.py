"""Names and types inside a recording file, and how exact it is.

====================  =========================================================================
``/`` attributes      ``format``, ``format_version``, ``package_version``, ``seed``, ``dt`` [s],
                      ``scene_hash``
``/scenario``         the resolved scenario, JSON text (bytes)
``/characters``       rows (name, sha256); kinds in the order the scenario first names them
``/members``          rows (group, character), one per member
``/formations``       names
``/behaviors``        names of steering behaviors whose forces are recorded; may have none
``/groups/<g>/path``  (K, 3) planned path [m]; ``/groups/<g>/plan/...`` named arrays;
                      ``/groups/<g>/series/...`` named arrays (S, ...), one row for each of
                      ``series/time`` (S,) [s]; ``/groups/<g>/figures`` JSON text (bytes)
``/frames/...``       ``position`` (T, N, 3) [m], ``orientation_wxyz`` (T, N, 4), ``subgoal``
                      (T, N, 3) [m], ``formation`` (T, G); where there are ``/behaviors``,
                      ``force`` (T, B, N, 3) [N]; frame k is at time ``k dt``
``/events``           rows (time [s], kind, group, member, text); -1 where none is meant
``/status``           ``state`` (1,) and ``reason`` (1,): how the run ended
====================  =========================================================================

Nothing in the file depends on the clock, so equal runs give equal bytes. It is written in
HDF5's single-writer-multiple-reader mode: at every moment the file on disk is a whole one that
ends at the last flushed frames.
"""

import numpy as np

FORMAT = "rmp3d recording"
VERSION = 1
LIBRARY_VERSIONS = ("v110", "v110")
"""HDF5 1.10 is the first with the single-writer mode, and every newer one reads its files."""

POSITION_STEP = 2.0**-20
"""Recorded positions are multiples of this [m], about a micrometer: the rest is noise that does
not compress."""
ORIENTATION_STEP = 2.0**-16
"""Components of recorded quaternions are multiples of this: 3e-5 rad."""
FORCE_STEP = 2.0**-6
"""Recorded forces are multiples of this [N]."""
SUBGOAL_STEP = 2.0**-10
"""Recorded subgoals are multiples of this [m], about a millimeter."""
BLOCK_FRAMES = 30
"""Frames between two writes to the file: what a killed run can lose."""

CHARACTER = np.dtype([("name", "S256"), ("sha256", "S64")])
MEMBER = np.dtype([("group", "<i4"), ("character", "<i4")])
EVENT = np.dtype(
    [("time", "<f8"), ("kind", "S24"), ("group", "<i4"), ("member", "<i4"), ("text", "S200")]
)
REASON = np.dtype("S400")
STATES = ("running", "finished", "stopped")

FRAME_ARRAYS = {
    "position": (3, "<f8", POSITION_STEP),
    "orientation_wxyz": (4, "<f4", ORIENTATION_STEP),
    "subgoal": (3, "<f4", SUBGOAL_STEP),
}
"""Of each array (T, N, axes): axes, type, and the step that values are rounded to."""


def fixed(text: str, size: int) -> bytes:
    """Return UTF-8 bytes of at most ``size``, cut between characters."""
    return text.encode()[:size].decode(errors="ignore").encode()
