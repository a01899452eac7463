"""The planter: a fault is put into a clean recording, and `verify` must find it."""

import json
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import benchmarks.faults.claim_plants
import benchmarks.faults.evasive_plants
import benchmarks.faults.outsider_plants
import benchmarks.faults.part_plants
import benchmarks.faults.presence_plants
import benchmarks.faults.ride_plants
import benchmarks.faults.scenario_plants
import benchmarks.faults.stranger_plants
import benchmarks.faults.time_plants
import benchmarks.faults.whole_plants  # noqa: F401 (they register theirs)
from benchmarks.faults.forks import Ended, run_forked, warm_up
from benchmarks.faults.planted_runs import FIRST, RUNS, write_planted_runs
from benchmarks.faults.plants import KINDS, PLANTS, Run
from rmp3d.recording import RecordingReader, RecordingWriter

CPU_LIMIT = 120  # s of processor time of a run or a verification
BEFORE_NEXT = 20
"""Plants into the runs so far, before the next kind of run is made."""
SET_BY = {"--members": "groups.0.members", "--duration": "simulation.duration"}
"""Keys that options of `run` set."""


@dataclass
class Plants:
    """Outcomes by fault and kind of run.

    Attributes:
        counts: By (fault, run): ``found``, ``passed`` and other ways to fail.
        bad: Lines that say how to see a bad case.
    """

    counts: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)


def plant(
    seed: int,
    *,
    seconds: float | None = None,
    cases: int | None = None,
    runs: Sequence[str] = (),
    keep: Path | None = None,
) -> Plants:
    """Plant every fault into every kind of run, again and again, until time or number are over.

    Runs are made when they are first needed, the quick ones first: `schedule`.

    Args:
        seed: Of members, frames and places.
        seconds: Longest time.
        cases: Largest number.
        runs: Kinds of run; empty: all.
        keep: Folder for recordings whose fault passed.
    """
    plants, number = Plants(), 0
    warm_up()
    until = None if seconds is None else time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="rmp3d-plants-") as name:
        folder = Path(name)
        write_planted_runs(folder)
        clean: dict[str, tuple[Run, set[str]]] = {}
        pairs = schedule(list(PLANTS), runs or list(RUNS), np.random.default_rng(seed))
        while (cases is None or number < cases) and (until is None or time.monotonic() < until):
            fault, kind = pairs[number % len(pairs)]
            rng = np.random.default_rng([seed, number])
            if kind not in clean:
                clean[kind] = _clean(kind, folder)
            run, known = clean[kind]
            _plant_one(fault, kind, run, known, rng, folder, plants, keep)
            number += 1
    return plants


def schedule(
    faults: Sequence[str], kinds: Sequence[str], rng: np.random.Generator
) -> list[tuple[str, str]]:
    """Return each pair of a fault and a kind of run once, in the order in which they are planted.

    `BEFORE_NEXT` pairs of the runs so far come before each further run, in the order of ``kinds``:
    a campaign of any length plants, and the longer it is, the more kinds it plants into. All
    other pairs follow at random.
    """
    order: list[tuple[str, str]] = []
    left: list[tuple[str, str]] = []
    for kind in kinds:
        left += [(fault, kind) for fault in faults]
        rng.shuffle(left)
        order += left[:BEFORE_NEXT]
        left = left[BEFORE_NEXT:]
    return order + left


def read_run(path: Path) -> Run:
    """Return the frames of a recording."""
    with RecordingReader.open(path) as recording:
        kinds = recording.load_characters()
        return Run(
            recording.header,
            recording.load_scene(),
            tuple(kinds[row] for row in recording.header.character_of),
            recording.position(),
            recording.orientation_wxyz(),
            recording.subgoal(),
            recording.formation_of(),
            tuple((e.time, e.kind, e.group, e.member, e.text) for e in recording.events()),
            recording.life.copy(),
            recording.clock() if recording.header.moving else np.zeros((recording.frames, 0)),
        )


def write_run(run: Run, path: Path) -> None:
    """Write a finished recording of a run's frames, without forces and measurements."""
    from dataclasses import replace

    header = replace(run.header, behaviors=(), series=tuple({} for _ in run.header.series))
    with RecordingWriter(path, header) as writer:
        for event in run.events:
            writer.add_event(*event)
        for frame in range(run.frames):
            here = np.flatnonzero((run.life[:, 0] <= frame) & (frame < run.life[:, 1]))
            writer.append(
                position=run.position[frame, here],
                orientation_wxyz=run.orientation[frame, here],
                subgoal=run.subgoal[frame, here],
                formation_of=run.formation[frame],
                member=None if len(here) == len(run.life) else here,
                clock=run.clock[frame] if run.header.moving else None,
            )


def _clean(kind: str, folder: Path) -> tuple[Run, set[str]]:
    """Make a clean run; return it and what is found in it, such as members not there yet."""
    file = f"{kind}.rmp3d"
    if kind in FIRST:
        run_forked(["run", *FIRST[kind], "-q"], folder, cpu=CPU_LIMIT)
    ended = run_forked(["run", *RUNS[kind], "-q", "-o", file], folder, cpu=CPU_LIMIT)
    if ended.code not in (0, 1):
        raise RuntimeError(f"no clean run of {kind}: {ended.stderr}")
    run = read_run(folder / file)
    write_run(run, folder / "again.rmp3d")
    return run, set(_found(_verified("again.rmp3d", kind, folder)))


def _verified(file: str, kind: str, folder: Path) -> Ended:
    """Verify a recording against the scenario of a kind of run."""
    target, *options = RUNS[kind]
    trusted = ["--scenario", target]
    for option, value in zip(options[::2], options[1::2], strict=True):
        trusted += ["--set", f"{SET_BY[option]}={value}"]
    return run_forked(["verify", file, "--json", *trusted], folder, cpu=CPU_LIMIT)


def _found(ended: Ended) -> list[str]:
    """Return what `verify` found: kind and members of each finding."""
    if not ended.stdout.startswith("{"):
        return []
    report: dict[str, Any] = json.loads(ended.stdout)
    return [f"{each['kind']} {each['members']}" for each in report["findings"]]


def _plant_one(
    fault: str,
    kind: str,
    run: Run,
    known: set[str],
    rng: np.random.Generator,
    folder: Path,
    plants: Plants,
    keep: Path | None,
) -> None:
    planted = PLANTS[fault](run, rng)
    if planted is None:
        return
    path = folder / "planted.rmp3d"
    path.unlink(missing_ok=True)
    write_run(planted, path)
    ended = _verified(path.name, kind, folder)
    new = {each.split()[0] for each in _found(ended) if each not in known}
    kinds = KINDS[fault]
    seen = new & set(kinds) if kinds else new
    refused = ended.code == 2  # the clean run was not
    outcome = "found" if seen or refused else "passed"
    if ended.late or ended.code not in (0, 1, 2) or "Traceback" in ended.stderr:
        outcome = "failed"
    plants.counts.setdefault((fault, kind), Counter())[outcome] += 1
    if outcome != "found":
        where = ""
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            where = shutil.copy(path, keep / f"{fault}-{kind}.rmp3d".replace(" ", "-"))
        text = " ".join([*sorted(new), *ended.stderr.split()])[-300:]
        plants.bad.append(
            f"{fault} | {kind} | {outcome}, exit code {ended.code} | {text} | {where}"
        )
