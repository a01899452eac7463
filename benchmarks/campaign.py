"""A campaign: many runs side by side, each kept when it is done, so that a stopped one goes on."""

import json
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Row: TypeAlias = dict[str, Any]


def campaign(
    run_one: Callable[[T], Row],
    jobs: Mapping[str, T],
    *,
    results: Path | None,
    processes: int,
    is_good: Callable[[Row], bool],
) -> list[Row]:
    """Return the rows of jobs, in their order; after Ctrl-C of those that are done.

    Args:
        run_one: Runs a job in a process of its own.
        jobs: By the key under which a row is kept.
        results: File of lines of JSON; what it holds is not run again. None keeps nothing.
        processes: At a time.
        is_good: What is not is counted on standard error.
    """
    known = _kept(results)
    with ProcessPoolExecutor(processes, initializer=end_at_once) as pool:
        futures = {pool.submit(run_one, job): key for key, job in jobs.items() if key not in known}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                known[futures[future]] = row = future.result()
                if results:
                    with results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({"job": futures[future], "row": row}) + "\n")
                bad = sum(not is_good(row) for key, row in known.items() if key in jobs)
                print(f"\r{done}/{len(futures)} runs, {bad} failed", end="", file=sys.stderr)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("\nstopped", end="", file=sys.stderr)
    print(file=sys.stderr)
    return [known[key] for key in jobs if key in known]


def publish(lines: Iterable[str], output: Path | None) -> None:
    """Print the lines of a page, and write them to a file if one is given."""
    text = "\n".join(lines) + "\n"
    print(text)
    if output:
        output.write_text(text, encoding="utf-8")


def end_at_once() -> None:
    """Let Ctrl-C end this process, a worker, without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stopped_early(rows: Sequence[Row], jobs: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines for the page that tell of a campaign that was stopped."""
    if len(rows) < len(jobs):
        yield f"The campaign was stopped after {len(rows)} of {len(jobs)} runs."
        yield ""


def _kept(path: Path | None) -> dict[str, Row]:
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line["job"]: line["row"] for line in lines}
