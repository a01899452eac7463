"""Scenes of a folder: each mesh is inspected, its proposed scenario is run, the run is verified.

    python -m benchmarks.worlds FOLDER [--only dungeon,garage] [--seconds 300] [-o worlds.md]

Nothing is edited between the three commands. Each row says how far a scene came and, in the words
of the command that ended it, what it needs. Reads every mesh file that rmp3d knows below FOLDER;
scenes of other people stay out of the repository.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SUFFIXES = {".obj", ".ac", ".dae", ".glb", ".gltf", ".ply", ".stl", ".off", ".3mf", ".g", ".zae"}


@dataclass(frozen=True)
class WorldRow:
    """How far a scene came.

    Attributes:
        name: The mesh, relative to the folder.
        triangles: As `inspect` counts them; 0 if it failed.
        seconds: Of inspect, run and verify [s], as far as it came.
        outcome: ``proved``, or the command at which it ended.
        note: What it needs.
    """

    name: str
    triangles: int
    seconds: tuple[float, ...]
    outcome: str
    note: str


def main() -> int:
    """Go through the scenes; print or write the page. The exit code is 1 if one is not proved."""
    options = _options()
    rows = []
    for mesh in meshes_below(options.folder):
        name = mesh.relative_to(options.folder).as_posix()
        if options.only and not any(word in name for word in options.only):
            continue
        rows.append(try_world(mesh, name, options.seconds))
        print(_row(rows[-1]), file=sys.stderr, flush=True)
    text = "\n".join(_page(rows)) + "\n"
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    print(text)
    return 0 if all(row.outcome == "proved" for row in rows) else 1


def meshes_below(folder: Path) -> list[Path]:
    """Return the mesh files below a folder, sorted."""
    files = (path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    return sorted(path for path in files if path.is_file())


def try_world(mesh: Path, name: str, limit: float) -> WorldRow:
    """Take one mesh from file to proof.

    Args:
        mesh: The file.
        name: For the table.
        limit: Longest time of each command [s].
    """
    with tempfile.TemporaryDirectory(prefix="rmp3d-worlds-") as folder:
        scenario, recording = Path(folder, "proposed.toml"), Path(folder, "run.rmp3d")
        chart = Path(folder, "map.png")
        commands = (
            ("inspect", str(mesh), "--write", str(scenario), "-o", str(chart), "--json"),
            ("run", str(scenario), "-o", str(recording), "--json"),
            ("verify", str(recording), "--json"),
        )
        triangles, seconds = 0, []
        for command in commands:
            began = time.monotonic()
            code, out, err = _ended(command, limit)
            seconds.append(time.monotonic() - began)
            if command[0] == "inspect":
                triangles = _triangles(out)
            if code != 0:
                note = _note(code, out, err).replace(f"{folder}/", "").replace(str(mesh), name)
                return WorldRow(name, triangles, tuple(seconds), command[0], note)
        return WorldRow(name, triangles, tuple(seconds), "proved", "")


def _ended(command: Sequence[str], limit: float) -> tuple[int, str, str]:
    root = str(Path(__file__).resolve().parents[1])
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rmp3d", *command],
            capture_output=True,
            text=True,
            timeout=limit,
            env={**os.environ, "PYTHONPATH": root},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, "", f"not done after {limit:g} s"
    return done.returncode, done.stdout, done.stderr


def _triangles(out: str) -> int:
    try:
        parts = json.loads(out).get("parts", [])
        return sum(int(part["triangles"]) for part in parts)
    except (ValueError, KeyError, TypeError):
        return 0


def _note(code: int, out: str, err: str) -> str:
    """Return the command's own words: its error, or what its report says."""
    lines = [line for line in err.splitlines() if line.strip()]
    if lines:
        return f"{' '.join(lines)[:400]}"
    try:
        report = json.loads(out)
    except ValueError:
        return f"exit code {code}"
    if "findings" in report:
        first = report["findings"][0] if report["findings"] else {}
        return f"{len(report['findings'])} findings, such as {first.get('kind')}: " + str(
            first.get("text")
        )
    counts = [f"{g.get('arrived')} of {g.get('members')}" for g in report.get("groups", [])]
    return f"exit code {code}: arrived {', '.join(counts)}"


def _page(rows: Sequence[WorldRow]) -> Iterator[str]:
    proved = sum(row.outcome == "proved" for row in rows)
    yield "# Scenes that nobody here made"
    yield ""
    yield (
        f"{proved} of {len(rows)} scenes go from a mesh to a proof without an edit. Python "
        f"{platform.python_version()}; `python -m benchmarks.worlds FOLDER` makes this page."
    )
    yield ""
    yield "| scene | triangles | inspect, run, verify [s] | outcome | what it needs |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows:
        yield _row(row)


def _row(row: WorldRow) -> str:
    seconds = ", ".join(f"{each:.0f}" for each in row.seconds)
    note = row.note.replace("|", "/")
    return f"| {row.name} | {row.triangles} | {seconds} | {row.outcome} | {note} |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.worlds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--seconds", type=float, default=600.0, help="limit of each command")
    parser.add_argument("-o", "--output", type=Path, help="the page")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
