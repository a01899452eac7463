"""The stories of members that act, over seeds: what they do, and what verification finds.

python -m benchmarks.stories [--seeds 5] [-o benchmarks/stories.md]
"""

import argparse
import platform
import tempfile
from pathlib import Path

import numpy as np

import rmp3d as rp
from rmp3d.recording import RecordingReader

STORIES = ("patio_house_guards", "water_park_visitors")


def tell(name: str, seed: int, folder: Path) -> list[str]:
    """Return a row of the table: what happened in one run."""
    path = folder / f"{name}-{seed}.rmp3d"
    rp.run(name, seed=seed, to=path)
    findings = len(rp.verify(path).findings)
    with RecordingReader.open(path) as recording:
        taken: dict[str, int] = {}
        for event in recording.events():
            if event.kind == "goal" and " -> " in event.text:
                goal = event.text.split(" -> ")[1]
                taken[goal] = taken.get(goal, 0) + 1
        position = recording.position()
    walked = np.linalg.norm(np.diff(position, axis=0), axis=2).sum(axis=0)
    goals = ", ".join(f"{goal} {count}" for goal, count in sorted(taken.items()))
    return [name, str(seed), goals, f"{walked.min():.0f} to {walked.max():.0f}", str(findings)]


def main() -> None:
    """Run all stories with all seeds, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("-o", "--output", type=Path, default=Path("benchmarks/stories.md"))
    options = parser.parse_args()
    head = ["story", "seed", "goals taken up", "walked by a member [m]", "findings"]
    rows = [head, ["---"] * len(head)]
    with tempfile.TemporaryDirectory() as folder:
        for name in STORIES:
            for seed in range(options.seeds):
                rows.append(tell(name, seed, Path(folder)))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    text = [
        "# Stories: members that act, over seeds", "",
        f"`python -m benchmarks.stories --seeds {options.seeds}`, {platform.machine()}, whole "
        "runs; `findings` are those of `rmp3d verify`.", "", *lines, "",
    ]  # fmt: skip
    options.output.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
