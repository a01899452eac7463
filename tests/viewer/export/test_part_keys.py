"""Moving parts in `.glb`, `.html`, USD and films are where their recorded clocks say."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation, Slerp

from rmp3d.scenes import KeyFrame, MotionDescription, PresenceDescription, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.paint import Paint
from rmp3d.viewer import Camera, Layers, export_playback, render
from tests.viewer.export.test_glb import TO_GLTF, Glb
from tests.viewer.export.test_web_page import tracks, unpacked

LOOKED_AT = (0, 33, 70, 119)  # frames
TIP = np.array([9.0, 0.0, 2.0])  # of the gate, as the scene has it [m]
NEAR = 0.0101  # the tolerance [m], and what single precision adds


@pytest.fixture
def gate(make):
    """A gate of 8 m with a picture; from 1.5 s on its clock stands still for half a second."""
    mesh = box((1, -0.1, 0), (9, 0.1, 2))
    scene = Scene.from_mesh(
        {"floor": box((-9, -9, -1), (20, 20, 0)), "gate": mesh}, roles={"floor": "ground"}
    )
    file = BytesIO()
    Image.new("RGB", (8, 8), (200, 30, 30)).save(file, "PNG")
    paint = Paint((file.getvalue(),), np.zeros(len(mesh.faces), int), mesh.triangles[..., :2])
    keys = [KeyFrame(0), KeyFrame(3, (0, 1, 0), (0, 0, 150))]
    scene = scene.with_motions([MotionDescription("gate", keys, "stay", hinge=(1, 0, 0))])
    scene = replace(scene, parts=(scene.parts[0], replace(scene.parts[1], paint=paint)))
    base = make(members=1, seconds=3.99, scene=scene)
    time = base.dt * np.arange(base.frame_count)
    clock = np.minimum(time, np.maximum(1.5, time - 0.5))[:, None]
    return replace(base, clock=clock)


def tip(playback, frame):
    """Where the tip is by the formula of the key frames."""
    share = min(playback.clock[frame, 0] / 3.0, 1.0)
    turn = Rotation.from_euler("z", 150.0 * share, degrees=True)
    return turn.apply(TIP - [1, 0, 0]) + np.array([1.0, share, 0.0])


def hinge(playback, frame):
    """Where the upper end of the hinge is, likewise."""
    return np.array([1.0, min(playback.clock[frame, 0] / 3.0, 1.0), 2.0])


def test_the_clock_of_the_playback_waits(gate):
    assert np.linalg.norm(tip(gate, 46) - tip(gate, 57)) < 0.2
    assert np.linalg.norm(tip(gate, 46) - tip(gate, 80)) > 3.0


def test_a_glb_moves_its_node(gate, tmp_path):
    export_playback(gate, tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    node = glb.name.index("gate")
    (at, moved), (on, turned) = (glb.track(node, path) for path in ("translation", "rotation"))
    corners = glb.triangles(node).reshape(-1, 3)
    own = corners[np.linalg.norm(corners - [8.0, 2.0, 0.1], axis=1).argmin()] - [0, 0, 0.1]
    for frame in LOOKED_AT:
        time = frame * gate.dt
        turn = Slerp(on, Rotation.from_quat(turned))(min(time, on[-1]))
        place = turn.apply(own) + [np.interp(time, at, axis) for axis in moved.T]
        assert np.linalg.norm(place - TO_GLTF @ tip(gate, frame)) < NEAR
    assert len(on) < 20


def test_a_glb_of_one_frame_has_the_part_where_it_is(gate, make, tmp_path):
    still = make(members=0, seconds=0.01, scene=gate.scene)
    still = replace(still, clock=np.full((still.frame_count, 1), 3.0))
    export_playback(still, tmp_path / "a.glb")
    part = Scene.load(tmp_path / "a.glb").part("gate")
    assert part.mesh.bounds[0, 0] < -5.0


def test_a_page_moves_its_body(gate, tmp_path):
    export_playback(gate, tmp_path / "a.html")
    head, arrays = unpacked(tmp_path / "a.html")
    assert [body["name"] for body in head["bodies"]] == ["scene", "part0"]
    assert head["bodies"][1] == {"name": "part0", "plain": False, "pictures": [0]}
    ((at, moved),) = tracks(arrays, "part_move", 3, 4)
    ((on, turned),) = tracks(arrays, "part_turn", 4, 4)
    for frame in LOOKED_AT:
        quaternion = [np.interp(frame, on, axis) for axis in turned.T]
        place = [np.interp(frame, at, axis) for axis in moved.T * head["part_position_step"]]
        found = Rotation.from_quat(quaternion).apply(TIP - [1, 0, 0]) + place
        assert np.linalg.norm(found - tip(gate, frame)) < NEAR


def test_a_stage_moves_its_mesh(gate, tmp_path):
    usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    from pxr import Gf, UsdGeom

    export_playback(gate, tmp_path / "a.usdc")
    stage = usd.Stage.Open(str(tmp_path / "a.usdc"))
    prim = stage.GetPrimAtPath("/World/Scene/gate")
    for frame in LOOKED_AT:
        time = frame * gate.dt * stage.GetTimeCodesPerSecond()
        matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(time)
        found = matrix.Transform(Gf.Vec3d(*(TIP - [1, 0, 0])))
        assert np.linalg.norm(np.array(found) - tip(gate, frame)) < NEAR


def test_a_film_draws_the_part_where_it_is(gate, opengl):
    camera = Camera(target=[0, 0, 0], distance=40.0, azimuth=-np.pi / 2, elevation=1.5)
    plain = Layers(path=False, regions=False, markers=False, hidden=False, shadows=False)
    red = []
    for frame in (0, 100):
        picture = render(gate, frame * gate.dt, camera, (480, 270), layers=plain).astype(int)
        for seen in (0, 100):
            middle = 0.5 * (tip(gate, seen) + hinge(gate, seen))
            column, row = camera.project(middle, (480, 270))[0][0].round().astype(int)
            red.append(picture[269 - row, column, 0] > 2 * picture[269 - row, column, 1])
    assert red == [True, False, False, True]


@pytest.mark.slow
def test_the_browser_draws_the_body_where_it_is(gate, opened_replay):
    browser = opened_replay(gate)
    assert browser.problems() == []
    for frame in LOOKED_AT:
        browser.run(f"replay.seek({frame * gate.dt}), null")
        browser.until("window.replay?.stale === false")
        x, y, _ = 0.5 * (tip(gate, frame) + hinge(gate, frame))
        place, turn = browser.run(
            "[[...replay.motion.parts.position], [...replay.motion.parts.rotation]]"
        )
        found = Rotation.from_quat(turn).apply(TIP - [1, 0, 0]) + place
        assert np.linalg.norm(found - tip(gate, frame)) < NEAR
        column, row = browser.run(f"replay.pointOnPage({x}, {y}, 2.0)")
        red, green, _ = browser.picture()[int(row) + 1, int(column)].astype(int)
        assert red > 2 * green


@pytest.fixture
def barrier(make):
    """A red barrier that appears at 1 s, late by half a second, and goes at 3 s."""
    mesh = box((-5, -0.5, 0), (5, 0.5, 2))
    scene = Scene.from_mesh(
        {"floor": box((-9, -9, -1), (20, 20, 0)), "barrier": mesh}, roles={"floor": "ground"}
    ).with_motions(presence=[PresenceDescription("barrier", [1.0, 3.0], False)])
    red = np.tile([0.9, 0.05, 0.05], (len(mesh.faces), 1))
    scene = replace(scene, parts=(scene.parts[0], replace(scene.parts[1], colors=red)))
    base = make(members=1, seconds=3.99, scene=scene)
    time = base.dt * np.arange(base.frame_count)
    return replace(base, clock=((time >= 1.5).astype(float) + (time >= 3.0))[:, None])


SEEN_AT = ((0.5, False), (1.2, False), (2.0, True), (2.9, True), (3.5, False))  # time [s], there


def test_a_glb_shows_a_part_only_while_it_is_there(barrier, tmp_path):
    export_playback(barrier, tmp_path / "a.glb")
    glb = Glb(tmp_path / "a.glb")
    at, scale = glb.track(glb.name.index("barrier"), "scale", "STEP")
    for time, there in SEEN_AT:
        assert (scale[np.searchsorted(at, time, side="right") - 1] == float(there)).all()


def test_a_page_tells_when_a_part_is_there(barrier, tmp_path):
    export_playback(barrier, tmp_path / "a.html")
    (shown,) = unpacked(tmp_path / "a.html")[0]["part_shown"]
    for time, there in SEEN_AT:
        assert [is_there for since, is_there in shown if since <= time][-1] == there


def test_a_stage_shows_a_part_only_while_it_is_there(barrier, tmp_path):
    usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    from pxr import UsdGeom

    export_playback(barrier, tmp_path / "a.usdc")
    stage = usd.Stage.Open(str(tmp_path / "a.usdc"))
    made = UsdGeom.Imageable(stage.GetPrimAtPath("/World/Scene/barrier"))
    for time, there in SEEN_AT:
        seen = made.ComputeVisibility(time * stage.GetTimeCodesPerSecond())
        assert (seen == "inherited") == there


def test_a_film_shows_a_part_only_while_it_is_there(barrier, opengl):
    camera = Camera(target=[0, 0, 0], distance=40.0, azimuth=-np.pi / 2, elevation=1.5)
    plain = Layers(path=False, regions=False, markers=False, hidden=False, shadows=False)
    for time, there in SEEN_AT:
        picture = render(barrier, time, camera, (480, 270), layers=plain).astype(int)
        middle = picture[130:140, 200:280]
        assert (middle[..., 0] > 2 * middle[..., 1]).mean() > 0.5 if there else True
        assert there or not (middle[..., 0] > 2 * middle[..., 1]).any()
