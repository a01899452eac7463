"""How well drawn members stand on their feet, and whether a limb jumps: built-in scenarios.

    python -m benchmarks.feet [--scenes parking,...] [--seconds 20] [--members 40] [-o FILE.md]

Each run is played at 30 pictures a second. *Slip* is how far heel or ball of a foot goes at most
while that foot stands, seen from a lift for those on it; *jump* is the largest acceleration of a
joint between three pictures, in the world: a limb that is at another place from one picture to the
next has thousands of m/s².
"""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.campaign import publish
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses, _placed

SCENES = (
    "parking", "patio_house", "water_park", "maze", "traps", "meadow", "rock_valley",
    "city_crowd", "canyon", "cave", "sky",
)  # fmt: skip
FPS = 30.0
FLAT = 1e-3  # [rad] a foot pitched less stands on heel and ball


@dataclass(frozen=True, eq=False)
class Seen:
    """What is seen of the members of a kind in T pictures.

    Attributes:
        joints: (T, n, J, 3) places of the joints [m].
        soles: (T, n, L, 2, 3) places of heels and balls [m], less how far the member was carried.
        stands: (T, n, L, 2) which of them stand.
    """

    joints: Float
    soles: Float
    stands: Bool


def seen(shown: Playback, kind: int, members: Index) -> Seen:
    """Return what is seen of members (n,) of a kind."""
    rig, poses = shown.characters[kind].rig, Poses(shown)
    assert rig is not None
    joints, soles, stands = [], [], []
    for time in np.arange(0.0, shown.duration, 1.0 / FPS):
        pose = shown.pose(time)
        motion = poses.motions(kind, members, pose, time)
        turn, here = matrix_from_quaternion(pose.orientation_wxyz[members]), pose.position[members]
        at = np.einsum("njab,jb->nja", motion[..., :3], rig.skeleton.position) + motion[..., 3]
        joints.append(np.einsum("nab,njb->nja", turn, at) + here[:, None])
        ends = np.zeros((len(members), len(rig.legs), 2, 3))
        down = np.zeros(ends.shape[:3], np.bool_)
        for k, leg in enumerate(rig.legs):
            x, y, _ = rig.skeleton.position[leg.foot]
            sole = np.array([[x - leg.heel, y, 0.0], [x + leg.ball, y, 0.0]])
            own = motion[:, leg.foot]
            body = np.einsum("nab,eb->nea", own[..., :3], sole) + own[:, None, :, 3]
            ends[:, k] = np.einsum("nab,neb->nea", turn, body) + here[:, None]
            stride = np.ones(len(members))
            placed, swing = _placed(poses._bones[kind][k], poses._feet[kind][1][k], time, stride)
            down[:, k] = (swing < 0.0)[:, None] & np.column_stack(
                [placed[:, 4] <= FLAT, placed[:, 4] >= -FLAT]
            )
        carried = [poses._walks[member].carried(time, shown.dt) for member in members.tolist()]
        soles.append(ends - np.array(carried)[:, None, None])
        stands.append(down)
    return Seen(np.array(joints), np.array(soles), np.array(stands))


def slips(found: Seen) -> Float:
    """Return how far each heel and ball goes at most (K,) [m], each time that it stands."""
    worst = []
    count = len(found.stands)
    places = found.soles.reshape(count, -1, 3)
    for column, stands in enumerate(found.stands.reshape(count, -1).T):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], stands.astype(int), [0]])))
        for first, end in zip(edges[::2], edges[1::2], strict=True):
            way = places[first:end, column] - places[first, column]
            worst.append(float(np.linalg.norm(way, axis=1).max()))
    return np.array(worst)


def jumps(found: Seen) -> Float:
    """Return the largest acceleration of a joint (T - 2, n) [m/s^2]."""
    way = found.joints
    change = way[2:] - 2.0 * way[1:-1] + way[:-2]
    largest: Float = np.linalg.norm(change, axis=-1).max(axis=2) * FPS * FPS
    return largest


def rows(scene: str, seconds: float, most: int) -> list[str]:
    """Return the rows of a scenario, one for each kind of member with bones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rmp3d"
        simulate(load(scene, [f"simulation.duration={seconds}"]), recording_path=path)
        with RecordingReader.open(path) as recording:
            shown = playback(recording)
    lines = []
    for kind, character in enumerate(shown.characters):
        members = np.flatnonzero(shown.character_of == kind)[:most]
        if character.rig is None or len(members) == 0:
            continue
        found = seen(shown, kind, members)
        slip, jump = slips(found), jumps(found)
        feet = "| - | - | - | - "
        if len(slip):
            feet = (
                f"| {len(slip)} | {100 * np.percentile(slip, 95):.2f} | {100 * slip.max():.1f} "
                f"| {100 * np.mean(slip > 0.02):.2g} "
            )
        lines.append(
            f"| {scene} | {character.name} | {len(members)} {feet}"
            f"| {np.percentile(jump, 99.9):.0f} | {jump.max():.0f} |"
        )
    return lines


def main() -> None:
    """Measure and print, or write, the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--scenes", default=",".join(SCENES))
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--members", type=int, default=40, help="of each kind, at most")
    parser.add_argument("-o", "--output", type=Path, help="also write the page")
    options = parser.parse_args()
    page = [
        "# Feet",
        "",
        *(__doc__ or "").split("\n\n", 2)[2].strip().split("\n"),
        "",
        f"Seed 0, the first {options.seconds:g} s, up to {options.members} members of a kind.",
        "",
        "| scenario | character | members | times a foot stands | slip, 95 of 100 [cm] "
        "| worst slip [cm] | over 2 cm [%] | jump, 999 of 1000 [m/s²] | worst jump [m/s²] |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for scene in options.scenes.split(","):
        page += rows(scene, options.seconds, options.members)
        print(page[-1], flush=True)
    publish(page, options.output)


if __name__ == "__main__":
    main()
