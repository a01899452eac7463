"""Members against the parts of the scene that move.

A recording has the clock of each moving part in every frame. Between frames a clock runs evenly, as
members move evenly. The clock may stand still while the part waits for members, and for nothing
else; it never runs faster than the time, nor back.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import Character
from rmp3d.recording import RecordingReader
from rmp3d.scenes import Scene
from rmp3d.scenes.presence import PartPresence, may_change
from rmp3d.verification.advancement import ROUNDING, Allowance, MovingPair, check_motions
from rmp3d.verification.blocks import Block
from rmp3d.verification.bodies import depth_inside, gap
from rmp3d.verification.cohorts import Cohort
from rmp3d.verification.crossing import crossing
from rmp3d.verification.enclosures import swallowed
from rmp3d.verification.findings import FindingLog
from rmp3d.verification.ground import GROUND_TOLERANCE
from rmp3d.verification.overdue import OverdueCheck
from rmp3d.verification.part_motion import PartTrack, asks_of, wrong_changes
from rmp3d.verification.report import Finding
from rmp3d.verification.riding import CarryingPart, Riders

CLOCK_SLACK = 1e-9
"""Rounding of a clock [s]."""
OTHER_GROUND = 0.05
"""Ground so near [m] under a member's feet carries it, whatever else moves away."""


@dataclass(frozen=True, eq=False)
class _Part:
    """A moving part: its row in the scene, and in the clocks; its faces that can be walked on.

    One that carries comes twice: whole, for those who do not ride, and without the faces that can
    be walked on, for those who do.
    """

    row: int
    column: int
    track: PartTrack
    deck: MeshQuery | None
    carries: CarryingPart | None = None
    for_riders: bool = False


class MovingPartCheck:
    """Checks every motion of every member against every moving part, mesh against mesh.

    A part that carries walkers is ground while it is where the scene has it. While it is not,
    nobody stands there.

    Attributes:
        nearest: Smallest clearance [m] at a frame so far; infinite without a part near.
    """

    def __init__(
        self, recording: RecordingReader, scene: Scene, cohorts: Sequence[Cohort], dt: float,
        riders: Riders, characters: Sequence[Character],
    ) -> None:  # fmt: skip
        self._riders = riders
        self.nearest = np.inf
        self._recording, self._scene, self._dt = recording, scene, dt
        self._allowance = Allowance()
        events = recording.events() if may_change(scene.parts) else ()
        self._asks = [asks_of(events, name) for name in recording.header.moving]
        self._overdue = OverdueCheck(recording.header, characters, scene, self._asks, dt)
        walkers = [cohort.members for cohort in cohorts if cohort.terrain is not None]
        self._walkers: Index = np.concatenate([np.zeros(0, np.intp), *walkers])
        self._parts = list(self._made(scene, riders))
        decks = [each.row for each in self._parts if each.deck is not None or each.carries]
        fixed = ~np.isin(scene.walkable_part, decks)
        walkable = scene.walkable
        self._ground = (
            MeshQuery(walkable.select(fixed)) if walkable is not None and fixed.any() else None
        )

    @staticmethod
    def _made(scene: Scene, riders: Riders) -> Iterator[_Part]:
        level = np.cos(scene.max_slope) - 1e-9
        for column, row in enumerate(scene.moving.tolist()):
            part = scene.parts[row]
            if part.motion is None or part.motion.role == "decor":
                continue
            flat = part.mesh.normals[:, 2] >= level
            if part.carries:
                own = next(each for each in riders.parts if each.column == column)
                yield _Part(row, column, PartTrack(part.mesh, part.motion), None, own)
                if not flat.all():
                    rest = PartTrack(part.mesh.select(~flat), part.motion)
                    yield _Part(row, column, rest, None, own, for_riders=True)
                continue
            carries = part.role == "ground" and flat.any()
            deck = MeshQuery(part.mesh.select(flat)) if carries else None
            yield _Part(row, column, PartTrack(part.mesh, part.motion), deck)

    def check(self, block: Block, log: FindingLog) -> None:
        """Add the contacts of a block, who stands on what is not there, and clocks that jump."""
        clock = self._recording.clock(block.first, block.first + block.motions + 1)
        log.add(self._jumps(block, clock))
        log.add(self._overdue.check(block, clock))
        for part in self._parts:
            own = clock[:, part.column]
            rests = np.array(
                [_rests(part, *own[k : k + 2]) for k in range(block.motions)], np.bool_
            )
            for member, bound in self._near(block, part, own, rests):
                clear = (bound > max(self.nearest, ROUNDING)) | np.isinf(bound)
                if not clear.all():
                    log.add(self._contacts(block, part, own, member, clear, bound > ROUNDING))
            if part.deck is not None:
                on = partial(_on_deck, part.deck)
                log.add(self._off_deck(block, part, rests, on))
            elif part.carries is not None and not part.for_riders:
                for stop in range(len(part.carries.stops)):
                    elsewhere = [
                        part.carries.stop_at(*own[k : k + 2]) == stop for k in range(block.motions)
                    ]
                    on = partial(part.carries.at_stop, stop=stop)
                    log.add(self._off_deck(block, part, np.array(elsewhere, np.bool_), on))

    def _jumps(self, block: Block, clock: Float) -> Iterator[Finding]:
        steps = np.diff(clock, axis=0)
        wrong = (steps < -CLOCK_SLACK) | (steps > self._dt + CLOCK_SLACK)
        for column, row in enumerate(self._scene.moving.tolist()):
            motion = self._scene.parts[row].motion
            if isinstance(motion, PartPresence):
                own, asks = clock[:, column], self._asks[column]
                wrong[:, column] = wrong_changes(motion, asks, own, block.first, self._dt)
        for frame, column in np.argwhere(wrong).tolist():
            name = self._recording.header.moving[column]
            start = (block.first + frame) * self._dt
            text = f"the clock of `{name}` goes on by {steps[frame, column]:.6g} s in a step"
            yield Finding("clock", start, start + self._dt, (), name, None, text)
        if block.first == 0:
            for column, row in enumerate(self._scene.moving.tolist()):
                motion = self._scene.parts[row].motion
                if motion is not None and abs(clock[0, column] - motion.phase) > CLOCK_SLACK:
                    name = self._scene.part_names[row]
                    text = f"`{name}` begins at {clock[0, column]:.6g} s, not at its `phase`"
                    yield Finding("clock", 0.0, 0.0, (), name, None, text)

    def _near(
        self, block: Block, part: _Part, clock: Float, rests: Bool
    ) -> Iterator[tuple[int, Float]]:
        """Yield the members that may come near a part, and lower bounds (B,) of their gaps."""
        poses = [part.track.pose(each) for each in clock]
        turn, place = np.array([p[0] for p in poses]), np.array([p[1] for p in poses])
        local = np.einsum("tji,tnj->tni", turn, block.center - place[:, None])
        lower, upper = part.track.body.mesh.bounds
        outside = np.maximum(np.maximum(lower - local, local - upper), 0.0)
        comes = block.body_of >= 0
        radius = np.array([body.radius for body in block.bodies])[block.body_of]
        apart = np.sqrt((outside * outside).sum(axis=2)) - radius  # (B + 1, N)
        if block.motions == 0:
            comes = comes & bool(part.track.shown(clock)[0])
            found = np.where(comes & ~self._ground_at_rest(part, clock), apart, np.inf)
        else:
            moved = [part.track.travel(*clock[k : k + 2]) for k in range(block.motions)]
            travel = block.travel + np.array(moved)[:, None]
            found = np.minimum(apart[:-1], apart[1:])
            found = np.minimum(found, 0.5 * (apart[:-1] + apart[1:] - travel))
            there = block.there[: block.motions + 1]
            away = ~(there[:-1] | there[1:]) | ~comes
            if part.deck is not None or part.carries is not None:
                away = away | rests[:, None]
            if part.carries is not None:
                away = away | (self._riders.by_part(block)[part.column] != part.for_riders)
            shown = part.track.shown(clock)
            away = away | ~(shown[:-1] | shown[1:])[:, None]
            found = np.where(away, np.inf, found)
        for member in np.flatnonzero((found <= max(self.nearest, ROUNDING)).any(axis=0)).tolist():
            yield member, found[:, member]

    @staticmethod
    def _ground_at_rest(part: _Part, clock: Float) -> bool:
        return _rests(part, clock[0], clock[0])

    def _contacts(
        self, block: Block, part: _Part, clock: Float, member: int, clear: Bool, free: Bool
    ) -> Iterator[Finding]:
        body, track = block.body(member), part.track
        moved = np.array([track.travel(*clock[k : k + 2]) for k in range(block.motions)])

        def placed(frame: int, share: float) -> tuple[Float, Float]:
            after = min(frame + 1, len(clock) - 1)
            return track.pose(float(clock[frame] + share * (clock[after] - clock[frame])))

        def measure(frame: int, share: float) -> tuple[float, int]:
            own = body.placed(*block.pose(member, frame, share))
            return gap(own, track.body.placed(*placed(frame, share)))

        def cross(frame: int, start: float, end: float) -> int:
            mine = [block.triangles(member, frame, share) for share in (start, end)]
            poses = [placed(frame, share) for share in (start, end)]
            theirs = [track.body.mesh.triangles @ turn.T + place for turn, place in poses]
            return crossing(*mine, *theirs)

        motions = MovingPair(block.travel[:, member] + moved, measure, cross, self._allowance, free)
        found = check_motions(motions, self.nearest, clear if block.motions else None)
        self.nearest = found.nearest
        contacts = [(frame, share) for frame, share, _ in found.contacts]
        # Whoever does not touch it gets in or out only while the part is away, or nothing near.
        begins = np.flatnonzero(~free & np.concatenate([[True], free[:-1]])).tolist()
        touched = {frame for frame, _ in contacts}
        contacts += [
            (frame, 0.0)
            for frame in begins
            if frame not in touched
            and self._is_inside(block, part, member, placed(frame, 0.0), frame)
        ]
        for frame, share in contacts:
            depth = depth_inside(
                block.points(member, frame, share), track.body, *placed(frame, share)
            )
            yield self._collision(block, part, member, frame, share, depth)
        for frame, share, least in found.unproved:
            time = (block.first + frame + share) * self._dt
            name = self._scene.part_names[part.row]
            text = f"member {member} comes to {1e6 * least:.3g} micrometers of `{name}`: not proved"
            yield Finding("unproved", time, time, (member,), name, None, text)

    @staticmethod
    def _is_inside(
        block: Block, part: _Part, member: int, pose: tuple[Float, Float], frame: int
    ) -> bool:
        turn, place = block.pose(member, frame, 0.0)
        own_turn, own_place = pose
        offset, rotation = (own_place - place) @ turn, turn.T @ own_turn
        return swallowed(block.body(member), part.track.body, offset, rotation)

    def _collision(
        self, block: Block, part: _Part, member: int, frame: int, share: float, depth: float | None
    ) -> Finding:
        time = (block.first + frame + share) * self._dt
        name = self._scene.part_names[part.row]
        where = "between frames" if share else "in a frame"
        text = f"member {member} in the moving `{name}`, {where}"
        return Finding("collision", time, time, (member,), name, depth, text)

    def _off_deck(
        self, block: Block, part: _Part, rests: Bool, is_on: Callable[[Float], Bool]
    ) -> Iterator[Finding]:
        """Yield the walkers that stand where a part was that has moved away."""
        up, down = np.array([0.0, 0.0, 0.5]), np.array([0.0, 0.0, -1.0])
        carried = self._riders.all(block)[0]
        for frame in np.flatnonzero(~rests).tolist():
            for at in (frame, frame + 1):
                here = self._walkers[block.there[at, self._walkers]]
                here = here[~carried[at, here]]
                feet = block.position[at, here] + up
                on = is_on(feet - up)
                if self._ground is not None and on.any():
                    reach = 0.5 + OTHER_GROUND
                    on[on] = self._ground.cast_ray(feet[on], down, reach)[1] < 0
                for member in here[on].tolist():
                    time, name = (block.first + at) * self._dt, self._scene.part_names[part.row]
                    text = f"member {member} stands where `{name}` was, which has moved away"
                    yield Finding("off_ground", time, time, (member,), name, None, text)


def _rests(part: _Part, start: float, end: float) -> bool:
    """Return whether a part is ground all the time between two clocks, where that is looked at."""
    if part.carries is not None:
        return part.carries.stop_at(start, end) >= 0
    return part.deck is not None and part.track.rests(start, end)


def _on_deck(deck: MeshQuery, feet: Float) -> Bool:
    """Return which feet (N, 3) [m] are where the ground of a part is in the scene."""
    up, down = np.array([0.0, 0.0, 0.5]), np.array([0.0, 0.0, -1.0])
    found: Bool = deck.cast_ray(feet + up, down, 0.5 + GROUND_TOLERANCE)[1] >= 0
    return found
