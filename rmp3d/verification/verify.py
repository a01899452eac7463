"""All checks of one recording, block by block."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import Bool
from rmp3d.recording import RecordingReader
from rmp3d.scenario import Scenario
from rmp3d.verification.attendance import AttendanceCheck
from rmp3d.verification.attitude import AttitudeCheck
from rmp3d.verification.blocks import Block, blocks
from rmp3d.verification.bodies import RigidMesh
from rmp3d.verification.claims import ClaimCheck
from rmp3d.verification.cohorts import cohorts
from rmp3d.verification.facing import FacingCheck
from rmp3d.verification.findings import MOST, FindingLog
from rmp3d.verification.formations import FormationCheck
from rmp3d.verification.ground import GroundCheck
from rmp3d.verification.limits import LimitCheck
from rmp3d.verification.made_changes import MadeChangesCheck
from rmp3d.verification.moving import MovingPartCheck
from rmp3d.verification.obstacles import ObstacleCheck
from rmp3d.verification.overhead import OverheadCheck
from rmp3d.verification.pairs import PairCheck
from rmp3d.verification.places import ArrivalCheck, BoundsCheck
from rmp3d.verification.report import Finding, Report
from rmp3d.verification.riding import Riders
from rmp3d.verification.setting_out import SettingOutCheck
from rmp3d.verification.trips import TripCheck
from rmp3d.verification.trusted import differences, unsaid_changes

Progress = Callable[[int, int], None]


class Check(Protocol):
    """Checks one rule in one block after another."""

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the findings of a block."""


def verify(
    recording: RecordingReader,
    progress: Progress | None = None,
    trusted: Scenario | None = None,
) -> Report:
    """Return the report on a recording.

    Args:
        recording: Open; an unfinished recording can be verified, but that is a finding.
        progress: Called with (frames done, all frames); it may raise to stop.
        trusted: What it should be a run of; each key in which it is another is a finding. All
            else is proved against the scenario in the recording.

    Raises:
        InputError: Scene or characters are gone or have changed.
        RecordingError: There are no frames, or they are damaged.
    """
    if recording.frames == 0:
        raise RecordingError(f"{recording.path}: has no frames ({recording.ending})")
    verification = _Verification(recording)
    found: tuple[Finding, ...] = ()
    if trusted is not None:
        header = recording.header
        changes = unsaid_changes(header, recording.events(), trusted)
        found = (*differences(header, trusted), *changes)
    report = verification.report(progress)
    kept = (*found[:MOST], *report.findings)
    more = {"scenario": len(found) - MOST} if len(found) > MOST else {}
    return replace(report, findings=kept, more={**more, **report.more})


class _Verification:
    """The checks of one recording."""

    def __init__(self, recording: RecordingReader) -> None:
        scene, characters = recording.load_scene(), recording.load_characters()
        header, dt = recording.header, recording.dt
        self._recording = recording
        self._bodies = tuple(
            RigidMesh(character.body.mesh, character.body.capsule_axis) for character in characters
        )
        members = cohorts(header, scene, characters, recording.life[:, 1] > 0)
        self._obstacles, self._pairs = ObstacleCheck(scene, members, dt), PairCheck(dt)
        riders = Riders(recording, scene)
        self._checks: tuple[Check, ...] = (
            self._obstacles,
            OverheadCheck(scene, members, dt),
            self._pairs,
            LimitCheck(characters, dt, riders),
            AttitudeCheck(scene, characters, dt, header),
            FacingCheck(characters, dt, header, riders),
            GroundCheck(scene, members, dt, riders),
            BoundsCheck(scene, dt),
        )
        self._moving: MovingPartCheck | None = None
        if header.moving:
            self._moving = MovingPartCheck(recording, scene, members, dt, riders, characters)
            self._checks = (*self._checks, self._moving)
        groups = range(len(recording.scenario.groups))
        radii = [header.radius_of_group(group, characters) for group in groups]
        self._arrivals = ArrivalCheck(recording.scenario, scene, radii)
        self._attendance = AttendanceCheck(recording, scene, radii)
        self._changes = MadeChangesCheck(recording, scene, radii)
        self._trips = TripCheck(recording, scene, radii)
        self._setting_out = SettingOutCheck(recording, scene, radii, self._trips)
        self._claims = ClaimCheck(recording, characters, self._arrivals.regions, self._trips)
        self._formations = FormationCheck(header.formations, header.group_of, dt)

    def report(self, progress: Progress | None) -> Report:
        """Run all checks."""
        recording, log = self._recording, FindingLog(self._recording.dt)
        for block in blocks(recording, self._bodies):
            last = block.first + block.motions + 1
            for check in self._checks:
                check.check(block, log)
            if block.first == 0:
                log.add(self._attendance.beginning(block))
            log.add(self._setting_out.findings(block))
            claims = recording.formation_of(block.first, last)
            log.add(self._formations.findings(block, claims))
            self._claims.check(block, log)
            self._arrivals.note(block, recording.header.group_of)
            if progress is not None:
                progress(last, recording.frames)
        log.add(self._formations.rest(recording.frames))
        self._end(log)
        return self._summary(log)

    def _end(self, log: FindingLog) -> None:
        """Add what is found at the end of the recording."""
        recording = self._recording
        group_of, frames, dt = recording.header.group_of, recording.frames, recording.dt
        log.add(self._arrivals.findings(group_of, frames, dt))
        log.add(self._trips.rest())
        log.add(self._claims.rest())
        log.add(self._attendance.unasked())
        arrived, expected = self._arrived_and_expected()
        log.add(self._attendance.ending(self._trips, self._arrivals.last_near, expected & ~arrived))
        log.add(self._changes.findings())
        if not recording.finished:
            end = (frames - 1) * dt
            text = f"the run ended early: {recording.ending}"
            log.add([Finding("unfinished", end, end, text=text)])

    def _arrived_and_expected(self) -> tuple[Bool, Bool]:
        """Return which members (N,) have arrived, and which have to."""
        arrivals, trips = self._arrivals, self._trips
        arrived = arrivals.arrived(self._recording.header.group_of, self._recording.frames)
        return arrived | trips.arrived, arrivals.expected | trips.expected

    def _summary(self, log: FindingLog) -> Report:
        frames = self._recording.frames
        arrived, expected = self._arrived_and_expected()
        moving = np.inf if self._moving is None else self._moving.nearest
        states = np.diff(self._recording.life, axis=1)  # (N, 1) frames in which each is there
        return Report(
            frames=frames,
            members=int((states > 0).sum()),
            arrived=int(arrived.sum()),
            expected=int(expected.sum()),
            findings=log.sorted(),
            states=int(states.sum()),
            motions=int(np.maximum(states - 1, 0).sum()),
            clearance_scene=_number(min(self._obstacles.nearest, moving)),
            clearance_members=_number(self._pairs.nearest),
            more=log.more,
        )


def _number(distance: float) -> float | None:
    return float(distance) if np.isfinite(distance) else None
