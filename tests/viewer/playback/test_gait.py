from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.models import load_character
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import box, sheet
from rmp3d.viewer.playback import posing
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses, look_of

DT, FPS = 0.05, 30.0


def plain(*more):
    floor = sheet(-100.0, -100.0, 100.0, 100.0, 0.0)
    meshes = [floor, *more]
    parts = tuple(
        Part(f"part {k}", "ground", mesh, np.full((len(mesh.faces), 3), 0.5))
        for k, mesh in enumerate(meshes)
    )
    return Scene("plain", parts, {}, floor.bounds)


def playback(name, position, yaw, scene=None):
    """One member's way (T, 3) and headings (T,)."""
    turns = np.zeros((len(yaw), 1, 4))
    turns[:, 0, 0], turns[:, 0, 3] = np.cos(yaw / 2), np.sin(yaw / 2)
    return Playback(
        scene=scene or plain(), characters=(load_character(name),), character_of=[0],
        group_of=[0], group_names=("a",), dt=DT, position=position[:, None],
        orientation_wxyz=turns, formation_of=np.full((len(yaw), 1), -1),
    )  # fmt: skip


def way(speed, turning):
    """Places and headings of one that goes at speeds (T,) and turns by rates (T,)."""
    yaw = np.cumsum(turning) * DT
    step = np.stack([np.cos(yaw), np.sin(yaw), 0.0 * yaw], -1) * speed[:, None] * DT
    return np.cumsum(step, axis=0), yaw


def seen(shown, times):
    """Vertices (T, V, 3) of the member as they are drawn, world frame."""
    poses, rig = Poses(shown), shown.characters[0].rig
    look, found = rig.looks[0], []
    for time in times:
        pose = shown.pose(time)
        motion = poses.motions(0, np.arange(1), pose, time)
        vertices = look.skin.moved(look.mesh.vertices, motion)[0]
        turn = matrix_from_quaternion(pose.orientation_wxyz[0])
        found.append(vertices @ turn.T + pose.position[0])
    return np.array(found)


def soles(rig):
    """Rows of the vertices under each foot."""
    look = rig.looks[0]
    return [
        np.flatnonzero((look.skin.joints[:, 0] == leg.foot) & (look.mesh.vertices[:, 2] < 0.01))
        for leg in rig.legs
    ]


def slip(points):
    """How far a point of (T, P, 3) goes over the ground z = 0 at most while it touches it."""
    worst = 0.0
    for point in np.swapaxes(points, 0, 1):
        start = None
        for place in point:
            down = place[2] < 0.003
            start = (place if start is None else start) if down else None
            worst = max(worst, np.linalg.norm((place - start)[:2]) if down else 0.0)
    return worst


TIME = np.arange(0.0, 6.6, DT)
STOP_AND_GO = np.interp(TIME, [0.5, 0.9, 2.2, 2.6, 3.6, 4.0, 5.0, 5.4], [0, 1, 1, 0, 0, 1, 1, 0])


@pytest.mark.parametrize("name", ["pedestrian", "sheep"])
def test_feet_stand_still_on_the_ground_and_go_through_nothing(name):
    rig = load_character(name).rig
    speed = rig.clips["walk"].speed
    shown = playback(name, *way(STOP_AND_GO * speed, 0.6 * np.sin(TIME)))
    drawn = seen(shown, np.arange(0.0, shown.duration, 1.0 / FPS))
    for own in soles(rig):
        foot = drawn[:, own]
        assert slip(foot) <= 0.02
        assert foot[..., 2].min() > -0.005
        assert foot[..., 2].max() > 0.03, "it is lifted"
    moved = np.linalg.norm(np.diff(drawn, axis=0), axis=-1).max()
    assert moved < 6.0 * speed / FPS + 0.02, "nothing jumps"


def test_whoever_stops_stands_with_the_feet_beside_each_other():
    rig = load_character("pedestrian").rig
    shown = playback("pedestrian", *way(STOP_AND_GO * 1.3, 0.0 * TIME))
    drawn = seen(shown, [0.0, 3.5, 6.5])
    for vertices in drawn:
        left, right = (vertices[own].mean(axis=0) for own in soles(rig))
        assert abs(left[0] - right[0]) < 0.03
        assert left[1] - right[1] == pytest.approx(0.176, abs=0.01)
    walking = seen(shown, np.arange(1.2, 2.2, 0.1))
    left, right = (walking[:, own].mean(axis=1) for own in soles(rig))
    assert np.abs(left[:, 0] - right[:, 0]).max() > 0.5


def test_whoever_turns_on_the_spot_steps_and_whoever_is_pushed_does():
    still = np.zeros(len(TIME))
    rig = load_character("pedestrian").rig
    turning = playback("pedestrian", *way(still, np.where(TIME > 2.0, 1.2, 0.0)))
    drift = np.stack([0.03 * TIME, still, still], -1)
    for shown in (turning, playback("pedestrian", drift, still)):
        drawn = seen(shown, np.arange(0.0, shown.duration, 1.0 / FPS))
        for own in soles(rig):
            assert slip(drawn[:, own]) <= 0.02
            assert drawn[:, own, 2].min(axis=1).max() > 0.01, "it steps"


def test_a_moment_looks_the_same_whatever_was_shown_before():
    shown = playback("pedestrian", *way(STOP_AND_GO * 1.3, np.sin(TIME)))
    times = [5.3, 0.4, 2.3, 5.3]
    forth = seen(shown, times)
    back = seen(shown, times[::-1])[::-1]
    np.testing.assert_array_equal(forth, back)
    np.testing.assert_array_equal(forth[0], forth[3])


def grown(position, yaw, frames):
    """Vertices (K, V, 3) of a pedestrian whose way is drawn while it is made, last frame each."""
    whole, poses, found = playback("pedestrian", position, yaw), None, []
    look = whole.characters[0].rig.looks[0]
    for end in frames:
        shown = playback("pedestrian", position[:end], yaw[:end], whole.scene)
        if poses is None:
            poses = Poses(shown)
        poses.show(shown)
        pose = shown.pose((end - 1) * DT)
        motion = poses.motions(0, np.arange(1), pose, (end - 1) * DT)
        vertices = look.skin.moved(look.mesh.vertices, motion)[0]
        found.append(vertices @ matrix_from_quaternion(pose.orientation_wxyz[0]).T)
        found[-1] += pose.position[0]
    return np.array(found)


def test_steps_that_are_planned_again_during_a_run_make_no_jump(monkeypatch):
    # What comes is not known: it goes on, turns and stops otherwise than its steps took it to.
    speed = np.repeat([1.3, 1.3, 0.0, 1.0], 30)
    position, yaw = way(speed, np.repeat([0.0, 1.5, 0.0, -1.8], 30))
    frames = range(3, len(speed))
    fastest = np.linalg.norm(
        np.diff(
            seen(playback("pedestrian", position, yaw), [(k - 1) * DT for k in frames]), axis=0
        ),
        axis=-1,
    ).max()
    farthest = []
    for fades in (posing.FADES, 0.0):
        monkeypatch.setattr(posing, "FADES", fades)
        jumps = np.linalg.norm(np.diff(grown(position, yaw, frames), axis=0), axis=-1)
        farthest.append(jumps.max())
    assert farthest[0] < 1.35 * fastest < 1.8 * fastest < farthest[1]


def test_whoever_comes_and_leaves_has_its_feet_under_it():
    # Before it comes, its row has the place of somebody else.
    position, yaw = way(np.full(80, 1.0), np.zeros(80))
    position[:30] += [40.0, 30.0, 0.0]
    position[70:] = position[69]
    shown = replace(playback("pedestrian", position, yaw), life=np.array([[30, 70]]))
    points = seen(shown, np.arange(30, 70) * DT)
    assert np.abs(points - position[30:70, None]).max(axis=(1, 2)).max() < 1.9
    aside = np.abs((points - position[30:70, None])[..., :2]).max()
    assert aside < 0.75


def test_feet_stand_on_the_treads_of_stairs():
    treads = [box((1.0 + 0.3 * k, -1.0, -0.1), (20.0, 1.0, 0.17 * (k + 1))) for k in range(8)]
    position, yaw = way(np.where(TIME > 0.5, 0.7, 0.0), 0.0 * TIME)
    step = np.clip(np.floor((position[:, 0] - 1.0) / 0.3) + 1, 0, 8)
    position[:, 2] = 0.17 * step
    shown = playback("pedestrian", position, yaw, plain(*treads))
    drawn = seen(shown, np.arange(0.5, 6.0, 1.0 / FPS))
    for own in soles(shown.characters[0].rig):
        foot = drawn[:, own].mean(axis=1)
        still = np.linalg.norm(np.diff(foot, axis=0), axis=1) < 1e-4
        heights = foot[1:, 2][still]
        assert len(np.unique(np.round(heights / 0.17))) >= 4, "on several treads"
        away = np.abs(heights - 0.17 * np.round(heights / 0.17))
        assert np.median(away) < 0.01


def test_wheels_roll_as_far_as_they_go_and_steer_into_the_curve():
    position, yaw = way(np.full(len(TIME), 2.0), np.full(len(TIME), 0.4))
    shown = playback("car", position, yaw)
    rig, poses = shown.characters[0].rig, Poses(shown)
    rear = rig.skeleton.row("left rear wheel")
    angles = []
    times = np.arange(2.0, 4.0, 0.02)
    for time in times:
        motion = poses.motions(0, np.arange(1), shown.pose(time), time)[0]
        angles.append(np.arctan2(motion[rear, 0, 2], motion[rear, 0, 0]))
        hub = motion[rig.skeleton.row("left hub")]
        steered = np.arctan2(hub[1, 0], hub[0, 0])
        assert steered == pytest.approx(np.arctan(1.54 * 0.4 / 2.0), abs=0.02)
    rolled = np.ptp(np.unwrap(angles)) * 0.27
    assert rolled == pytest.approx(2.0 * (times[-1] - times[0]), rel=0.03)


def test_crowds_are_not_one_clone():
    looks = look_of(np.arange(200), 6)
    assert np.bincount(looks).min() > 20
    assert (np.diff(looks) == 0).mean() < 0.3


@pytest.mark.parametrize("name", ["sheep", "dog"])
def test_animals_on_a_slope_reach_the_ground_with_all_feet(name):
    steep = np.tan(np.radians(32.0))
    corners = sheet(-20.0, -20.0, 20.0, 20.0, 0.0)
    lifted = corners.vertices + np.outer(corners.vertices[:, 0] * steep, [0.0, 0.0, 1.0])
    hill = TriangleMesh(lifted, corners.faces)
    part = Part("hill", "ground", hill, np.full((len(hill.faces), 3), 0.5))
    scene = Scene("hill", (part,), {}, hill.bounds)
    yaw = np.zeros(20)
    for turn in (0.0, np.pi, np.pi / 2):  # up, down, and across
        shown = playback(name, np.zeros((20, 3)), yaw + turn, scene)
        rig = shown.characters[0].rig
        points = seen(shown, [0.5])[0]
        for own in soles(rig):
            gap = points[own, 2] - steep * points[own, 0]
            assert np.abs(gap).min() < 0.015, "the sole is flat, the ground is not"
