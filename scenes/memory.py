"""What a large scene costs, and whether this machine has the memory, before it is taken."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, shown_path
from rmp3d.scenes.formats.mesh_format import MAX_BYTES

LARGE = 32 * 2**20
"""Bytes of a file from which on its memory is looked at."""
NEEDED = {".ply": 18, ".glb": 18, ".stl": 12, ".obj": 9, ".off": 12}
"""Bytes of memory that reading takes for each byte of a file (`benchmarks/large.md`)."""
SAID_FROM = 96 * 2**20
"""Bytes of a file from which on it is said what reading costs: some 2 million triangles
as text, 5 million as binary."""
SECONDS = {".ply": 6e-8, ".glb": 6e-8, ".stl": 5e-8, ".obj": 4e-8, ".off": 4e-8}
"""Seconds of a processor that reading takes for each byte of a file (`benchmarks/large.md`)."""
MANY_TRIANGLES = 2_000_000
"""From here on the cost of a step is said, and the memory of planning is looked at."""
PLANNING_BYTES = 600
COSTS = {
    "planning": (5e-6, PLANNING_BYTES),
    "looking for storeys, rooms and doors": (4e-6, 800),
    "drawing": (4e-6, 700),
}
"""Steps, with the seconds and bytes that a triangle costs once it is read
(`benchmarks/large.md`)."""
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


def reading_note(paths: Iterable[Path]) -> str | None:
    """Return what reading these mesh files costs; None if that is little, or not known."""
    sizes = {}
    for path in paths:
        with suppress(OSError):  # reading it will say what is wrong
            size = path.stat().st_size
            if size >= SAID_FROM and path.suffix.lower() in SECONDS:
                sizes[path] = size
    if not sizes:
        return None
    names = ", ".join(shown_path(path) for path in sizes)
    seconds = sum(SECONDS[path.suffix.lower()] * size for path, size in sizes.items())
    needed = sum(NEEDED[path.suffix.lower()] * size for path, size in sizes.items())
    return (
        f"{names}: reading {sum(sizes.values()) / 2**20:,.0f} MiB takes about {seconds:.0f} s of a "
        f"processor, {needed / 2**30:.1f} GiB; less if it was read before"
    )


def cost_note(step: str, triangles: int) -> str | None:
    """Return what a step costs in a scene of so many triangles; None if that is little.

    Args:
        step: One of `COSTS`.
        triangles: Of the whole scene.
    """
    cost = cost_of_step(step, triangles)
    return cost and f"{triangles:,} triangles: {step} takes about {cost}"


def cost_of_step(step: str, triangles: int) -> str | None:
    """Return time and memory of a step of `COSTS` in words; None if that is little."""
    if triangles <= MANY_TRIANGLES:
        return None
    seconds, size = (each * triangles for each in COSTS[step])
    return f"{seconds:.0f} s of a processor, {size / 2**30:.1f} GiB"


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
