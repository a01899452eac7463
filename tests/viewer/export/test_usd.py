import sys
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.models import load_character
from rmp3d.viewer import export_playback
from rmp3d.viewer.export.usd_stage import FPS
from rmp3d.viewer.playback.posing import Poses, look_of


@pytest.fixture
def usd():
    return pytest.importorskip("pxr.Usd", reason="usd-core is not installed")


@pytest.fixture
def walkers(make):
    """Three that walk: one comes and leaves."""
    playback = make(members=3, seconds=4.0)
    life = [[0, playback.frame_count], [30, 60], [0, playback.frame_count]]
    return replace(playback, characters=(load_character("pedestrian"),), life=np.array(life))


@pytest.fixture
def package(walkers, tmp_path, usd):
    path = tmp_path / "a.usdz"
    export_playback(walkers, path, options={"bones": 2})
    return path


def complaints(path):
    """What the validators of USD itself say; `usdchecker` runs the same."""
    from pxr import Usd

    return said_of(Usd.Stage.Open(str(path)))


def said_of(stage):
    from pxr import UsdValidation

    registry = UsdValidation.ValidationRegistry()
    context = UsdValidation.ValidationContext(registry.GetOrLoadAllValidators())
    found = context.Validate(stage)
    return [f"{each.GetName()}: {each.GetMessage()}" for each in found]


def test_the_checker_of_usd_finds_nothing(package, usd):
    assert complaints(package) == []
    assert said_of(usd.Stage.CreateInMemory()) != []  # it does look


def test_skinned_bodies_are_where_the_viewer_draws_them(walkers, package, usd):
    from pxr import Gf, UsdGeom, UsdSkel, Vt

    stage = usd.Stage.Open(str(package))
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == FPS
    assert stage.GetEndTimeCode() == pytest.approx(walkers.duration * FPS)
    proxies = usd.TraverseInstanceProxies()
    roots = [p for p in usd.PrimRange.Stage(stage, proxies) if p.IsA(UsdSkel.Root)]
    assert len(roots) == 2
    assert not any(root.IsInstance() for root in roots)  # Blender holds instances still
    rig, poses = walkers.characters[0].rig, Poses(walkers)
    looks = look_of(np.arange(3), len(rig.looks))
    cache = UsdSkel.Cache()
    for member, root in enumerate(roots):
        cache.Populate(UsdSkel.Root(root), proxies)
        (binding,) = cache.ComputeSkelBindings(UsdSkel.Root(root), proxies)
        skeleton, (target,) = (
            cache.GetSkelQuery(binding.GetSkeleton()),
            binding.GetSkinningTargets(),
        )
        rest = UsdGeom.Mesh(target.GetPrim()).GetPointsAttr().Get()
        for time in (0.0, 1.234, 3.1):
            at = usd.TimeCode(time * FPS)
            points = Vt.Vec3fArray(rest)
            assert target.ComputeSkinnedPoints(skeleton.ComputeSkinningTransforms(at), points, at)
            world = UsdGeom.Xformable(target.GetPrim()).ComputeLocalToWorldTransform(at)
            there = np.array([world.Transform(Gf.Vec3d(point)) for point in points])
            pose, look = walkers.pose(time), rig.looks[looks[member]]
            motion = poses.motions(0, np.array([member]), pose, time)
            drawn = look.skin.moved(look.mesh.vertices, motion)[0]
            turn = matrix_from_quaternion(pose.orientation_wxyz[member])
            drawn = drawn @ turn.T + pose.position[member]
            gap = np.linalg.norm(there[:, None] - drawn[None], axis=-1).min(axis=1)
            assert gap.max() < 0.05
            assert np.median(gap) < 0.02


def test_members_come_and_leave_and_rigid_ones_share_a_mesh(walkers, package, usd):
    from pxr import UsdGeom

    stage = usd.Stage.Open(str(package))
    second = UsdGeom.Imageable(stage.GetPrimAtPath("/World/Members/visitors/visitors_1"))
    seen = [
        second.ComputeVisibility(usd.TimeCode(frame * walkers.dt * FPS))
        for frame in (29, 31, 59, 61)
    ]
    assert seen == ["invisible", "inherited", "inherited", "invisible"]
    third = stage.GetPrimAtPath("/World/Members/visitors/visitors_2/Body")
    assert third.IsInstance()
    place = UsdGeom.Xformable(third).ComputeLocalToWorldTransform(usd.TimeCode(2.0 * FPS))
    np.testing.assert_allclose(
        place.ExtractTranslation(), walkers.pose(2.0).position[2], atol=0.011
    )


def test_members_are_instances_where_that_is_asked_for(walkers, tmp_path, usd):
    export_playback(walkers, tmp_path / "a.usda", options={"bones": 2, "instanced": True})
    stage = usd.Stage.Open(str(tmp_path / "a.usda"))
    bodies = [
        stage.GetPrimAtPath(f"/World/Members/visitors/visitors_{row}/Body") for row in range(3)
    ]
    assert all(body.IsInstance() for body in bodies)
    assert stage.GetFramesPerSecond() == FPS


def test_parts_keep_their_faces_and_colors(playback, tmp_path, usd):
    from pxr import UsdGeom

    from rmp3d.viewer.palette import linear

    export_playback(playback, tmp_path / "a.usda")
    stage = usd.Stage.Open(str(tmp_path / "a.usda"))
    part = playback.scene.parts[0]
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath(f"/World/Scene/{part.name.replace(' ', '_')}"))
    np.testing.assert_allclose(mesh.GetPointsAttr().Get(), part.mesh.vertices, atol=1e-5)
    corners = np.reshape(mesh.GetFaceVertexIndicesAttr().Get(), (-1, 3))
    np.testing.assert_array_equal(corners, part.mesh.faces)
    colors = mesh.GetDisplayColorPrimvar().ComputeFlattened()
    np.testing.assert_allclose(colors, linear(part.colors), atol=1e-4)
    facts = stage.GetRootLayer().customLayerData
    assert list(facts["eventTexts"]) == [event.text for event in playback.events]


@pytest.mark.parametrize("suffix", ["usdc", "usdz", "usda"])
def test_the_same_is_written_twice_and_a_scene_alone_is_too(make, tmp_path, usd, suffix):
    playback = make(members=2, seconds=0.5)
    for name in ("a", "b"):
        export_playback(playback, tmp_path / f"{name}.{suffix}")
    first, again = ((tmp_path / f"{name}.{suffix}").read_bytes() for name in ("a", "b"))
    assert first == again
    export_playback(make(members=0), tmp_path / f"c.{suffix}")
    assert complaints(tmp_path / f"c.{suffix}") == []


def test_a_missing_library_is_said_before_any_work(playback, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(InputError, match=r"needs usd-core.*pip install 'rmp3d\[usd\]'"):
        export_playback(playback, tmp_path / "a.usdz")
    assert list(tmp_path.iterdir()) == []
