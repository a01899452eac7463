"""Where compiled kernels are kept: in numba's files, and in those that came with the package.

Numba keeps what it compiles for the processor that it runs on, until a source changes. A wheel may
bring kernels that `rmp3d.kernels` compiled for every x86-64 processor with `INSTRUCTIONS`. Numba
looks there, too, before it compiles.

Numba itself looks at the function's own file only, and would run the old code of a function that
was compiled into this one. So a kernel depends here on the contents of all files that it calls
into, not on their times: a copy of the sources is served by a copy of the kernels.

Two processes that begin together would compile everything twice, and numba would lose what one of
them keeps while the other one does: so the second waits for the first, function by function, and
takes what that one has kept. A function waits only while it waits itself for those that it calls,
so they never wait for each other in a circle.

Numba believes what a file holds, whatever has happened to it: it would end, or run other code. So
each file ends with its checksum here, and one that is damaged is compiled again and replaced. A
file that somebody else has put there, in a folder that many may write to, is not read: what is in
it would be run.
"""

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from types import ModuleType
from typing import Any

import llvmlite
import numba
from numba.core.caching import IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # not a POSIX system: each process compiles
    fcntl = None

INSTRUCTIONS = (
    "+avx,+avx2,+bmi,+bmi2,+cmov,+cx8,+f16c,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sse,+sse2,+sse3,"
    "+sse4.1,+sse4.2,+ssse3"
)
"""What kernels that came with the package may use: all of x86-64-v3, but no fused operations."""
TARGET = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": INSTRUCTIONS}
"""Variables of a process that compiles such kernels."""
WRITE_TO = "RMP3D_KERNELS_TO"
"""Variable that names the folder to which such a process writes them, too."""
CAME_WITH = Path(__file__).parent / "kernels" / f"numba-{numba.__version__}"
"""Their folder; there is none for another numba, which compiles everything first."""
LONGEST_WAIT = 120.0
"""Seconds after which a process compiles itself what another one, perhaps stopped, began."""
CHECKSUM = hashlib.sha256().digest_size
"""Bytes at the end of each file."""
PAUSE = 0.02
"""Seconds between two looks whether the other one is done."""

# Of each module with compiled functions: the contents of its file and of those that it calls into.
_stamps: dict[str, frozenset[tuple[str, str]]] = {}
_contents: dict[str, str] = {}


class KernelFiles(IndexDataCacheFile):
    """Numba's files of one compiled function, and the ones that came with the package.

    Attributes:
        function: Name of the module and of the function.
    """

    def __init__(self, folder: str, base: str, stamp: tuple[tuple[str, str], ...], function: str):
        super().__init__(folder, base, stamp)
        self.function = function
        self._lock: int | None = None  # descriptor

    def load(self, key: tuple[Any, ...]) -> Any:
        """Return what is kept under numba's key, None if it must be compiled, here and now.

        If another process compiles the function, wait for it.
        """
        kept = super().load(key)
        if kept is None and CAME_WITH.is_dir() and _can_run(key[1]):
            try:
                kept = _whole(_trusted(CAME_WITH / self._name(key)))
            except OSError:  # not for these types of arguments
                kept = None
        return super().load(key) if kept is None and self._begin() else kept

    def _begin(self) -> bool:
        """Return whether no other process compiles the function any more, and none begins now."""
        if fcntl is None or self._lock is not None:
            return False
        path = Path(self._index_path).with_suffix(".lock")
        try:
            self._lock = file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)  # it stays empty
        except OSError:  # nothing can be kept there
            return False
        until = monotonic() + LONGEST_WAIT
        while monotonic() < until:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                sleep(PAUSE)
            except OSError:  # a file system without locks
                return False
            else:
                return True
        return False

    def end(self) -> None:
        """Let other processes compile the function, or take what was compiled."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Keep what was compiled; where a disk is full, it is compiled again the next time."""
        with suppress(OSError):
            super().save(key, data)
        folder = os.environ.get(WRITE_TO)
        if folder:
            with self._open_for_write(str(Path(folder, self._name(key)))) as file:
                file.write(self._dump(data))

    def _dump(self, obj: Any) -> bytes:
        """Return the bytes of what is kept, with their checksum at the end."""
        data: bytes = super()._dump(obj)
        return data + hashlib.sha256(data).digest()

    def _load_index(self) -> dict[Any, str]:
        """Return the names of data files by key; none if the index is old, damaged or not there."""
        version = pickle.dumps(self._version, protocol=-1)
        try:
            data = _trusted(Path(self._index_path))
            if data.startswith(version):
                stamp, names = _whole(data[len(version) :])
                if stamp == self._source_stamp:
                    return dict(names)
        except OSError:
            pass
        return {}

    def _load_data(self, name: str) -> Any:
        return _whole(_trusted(Path(self._data_path(name))))

    def _name(self, key: tuple[Any, ...]) -> str:
        """Return the name of a file: it differs where anything does that decides about its code."""
        signature, (system, *_), code = key
        versions = numba.__version__, llvmlite.__version__, sys.implementation.cache_tag
        decides = self.function, self._source_stamp, str(signature), code, system, versions
        return hashlib.sha256(repr((INSTRUCTIONS, decides)).encode()).hexdigest()[:32] + ".nbc"


def _trusted(path: Path) -> bytes:
    """Return the bytes of a file of this user, of root, or of whom the package is of.

    Raises:
        OSError: It is another user's, or cannot be read.
    """
    with path.open("rb") as file:
        owner = os.fstat(file.fileno()).st_uid
        if hasattr(os, "getuid") and owner not in (0, os.getuid(), os.stat(__file__).st_uid):
            raise OSError("another user's")
        return file.read()


def _whole(data: bytes) -> Any:
    """Return what a file with a checksum holds.

    Raises:
        OSError: It is damaged, of numba alone, or of classes that are no more.
    """
    kept, checksum = data[:-CHECKSUM], data[-CHECKSUM:]
    if hashlib.sha256(kept).digest() != checksum:
        raise OSError("damaged")
    try:
        return pickle.loads(kept)
    except Exception as error:  # an earlier version had a class of another name
        raise OSError(f"of another version: {error}") from error


def _can_run(processor: tuple[str, str, str]) -> bool:
    """Return whether the processor that numba compiles for has all `INSTRUCTIONS`."""
    return set(INSTRUCTIONS.split(",")) <= set(processor[2].split(","))


def keep_until_a_source_changes(dispatcher: Any) -> None:
    """Let what is kept depend on the files of the functions that are called, too.

    The files are those of the compiled functions that the module has imported, and of theirs.
    """
    function = dispatcher.py_func
    module = function.__module__
    names = {
        value.py_func.__module__
        for value in list(function.__globals__.values())
        if isinstance(value, Dispatcher) and value.py_func.__module__ in _stamps
    }
    try:
        if module not in _contents:
            source = Path(function.__code__.co_filename).read_bytes()
            _contents[module] = hashlib.sha256(source).hexdigest()
        cache = dispatcher._cache
        folder, base = cache.cache_path, cache._impl.filename_base
    except (OSError, AttributeError):  # not from a file; or another numba, which keeps less well
        return
    own = frozenset({(module, _contents[module])})
    _stamps[module] = own.union(*(_stamps[name] for name in names))
    stamp = tuple(sorted(_stamps[module]))
    files = KernelFiles(folder, base, stamp, f"{module}.{function.__qualname__}")
    cache._cache_file, dispatcher.compile = files, _ending(dispatcher.compile, files)


def _ending(compile_it: Callable[[Any], Any], files: KernelFiles) -> Callable[[Any], Any]:
    """Return numba's method that compiles or loads, which ends what `KernelFiles.load` began."""

    def compile_or_load(signature: Any) -> Any:
        with global_compiler_lock:  # numba's own, of all threads
            try:
                return compile_it(signature)
            finally:
                files.end()

    return compile_or_load
