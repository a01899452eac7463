"""How large files get: a long run of a crowd, recorded, and in every format that holds motion.

    python -m benchmarks.exports -o benchmarks/exports.md
    python -m benchmarks.exports --recording a.rmp3d

Without a recording, walkers are made up that wander over the parking scene, stop now and then,
sway and look about; they need more key frames a second than the walkers of the built-in scenes.
"""

import argparse
import os
import platform
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from msgspec import structs
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation, Slerp

from rmp3d.models import load_character
from rmp3d.playback.from_recording import playback as playback_of
from rmp3d.recording import Header, RecordingReader, RecordingWriter
from rmp3d.scenario.loading import load
from rmp3d.scenes import load_scene
from rmp3d.viewer import Playback, export_playback
from rmp3d.viewer.export.keyframes import orientation_keys, position_keys

SUFFIXES = (".glb", ".html", ".npz", ".parquet", ".csv")
LIMITS = {".glb": 60, ".html": 20}  # MB
DT = 1 / 30
AHEAD = 30  # frames that a subgoal is ahead


def record_wanderers(path: Path, members: int, minutes: float, seed: int) -> None:
    """Record walkers whose speed and turning drift at random, each with sway of a step's length."""
    rng = np.random.default_rng(seed)
    frames = round(60 * minutes / DT) + 1

    def drift(seconds: float, size: float) -> np.ndarray:
        noise = gaussian_filter1d(rng.normal(size=(frames, members)), seconds / DT, axis=0)
        return size * noise / noise.std(axis=0)

    heading = np.cumsum(drift(1.0, 0.5), axis=0) * DT + rng.uniform(-np.pi, np.pi, members)
    speed = np.clip(1.0 + drift(3.0, 0.6), 0.0, 1.8)
    step = speed[..., None] * np.stack([np.cos(heading), np.sin(heading)], axis=-1) * DT
    position = np.zeros((frames, members, 3))
    position[..., :2] = np.cumsum(step, axis=0) + rng.uniform(-8.0, 8.0, (members, 2))
    position[..., :2] += 0.03 * np.stack([drift(0.2, 1.0), drift(0.2, 1.0)], axis=-1)
    bearing = (heading + drift(0.2, 0.1) + np.pi) % (2 * np.pi) - np.pi
    turns = np.zeros((frames, members, 4))
    turns[..., 0], turns[..., 3] = np.cos(bearing / 2), np.sin(bearing / 2)
    scenario = load("parking", [f"simulation.dt={DT!r}", f"groups.0.members={members}"], seed=seed)
    scenario = structs.replace(scenario, name="wanderers")
    scene = load_scene(scenario.scene, Path("/"))
    characters = {kind: load_character(kind) for kind in scenario.kinds}
    header = Header.of(scenario, scene, [characters[kind] for kind in scenario.characters])
    with RecordingWriter(path, header) as recording:
        for frame in range(frames):
            recording.append(
                position=position[frame],
                orientation_wxyz=turns[frame],
                subgoal=position[min(frame + AHEAD, frames - 1)],
                formation_of=[-1],
            )


def keys_and_errors(playback: Playback) -> list[tuple[str, float, str]]:
    """Return (what, keys per member and second, largest error at any frame, by SciPy)."""
    frames = np.arange(playback.frame_count)
    size = max(playback.member_count * playback.duration, playback.dt)
    moves, turns = position_keys(playback.position), orientation_keys(playback.orientation_wxyz)
    gap = angle = 0.0
    for member in range(playback.member_count):
        at, value = moves.of(member)
        there = np.column_stack([np.interp(frames, at, axis) for axis in value.T])
        gap = max(gap, np.linalg.norm(there - playback.position[:, member], axis=1).max())
        at, value = turns.of(member)
        spin = Slerp(at, Rotation.from_quat(value, scalar_first=True))(frames)
        own = Rotation.from_quat(playback.orientation_wxyz[:, member], scalar_first=True)
        angle = max(angle, np.degrees((spin.inv() * own).magnitude()).max())
    return [
        ("positions", len(moves.frame) / size, f"{1000 * gap:.2f} mm"),
        ("orientations", len(turns.frame) / size, f"{angle:.3f} degrees"),
    ]


def report(path: Path) -> str:
    """Return the tables of a recording as Markdown."""
    with RecordingReader.open(path) as recording:
        playback = playback_of(recording)
    whole, poses = path.stat().st_size, playback.member_count * playback.frame_count
    lines = [
        "# Exports of a long run",
        "",
        f"{playback.member_count} members, {playback.duration / 60:.1f} minutes, "
        f"{playback.frame_count} frames ({playback.title}). "
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; "
        "processor time. Written by `python -m benchmarks.exports`.",
        "",
        "| format | size [MB] | at most [MB] | time [s] |",
        "|---|---|---|---|",
        f"| `.rmp3d`, {whole / poses:.2f} bytes for each member and frame "
        f"| {whole / 1e6:.1f} | | |",
    ]
    with TemporaryDirectory() as folder:
        for suffix in SUFFIXES:
            path, start = Path(folder) / f"a{suffix}", time.process_time()
            export_playback(playback, path)
            spent, size = time.process_time() - start, path.stat().st_size / 1e6
            lines.append(f"| `{suffix}` | {size:.1f} | {LIMITS.get(suffix, '')} | {spent:.0f} |")
    lines += ["", "| key frames | per member and second | largest error at any frame |"]
    lines += ["|---|---|---|"]
    for what, rate, error in keys_and_errors(playback):
        lines.append(f"| {what} | {rate:.2f} | {error} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--recording", type=Path, help="measure this one")
    parser.add_argument("--members", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, help="write the tables here too")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = options.recording or Path(folder) / "wanderers.rmp3d"
        if not options.recording:
            record_wanderers(path, options.members, options.minutes, options.seed)
        text = report(path)
    print(text, end="")
    if options.output:
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
