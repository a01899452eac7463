"""Ctrl-C and SIGTERM from the first line that runs to the last: a word, the exit code, no trace."""

import ast
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from rmp3d.recording import RecordingReader

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
EXIT = {"SIGINT": (130, "interrupted"), "SIGTERM": (143, "terminated")}


@pytest.mark.parametrize(
    "module",
    # Of the start of the command line; in the middle of NumPy; when most is loaded.
    ["argparse", "rmp3d.terminal.parser", "numpy._core.multiarray", "rmp3d.geometry.mesh"],
)
def test_ctrl_c_while_modules_are_loaded(module):
    command = [sys.executable, "-X", "importtime", "-m", "rmp3d", "inspect", "parking"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as it:
        for line in it.stderr:
            if line.split("|")[-1].strip() == module:
                break
        it.send_signal(signal.SIGINT)
        out, err = it.communicate()
    said = [line for line in err.splitlines() if not line.startswith("import time:")]
    assert it.returncode == 130
    assert [line.split(": ")[-1] for line in said] == ["interrupted"]
    assert out == ""


COMMAND_LINE = """
import sys
from rmp3d.__main__ import main
sys.argv[0] = "rmp3d"
sys.exit(main())
"""


def run(code, *words, folder):
    """Run a command line in a process in which other code comes before."""
    command = [sys.executable, "-c", textwrap.dedent(code) + COMMAND_LINE, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


SWALLOWS = """
import signal
from rmp3d.verbs import scenes
usual = scenes.run
def run(options):
    try:
        signal.raise_signal(signal.{name})
    except BaseException:
        {instead}
    return usual(options)
scenes.run = run
"""


@pytest.mark.parametrize("instead", ["pass", "raise ImportError('half')", "raise OSError(5, 'a')"])
@pytest.mark.parametrize("name", EXIT)
def test_a_library_that_swallows_it_does_not_change_the_answer(instead, name, tmp_path):
    done = run(SWALLOWS.format(instead=instead, name=name), "scenes", folder=tmp_path)
    code, word = EXIT[name]
    assert (done.returncode, done.stderr) == (code, f"rmp3d scenes: {word}\n")


def test_an_import_is_not_cut_in_two(tmp_path):
    (tmp_path / "half.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\nprint('whole', flush=True)\n"
    )
    (tmp_path / "begins.py").write_text(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n")
    done = run("", "scenes", "--with", "begins.py", "--with", "half.py", folder=tmp_path)
    assert done.stdout.startswith("whole")
    assert (done.returncode, done.stderr) == (130, "rmp3d scenes: interrupted\n")


WHILE_A_KERNEL_IS_LOADED = """
import signal
from numba.core.codegen import CPUCodeLibrary
usual = CPUCodeLibrary._object_getbuffer_hook
def asked(module):
    try:
        signal.raise_signal(signal.SIGINT)
    except BaseException:
        print("no code")
        raise
    return usual(module)
CPUCodeLibrary._object_getbuffer_hook = asked
"""


def test_llvm_gets_the_code_of_a_kernel_before_a_run_ends(tmp_path):
    """Without that code, the first call of the kernel would end the process by a signal."""
    words = ("run", "plain", "-q", "--duration", "0.1", "-o", "a.rmp3d")
    done = run(WHILE_A_KERNEL_IS_LOADED, *words, folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "rmp3d run: interrupted\n")


BEFORE_ALL = """
import sys
class Cuts:
    def find_spec(self, name, *_):
        if name == "_signal":
            raise KeyboardInterrupt
del sys.modules["_signal"]
sys.meta_path.insert(0, Cuts())
"""


def test_ctrl_c_in_the_first_line_that_loads_anything(tmp_path):
    done = run(BEFORE_ALL, "scenes", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "rmp3d: interrupted\n")


WHAT_IS_LOADED_BEFORE = """
import sys, _signal
begun, usual = set(sys.modules), _signal.signal
def noted(*arguments):
    if sys._getframe(1).f_globals["__name__"] == "rmp3d.__main__":
        print(sorted(set(sys.modules) - begun), file=sys.stderr)
    return usual(*arguments)
_signal.signal = noted
"""


def test_nothing_is_loaded_before_ctrl_c_is_clean(tmp_path):
    done = run(WHAT_IS_LOADED_BEFORE, "scenes", folder=tmp_path)
    assert done.returncode == 0
    loaded = set(ast.literal_eval(done.stderr)) - {"atexit", "gc"}  # both are built in
    assert loaded == {"rmp3d", "rmp3d.__main__"}


AT_EXIT = """
import atexit, signal
atexit.register(signal.raise_signal, signal.SIGINT)
class Late:
    def __del__(self, raised=signal.raise_signal, number=signal.SIGINT):
        raised(number)
late = Late()
late.itself = late
"""


def test_ctrl_c_when_all_is_done_changes_nothing(tmp_path):
    done = run(AT_EXIT, "scenes", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("canyon")


def test_what_the_parent_wants_ignored_stays_ignored(tmp_path):
    code = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    done = run(code + SWALLOWS.format(instead="raise", name="SIGINT"), "scenes", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


WHILE_RUNNING = """
import signal
from rmp3d import simulation
usual = simulation.Simulation.advance
def advance(self):
    if self.frames == 40:
        signal.raise_signal(signal.{name})
    usual(self)
simulation.Simulation.advance = advance
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", EXIT)
def test_a_run_that_is_ended_keeps_its_recording(name, tmp_path):
    code = WHILE_RUNNING.format(name=name)
    done = run(code, "run", "plain", "-q", "-o", "a.rmp3d", folder=tmp_path)
    code, word = EXIT[name]
    assert (done.returncode, done.stderr) == (code, f"rmp3d run: {word}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a.rmp3d"]
    with RecordingReader.open(tmp_path / "a.rmp3d") as recording:
        assert recording.frames == 40
        assert recording.ending == "interrupted"


@pytest.mark.slow
def test_a_run_that_is_ended_says_what_is_kept(tmp_path):
    code = WHILE_RUNNING.format(name="SIGINT")
    done = run(code, "run", "plain", "-o", "a.rmp3d", folder=tmp_path)
    assert done.returncode == 130
    *_, kept, end = done.stderr.splitlines()
    assert kept.endswith("stopped; a.rmp3d keeps the first 1.3 s")
    assert end == "rmp3d run: interrupted"


WHILE_PLANNING = """
import signal
from rmp3d.planner.roadmap import building
usual = building._with_batch
def with_batch(roadmap, *others):
    grown = usual(roadmap, *others)
    if len(grown.configurations) > 250:
        signal.raise_signal(signal.SIGINT)
    return grown
building._with_batch = with_batch
"""


@pytest.mark.parametrize("verb", ["plan", "run"])
def test_ctrl_c_in_planning_ends_it_even_if_there_is_a_path(verb, tmp_path):
    option, name = {"plan": ("--save", "a.roadmap"), "run": ("-o", "a.rmp3d")}[verb]
    done = run(WHILE_PLANNING, verb, "parking", "-q", option, name, folder=tmp_path)
    assert (done.returncode, done.stderr) == (130, f"rmp3d {verb}: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == (["a.roadmap"] if verb == "plan" else [])


OWN_CHECKOUT = """
from rmp3d.verbs import bench
bench.__file__ = {checkout!r} + "/rmp3d/verbs/bench.py"
"""
WAITS = """
import threading
print("begun", flush=True)
threading.Event().wait()
"""
WRITES_WHAT_IS_DONE = """
from benchmarks.waits import forever
if __name__ == "__main__":
    try:
        forever()
    except KeyboardInterrupt:
        print("two runs are done")
"""
FOREVER = """
import signal, time
from concurrent.futures import ProcessPoolExecutor
def forever():
    ends = (signal.SIGINT, signal.SIG_DFL)
    with ProcessPoolExecutor(1, initializer=signal.signal, initargs=ends) as pool:
        pool.submit(print, "begun", flush=True).result()
        pool.submit(time.sleep, 1000.0).result()
"""


@pytest.mark.parametrize("name", EXIT)
@pytest.mark.parametrize(
    ("benchmark", "last"), [(WAITS, ""), (WRITES_WHAT_IS_DONE, "two runs are done\n")]
)
def test_ctrl_c_in_a_benchmark(benchmark, last, name, tmp_path):
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "__init__.py").touch()  # else the checkout's own package is found, behind this one
    (folder / "steering.py").write_text(benchmark)
    (folder / "waits.py").write_text(FOREVER)
    code = OWN_CHECKOUT.format(checkout=str(tmp_path)) + COMMAND_LINE
    command = [sys.executable, "-c", code, "bench", "steering"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0
    ) as it:
        assert it.stdout.readline() == "begun\n"
        os.killpg(it.pid, getattr(signal, name))  # as a terminal does
        out, err = it.communicate()
    code, word = EXIT[name]
    assert (it.returncode, out, err) == (code, last, f"rmp3d bench: {word}\n")
