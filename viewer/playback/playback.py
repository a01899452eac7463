"""What the viewer plays: poses of every member over time, and what happened when."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.rotations import WORLD_UP, slerp
from rmp3d.geometry.surface import CURB
from rmp3d.models import Character
from rmp3d.scenes import Scene
from rmp3d.viewer.playback.climbing import SOON, lift, risen
from rmp3d.viewer.playback.details import GroupDetails
from rmp3d.viewer.playback.stored_frames import FrameLoader, Frames, StoredFrames


@dataclass(frozen=True)
class Event:
    """Something worth a mark on the timeline.

    Attributes:
        time: When [s], from the start of the playback.
        kind: ``formation``, ``arrived``, ``jam``, ``start``, ``end`` or another short word.
        group: Row of the group.
        member: Row of the member, -1 for the whole group.
        text: One line for people.
    """

    time: float
    kind: str
    group: int = 0
    member: int = -1
    text: str = ""


@dataclass(frozen=True)
class Pose:
    """Where every member is at one moment.

    Attributes:
        position: (N, 3) [m], world.
        orientation_wxyz: (N, 4) unit quaternions, body to world.
        there: (N,) who is there at all; by default all are.
    """

    position: Float
    orientation_wxyz: Float
    there: Bool = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.there is None:
            object.__setattr__(self, "there", np.ones(len(self.position), np.bool_))


@dataclass(frozen=True, eq=False, kw_only=True)
class Playback:
    """T frames of N members in G groups, read-only; frame t is at time t * dt.

    Attributes:
        scene: Where it happens.
        characters: C kinds of character.
        character_of: (N,) row of each member's character.
        group_of: (N,) row of each member's group.
        group_names: G names.
        dt: Time between frames [s].
        position: (T, N, 3) [m], world; T is at least one.
        orientation_wxyz: (T, N, 4) unit quaternions, body to world.
        subgoal: (T, N, 3) [m] the point each member wanted, or None if not recorded.
        formation: Names of formations.
        formation_of: (T, G) row of each group's formation, -1 for none.
        events: In order of time.
        paths: One (K, 3) polyline [m] per group; K = 0 if the group has none.
        details: What each group knew and planned, G of them, or nothing.
        life: (N, 2) first frame of each member and the one after its last; by default all are there
            in all frames. Whoever is not there has a place, but is not drawn.
        force_names: B steering behaviors whose forces were recorded.
        force: (T, B, N, 3) float32 [N], world, what each asked for; None if not recorded.
        clock: (T, K) [s] clocks of the K parts of the scene that move; None: they run with time.
        at_rest: What members of each group do that stand still: G names of clips, ``""`` for what
            is usual; or nothing.
        title: What the window and pictures are called.
        measuring_lines: Names, and ends (2, 3) [m], of lines at which members are counted.
        loader: Reads positions and orientations ahead that are read when they are looked at; None:
            all are there.

    Raises:
        ValueError: An array has another shape, is not finite, or refers outside its table.
    """

    scene: Scene
    characters: tuple[Character, ...]
    character_of: Index
    group_of: Index
    group_names: tuple[str, ...]
    dt: float
    position: Frames
    orientation_wxyz: Frames
    subgoal: Frames | None = None
    formation: tuple[str, ...] = ()
    formation_of: Index
    events: tuple[Event, ...] = ()
    paths: tuple[Float, ...] = ()
    details: tuple[GroupDetails, ...] = ()
    life: Index | None = None
    force_names: tuple[str, ...] = ()
    force: Frames | None = None
    clock: Float | None = None
    at_rest: tuple[str, ...] = ()
    title: str = ""
    measuring_lines: tuple[tuple[str, Float], ...] = ()
    loader: FrameLoader | None = None

    def __post_init__(self) -> None:
        for name in ("character_of", "group_of", "formation_of"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.intp))
        if self.life is not None:
            object.__setattr__(self, "life", frozen(self.life, np.intp))
        for name in ("position", "orientation_wxyz", "subgoal", "clock"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, StoredFrames):
                object.__setattr__(self, name, frozen(value))
        paths = tuple(frozen(np.reshape(path, (-1, 3))) for path in self.paths)
        object.__setattr__(self, "paths", paths)
        events = tuple(sorted(self.events, key=lambda event: event.time))
        object.__setattr__(self, "events", events)
        self._check()

    def _check(self) -> None:
        if not (np.isfinite(self.dt) and self.dt > 0.0):
            raise ValueError(f"`dt` must be positive, got {self.dt}")
        if len(self.position.shape) != 3 or len(self.position) == 0 or self.position.shape[2] != 3:
            raise ValueError(
                f"`position` must have shape (T >= 1, N, 3), got {self.position.shape}"
            )
        frames, members, _ = self.position.shape
        groups = len(self.group_names)
        expected = {
            "orientation_wxyz": (frames, members, 4),
            "subgoal": (frames, members, 3),
            "character_of": (members,),
            "group_of": (members,),
            "life": (members, 2),
            "formation_of": (frames, groups),
            "clock": (frames, len(self.scene.moving)),
        }
        for name, shape in expected.items():
            array = getattr(self, name)
            if array is not None and array.shape != shape:
                raise ValueError(f"`{name}` must have shape {shape}, got {array.shape}")
        for name in ("position", "orientation_wxyz"):
            value = getattr(self, name)
            if not isinstance(value, StoredFrames) and not np.isfinite(value).all():
                raise ValueError(f"`{name}` has values that are not finite")
        _check_rows("character_of", self.character_of, 0, len(self.characters))
        _check_rows("group_of", self.group_of, 0, groups)
        _check_rows("formation_of", self.formation_of, -1, len(self.formation))
        _check_rows("events[].group", [event.group for event in self.events], 0, groups)
        _check_rows("events[].member", [event.member for event in self.events], -1, members)
        for name in ("paths", "details"):
            count = len(getattr(self, name))
            if count not in (0, groups):
                raise ValueError(f"`{name}` must hold one per group ({groups}), got {count}")
        forces = (frames, len(self.force_names), members, 3)
        if self.force is not None and self.force.shape != forces:
            raise ValueError(f"`force` must have shape {forces}, got {self.force.shape}")

    @property
    def frame_count(self) -> int:
        """How many frames T there are."""
        return len(self.position)

    @property
    def member_count(self) -> int:
        """How many members N there are."""
        return self.position.shape[1]

    @property
    def duration(self) -> float:
        """Time of the last frame [s]."""
        return (self.frame_count - 1) * self.dt

    @cached_property
    def capsule_axis(self) -> Float:
        """(N, 2) heights [m] of the ends of each member's bounding capsule, body frame."""
        rows = [self.characters[kind].body.capsule_axis for kind in self.character_of]
        return frozen(np.reshape(rows, (-1, 2)))

    @cached_property
    def radius(self) -> Float:
        """(N,) radii [m] of the members' bounding capsules."""
        return frozen([self.characters[kind].body.radius for kind in self.character_of])

    def frame_at(self, time: float) -> tuple[int, float]:
        """Return the frame at or before ``time`` and the share (in [0, 1)) of the time to the next.

        Times outside the playback are taken as its ends.
        """
        at = np.clip(time / self.dt, 0.0, self.frame_count - 1)
        frame = int(at)
        return frame, float(at - frame)

    def ready(self, time: float) -> float:
        """Return the moment [s] nearest to ``time`` that can be drawn without waiting.

        Where frames are read while they are looked at, those around ``time`` are read next.
        """
        if self.loader is None:
            return time
        frame, _ = self.frame_at(time)
        found = self.loader.ready(frame)
        return time if found == frame else found * self.dt

    def known(self, time: float) -> tuple[int, int]:
        """Return the first and the end of the frames around ``time`` that need no waiting."""
        if self.loader is None:
            return 0, self.frame_count
        return self.loader.known(self.frame_at(time)[0])

    def pose(self, time: float) -> Pose:
        """Return where members are drawn: positions between frames linear, orientations slerp.

        On stairs their heights are smooth; see `rmp3d.viewer.playback.climbing`.
        """
        frame, share = self.frame_at(time)
        after = min(frame + 1, self.frame_count - 1)
        position = (1.0 - share) * self._drawn(frame) + share * self._drawn(after)
        turns = self.orientation_wxyz
        shares = np.full(self.member_count, share)
        return Pose(position, slerp(turns[frame], turns[after], shares), self.there(frame))

    def clocks(self, time: float) -> Float:
        """Return the clocks (K,) [s] of the moving parts of the scene at a time [s]."""
        if self.clock is None:
            return self._untold(np.array([time]))[0]
        frame, share = self.frame_at(time)
        after = min(frame + 1, self.frame_count - 1)
        return np.asarray((1.0 - share) * self.clock[frame] + share * self.clock[after])

    def clocks_of(self, frames: Index) -> Float:
        """Return the clocks (M, K) [s] of the moving parts of the scene in frames (M,)."""
        if self.clock is None:
            return self._untold(np.asarray(self.dt * frames, float))
        return np.asarray(self.clock[frames])

    @property
    def frame_clocks(self) -> Float:
        """(T, K) clocks [s] of the moving parts of the scene in all frames."""
        if self.clock is None:
            return self._untold(np.asarray(self.dt * np.arange(self.frame_count), float))
        return self.clock

    def _untold(self, time: Float) -> Float:
        """Return the clocks (T, K) of the moving parts at times (T,) [s], if none is hindered."""
        moving = [self.scene.parts[row].motion for row in self.scene.moving.tolist()]
        found = [motion.untold(time) for motion in moving if motion is not None]
        return np.array(found).reshape(len(moving), len(time)).T

    def frames_there(self, member: int) -> Index:
        """Return for each frame (T,) the nearest one in which a member is there."""
        frame = np.arange(self.frame_count)
        if self.life is None:
            return frame
        first, end = self.life[member].tolist()
        return np.clip(frame, min(first, self.frame_count - 1), max(end - 1, first))

    def there(self, frame: int) -> Bool:
        """Return which members (N,) are there in a frame."""
        if self.life is None:
            return np.ones(self.member_count, np.bool_)
        there: Bool = (self.life[:, 0] <= frame) & (frame < self.life[:, 1])
        return there

    @cached_property
    def drawn(self) -> Float:
        """(T, N, 3) where members are drawn in all frames [m]: on stairs heights are smooth."""
        return self.drawn_from(0)

    def drawn_from(self, first: int) -> Float:
        """Return where members are drawn [m] from a frame on, (T - first, N, 3)."""
        position = np.asarray(self.position)
        around = position[max(0, first - self._soon) :]
        jumps = np.abs(np.diff(around[..., 2], axis=0)) > CURB
        if not (jumps & self.walks).any():
            return position[first:]
        return frozen(np.stack([self._drawn(frame) for frame in range(first, self.frame_count)]))

    @property
    def _soon(self) -> int:
        """How many frames before and after a frame decide on heights there."""
        return int(np.ceil(SOON / self.dt))

    def _drawn(self, frame: int) -> Float:
        """Return where members (N, 3) are drawn in a frame [m]."""
        position: Float = self.position[frame]
        if not self.walks.any():
            return position
        first = max(0, frame - self._soon)
        around = self.position[first : frame + self._soon + 1]
        carried = self._risen(first, around) if self.carries else 0.0
        raised = np.where(self.walks, lift(around, frame - first, carried), 0.0)
        return position + raised[:, None] * WORLD_UP if raised.any() else position

    @cached_property
    def carries(self) -> bool:
        """Whether a part of the scene carries who is on it, as a lift does."""
        return any(self.scene.parts[row].carries for row in self.scene.moving.tolist())

    def _risen(self, first: int, position: Float) -> Float:
        """Return how far lifts go up (T - 1, N) [m] below members (T, N, 3) from a frame on."""
        return risen(self.scene, position, self.clocks_of(first + np.arange(len(position))))

    @cached_property
    def walks(self) -> Bool:
        """Which members (N,) are of a kind that stays on the ground."""
        return np.array([self.characters[kind].grounded for kind in self.character_of], np.bool_)

    def members(self, group: int) -> Index:
        """Return the rows of the members of ``group``."""
        return np.flatnonzero(self.group_of == group)

    def formation_at(self, time: float, group: int) -> str:
        """Return the name of the group's formation, or an empty text if it has none."""
        row = self.formation_of[self.frame_at(time)[0], group]
        return self.formation[row] if row >= 0 else ""

    def next_event(
        self, time: float, *, but: Collection[str] = (), tolerance: float = 1e-6
    ) -> Event | None:
        """Return the first event later than ``time`` by more than ``tolerance`` [s], if any.

        Events of the kinds ``but`` do not count.
        """
        later = (e for e in self.events if e.time > time + tolerance and e.kind not in but)
        return next(later, None)

    def previous_event(
        self, time: float, *, but: Collection[str] = (), tolerance: float = 1e-6
    ) -> Event | None:
        """Return the last event before ``time``; as `next_event`."""
        found = reversed(self.events)
        return next((e for e in found if e.time < time - tolerance and e.kind not in but), None)


def _check_rows(name: str, rows: Index | list[int], lowest: int, count: int) -> None:
    array = np.asarray(rows, np.intp).reshape(-1)
    wrong = array[(array < lowest) | (array >= count)]
    if len(wrong):
        raise ValueError(f"`{name}` must be in {lowest}..{count - 1}, got {wrong[0]}")
