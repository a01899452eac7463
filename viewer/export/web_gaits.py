"""How members with bones move in the replay page: poses by speed and phase, and both over time.

The page has no legs to plan. It has, for each kind, poses of one going straight on flat ground at
several speeds, and blends them; a foot that stands slips a little where the speed changes. Below
the hips a walker goes up and down with a plane through the ground ahead, behind and on both sides.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.models import Character
from rmp3d.models.skeleton import STANDING, CharacterRig, Clip, clips_at_rest
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import sheet
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.playback.gait import main_clip
from rmp3d.viewer.playback.ground import GroundHeights
from rmp3d.viewer.playback.on_the_spot import number_of, rested_at, resting_clip
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses, steering

PHASES = 16
"""Poses of a cycle."""
STEP = 0.25
"""Phases and speeds are stated so often [s]."""
PHASE_UNIT, SPEED_UNIT, BEND_UNIT, REST_UNIT = 0.001, 0.01, 0.002, 0.01
"""Of what is stated: cycles, m/s; slopes, [m] and [rad]; how far members sit, 0 to 1."""
STEEPEST = 0.8
"""Largest slope of the ground under feet."""
STANCE = 0.25
"""How far [m] ahead, behind and aside the ground is looked for."""
SHARES = (0.4, 0.75, 1.0, 1.5)
"""Speeds of the poses, of that of the walk."""
SECONDS, DT = 8.0, 1.0 / 60.0
"""Of the way from which the poses are taken."""
SITS_BY = 12.0
"""When whoever stands has sat down, or grazes [s]."""


def add_gaits(pack: Pack, playback: Playback, first: int = 0) -> dict[str, Any]:
    """Add the phases and speeds of all members, from a frame on.

    Returns:
        What the head has to say of them.
    """
    poses = Poses(playback)
    begin = int(first * playback.dt / STEP)
    at = np.arange(begin, 1 + int(np.ceil(playback.duration / STEP))) * STEP
    at = np.minimum(at, playback.duration)
    samples = len(at)
    phase = np.zeros((playback.member_count, samples))
    speed = np.zeros((playback.member_count, samples))
    bend = np.zeros((playback.member_count, samples, 4))
    rest = np.zeros((playback.member_count, samples))
    rest_of = [-1] * playback.member_count
    ground = GroundHeights(playback.scene)
    for member in range(playback.member_count):
        rig = playback.characters[playback.character_of[member]].rig
        if rig is None:
            continue
        track = poses.track(member)
        time = np.arange(len(track.phase)) * playback.dt
        phase[member] = np.interp(at, time, track.phase)
        speed[member] = np.interp(at, time, track.speed)
        if rig.legs:
            bend[member, :, :3] = _ground_under(playback, member, at, ground)
            name = resting_clip(playback, rig, member)
            if name:
                number = float(number_of(np.array(member)))
                rest[member] = rested_at(name, track, number, at, playback.dt)
                rest_of[member] = clips_at_rest(rig).index(name)
        if rig.steered:
            for row, frame in enumerate((at / playback.dt).tolist()):
                bend[member, row, 3:] = steering(rig, [track], frame, playback.dt)
    steps = np.round(phase / PHASE_UNIT).astype(np.intp)
    pack.add_integers("gait_phase", np.diff(steps, axis=1, prepend=0).reshape(-1), 3)
    pack.add_integers("gait_speed", np.round(speed / SPEED_UNIT).astype(np.intp).reshape(-1), 2)
    steps = np.round(bend / BEND_UNIT).astype(np.intp)
    if steps.any():
        pack.add_integers("gait_bend", steps.reshape(-1), 2)
    steps = np.round(rest / REST_UNIT).astype(np.intp)
    head: dict[str, Any] = {}
    if steps.any():
        pack.add_integers("gait_rest", np.diff(steps, axis=1, prepend=0).reshape(-1), 1)
        head = {"rest": REST_UNIT, "rest_of": rest_of}
    units = {"phase": PHASE_UNIT, "speed": SPEED_UNIT, "bend": BEND_UNIT}
    return {"step": STEP, "first": begin, "samples": samples, **units, **head}


def _ground_under(playback: Playback, member: int, at: Float, ground: GroundHeights) -> Float:
    """Return the plane under a walker's feet at moments (S,) [s], in its body's frame.

    Returns:
        (S, 3) how it rises ahead and to the left, and how high it is at the origin [m].
    """
    rows = np.minimum(np.round(at / playback.dt).astype(np.intp), playback.frame_count - 1)
    turn = matrix_from_quaternion(playback.orientation_wxyz[rows, member])  # (S, 3, 3)
    recorded, drawn = playback.position[rows, member], playback.drawn[rows, member]
    aside = STANCE * np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]])
    asked = recorded[:, None] + np.einsum("sab,kb->ska", turn, aside)
    found = ground.under(asked.reshape(-1, 3)).reshape(asked.shape)
    own = np.einsum("sba,skb->ska", turn, found - drawn[:, None])  # (S, 4, 3)
    ahead = (own[:, 0, 2] - own[:, 1, 2]) / np.maximum(own[:, 0, 0] - own[:, 1, 0], STANCE)
    left = (own[:, 2, 2] - own[:, 3, 2]) / np.maximum(own[:, 2, 1] - own[:, 3, 1], STANCE)
    slopes = np.clip(np.stack([ahead, left], axis=1), -STEEPEST, STEEPEST)
    return np.column_stack([slopes, own[:, :, 2].mean(axis=1)])


def add_poses(pack: Pack, name: str, character: Character) -> dict[str, Any] | None:
    """Add the poses of a kind; return what the head has to say of them, None without bones.

    They are rows of half floats: for each speed and phase, three texels a joint, the rows of its
    motion (3 x 4). After the speeds come the clips at rest, such as sitting.
    """
    rig = character.rig
    if rig is None:
        return None
    speeds, motions = _poses(character, rig)
    resting = [_resting(character, rig.clips[clip]) for clip in clips_at_rest(rig)]
    pack.add(f"{name}_motions", np.concatenate([motions, *resting]).astype("<f2"))
    return {
        "speeds": speeds,
        "rests": [rig.clips[clip].duration for clip in clips_at_rest(rig)],
        "phases": PHASES,
        "joints": len(rig.skeleton.names),
        "hip": float(min(rig.skeleton.position[leg.upper, 2] for leg in rig.legs))
        if rig.legs
        else 0.0,
        "idle": rig.clips["idle"].duration if rig.legs and "idle" in rig.clips else 0.0,
    }


def skin_bytes(skin: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return joints and weights (M, 4) of rows (M, 8); a row of weights sums to 255."""
    weights = np.floor(255 * skin[:, 4:] + 1e-3).astype(np.intp)
    weights[:, 0] += 255 - weights.sum(axis=1)
    return skin[:, :4].astype(np.uint8), weights.astype(np.uint8)


def _poses(character: Character, rig: CharacterRig) -> tuple[list[float], Float]:
    """Return speeds (S,) and motions (S, `PHASES`, J, 3, 4)."""
    phase = np.arange(PHASES) / PHASES
    if not rig.legs:
        clip = main_clip(rig)
        if clip is None:
            return [0.0], np.tile(np.eye(3, 4), (1, PHASES, len(rig.skeleton.names), 1, 1))
        return [0.0], rig.motion(*rig.clips[clip].at(phase))[None]
    walk = rig.clips["walk"].speed
    speeds = [walk * share for share in SHARES]
    if "run" in rig.clips:
        speeds.append(rig.clips["run"].speed)
    speeds = [speed for speed in speeds if speed <= 1.2 * character.parameters.max_speed]
    still = np.zeros((PHASES, 1)) if "idle" not in rig.clips else phase[:, None]
    found = [_walking(character, 0.0, still[:, 0] * _idle(rig))]
    for speed in speeds:
        playback = _straight(character, speed)
        track = Poses(playback).track(0)
        time = np.arange(len(track.phase)) * DT
        whole = np.ceil(np.interp(0.5 * SECONDS, time, track.phase))
        found.append(_walking(character, speed, np.interp(whole + phase, track.phase, time)))
    return [0.0, *speeds], np.array(found)


def _resting(character: Character, clip: Clip) -> Float:
    """Return motions (1, `PHASES`, J, 3, 4) of one that sits, or grazes."""
    cycles = np.ceil(SITS_BY / clip.duration) + np.arange(PHASES) / PHASES
    return _walking(character, 0.0, cycles * clip.duration, clip.name)[None]


def _idle(rig: CharacterRig) -> float:
    return rig.clips["idle"].duration if "idle" in rig.clips else 0.0


def _walking(character: Character, speed: float, times: Float, at_rest: str = "") -> Float:
    """Return motions (T, J, 3, 4) of one that goes straight, or rests, at times (T,) [s]."""
    playback = _straight(character, speed, at_rest or STANDING)
    poses, only = Poses(playback), np.zeros(1, np.intp)
    return np.concatenate(
        [poses.motions(0, only, playback.pose(time), time) for time in times.tolist()]
    )


def _straight(character: Character, speed: float, at_rest: str = STANDING) -> Playback:
    """Return a playback of one member on a plain."""
    frames = 1 + int(SECONDS / DT)
    far = 1.1 * SECONDS * max(speed, 1.0) + 5.0
    floor = sheet(-far, -far, far, far, 0.0)
    scene = Scene("plain", (Part("floor", "ground", floor, np.ones((2, 3))),), {}, floor.bounds)
    position = np.zeros((frames, 1, 3))
    position[:, 0, 0] = speed * DT * np.arange(frames)
    turns = np.zeros((frames, 1, 4))
    turns[..., 0] = 1.0
    one: Index = np.zeros(1, np.intp)
    return Playback(
        scene=scene, characters=(character,), character_of=one, group_of=one, group_names=("a",),
        dt=DT, position=position, orientation_wxyz=turns,
        formation_of=np.full((frames, 1), -1), at_rest=(at_rest,),
    )  # fmt: skip
