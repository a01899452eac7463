"""Scenes with pictures on faces: drawn, and in `.glb`, `.html` and `.usdz`."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import sheet
from rmp3d.scenes.paint import NO_PICTURE, Paint
from rmp3d.viewer import Camera, Layers, export_playback, render

PLAIN = Layers(path=False, regions=False, markers=False, hidden=False, shadows=False)


def two_colors():
    """Red below, green above."""
    texels = np.zeros((32, 32, 3), np.uint8)
    texels[16:, :, 0] = texels[:16, :, 1] = 220
    file = BytesIO()
    Image.fromarray(texels).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def painted(make):
    """A square of 20 m: red where y is negative, green where it is positive; and a plain one."""
    floor, beside = sheet(-10, -10, 10, 10, 0.0), sheet(10, -10, 14, 10, 0.0)
    places = (floor.triangles[..., :2] + 10.0) / 20.0
    paint = Paint((two_colors(),), np.zeros(len(floor.faces), int), places)
    parts = (
        Part("floor", "ground", floor, np.full((len(floor.faces), 3), 0.5), paint),
        Part("beside", "ground", beside, np.tile([0.1, 0.1, 0.9], (len(beside.faces), 1))),
    )
    bounds = [[-10, -10, 0], [14, 10, 2]]
    return make(members=0, scene=Scene("painted", parts, {}, bounds))


def test_the_picture_is_drawn_where_it_belongs(painted, opengl):
    camera = Camera(target=[0, 0, 0], distance=40.0, azimuth=-np.pi / 2, elevation=1.5)
    for layers in (PLAIN, replace(PLAIN, shadows=True)):
        picture = render(painted, 0.0, camera, (480, 270), layers=layers).astype(int)

        def near(x, y, shown=picture):
            column, row = camera.project([x, y, 0.0], (480, 270))[0][0].round().astype(int)
            return shown[269 - row, column]

        for x in (-8.0, 0.0, 8.0):
            assert np.argmax(near(x, -6.0)) == 0
            assert np.argmax(near(x, 6.0)) == 1
        assert np.argmax(near(12.0, 0.0)) == 2


def test_a_glb_brings_the_picture_back(painted, tmp_path):
    export_playback(painted, tmp_path / "a.glb")
    floor, beside = Scene.load(tmp_path / "a.glb").parts
    assert beside.paint is None
    before = painted.scene.parts[0]
    found = {
        tuple(np.round(corner, 3)): tuple(np.round(place, 3))
        for face, places in zip(floor.mesh.triangles, floor.paint.places, strict=True)
        for corner, place in zip(face, places, strict=True)
    }
    for face, places in zip(before.mesh.triangles, before.paint.places, strict=True):
        for corner, place in zip(face, places, strict=True):
            assert found[tuple(np.round(corner, 3))] == pytest.approx(tuple(place), abs=1e-3)


def test_a_part_with_a_picture_on_some_faces_has_all_of_them_in_a_glb(painted, tmp_path):
    floor = painted.scene.parts[0]
    half = np.arange(len(floor.colors)) % 2 - 1  # every other face
    mixed = replace(floor, paint=Paint(floor.paint.pictures, half, floor.paint.places))
    scene = replace(painted.scene, parts=(mixed,))
    export_playback(replace(painted, scene=scene), tmp_path / "a.glb")
    (again,) = Scene.load(tmp_path / "a.glb").parts
    assert len(again.mesh.faces) == len(floor.mesh.faces)
    assert (again.paint.picture == NO_PICTURE).sum() == (half == NO_PICTURE).sum()


def test_usd_packs_the_picture(painted, tmp_path):
    usd = pytest.importorskip("pxr.Usd", reason="usd-core is not installed")
    from pxr import UsdGeom, UsdShade, UsdValidation

    export_playback(painted, tmp_path / "a.usdz")
    stage = usd.Stage.Open(str(tmp_path / "a.usdz"))
    registry = UsdValidation.ValidationRegistry()
    context = UsdValidation.ValidationContext(registry.GetOrLoadAllValidators())
    assert [each.GetMessage() for each in context.Validate(stage)] == []
    mesh = stage.GetPrimAtPath("/World/Scene/floor")
    places = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st").Get()
    expected = painted.scene.parts[0].paint.places.reshape(-1, 2)
    np.testing.assert_allclose(places, expected, atol=1e-6)
    (subset,) = UsdGeom.Subset.GetAllGeomSubsets(UsdGeom.Mesh(mesh))
    material, _ = UsdShade.MaterialBindingAPI(subset.GetPrim()).ComputeBoundMaterial()
    picture = UsdShade.Shader(stage.GetPrimAtPath(material.GetPath().AppendChild("picture")))
    assert picture.GetInput("file").Get().resolvedPath.endswith(".png]")


@pytest.mark.slow
def test_the_page_draws_the_picture(painted, opened_replay):
    scene = replace(painted.scene, parts=painted.scene.parts[:1])  # no face without a picture
    browser = opened_replay(replace(painted, scene=scene))
    browser.run("replay.camera.elevation = 1.5, replay.camera.azimuth = -Math.PI / 2, null")

    def color(x, y):
        column, row = browser.run(f"replay.pointOnPage({x}, {y}, 0)")
        return browser.picture()[round(row), round(column)].astype(int)

    for _ in range(100):  # pictures are decoded beside
        browser.run("replay.stale = true")
        browser.until("!replay.stale")
        if np.ptp(color(0, -6)) > 60:
            break
    assert np.argmax(color(0, -6)) == 0
    assert np.argmax(color(0, 6)) == 1
    assert browser.problems() == []
