"""The poses of members with bones: clips by their gait, feet on the ground, wheels that roll.

A pose is a function of the recorded way and of the moment alone: nothing is kept from one picture
to the next but what follows from the recording.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.models.legs import TwoBones, ankle, foot_pitch, foot_place, lift_of, smooth, standing
from rmp3d.models.skeleton import CharacterRig, Clip, mixed
from rmp3d.viewer.playback.carrying import CarriedWay, carried_way
from rmp3d.viewer.playback.footsteps import Feet, Ground, Steps, footsteps
from rmp3d.viewer.playback.gait import Track, main_clip, moved, walked
from rmp3d.viewer.playback.ground import GroundHeights
from rmp3d.viewer.playback.on_the_spot import number_of, rested, resting_clip, turned_on_spot
from rmp3d.viewer.playback.playback import Playback, Pose
from rmp3d.viewer.playback.slopes import tilted

GLIDES = 0.12
"""A bird that goes down by this share of its way begins to glide."""
MOST_STEERED = 0.7
"""Largest angle of a steered wheel [rad]."""
RENEWED = 0.4
"""Of a run that goes on, steps are planned again after so many seconds, and less or more."""
NEAR_END = 1.0
"""The same of a recording, where what is known of a way begins or ends within so many seconds."""
FADES = 0.3
"""What that changes at once is made up within so many seconds."""


def look_of(member: Index, looks: Index | int) -> Index:
    """Return which of several looks members (n,) have."""
    return (number_of(np.asarray(member) * 7 + 3) * looks).astype(np.intp)


@dataclass(frozen=True, eq=False)
class _MemberGait:
    """The gait of one member: its track, the steps of its legs, and which frames that is of.

    It is of frames ``known[0]`` up to ``known[1]``; beyond them, the member stands.

    ``ride`` is how parts of the scene have carried it; track and steps are what it did itself.
    ``resting`` is its clip when it rests, and ``number`` from 0 to 1 how late it begins with it.
    Where it follows another one of the same member, ``since`` is when [s], ``before`` how much
    phase (0), speed (1), turning (2) and rest (3) of that were more, and ``feet`` (L, 5) how much
    x, y, z, yaw and pitch of each foot were: that fades, so that nothing jumps.
    """

    track: Track
    steps: tuple[Steps, ...]
    known: tuple[int, int]
    ride: CarriedWay | None = None
    resting: str = ""
    number: float = 0.0
    since: float = -np.inf
    before: Float = field(default_factory=lambda: np.zeros(4))
    feet: Float = field(default_factory=lambda: np.zeros((1, 5)))

    def at(self, time: float, dt: float) -> tuple[float, float, float, float]:
        """Return phase, speed [m/s], turning [rad/s] and how far it rests at a moment [s]."""
        phase, speed, turning, rest = self.fading(time) * self.before
        row, track = time / dt, self.track
        if self.resting:
            rest += rested(self.resting, track, self.number, time, dt)
        return (
            _at(track.phase, row) + phase, _at(track.speed, row) + speed,
            _at(track.turning, row) + turning, min(max(rest, 0.0), 1.0),
        )  # fmt: skip

    def carried(self, time: float, dt: float) -> Float:
        """Return how far (3,) [m] parts of the scene have carried it at a moment [s]."""
        return np.zeros(3) if self.ride is None else self.ride.at(np.asarray(time / dt))

    def fading(self, time: float) -> float:
        """Return how much of what was different before is left at a moment [s], 0 to 1."""
        if not 0.0 <= time - self.since < FADES:
            return 0.0
        return 1.0 - float(smooth(np.array((time - self.since) / FADES)))


class Poses:
    """The poses of the members of one playback, worked out for those that are asked for."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._ground = GroundHeights(playback.scene)
        self._bones = {
            row: [TwoBones(kind.rig.skeleton, leg) for leg in kind.rig.legs]
            for row, kind in enumerate(playback.characters)
            if kind.rig is not None
        }
        self._walks: dict[int, _MemberGait] = {}
        self._feet: dict[int, tuple[bytes, list[Feet]]] = {}

    def show(self, playback: Playback) -> None:
        """Take another playback of the same members and scene, such as one that has grown."""
        before, self._playback = self._playback, playback
        end = before.frame_count - 1
        grown = playback.frame_count > end and np.array_equal(
            playback.position[end], before.position[end]
        )
        if not grown:
            self._walks.clear()
            self._feet.clear()

    def _is_old(self, member: int, time: float) -> bool:
        """Whether so much of the way of a member is new that its steps are planned again."""
        dt, (first, end) = self._playback.dt, self._walks[member].known
        known = self._playback.known(time)
        if self._playback.loader is None:
            new = (known[1] - end) * dt
            return bool(new > RENEWED * (0.5 + number_of(np.array(member))))
        begins = time - first * dt < NEAR_END and known[0] < first
        ends = end * dt - time < NEAR_END and known[1] > end
        is_whole = known == (0, self._playback.frame_count) != (first, end)
        return begins or ends or is_whole

    def motions(self, kind: int, members: Index, pose: Pose, time: float) -> Float:
        """Return the motions (n, J, 3, 4) of the joints of members (n,), body frame.

        Args:
            kind: Row of their character; one without bones has one joint, that does not move.
            members: Their rows.
            pose: Of all members at the moment.
            time: The moment [s].
        """
        rig = self._playback.characters[kind].rig
        if rig is None:
            return np.tile(np.eye(3, 4), (len(members), 1, 1, 1))
        skeleton = rig.skeleton
        if len(members) == 0:
            return np.zeros((0, len(skeleton.names), 3, 4))
        for member in members.tolist():
            if member not in self._walks or self._is_old(member, time):
                before = self._walks.get(member)
                self._walks[member] = self._walk(rig, member, time)
                if before is not None:
                    self._walks[member] = self._going_on(kind, before, self._walks[member], time)
                self._feet.pop(kind, None)
        tracks = [self._walks[member].track for member in members.tolist()]
        at = time / self._playback.dt
        phase, speed, turning, rest = np.transpose(
            [self._walks[member].at(time, self._playback.dt) for member in members.tolist()]
        )
        if rig.legs:
            turned, root = self._blended(rig, members, phase, speed, turning, rest, time)
        else:
            turned, root = self._cycled(rig, members, tracks, phase, at)
        rotation = matrix_from_quaternion(turned)
        if rig.steered:
            rotation[:, list(rig.steered)] = _about_z(steering(rig, tracks, at, self._playback.dt))
        if rig.legs:
            rotation, root = self._standing(rig, kind, members, rotation, root, pose, time, speed)
        return skeleton.motion(*skeleton.posed(rotation, root))

    def track(self, member: int, known: tuple[int, int] | None = None) -> Track:
        """Return the gait of a member whose character has a rig.

        Args:
            member: Its row.
            known: First and end of the frames that are looked at, beyond which it stands; all if
                None.
        """
        playback = self._playback
        rig = playback.characters[playback.character_of[member]].rig
        assert rig is not None
        rows = self._rows(member, known)
        position = playback.position[rows, member]
        own = self._ride(member, rows)
        if own is not None:
            position = position - own.way
        heading = matrix_from_quaternion(playback.orientation_wxyz[rows, member])[..., 0]
        yaw = np.arctan2(heading[:, 1], heading[:, 0])
        if rig.legs:
            return walked(rig, position, yaw, playback.dt)
        return moved(rig, position, yaw, heading, playback.dt)

    def _rows(self, member: int, known: tuple[int, int] | None) -> Index:
        """Return for each frame the nearest one in which a member is there, and known."""
        rows = self._playback.frames_there(member)
        return rows if known is None else rows.clip(known[0], known[1] - 1)

    def _ride(self, member: int, rows: Index) -> CarriedWay | None:
        """Return how parts of the scene carry a member in frames; None if none does."""
        playback = self._playback
        if not playback.carries:
            return None
        position = np.asarray(playback.position[rows, member], np.float64)
        return carried_way(playback.scene, position, playback.clocks_of(rows))

    def _ground_of(self, own: CarriedWay | None) -> Ground:
        """Return the ground under the feet of a member, as `footsteps` asks for it."""
        if own is None:
            return lambda points, _: self._ground.under(points)
        dt = self._playback.dt

        def under(points: Float, when: Float) -> Float:
            way = own.at(when / dt)
            found = self._ground.under(points + way) - way
            return np.where(own.rides_at(when / dt)[:, None], points, found)

        return under

    def _walk(self, rig: CharacterRig, member: int, time: float) -> _MemberGait:
        """Work out the gait of a member, by what is known around a moment [s]."""
        known = self._playback.known(time)
        track, dt = self.track(member, known), self._playback.dt
        own = self._ride(member, self._rows(member, known))
        steps = footsteps(rig, track, dt, self._ground_of(own)) if rig.legs else ()
        name = resting_clip(self._playback, rig, member) if rig.legs else ""
        number = float(number_of(np.array(member)))
        return _MemberGait(track, steps, known, own, name, number)

    def _going_on(
        self, kind: int, before: _MemberGait, gait: _MemberGait, time: float
    ) -> _MemberGait:
        """Return a gait that begins at a moment [s] as the one before it is then."""
        dt, walks = self._playback.dt, (before, gait)
        moment = np.array([walk.at(time, dt) for walk in walks])
        gap = moment[0] - moment[1]
        gap[0] -= np.round(gap[0])
        rig = self._playback.characters[kind].rig
        if rig is None or not rig.legs:
            return replace(gait, since=time, before=gap)
        stride = np.clip(moment[:, 1] / rig.clips["walk"].speed, 0.0, 1.0)
        feet = np.empty((len(rig.legs), 5))
        for k, own in enumerate(self._bones[kind]):
            old, new = (
                _placed(own, Feet([walk.steps[k]]), time, stride[row : row + 1])[0][0]
                for row, walk in enumerate(walks)
            )
            feet[k] = old + before.fading(time) * before.feet[k % len(before.feet)] - new
        feet[:, :3] += before.carried(time, dt) - gait.carried(time, dt)
        feet[:, 3] = np.remainder(feet[:, 3] + np.pi, 2.0 * np.pi) - np.pi
        return replace(gait, since=time, before=gap, feet=feet)

    def _blended(
        self, rig: CharacterRig, members: Index, phase: Float, speed: Float, turning: Float,
        rest: Float, time: float,
    ) -> tuple[Float, Float]:  # fmt: skip
        """Return rotations (n, J, 4) and roots (n, 3) of those that stand, turn, walk and run."""
        walk = rig.clips["walk"]
        turned, root = walk.at(phase)
        if "run" in rig.clips:
            run = rig.clips["run"]
            faster = smooth((speed - walk.speed) / max(run.speed - walk.speed, 1e-6))
            turned, root = _toward(turned, root, faster, run, phase)
        if "idle" in rig.clips:
            idle = rig.clips["idle"]
            slower = smooth(1.0 - speed / walk.speed)
            own = time / idle.duration + number_of(members)
            turned, root = _toward(turned, root, slower, idle, own)
        for name, share in turned_on_spot(rig, speed, turning).items():
            turned, root = _toward(turned, root, share, rig.clips[name], phase)
        names = np.array([self._walks[member].resting for member in members.tolist()])
        for name in sorted(set(names[rest > 0.0].tolist())):
            own = time / rig.clips[name].duration + number_of(members)
            share = np.where(names == name, rest, 0.0)
            turned, root = _toward(turned, root, share, rig.clips[name], own)
        return turned, root

    def _cycled(
        self, rig: CharacterRig, members: Index, tracks: list[Track], phase: Float, at: float
    ) -> tuple[Float, Float]:
        """Return rotations (n, J, 4) and roots (n, 3) of wheels, fins, wings and rotors."""
        name = main_clip(rig)
        if name is None:
            none = np.zeros((len(tracks), len(rig.skeleton.names), 4))
            none[..., 0] = 1.0
            return none, np.zeros((len(tracks), 3))
        if name in ("fly", "hover", "swim"):  # members are not in step
            phase = phase + number_of(members)
        turned, root = rig.clips[name].at(phase)
        if "glide" in rig.clips:
            reach = max(1, round(0.3 / self._playback.dt))
            share = np.empty(len(tracks))
            for row, track in enumerate(tracks):
                first, last = _around(track, at, reach)
                way = track.position[last] - track.position[first]
                share[row] = -way[2] / max(float(np.linalg.norm(way)), 1e-6)
            share = smooth((share - 0.5 * GLIDES) / (2.0 * GLIDES))
            turned, root = _toward(turned, root, share, rig.clips["glide"], phase)
        return turned, root

    def _standing(
        self,
        rig: CharacterRig,
        kind: int,
        members: Index,
        rotation: Float,
        root: Float,
        pose: Pose,
        time: float,
        speed: Float,
    ) -> tuple[Float, Float]:
        """Return poses whose feet are where they stand, or on their way there."""
        bones = self._bones[kind]
        key = members.tobytes()
        if kind not in self._feet or self._feet[kind][0] != key:
            walks = [self._walks[member] for member in members.tolist()]
            feet = [Feet([walk.steps[k] for walk in walks]) for k in range(len(bones))]
            self._feet[kind] = key, feet
        turn, here = matrix_from_quaternion(pose.orientation_wxyz[members]), pose.position[members]
        to_body = turn.transpose(0, 2, 1)
        rotation = tilted(rig, rotation, turn, here, self._ground.under)
        stride = np.clip(speed / rig.clips["walk"].speed, 0.0, 1.0)
        ankles, turns, bearing = [], [], []
        walks = [self._walks[member] for member in members.tolist()]
        fading = np.array([walk.fading(time) for walk in walks])
        carried = np.array([walk.carried(time, self._playback.dt) for walk in walks])
        for k, (own, feet_of) in enumerate(zip(bones, self._feet[kind][1], strict=True)):
            placed, swing = _placed(own, feet_of, time, stride)
            if fading.any():
                placed += fading[:, None] * [walk.feet[k % len(walk.feet)] for walk in walks]
            placed[:, :3] += carried
            height = float(rig.skeleton.position[own.leg.foot, 2])
            at, foot = ankle(placed[:, :3], placed[:, 3], placed[:, 4], own.leg, height)
            ankles.append(np.einsum("nab,nb->na", to_body, at - here))
            turns.append(to_body @ foot)
            bearing.append(np.where(swing < 0.0, 1.0, (1.0 - 2.0 * swing) ** 2))
        return standing(
            rig.skeleton, bones, rotation, root, np.array(ankles), np.array(turns),
            np.array(bearing),
        )  # fmt: skip


def steering(rig: CharacterRig, tracks: list[Track], at: float, dt: float) -> Float:
    """Return the angles (n,) [rad] of steered wheels at a frame, by the curve that is driven."""
    reach = max(1, round(0.25 / dt))
    angle = np.zeros(len(tracks))
    for row, track in enumerate(tracks):
        first, last = _around(track, at, reach)
        way = track.position[last] - track.position[first]
        yaw = track.yaw[(first + last) // 2]
        ahead = way[0] * np.cos(yaw) + way[1] * np.sin(yaw)
        turn = track.yaw[last] - track.yaw[first]
        if abs(ahead) > 0.02:
            angle[row] = np.arctan(rig.wheelbase * turn / ahead)
        share = min(1.0, abs(ahead) / 0.2)  # fades in: hardly moving says nothing of the curve
        angle[row] *= share
    return np.clip(angle, -MOST_STEERED, MOST_STEERED)


def _about_z(angle: Float) -> Float:
    """Return rotations (n, 1, 3, 3) about z by angles (n,) [rad]."""
    c, s, zero = np.cos(angle), np.sin(angle), 0.0 * angle
    rows = [c, -s, zero, s, c, zero, zero, zero, zero + 1.0]
    return np.stack(rows, axis=-1).reshape(-1, 1, 3, 3)


def _placed(bones: TwoBones, feet: Feet, time: float, stride: Float) -> tuple[Float, Float]:
    """Return x, y, z [m], yaw and pitch [rad] of a foot of each member (n, 5), and its `swing`."""
    start, end, yaw, next_yaw, swing, stance = feet.at(time)
    lift = lift_of(bones.reach) * (0.5 + 0.5 * stride)
    flat = foot_place(start, end, swing, np.where(swing >= 0.0, lift, 0.0))
    turning = np.remainder(next_yaw - yaw + np.pi, 2.0 * np.pi) - np.pi
    yaw = yaw + smooth(np.maximum(swing, 0.0)) * turning
    return np.column_stack([flat, yaw, foot_pitch(swing, stance, stride)]), swing


def _toward(
    turned: Float, root: Float, share: Float, clip: Clip, phase: Float
) -> tuple[Float, Float]:
    """Return rotations (n, J, 4) and roots (n, 3) by shares (n,) of the way to those of a clip."""
    rows = np.flatnonzero(share > 0.0)
    if len(rows):
        other, low = clip.at(phase[rows])
        part = share[rows, None]
        turned[rows] = mixed(turned[rows], other, part)
        root[rows] += part * (low - root[rows])
    return turned, root


def _at(values: Float, row: float) -> float:
    """Return the value between rows of (T,) values, taken to their ends."""
    row = min(max(row, 0.0), len(values) - 1.0)
    first = int(row)
    after = min(first + 1, len(values) - 1)
    return float(values[first] + (row - first) * (values[after] - values[first]))


def _around(track: Track, at: float, reach: int) -> tuple[int, int]:
    """Return the rows of frames before and after a moment."""
    last = len(track.position) - 1
    middle = min(round(at), last)
    return max(middle - reach, 0), min(middle + reach, last)
