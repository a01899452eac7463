"""Check a ZIP archive before it is unpacked."""

import zipfile
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, size_text
from rmp3d.scenes.formats.mesh_format import MAX_BYTES

MAX_ENTRIES = 10_000
MAX_RATIO = 24
"""How many times its own size an archive may unpack to."""
SMALL = 16 * 2**20
"""An archive may unpack to this size in any case."""


def check_archive(path: Path) -> None:
    """Check how many entries an archive has, and what they unpack to.

    Reading an entry never gives more than the size that the archive states for it.

    Raises:
        InputError: Too many, too large, or much larger than the archive itself.
        zipfile.BadZipFile: It is no archive, or damaged.
    """
    with open_input(path, MAX_BYTES) as file, zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise InputError(f"an archive of {len(entries):,} files; at most {MAX_ENTRIES:,} are read")
    size, own = sum(entry.file_size for entry in entries), path.stat().st_size
    limit = min(max(SMALL, MAX_RATIO * own), MAX_BYTES)
    if size > limit:
        raise InputError(
            f"its {size_text(own)} unpack to {size_text(size)}; at most {size_text(limit)} are read"
        )
    if any(entry.flag_bits & 1 for entry in entries):
        raise InputError("it is encrypted")
