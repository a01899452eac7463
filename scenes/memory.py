"""Whether a large scene can be read and planned on this machine, before that takes the memory."""

from contextlib import suppress
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, shown_path
from rmp3d.scenes.formats.mesh_format import MAX_BYTES

LARGE = 32 * 2**20
"""Bytes of a file from which on its memory is looked at."""
NEEDED = {".ply": 18, ".glb": 18, ".stl": 12, ".obj": 9, ".off": 12}
"""Bytes of memory that reading takes for each byte of a file (`benchmarks/large.md`)."""
MANY_TRIANGLES = 2_000_000
"""From here on the cost of planning is said, and its memory is looked at."""
PLANNING_SECONDS, PLANNING_BYTES = 6e-6, 600
"""What a triangle costs to plan once it is read (`benchmarks/large.md`)."""
MEMORY = Path("/proc/meminfo")


def check_memory(path: Path) -> None:
    """Refuse a file that would take more memory than there is.

    What a file with pictures in it takes is not known; it is read.

    Raises:
        InputError: Says what it would take, and what there is.
    """
    factor = NEEDED.get(path.suffix.lower())
    if factor is None:
        return
    with open_input(path, MAX_BYTES) as file:
        size = file.seek(0, 2)
        if size < LARGE:
            return
        file.seek(0)
        if path.suffix.lower() == ".glb" and b'"images"' in file.read(2**20):
            return
    needed, free = factor * size, free_bytes()
    if free is not None and needed > free:
        raise InputError(
            f"{shown_path(path)}: reading it takes about {needed / 2**30:.1f} GiB of memory, but "
            f"{free / 2**30:.1f} GiB are free; make the mesh coarser, or end other programs"
        )


def planning_note(triangles: int) -> str | None:
    """Return what planning costs in a scene of so many triangles; None if that is little."""
    if triangles <= MANY_TRIANGLES:
        return None
    seconds, size = PLANNING_SECONDS * triangles, PLANNING_BYTES * triangles / 2**30
    return f"{triangles:,} triangles: planning takes about {seconds:.0f} s, {size:.0f} GiB"


def check_planning_memory(triangles: int) -> None:
    """Refuse to plan in a scene of so many triangles if there is not enough memory.

    Raises:
        InputError: Says what it would take, and what there is.
    """
    needed, free = PLANNING_BYTES * triangles, free_bytes()
    if triangles > MANY_TRIANGLES and free is not None and needed > free:
        raise InputError(
            f"planning on {triangles:,} triangles takes about {needed / 2**30:.1f} GiB of memory, "
            f"but {free / 2**30:.1f} GiB are free; make the mesh coarser, or end other programs"
        )


def free_bytes() -> int | None:
    """Return how much memory a program can still get; None where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        for line in MEMORY.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    return None
