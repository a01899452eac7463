"""All checks of one recording, block by block."""

from collections.abc import Callable

import numpy as np

from rmp3d.errors import RecordingError
from rmp3d.recording import RecordingReader
from rmp3d.verification.blocks import blocks
from rmp3d.verification.bodies import RigidMesh
from rmp3d.verification.formations import FormationCheck
from rmp3d.verification.limits import LimitCheck
from rmp3d.verification.obstacles import ObstacleCheck
from rmp3d.verification.overhead import OverheadCheck
from rmp3d.verification.pairs import PairCheck
from rmp3d.verification.places import ArrivalCheck, BoundsCheck, GroundCheck
from rmp3d.verification.report import Finding, FindingLog, Report

Progress = Callable[[int, int], None]


def verify(recording: RecordingReader, progress: Progress | None = None) -> Report:
    """Return the report on a recording.

    Args:
        recording: Open; an unfinished recording can be verified, but that is a finding.
        progress: Called with (frames done, all frames); it may raise to stop.

    Raises:
        InputError: Scene or characters are gone or have changed.
        RecordingError: There are no frames, or they are damaged.
    """
    if recording.frames == 0:
        raise RecordingError(f"{recording.path}: has no frames ({recording.ending})")
    scene = recording.load_scene()
    characters = recording.load_characters()
    header, dt, frames = recording.header, recording.dt, recording.frames
    bodies = tuple(RigidMesh(character.body.mesh) for character in characters)
    walks = tuple(character.grounded for character in characters)
    obstacles, pairs = ObstacleCheck(scene, walks, dt), PairCheck(dt)
    groups = range(len(recording.scenario.groups))
    radii = [header.radius_of_group(group, characters) for group in groups]
    arrivals = ArrivalCheck(recording.scenario, scene, radii)
    checks = (
        obstacles,
        OverheadCheck(scene, characters, dt),
        pairs,
        LimitCheck(characters, dt),
        GroundCheck(scene, characters, dt),
        BoundsCheck(scene, dt),
    )
    formations = FormationCheck(header.formations, header.group_of, dt)
    log = FindingLog(gap=1.5 * dt)
    for block in blocks(recording, bodies):
        for check in checks:
            log.add(check.findings(block))
        claims = recording.formation_of(block.first, block.first + block.motions + 1)
        log.add(formations.findings(block, claims))
        arrivals.note(block, header.group_of)
        if progress is not None:
            progress(block.first + block.motions + 1, frames)
    log.add(formations.rest(frames))
    log.add(arrivals.findings(header.group_of, frames, dt))
    if not recording.finished:
        end = (frames - 1) * dt
        log.add([Finding("unfinished", end, end, text=f"the run ended early: {recording.ending}")])
    count = header.member_count
    return Report(
        frames=frames,
        members=count,
        arrived=int((arrivals.last_outside < frames - 1)[arrivals.expected].sum()),
        expected=int(arrivals.expected.sum()),
        findings=log.sorted(),
        states=frames * count,
        motions=(frames - 1) * count,
        clearance_scene=_number(obstacles.nearest),
        clearance_members=_number(pairs.nearest),
    )


def _number(distance: float) -> float | None:
    return float(distance) if np.isfinite(distance) else None
