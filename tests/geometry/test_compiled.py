"""What is compiled is kept on disk until a source changes, its callees' too."""

import os
import subprocess
import sys
from threading import Barrier, Thread

import numba
import numpy as np
import pytest

from rmp3d.geometry import kernel_files
from rmp3d.geometry.compiled import assign, compiled, tell_of_compiling
from rmp3d.geometry.kernel_files import INSTRUCTIONS, TARGET, WRITE_TO

CALLEE = """
from rmp3d.geometry.compiled import compiled

@compiled
def height(x):
    return {term}
"""
BETWEEN = """
from rmp3d.geometry.compiled import compiled
from callee import height

@compiled
def twice(x):
    return 2.0 * height(x)
"""
CALLER = """
from rmp3d.geometry.compiled import compiled
from between import twice

@compiled
def answer(x):
    return twice(x)

print(answer(1.0), sum(answer.stats.cache_hits.values()))
"""


def test_a_changed_callee_in_another_file_is_compiled_anew(tmp_path):
    def run(term):
        (tmp_path / "callee.py").write_text(CALLEE.format(term=term))
        return run_again()

    def run_again():
        command = [sys.executable, "-c", "import caller"]
        cache = {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | cache, capture_output=True, text=True
        )
        return done.stdout.split()

    (tmp_path / "between.py").write_text(BETWEEN)
    (tmp_path / "caller.py").write_text(CALLER)
    assert run("x + 1.0") == ["4.0", "0"]
    assert run("x + 10.0") == ["22.0", "0"]
    assert run_again() == ["22.0", "1"]
    os.utime(tmp_path / "callee.py", (0, 0))
    assert run_again() == ["22.0", "1"]  # a copy of the same sources has other times


@compiled
def _either(positive, step):
    return step if positive else -step


@compiled
def _with_constants(step):
    return _either(True, 1) + _either(False, 2) + _either(step > 3, step)


def test_a_call_with_a_constant_is_not_compiled_anew():
    assert _with_constants(5) == 4
    _with_constants.recompile()  # what is loaded from disk does not ask for `_either`
    assert len(_either.signatures) == 1


def test_an_array_is_copied_into_another():
    target = np.zeros(4)
    assign(target, np.arange(3.0))
    assert target.tolist() == [0.0, 1.0, 2.0, 0.0]


SHIPPED = """
import pathlib
from rmp3d.geometry import kernel_files
kernel_files.CAME_WITH = pathlib.Path("came with")
from rmp3d.geometry.compiled import compiled

@compiled
def answer(x):
    return 2.0 * x + 1.0

print(answer(1.0), sum(answer.stats.cache_hits.values()))
"""
OLDER = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
NEWER = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": INSTRUCTIONS + ",+xsave"}


@pytest.mark.parametrize(("machine", "hits"), [(NEWER, "1"), (OLDER, "0")])
def test_kernels_that_came_with_the_package_are_taken_where_they_can_run(tmp_path, machine, hits):
    (tmp_path / "came with").mkdir()
    (tmp_path / "shipped.py").write_text(SHIPPED)

    def said(**variables):
        command = [sys.executable, "-c", "import shipped"]
        done = subprocess.run(
            command, cwd=tmp_path, env=os.environ | variables, capture_output=True, text=True
        )
        return done.stdout.split()

    built = {**TARGET, WRITE_TO: "came with", "NUMBA_CACHE_DIR": "of the build"}
    assert said(**built) == ["3.0", "0"]
    assert len(list((tmp_path / "came with").iterdir())) == 1
    assert said(**machine, NUMBA_CACHE_DIR="of the user") == ["3.0", hits]


@pytest.fixture
def two(tmp_path):
    """The files of one function, as two processes see them."""
    return [kernel_files.KernelFiles(str(tmp_path), "answer", (), "answer") for _ in range(2)]


@pytest.mark.skipif(kernel_files.fcntl is None, reason="no locks of files on this system")
def test_two_processes_that_begin_together_compile_a_function_once(two):
    one, other = two
    assert one.load("integers") is None  # so it compiles now
    found = []
    waiting = Thread(target=lambda: found.append(other.load("integers")))
    waiting.start()
    waiting.join(0.1)
    assert not found
    one.save("integers", "what one of them compiled")
    one.end()
    waiting.join()
    other.end()
    assert found == ["what one of them compiled"]


def flipped(data):
    """The same bytes but for one bit in the middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.mark.parametrize("change", [lambda data: b"", lambda data: data[:-1], flipped])
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_a_damaged_kernel_is_compiled_again_and_replaced(tmp_path, two, suffix, change):
    own, other = two
    key = "float64", (), "code"
    own.save(key, {"code": list(range(100))})
    (file,) = tmp_path.glob(f"*.{suffix}")
    file.write_bytes(change(file.read_bytes()))
    assert own.load(key) is None
    own.save(key, {"code": [1]})
    own.end()
    assert other.load(key) == {"code": [1]}


def test_a_kernel_for_a_class_that_was_renamed_since_is_compiled_again(two, monkeypatch):
    own, other = two
    earlier = type("Earlier", (tuple,), {"__module__": __name__})
    monkeypatch.setitem(globals(), "Earlier", earlier)
    own.save(("code", earlier()), "compiled for it")
    monkeypatch.delitem(globals(), "Earlier")
    assert own.load("code") is None
    own.save("code", "compiled anew")
    own.end()
    assert other.load("code") == "compiled anew"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of files on this system")
def test_a_kernel_that_somebody_else_has_put_there_is_not_run(two, monkeypatch):
    own, other = two
    own.save("integers", "what another user compiled")
    monkeypatch.setattr(os, "getuid", lambda: 12_345)
    foreign = (*os.stat(kernel_files.__file__)[:4], 54_321, *os.stat(__file__)[5:])
    monkeypatch.setattr(os, "fstat", lambda _: os.stat_result(foreign))
    assert other.load("integers") is None
    other.end()


def test_a_kernel_that_cannot_be_kept_is_no_error(tmp_path):
    files = kernel_files.KernelFiles(str(tmp_path / "gone"), "answer", (), "answer")
    files.save("integers", "what was compiled")
    assert files.load("integers") is None


def test_what_two_processes_compile_is_kept_of_both(two):
    begun = Barrier(2)

    def compile_for(files, kind):
        begun.wait()
        if files.load(kind) is None:
            files.save(kind, f"compiled for {kind}")
        files.end()

    for row in range(20):
        kinds = f"integers {row}", f"numbers {row}"
        both = [Thread(target=compile_for, args=each) for each in zip(two, kinds, strict=True)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert [two[0].load(kind) for kind in kinds] == [f"compiled for {kind}" for kind in kinds]


def test_nobody_waits_for_ever_for_a_process_that_is_stopped(two, monkeypatch):
    monkeypatch.setattr(kernel_files, "LONGEST_WAIT", 0.05)
    one, other = two
    assert one.load("integers") is None
    assert other.load("integers") is None
    for files in two:
        files.end()


def test_who_waits_for_a_compilation_is_told_of_it_but_not_all_the_time():
    told = []
    tell_of_compiling(lambda: told.append("now"), pause=1e9)
    assert not told
    numba.njit(lambda x: x)(1)
    numba.njit(lambda x: x)(1)
    assert told == ["now"]
