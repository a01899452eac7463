"""Hostile files, sudden ends and false recordings: campaigns by seed, and a page of tables.

    python -m benchmarks.faults --seed 5 --minutes 30 -o benchmarks/faults.md
    python -m benchmarks.faults --only fuzz --kinds recording,roadmap --cases 500 --keep /tmp/cases

The fuzzer damages sound files of every kind that rmp3d reads. The killer ends every command that
writes, at any moment. The planter puts faults into clean recordings, which `verify` must find. The
exit code is 1 if anything is in a bad column. Needs POSIX (fork, limits of processes); the killer
reads /proc.
"""

import argparse
import platform
import sys
from pathlib import Path

from benchmarks.faults import page
from benchmarks.faults.forks import WALL_LIMIT
from benchmarks.faults.fuzzer import fuzz
from benchmarks.faults.judging import CPU
from benchmarks.faults.killer import LONGEST, kill
from benchmarks.faults.planter import plant

SHARES = {"fuzz": 0.5, "kill": 0.25, "plant": 0.25}


def main() -> int:
    """Run the campaigns; print or write the page."""
    options = _options()
    total = sum(SHARES[name] for name in options.only)
    seconds = {name: 60 * options.minutes * SHARES[name] / total for name in options.only}
    lines = [
        "# Faults",
        "",
        f"Seed {options.seed}, Python {platform.python_version()}; "
        "`python -m benchmarks.faults` makes this page.",
        "",
        "Slowness is judged by processor seconds, so that a busy machine gives no false alarms. A "
        f"hang is a command that takes more than {CPU:g} s for a damaged file, or {LONGEST:g} s "
        f"after a signal; or one that has not ended after {WALL_LIMIT:g} s on the clock.",
        "",
    ]
    bad = 0
    for name in options.only:
        limits = {
            "seconds": None if options.cases else seconds[name],
            "cases": options.cases,
        }
        if name == "fuzz":
            tally = fuzz(options.seed, kinds=options.kinds, keep=options.keep, **limits)
            lines += page.fuzz_table(tally)
            bad += len(tally.bad)
        elif name == "kill":
            kills = kill(options.seed, only=options.commands, **limits)
            lines += page.kill_table(kills)
            bad += len(kills.bad)
        else:
            plants = plant(options.seed, runs=options.runs, keep=options.keep, **limits)
            lines += page.plant_table(plants)
            bad += len(plants.bad)
    text = "\n".join(lines).rstrip() + "\n"
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    print(text)
    return 1 if bad else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=30.0, help="of all campaigns together")
    parser.add_argument("--cases", type=int, help="of each campaign, instead of minutes")
    parser.add_argument("--only", type=_names, default=list(SHARES), help="fuzz,kill,plant")
    parser.add_argument("--kinds", type=_words, default=[], help="of files to damage, by beginning")
    parser.add_argument("--commands", type=_words, default=[], help="to end; default: all")
    parser.add_argument("--runs", type=_words, default=[], help="to plant into; default: all")
    parser.add_argument("--keep", type=Path, help="folder for the bad cases")
    parser.add_argument("-o", "--output", type=Path, help="the page")
    return parser.parse_args()


def _words(text: str) -> list[str]:
    return text.split(",")


def _names(text: str) -> list[str]:
    names = _words(text)
    if unknown := set(names) - set(SHARES):
        raise argparse.ArgumentTypeError(f"no campaign {', '.join(sorted(unknown))}")
    return names


if __name__ == "__main__":
    sys.exit(main())
