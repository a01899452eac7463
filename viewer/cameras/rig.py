"""What carries the camera: it goes smoothly where it is sent, or with a member."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from rmp3d.viewer.cameras.camera import STEEPEST, Camera
from rmp3d.viewer.cameras.cutaway import Cutaway
from rmp3d.viewer.cameras.presets import Ride, around_members, first_person, follow, pose_of
from rmp3d.viewer.cameras.sight import ClearView, before_obstacles, has_room
from rmp3d.viewer.cameras.swing import Swing
from rmp3d.viewer.playback.bounds import member_bounds
from rmp3d.viewer.playback.playback import Playback, Pose

EASE = 0.16  # [s] in which it covers two thirds of the distance to where it is sent
ENOUGH = 0.6  # of the members of a group are seen, else another side is looked for
WORTH = 0.1  # more of the members that another side has to show
LOOK_EVERY = 1.0  # [s] between two looks
LEAP = 1.0  # [s] of the run between two pictures: someone went to another moment
NEARER, AWAY = 0.3, 1.2
"""Time [s] in which one comes e times as near to a member that something hides, and goes away."""
RAISE, LOWER = np.radians([80.0, 20.0])
"""How fast [rad/s] a camera is raised to look over something, and comes down again."""
NEAR_ENOUGH = 1e-3  # of the distance, and radians: then it is there


class Rig:
    """A camera that is sent, dragged, or rides along.

    Attributes:
        camera: Now.
        ride: Whether it stays behind a member, looks from its eyes, goes with all members, or
            stands still.
        member: Row of the member that it rides with; -1 for all.
        members: Rows of several that it rides with; all if empty.
    """

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.ride: Ride = ""
        self.member = -1
        self.members: tuple[int, ...] = ()
        self._goal: Camera | None = None
        self._turn = self._raise = 0.0  # of the user's drags while riding [rad]
        self._zoom = 1.0
        self._side: Camera | None = None  # from which they are seen
        self._clear: ClearView | None = None  # of the scene that it rides in
        self._next_look = 0.0  # [s] until it is looked for another side
        self._swing = Swing()
        self._lift = 0.0  # [rad] by which it is raised to look over something
        self._far: float | None = None  # [m] from the member that it is behind
        self._time = 0.0  # [s] of the last picture

    @property
    def moving(self) -> bool:
        """Whether it is moving to another place."""
        return self._goal is not None

    def send(self, goal: Camera) -> None:
        """Let it go to a camera, and leave the member that it rides with."""
        self.ride, self._goal = "", goal

    def put(self, camera: Camera) -> None:
        """Let it be at a camera at once, and leave the member that it rides with."""
        self.ride, self._goal, self.camera = "", None, camera

    def join(self, ride: Ride, member: int, members: Collection[int] = ()) -> None:
        """Let it go to a member, -1 for several, and ride along; all if ``members`` is empty."""
        self.ride, self.member, self.members = ride, member, tuple(members)
        self._side, self._clear, self._next_look = None, None, 0.0
        self._turn = self._raise = self._lift = 0.0
        self._zoom, self._far = 1.0, None
        self._swing.forget()

    def orbit(self, azimuth: float, elevation: float) -> None:
        """Turn it about its target, or around the member that it rides with, by angles [rad]."""
        if self.ride:
            self._turn += azimuth
            self._raise += elevation
        else:
            self.put(self.camera.orbited(azimuth, elevation))

    def zoom(self, factor: float) -> None:
        """Bring it to ``factor`` times its distance."""
        if self.ride:
            self._zoom = float(np.clip(self._zoom * factor, 0.2, 20.0))
        else:
            self.put((self._goal or self.camera).zoomed(factor))

    def pan(self, pixels: tuple[float, float], size: tuple[int, int]) -> None:
        """Move it so that its target's plane follows the mouse; it leaves its member."""
        self.put(self.camera.panned(pixels, size))

    def tick(self, seconds: float, playback: Playback, time: float, aspect: float) -> bool:
        """Let real time pass; return whether the camera has changed.

        Args:
            seconds: Of real time.
            playback: What is seen.
            time: When [s].
            aspect: Width of the picture over its height.
        """
        if abs(time - self._time) > LEAP:
            self._swing.forget()
            self._far = None
        self._time = time
        if self.ride and self.member < playback.member_count:
            if self.ride == "group":
                self._next_look -= seconds
                self._goal = self._with_all(playback, time, aspect, seconds)
            else:
                self._goal = self._riding(playback, time, seconds)
        if self._goal is None:
            return False
        before, goal = self.camera, self._goal
        self.camera = between(before, goal, 1.0 - float(np.exp(-seconds / EASE)))
        if is_near(self.camera, goal):
            self.camera, self._goal = goal, None
        return not is_near(before, self.camera, 1e-9)

    def _riding(self, playback: Playback, time: float, seconds: float) -> Camera:
        if self.ride == "first":  # it turns about the eye, not about what it looks at
            camera = first_person(playback, time, self.member)
            turned = self._turned(self._swung(camera, seconds))
            return replace(turned, target=camera.eye - turned.distance * turned.axes[2])
        camera = self._swung(follow(playback, time, self.member), seconds).zoomed(self._zoom)
        turned = self._turned(camera)
        least = max(self._lift - LOWER * seconds, 0.0)
        found = before_obstacles(turned, playback, time, self.member, least)
        most = self._lift + RAISE * seconds
        self._lift = min(found.elevation - turned.elevation, most)
        far = found.distance if self._far is None else self._far
        nearest, farthest = far * np.exp([-seconds / NEARER, seconds / AWAY])
        self._far = float(np.clip(found.distance, nearest, farthest))
        return replace(found, elevation=turned.elevation + self._lift, distance=self._far)

    def _with_all(self, playback: Playback, time: float, aspect: float, seconds: float) -> Camera:
        """Return a camera on members, from another side when the scene has come between.

        It is in no wall, as far as a side is found from which that is so.
        """
        if self._clear is None or self._clear.scene is not playback.scene:
            self._clear = ClearView(playback)
        if self._side is None:
            self._side = around_members(playback, time, aspect, self._clear, self.members)
        pose = pose_of(playback, time, self.members)
        box = member_bounds(playback, pose)
        if self._next_look <= 0.0:
            self._next_look = LOOK_EVERY
            aim = self._turned(self._side).fit(box, aspect, margin=1.3).zoomed(self._zoom)
            self._look(aim, self._clear, playback, pose, time, aspect)
        camera = self._turned(self._swung(self._side, seconds))
        return camera.fit(box, aspect, margin=1.3).zoomed(self._zoom)

    def _look(
        self,
        aim: Camera,
        clear: ClearView,
        playback: Playback,
        pose: Pose,
        time: float,
        aspect: float,
    ) -> None:
        """Choose another side if the one that it goes to sees too few members, or is in a wall."""
        cut = Cutaway(playback).height(time)
        seen = clear.share_seen(aim, pose, cut, time)
        roomy = has_room(playback, aim.eye, cut, time)
        if seen >= ENOUGH and roomy:
            return
        other = around_members(playback, time, aspect, clear, self.members)
        if roomy and clear.share_seen(other, pose, cut, time) < seen + WORTH:
            return
        self._side = other
        self._swing.turn_by(self._turn, self._raise)  # go on from where it is
        self._turn = self._raise = 0.0

    def _swung(self, camera: Camera, seconds: float) -> Camera:
        """Return a camera on its way to the direction of another one."""
        azimuth, elevation = self._swing.toward(camera.azimuth, camera.elevation, seconds)
        return replace(camera, azimuth=azimuth, elevation=elevation)

    def _turned(self, camera: Camera) -> Camera:
        """Return a camera turned as the user has dragged it."""
        elevation = float(np.clip(camera.elevation + self._raise, -STEEPEST, STEEPEST))
        return replace(camera, azimuth=camera.azimuth + self._turn, elevation=elevation)


def between(a: Camera, b: Camera, share: float) -> Camera:
    """Return the camera at a share between two others, turned through the smaller angle."""
    turn = (b.azimuth - a.azimuth + np.pi) % (2.0 * np.pi) - np.pi
    return Camera(
        target=(1.0 - share) * a.target + share * b.target,
        azimuth=a.azimuth + share * turn,
        elevation=(1.0 - share) * a.elevation + share * b.elevation,
        distance=float(a.distance * (b.distance / a.distance) ** share),
        field_of_view=(1.0 - share) * a.field_of_view + share * b.field_of_view,
        under_roof=b.under_roof,
    )


def is_near(a: Camera, b: Camera, tolerance: float = NEAR_ENOUGH) -> bool:
    """Return whether two cameras show the same, by a share of the distance and radians."""
    turn = abs((b.azimuth - a.azimuth + np.pi) % (2.0 * np.pi) - np.pi)
    angles = max(turn, abs(b.elevation - a.elevation), abs(b.field_of_view - a.field_of_view))
    gap = float(np.linalg.norm(a.target - b.target)) + abs(a.distance - b.distance)
    return bool(angles < tolerance and gap < tolerance * b.distance)
