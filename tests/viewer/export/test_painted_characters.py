"""Characters with pictures on their faces: kept when they are added, drawn, and exported."""

import zipfile
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from rmp3d.models import load_character
from rmp3d.models.adding import add_character
from rmp3d.models.gltf_scene import GltfScene
from rmp3d.models.rig_writing import write_rig
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import sheet
from rmp3d.scenes.paint import Paint
from rmp3d.viewer import Camera, Layers, Offscreen, export_playback

PLAIN = Layers(path=False, regions=False, markers=False, hidden=False, shadows=False)
SIZE = (200, 200)


def two_colors():
    """Red below, green above."""
    texels = np.zeros((32, 32, 3), np.uint8)
    texels[16:, :, 0] = texels[:16, :, 1] = 200
    file = BytesIO()
    Image.fromarray(texels).save(file, "PNG")
    return file.getvalue()


@pytest.fixture(scope="module")
def hero(tmp_path_factory):
    """A person, red below 0.9 m and green above but for the gray head, as `models add` makes it."""
    folder = tmp_path_factory.mktemp("hero")
    rig = load_character("pedestrian").rig
    look = rig.looks[0]
    high = look.mesh.triangles[..., 2]
    places = np.stack([np.full_like(high, 0.5), np.clip(high / 1.8, 0.02, 0.98)], axis=-1)
    paint = Paint((two_colors(),), np.where(high.mean(axis=1) > 1.5, -1, 0), places)
    painted = replace(look, colors=np.full_like(look.colors, 0.5), paint=paint, levels=())
    write_rig(folder / "hero.glb", replace(rig, looks=(painted,)))
    file, notes = add_character(folder / "hero.glb", folder / "made")
    assert any("textures kept: 1" in note for note in notes)
    return load_character(file)


@pytest.fixture
def alone(make, hero):
    floor = sheet(-50.0, -50.0, 50.0, 50.0, 0.0)
    part = Part("floor", "ground", floor, np.full((2, 3), 0.5))
    playback = make(members=1, seconds=2.0, scene=Scene("plain", (part,), {}, floor.bounds))
    return replace(playback, characters=(hero,))


def test_pictures_of_a_character_are_kept_with_their_places(hero):
    (look,) = hero.rig.looks
    high = look.mesh.triangles[..., 2]
    bare = look.paint.picture < 0
    np.testing.assert_array_equal(bare, high.mean(axis=1) > 1.5)
    want = np.clip(high[~bare] / 1.8, 0.02, 0.98)
    np.testing.assert_allclose(look.paint.places[~bare][..., 1], want, atol=1e-3)
    low = ~bare & (high.max(axis=1) < 0.85)
    assert (look.colors[low, 0] > look.colors[low, 1] + 0.5).all(), "red on average"
    for level in look.levels:
        assert level.paint is None
        middle = level.mesh.triangles[..., 2]
        under = middle.max(axis=1) < 0.85
        assert (level.colors[under, 0] > level.colors[under, 1]).all(), "red from afar"


def test_pictures_of_a_character_are_drawn_where_its_limbs_are(opengl, alone):
    with Offscreen(alone, SIZE) as offscreen:
        at = alone.pose(1.0).position[0] + [0.0, 0.0, 0.9]
        camera = Camera(target=at, azimuth=-1.4, elevation=0.1, distance=3.5)
        picture = offscreen.picture(1.0, camera, layers=PLAIN).astype(int)
    red = picture[..., 0] > picture[..., 1] + 60
    green = picture[..., 1] > picture[..., 0] + 60
    assert min(red.sum(), green.sum()) > 200
    assert np.flatnonzero(green.any(axis=1)).mean() < np.flatnonzero(red.any(axis=1)).mean()


def test_members_with_pictures_keep_them_where_others_have_simpler_meshes(opengl, alone):
    plain = replace(alone, characters=(load_character("pedestrian"),))
    shown = []
    for playback in (alone, plain):
        with Offscreen(playback, SIZE) as offscreen:
            at = playback.pose(1.0).position[0] + [0.0, 0.0, 0.9]
            camera = Camera(target=at, azimuth=-1.4, elevation=0.1, distance=8.0)
            offscreen.picture(1.0, camera, layers=PLAIN)
            levels = [kind.levels for kind in offscreen._renderer._crowd._kinds]
            shown.append(sum(own[0].count for own in levels))
    assert shown == [1, 0]


def test_exports_have_the_pictures_and_the_bones(alone, tmp_path):
    export_playback(alone, tmp_path / "a.glb", None)
    scene = GltfScene(tmp_path / "a.glb")
    (node,) = [each for each in scene.nodes if "skin" in each]
    primitives = scene.json["meshes"][node["mesh"]]["primitives"]
    painted = [each for each in primitives if "TEXCOORD_0" in each["attributes"]]
    assert len(painted) == 1
    assert "JOINTS_0" in painted[0]["attributes"]
    material = scene.json["materials"][painted[0]["material"]]
    image = scene.image(material["pbrMetallicRoughness"]["baseColorTexture"]["index"], "")
    assert image.size == (32, 32)
    pytest.importorskip("pxr")
    export_playback(alone, tmp_path / "a.usdz", None)
    names = zipfile.ZipFile(tmp_path / "a.usdz").namelist()
    assert sum(name.endswith((".png", ".jpg")) for name in names) == 1
