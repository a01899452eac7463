"""The fuzzer: sound files of every kind are damaged, and rmp3d is asked to read them."""

import random
import shutil
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.faults.beside_samples import OWN_CODE
from benchmarks.faults.damage import damages_for
from benchmarks.faults.forks import Ended, run_forked, warm_up
from benchmarks.faults.judging import BAD, outcome
from benchmarks.faults.samples import Sample, write_samples
from benchmarks.faults.setting import COST, OPTIONS, SET

KEPT = 12  # bad cases of one kind and column that are kept as files


@dataclass
class Tally:
    """Outcomes by kind of file.

    Attributes:
        counts: By kind, then by column.
        bad: Lines that say how to see a bad case.
        slowest: Processor time [s] and memory [bytes] of the costliest case, by kind.
    """

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)
    slowest: dict[str, tuple[float, int]] = field(default_factory=dict)

    def add(self, kind: str, column: str, ended: Ended) -> None:
        """Count an outcome."""
        self.counts.setdefault(kind, Counter())[column] += 1
        cpu, memory = self.slowest.get(kind, (0.0, 0))
        self.slowest[kind] = max(cpu, ended.cpu), max(memory, ended.memory)


def fuzz(
    seed: int,
    *,
    seconds: float | None = None,
    cases: int | None = None,
    kinds: Sequence[str] = (),
    keep: Path | None = None,
) -> Tally:
    """Damage files and read them, until the time or the number of cases is over.

    Args:
        seed: Equal seeds and numbers of cases give equal cases.
        seconds: Longest time.
        cases: Largest number.
        kinds: Beginnings of the kinds to try; empty: all.
        keep: Folder for the bad cases.
    """
    tally, number = Tally(), 0
    warm_up()
    with tempfile.TemporaryDirectory(prefix="rmp3d-faults-") as name:
        sound, folder = Path(name, "sound"), Path(name, "case")
        sound.mkdir()
        samples = write_samples(sound, kinds)
        options = (SET, COST)
        samples += [each for each in options if not kinds or each.kind.startswith(tuple(kinds))]
        until = None if seconds is None else time.monotonic() + seconds
        while (cases is None or number < cases) and (until is None or time.monotonic() < until):
            sample = samples[number % len(samples)]
            _try_one(sample, sound, folder, f"{seed}-{number}", tally, keep)
            number += 1
    return tally


def _try_one(
    sample: Sample, sound: Path, folder: Path, case: str, tally: Tally, keep: Path | None
) -> None:
    """Damage one sample and read it; the case's name is the seed of its randomness."""
    rng = random.Random(zlib.crc32(f"{case} {sample.kind} {sample.name}".encode()))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sound, folder)
    command = rng.choice(sample.commands)
    if sample.kind in OPTIONS:
        label = OPTIONS[sample.kind](rng)
        command = (*command, sample.kind, label)
    else:
        damage = rng.choice(damages_for(sample.name))
        label = f"{damage.__name__}: {damage(folder / sample.name, rng)}"
    before = {path.name for path in folder.iterdir()}
    ended = run_forked(command, folder)
    column, why = outcome(ended, (*before, sample.kind, "`"), of_code=sample.kind == OWN_CODE)
    tally.add(sample.kind, column, ended)
    if column in BAD:
        kept = _keep(folder, keep, f"{case}-{column.replace(' ', '-')}", tally, sample)
        line = f"{sample.kind} | {column} | {label[:160]} | {' '.join(command)[:200]}"
        tally.bad.append(f"{case} | {line} | {why!r:.500} | {kept}")


def _keep(folder: Path, keep: Path | None, name: str, tally: Tally, sample: Sample) -> str:
    if keep is None or sum(f"| {sample.kind} |" in line for line in tally.bad) > KEPT:
        return ""
    target = keep / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target)
    return str(target)
