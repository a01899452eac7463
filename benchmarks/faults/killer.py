"""The killer: every verb that writes is ended at some moment; what is left must be old or whole."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.faults.forks import WALL_LIMIT, processor_seconds
from benchmarks.faults.served import SERVED, address_in, judge_served, until_it_serves, visit
from benchmarks.faults.wholeness import is_whole

GOOD = ("old", "whole", "none", "readable")
BAD = ("half", "lost", "traceback", "code", "stray", "hang")
"""``half``: not whole. ``lost``: the older file is gone. ``code``: another exit code than expected.
``stray``: other files stay, also after the same command was run again."""

SCENARIO = """\
[scene]
name = "plain"

[[groups]]
members = 8
start = "west"
goal = "east"

[planner]
nodes = 60

[simulation]
duration = 4.0
"""

COMMANDS: dict[str, tuple[str, ...]] = {
    "run": ("run", "s.toml", "-q", "-o", "out.rmp3d"),
    "plan --save": ("plan", "s.toml", "-q", "--save", "out.roadmap"),
    "plan --graphml": ("plan", "s.toml", "-q", "--graphml", "out.graphml"),
    "plan -o .png": ("plan", "s.toml", "-q", "-o", "out.png"),
    "plan --profile .svg": ("plan", "s.toml", "-q", "--profile", "out.svg"),
    "plan --optimize": (
        "plan", "s.toml", "-q", "--optimize-work", "20000", "--alternatives", "2", "-o", "out.json",
    ),
    "inspect -o .png": ("inspect", "s.toml", "-q", "-o", "out.png"),
    "inspect --write": ("inspect", "plain", "-q", "--write", "out.toml", "--force"),
    "study": ("study", "study.toml", "-q", "-o", "out.study"),
    "study in two": ("study", "study.toml", "-q", "--processes", "2", "-o", "out.study"),
    "models add": ("models", "add", "rigged.glb", "-q", "-o", "out.model"),
    "report": ("report", "a.rmp3d", "-q", "-o", "out.html"),
    "export .csv": ("export", "a.rmp3d", "out.csv", "-q"),
    "export .glb": ("export", "a.rmp3d", "out.glb", "-q"),
    "export .html": ("export", "a.rmp3d", "out.html", "-q"),
    "export .usda": ("export", "a.rmp3d", "out.usda", "-q"),
    "export .usdz": ("export", "a.rmp3d", "out.usdz", "-q"),
    "export .npz": ("export", "a.rmp3d", "out.npz", "-q"),
    "export .parquet": ("export", "a.rmp3d", "out.parquet", "-q"),
    "export .gif": ("export", "a.rmp3d", "out.gif", "-q", "--size", "160x120"),
    "export .mp4": ("export", "a.rmp3d", "out.mp4", "-q", "--size", "160x120"),
    "export .png": ("export", "a.rmp3d", "out.png", "-q", "--panel-width", "160"),
    "view --screenshot": ("view", "a.rmp3d", "-q", "--screenshot", "out.png", "--size", "160x120"),
    "view --web": ("view", "a.rmp3d", "--web", "-q"),
    "view --web of a run": ("view", "s.toml", "--web", "-q"),
}  # fmt: skip
FILES = {
    "study": "out.study/table.csv",
    "study in two": "out.study/table.csv",
    "models add": "out.model/rigged.toml",
}
"""What is looked at of a command that writes a folder."""
NEW_ONLY = ("models add",)
"""Commands that replace no file."""

STUDY = """\
scenario = "s.toml"
seeds = 2

[set]
planner.nodes = 20
simulation.duration = 0.5
"""
SIGNALS = (signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
PASSING = ".passing"  # folder for passing files, which are looked for afterwards
LONGEST = 10.0  # s of processor time until a command that got a signal has ended


@dataclass
class Kills:
    """Outcomes by command and signal.

    Attributes:
        counts: By command, then by signal and column.
        bad: Lines that say how to see a bad case.
        early: Interrupts before Python or after it, when no program can catch them.
    """

    counts: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)
    early: int = 0


def kill(
    seed: int,
    *,
    seconds: float | None = None,
    cases: int | None = None,
    only: Sequence[str] = (),
) -> Kills:
    """End commands at seeded shares of their processor time, until time or number are over.

    Args:
        seed: Of commands, signals and moments.
        seconds: Longest time.
        cases: Largest number.
        only: Names of commands; empty: all.
    """
    kills, rng, number = Kills(), random.Random(seed), 0
    # A shell lets what it begins in the background ignore Ctrl-C, and that is inherited.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="rmp3d-kills-") as name:
        sound = Path(name, "sound")
        sound.mkdir()
        lasting = _prepare(sound, only or tuple(COMMANDS))
        until = None if seconds is None else time.monotonic() + seconds
        names = [each for each in COMMANDS if each in lasting]
        while (cases is None or number < cases) and (until is None or time.monotonic() < until):
            verb = names[number % len(names)]
            folder = Path(name, "case")
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(sound, folder)
            _end_one(verb, folder, lasting[verb], rng, kills)
            number += 1
    return kills


def _program(arguments: Sequence[str], folder: Path) -> "subprocess.Popen[str]":
    passing = folder / PASSING
    passing.mkdir(exist_ok=True)
    here = {"PYTHONPATH": str(Path(__file__).resolve().parents[2]), "TMPDIR": str(passing)}
    with (folder / ".stderr").open("w") as err, (folder / ".stdout").open("w") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "rmp3d", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            text=True,
            env={**os.environ, **here},
            restore_signals=True,
        )


def _prepare(sound: Path, names: Sequence[str]) -> dict[str, float]:
    """Make the files that commands read, and an older output of each.

    Returns:
        The processor time [s] of each command.
    """
    (sound / "s.toml").write_text(SCENARIO, encoding="utf-8")
    (sound / "study.toml").write_text(STUDY, encoding="utf-8")
    dog = Path(__file__).resolve().parents[2] / "models" / "builtin" / "dog.glb"
    shutil.copyfile(dog, sound / "rigged.glb")
    _program(("run", "s.toml", "-q", "-o", "a.rmp3d"), sound).wait()
    lasting = {}
    for name in names:
        process = _program(COMMANDS[name], sound)
        if name in SERVED:
            lasting[name] = until_it_serves(process, sound)
            process.kill()
            process.wait()
            continue
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        output = _output(name, sound)
        if code in (0, 1) and output.exists():  # not so without OpenGL, PyAV or PyArrow
            lasting[name] = used.ru_utime + used.ru_stime
            output.rename(sound / f".whole-{name.replace(' ', '_')}{output.suffix}")
        if name in FILES:
            shutil.rmtree(output.parent, ignore_errors=True)
    shutil.rmtree(sound / PASSING)
    return lasting


def _output(name: str, folder: Path) -> Path:
    if name in FILES:
        return folder / FILES[name]
    return folder / next((word for word in COMMANDS[name] if word.startswith("out.")), "out.none")


def _end_one(name: str, folder: Path, lasting: float, rng: random.Random, kills: Kills) -> None:
    """Start a command, end it, and count what is left."""
    number, share = rng.choice(SIGNALS), rng.uniform(0.0, 1.1)
    older = rng.random() < 0.6 and name not in (*NEW_ONLY, *SERVED)
    output = _output(name, folder)
    reference = folder / f".whole-{name.replace(' ', '_')}{output.suffix}"
    if older:
        output.parent.mkdir(exist_ok=True)
        shutil.copy(reference, output)
        _mark_as_old(output)
    before = output.read_bytes() if older else None
    own = output.relative_to(folder).parts[0]
    names = {path.name for path in folder.iterdir()} | {own, ".stderr", ".stdout", PASSING}
    process, open_ends = _program(COMMANDS[name], folder), []
    if name in SERVED:
        until_it_serves(process, folder, 2.0 * share * lasting)
        open_ends = visit(folder, rng)
    while process.poll() is None and processor_seconds(process.pid) < share * lasting:
        if name in SERVED and address_in(folder) is not None:
            time.sleep(rng.uniform(0.0, 0.3))
            break
        time.sleep(0.01)
    caught = _catches(process.pid, number)
    running = process.poll() is None
    if running:
        process.send_signal(number)
    code = _ended(process)
    if code is None:
        column, why = "hang", f"not ended {LONGEST:g} s of the processor after the signal"
    else:
        column, why = _judge(name, folder, code, number, running and caught, output, before)
    for one in open_ends:
        one.close()
    strays = sorted({path.name for path in folder.iterdir()} - names)
    if number is not signal.SIGKILL:
        strays += sorted(path.name for path in (folder / PASSING).iterdir())
    if strays and column not in BAD:
        column, why = _after_strays(name, folder, number, names, strays, column, why)
    if number == signal.SIGINT and running and not caught:
        kills.early += 1
    label = "finished" if not running else number.name
    kills.counts.setdefault(name, Counter())[label, column] += 1
    if column in BAD:
        kills.bad.append(
            f"{name} | {number.name} at {share:.2f} of {lasting:.1f} s, older file {older} | "
            f"{column} | {why}"
        )


def _ended(process: "subprocess.Popen[str]") -> int | None:
    """Return the exit code of a process; None if it had to be killed."""
    used, until = processor_seconds(process.pid), time.monotonic() + WALL_LIMIT
    while process.poll() is None:
        if processor_seconds(process.pid) > used + LONGEST or time.monotonic() > until:
            process.kill()
            process.wait()
            return None
        time.sleep(0.01)
    return process.returncode


def _mark_as_old(path: Path) -> None:
    """Make the older file tell from a new one, if its format bears that."""
    if path.suffix in (".csv", ".graphml", ".svg", ".html"):
        with path.open("a") as file:
            file.write("\n")


def _catches(process: int, number: signal.Signals) -> bool:
    """Return whether a process has a handler for a signal (SIGKILL counts as had)."""
    if number is signal.SIGKILL:
        return True
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
    mask = next(line.split()[1] for line in text.splitlines() if line.startswith("SigCgt"))
    return bool(int(mask, 16) >> (number - 1) & 1)


def _judge(
    name: str,
    folder: Path,
    code: int,
    number: signal.Signals,
    caught: bool,
    output: Path,
    before: bytes | None,
) -> tuple[str, str]:
    """Return the column of what is left, and why it is a bad one."""
    text = (folder / ".stderr").read_text(errors="replace")
    begins = "<frozen site>" in text or not _names_rmp3d(text)  # before a line of rmp3d ran
    if ("Traceback" in text or "Exception ignored" in text) and not begins:
        return "traceback", text[-400:]
    expected = {signal.SIGINT: (130,), signal.SIGTERM: (143, -15), signal.SIGKILL: (-9,)}[number]
    if code not in (*expected, 0, 1) and (caught or code != -number):
        return "code", f"exit code {code}: {text[:200]}"
    if name in SERVED:
        return judge_served(folder, code, number)
    if code in (0, 1) and not output.exists():
        return "lost", f"exit code {code} without a file"
    if not output.exists():
        return ("none", "") if before is None else ("lost", "the older file is gone")
    data = output.read_bytes()
    if data == before:
        return "old", ""
    if not is_whole(output):
        return "half", f"{len(data)} bytes; exit code {code}"
    return ("readable" if output.suffix == ".rmp3d" and code not in (0, 1) else "whole"), ""


def _names_rmp3d(text: str) -> bool:
    """Return whether a traceback has a line of rmp3d, or is of none of Python's own start."""
    files = [line for line in text.splitlines() if line.lstrip().startswith('File "')]
    return "<frozen runpy>" not in text or any("rmp3d" in line for line in files)


def _after_strays(
    name: str,
    folder: Path,
    number: signal.Signals,
    names: set[str],
    strays: list[str],
    column: str,
    why: str,
) -> tuple[str, str]:
    """Only SIGKILL may leave other files, and only until the command is run again."""
    if number is signal.SIGKILL:
        _program(COMMANDS[name], folder).wait()
        if not {path.name for path in folder.iterdir()} - names:
            return column, why
    return "stray", ", ".join(strays)
