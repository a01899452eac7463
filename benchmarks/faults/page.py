"""The campaigns' results as tables of cases and outcomes."""

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.faults import fuzzer, judging, killer
from benchmarks.faults.planter import Plants
from benchmarks.faults.plants import PLANTS


def fuzz_table(tally: fuzzer.Tally) -> Iterator[str]:
    """Yield the lines of the fuzzer's table."""
    total: Counter[str] = Counter()
    yield "## Damaged files"
    yield ""
    columns = (*judging.GOOD, *judging.BAD)
    yield from _head(("file", "cases", *columns, "most s", "most MiB"))
    for kind, counts in tally.counts.items():
        cpu, memory = tally.slowest[kind]
        total += counts
        cells = [str(counts[column]) for column in columns]
        yield _row((kind, str(counts.total()), *cells, f"{cpu:.1f}", f"{memory / 2**20:.0f}"))
    yield _row(("all", str(total.total()), *[str(total[c]) for c in columns], "", ""))
    yield ""
    yield from _cases(tally.bad)


def kill_table(kills: killer.Kills) -> Iterator[str]:
    """Yield the lines of the killer's table."""
    yield "## Sudden ends"
    yield ""
    columns = (*killer.GOOD, *killer.BAD)
    yield from _head(("command", "SIGINT", "SIGTERM", "SIGKILL", "finished", *columns))
    for name, counts in kills.counts.items():
        signals = [
            sum(count for (label, _), count in counts.items() if label == each)
            for each in ("SIGINT", "SIGTERM", "SIGKILL", "finished")
        ]
        cells = [
            sum(count for (_, c), count in counts.items() if c == column) for column in columns
        ]
        yield _row((name, *map(str, [*signals, *cells])))
    yield ""
    if kills.early:
        yield f"{kills.early} interrupts came before Python or after it, when none can catch them."
        yield ""
    yield from _cases(kills.bad)


def plant_table(plants: Plants) -> Iterator[str]:
    """Yield the lines of the planter's table: one for each file of faults, and the runs."""
    yield "## Planted faults"
    yield ""
    families: dict[str, Counter[str]] = {}
    for (fault, _), counts in plants.counts.items():
        family = families.setdefault(PLANTS[fault].__module__.rpartition(".")[2], Counter())
        family += counts
        family["kinds"] = len({
            name for name, _ in plants.counts if PLANTS[name].__module__ == PLANTS[fault].__module__
        })  # fmt: skip
    yield from _head(("faults of", "kinds", "planted", "found"))
    total: Counter[str] = Counter()
    for name, counts in sorted(families.items()):
        planted = counts.total() - counts["kinds"]
        total += Counter(kinds=counts["kinds"], planted=planted, found=counts["found"])
        yield _row((f"`{name}`", *map(str, (counts["kinds"], planted, counts["found"]))))
    yield _row(("all", *(str(total[each]) for each in ("kinds", "planted", "found"))))
    yield ""
    runs = Counter(run for _, run in plants.counts)
    yield "By run: " + ", ".join(f"{run} {count}" for run, count in sorted(runs.items())) + "."
    yield ""
    yield from _cases(plants.bad)


def _head(names: Sequence[str]) -> Iterator[str]:
    yield _row(names)
    yield _row(["---"] * len(names))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cases(bad: Sequence[str]) -> Iterator[str]:
    if not bad:
        yield "Nothing is in the bad columns."
        yield ""
        return
    yield "Bad cases:"
    yield ""
    for line in bad[:200]:
        text = " ".join(line.split()).replace("`", "'")
        yield f"- `{text[:600]}`"
    yield ""
