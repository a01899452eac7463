"""Run a part of the tests as on another machine: ``make test-elsewhere``.

- the vector instructions of an x86-64 processor of 2009, for numpy, OpenBLAS, the C library and
  the compiled kernels;
- every core busy with something else, which gives way a little (CI has a limit of time);
- the plain C locale, the time zone that is farthest from most, other hashes of texts;
- a text file that our code opens without saying its encoding is an error;
- temporary files in a folder with a blank and letters of several alphabets.

It proves that meshes built there are the shipped ones, that kernels compiled there (queries, every
steering behavior, a whole run) do what they should, and that files and texts are read and written.
What follows from equal meshes is not tested again there.

Arguments are passed on to pytest; tests that are named replace the part.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Safety, meshes, models, kernels, steering, scenarios and recordings; the rest takes too long. Half
# of what a run needs is compiled for the safety filter, in one piece: that comes first, and the
# other core has enough to do until the recordings, whose run then compiles the other half.
PART = (
    "tests/behaviors/test_clear_around.py",
    "tests/scenes",
    "tests/models",
    "tests/geometry/test_arrays_and_vectors.py",
    "tests/geometry/test_query.py",
    "tests/geometry/test_rotations.py",
    "tests/geometry/test_surface.py",
    "tests/geometry/test_tree.py",
    "tests/behaviors/steering/test_contract.py",
    "tests/rmp3d/recording",
    "tests/rmp3d/scenario",
    "tests/rmp3d/terminal",
)
# Facts of meshes that tests/scenes/test_shipped_meshes.py shows to be the same there, and shapes
# that only compile many more kernels.
LEFT_OUT = (
    "tests/scenes/test_builtin.py",
    "tests/scenes/test_noses.py",
    "tests/models/test_odd_characters.py",
)
FOLDER = "Größe 数 é"
BUSY = "import os\nif hasattr(os, 'nice'): os.nice(10)\nwhile True: pass"


def environment(temporary: Path) -> dict[str, str]:
    """Return the variables of the other machine."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    newer = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    return {
        **os.environ,
        "NPY_DISABLE_CPU_FEATURES": " ".join(newer),
        "OPENBLAS_CORETYPE": "Nehalem",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "LC_ALL": "C",
        "TZ": "Pacific/Kiritimati",
        "PYTHONHASHSEED": "4711",
        "COLUMNS": "60",
        "PYTHONWARNDEFAULTENCODING": "1",  # an error by the filters in pyproject.toml
        "PYTHONWARNINGS": "ignore::EncodingWarning",  # in commands that tests run
        "TMPDIR": str(temporary),
    }


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keep every core busy while the context lasts."""
    count = os.cpu_count() or 1
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def main() -> int:
    """Run pytest; return its exit code."""
    arguments = sys.argv[1:]
    named = any(not word.startswith("-") for word in arguments)
    with tempfile.TemporaryDirectory(prefix="rmp3d-") as name, busy_cores():
        temporary = Path(name, FOLDER)
        temporary.mkdir()
        part = (*PART, *(f"--ignore={each}" for each in LEFT_OUT))
        spread = ("-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
        tests = () if named else (*spread, "-m", "not slow", *part)
        command = [sys.executable, "-m", "pytest", *tests, *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment(temporary), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
