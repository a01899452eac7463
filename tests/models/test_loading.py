import numpy as np
import pytest
import trimesh

from rmp3d.geometry import InputError
from rmp3d.models import builtin_models, builtin_summary, load_character
from rmp3d.models.build import main
from rmp3d.models.loading import BUILTIN

# How far the wheels of a vehicle reach past the round foot of its capsule [m].
WHEELS = {"car": 0.36, "motorbike": 0.25}

FILE = """
description = "a crate on wheels"
mesh = "crate.ply"

[body]
radius = 0.5
capsule_axis = [0.5, 0.6]

[vehicle]
kind = "hugging"
mass = 10.0
max_speed = 2.0
cruise_speed = 1.0
max_force = 20.0
max_turn_rate = 90.0
"""


@pytest.fixture
def folder(tmp_path):
    crate = trimesh.creation.box(extents=(0.4, 0.4, 0.4))
    crate.apply_translation((0, 0, 0.5))
    crate.export(tmp_path / "crate.ply")
    (tmp_path / "crate.toml").write_text(FILE)
    return tmp_path


def test_the_built_in_characters_are_listed_with_a_line_each():
    assert set(builtin_models()) >= {"drone", "pedestrian"}
    assert all(len(builtin_summary(name)) > 20 for name in builtin_models())


@pytest.mark.parametrize("name", builtin_models())
def test_a_built_in_body_is_closed_small_and_inside_its_capsule(name):
    character = load_character(name)
    body = character.body
    assert body.mesh.is_watertight
    assert len(body.mesh.faces) <= 60
    assert body.overhang(body.mesh) < 0.0
    assert len(character.mesh.faces) < 600
    # The drone's lens and the marks painted on the box are sheets.
    assert character.mesh.is_watertight or name in ("drone", "box")
    # Only the tips of a walker's shoes reach past the round foot of the capsule, or the wheels.
    limit = 0.12 if character.vehicle == "hugging" else 0.0
    assert body.overhang(character.mesh) <= WHEELS.get(name, limit)


def test_vehicles_on_wheels_turn_on_a_radius_and_stand_on_their_wheels():
    for name, length in (("motorbike", 1.75), ("car", 2.4)):
        character = load_character(name)
        assert character.parameters.turn_radius >= 2.5
        size = character.mesh.bounds[1] - character.mesh.bounds[0]
        assert size[0] == pytest.approx(length, abs=0.1)
        assert abs(character.mesh.bounds[0, 2]) < 0.015
        assert size[1] < 0.7 * size[0], "longer than wide"
        assert np.linalg.norm(character.mesh.vertices[:, :2], axis=1).max() <= character.body.radius


def test_the_pedestrian_stands_on_the_ground_and_stays_within_its_width():
    pedestrian = load_character("pedestrian")
    assert pedestrian.vehicle == "hugging"
    assert pedestrian.mesh.bounds[0, 2] == pytest.approx(0.0, abs=1e-6)
    assert pedestrian.mesh.bounds[1, 2] == pytest.approx(1.745, abs=1e-3)
    across = np.linalg.norm(pedestrian.mesh.vertices[:, :2], axis=1)
    assert across.max() <= pedestrian.body.radius
    assert pedestrian.body.mesh.bounds[0, 2] > 0.0


def test_the_drone_is_held_by_its_sphere_and_has_a_nose():
    drone = load_character("drone")
    assert (drone.vehicle, drone.body.radius, drone.body.capsule_axis) == (
        "flying",
        0.4,
        (0.0, 0.0),
    )
    orange = (drone.colors[:, 0] > 0.8) & (drone.colors[:, 2] < 0.3)
    nose = drone.mesh.triangles[orange].mean(axis=(0, 1))
    assert nose[0] > 0.1
    assert abs(nose[1]) < 1e-3


def test_the_shipped_meshes_are_what_the_script_builds(check_same, tmp_path, monkeypatch):
    monkeypatch.setattr("rmp3d.models.build.BUILTIN", tmp_path)
    main()
    built = sorted(tmp_path.glob("*.glb"))
    assert [path.name for path in built] == sorted(path.name for path in BUILTIN.glob("*.glb"))
    for path in built:
        check_same(path.read_bytes(), (BUILTIN / path.name).read_bytes())


def test_a_character_of_ones_own_is_loaded_by_its_path(folder):
    for crate in (load_character("crate.toml", folder), load_character(folder / "crate.toml")):
        assert crate.name == "crate"
        assert crate.description == "a crate on wheels"
        assert crate.body.mesh.bounds == pytest.approx(crate.mesh.bounds)
        assert crate.parameters.max_turn_rate == pytest.approx(np.pi / 2)
        assert crate.parameters.max_braking == 20.0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("radius = 0.5", "radius = -0.5", "`radius` must be positive, got -0.5"),
        ("radius = 0.5", "radius = 0.2", "sticks .* out of the capsule"),
        ("capsule_axis = [0.5, 0.6]", "capsule_axis = [0.1, 0.6]", "would reach below the ground"),
        ("mass = 10.0", "mas = 10.0", "unknown key; did you mean `mass`"),
        ("mass = 10.0", 'mass = "much"', "mass"),
        ("mass = 10.0", "", "mass"),
        ("mass = 10.0", "mass = -1.0", "`mass` must be positive"),
        (
            "max_turn_rate = 90.0",
            "max_turn_rate = nan",
            "`vehicle.max_turn_rate`: must be a finite",
        ),
        (
            'kind = "hugging"',
            'kind = "flying"',
            r"`body\.capsule_axis` of a flying character is \[0, 0\]",
        ),
        ('kind = "hugging"', 'kind = "swimming"', "kind"),
        ('mesh = "crate.ply"', 'mesh = "gone.ply"', r"gone\.ply: no such file"),
        ("[body]", "[body", "not valid TOML"),
    ],
)
def test_a_wrong_character_file_is_refused_by_name(folder, old, new, message):
    path = folder / "crate.toml"
    path.write_text(FILE.replace(old, new))
    with pytest.raises(InputError, match=message) as error:
        load_character(path)
    assert str(folder) in str(error.value)


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(
        InputError, match="no character named `pedestrain`; did you mean `pedestrian`"
    ):
        load_character("pedestrain")
    with pytest.raises(InputError, match="no such file"):
        load_character("pedestrain.toml")
