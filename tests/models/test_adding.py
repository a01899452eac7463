import base64
import json
import os
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.models import load_character, rig_file
from rmp3d.models.adding import add_character
from rmp3d.models.bone_names import arms_of, clip_of, legs_of
from rmp3d.models.few_joints import few_joints
from rmp3d.models.hanging_arms import hanging_arms
from rmp3d.models.importing import _moved
from rmp3d.models.rig_file import read_rig
from rmp3d.models.rig_writing import write_rig
from rmp3d.models.skeleton import Skeleton

MIXAMO = {
    "hips": "mixamorig:Hips", "left thigh": "mixamorig:LeftUpLeg", "left shin": "mixamorig:LeftLeg",
    "left foot": "mixamorig:LeftFoot", "right thigh": "mixamorig:RightUpLeg",
    "right shin": "mixamorig:RightLeg", "right foot": "mixamorig:RightFoot",
    "left arm": "mixamorig:LeftArm", "left forearm": "mixamorig:LeftForeArm",
}  # fmt: skip


CLIPS = ("Armature|Walking", "Armature|Sprint", "Breathing Idle")


def of_another_program(head):
    head["asset"]["generator"] = "another program"
    for each in (*head["skins"], *head.get("animations", []), *head["nodes"]):
        each.pop("extras", None)


@pytest.fixture
def foreign(with_head):
    def written(
        path, names=MIXAMO, clips=("Armature|Walking", "Armature|Sprint", "Breathing Idle")
    ):
        """A person as other programs write it: centimeters, towards +z of glTF, other names."""
        rig = load_character("pedestrian").rig
        aside = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        rig = _moved(rig, aside, 100.0, np.array([300.0, 40.0, 20.0]))
        skeleton = replace(
            rig.skeleton, names=tuple(names.get(each, each) for each in rig.skeleton.names)
        )
        old = [rig.clips[each] for each in ("walk", "run", "idle")]
        renamed = {new: replace(clip, name=new) for new, clip in zip(clips, old, strict=False)}
        write_rig(
            path, replace(rig, skeleton=skeleton, clips=renamed, legs=(), looks=rig.looks[:1])
        )
        path.write_bytes(with_head(path.read_bytes(), of_another_program))
        return path

    return written


def test_a_rig_of_another_program_becomes_a_character_that_walks(tmp_path, foreign):
    own = load_character("pedestrian")
    file, notes = add_character(foreign(tmp_path / "My Hero.glb"), tmp_path / "made")
    assert file.name == "my_hero.toml"
    hero = load_character(file)
    assert hero.mesh.bounds[1, 2] == pytest.approx(1.745, abs=0.01)
    assert hero.mesh.bounds[0, 2] == pytest.approx(0.0, abs=1e-4)
    assert hero.mesh.bounds[1, 0] == pytest.approx(own.mesh.bounds[1, 0], abs=0.02), "looks ahead"
    assert set(hero.rig.clips) == {"walk", "run", "idle"}
    assert len(hero.rig.legs) == 2
    for name in ("walk", "run"):
        measured, true = hero.rig.clips[name], own.rig.clips[name]
        assert measured.stride == pytest.approx(true.stride, rel=0.12), "measured from the feet"
        assert measured.duration == pytest.approx(true.duration, rel=0.01)
    for ours, theirs in zip(hero.rig.legs, own.rig.legs, strict=True):
        assert ours.swing == theirs.swing
        assert ours.heel == pytest.approx(theirs.heel, abs=0.03)
        assert ours.ball == pytest.approx(theirs.ball, abs=0.03)
    assert 0.2 < hero.body.radius < 0.4
    assert hero.parameters.cruise_speed == pytest.approx(1.3, rel=0.15)
    said = "\n".join(notes)
    assert "taken as centimeters" in said
    assert "walk (Armature|Walking)" in said


def test_what_is_missing_is_said_with_what_is_done_instead(tmp_path, foreign):
    no_walk = foreign(tmp_path / "a.glb", clips=("Dance", "Wave", "Idle"))
    file, notes = add_character(no_walk, tmp_path / "made")
    said = "\n".join(notes)
    assert "no clip is called a walk: the legs step without one" in said
    assert "not used: Dance, Wave" in said
    made = load_character(file)
    assert made.rig.clips["walk"].stride > 0.8
    no_legs = foreign(tmp_path / "b.glb", names={k: f"bone {i}" for i, k in enumerate(MIXAMO)})
    file, notes = add_character(no_legs, tmp_path / "made")
    assert "no joint is called left thigh" in "\n".join(notes)
    assert not load_character(file).rig.legs


def test_one_whose_legs_have_no_length_slides_along(tmp_path, foreign, with_head):
    path = foreign(tmp_path / "someone.glb")

    def change(head):
        of_another_program(head)
        del head["skins"][0]["inverseBindMatrices"]  # all joints are at the origin, as glTF says

    path.write_bytes(with_head(path.read_bytes(), change))
    file, notes = add_character(path, tmp_path / "made")
    assert "joints of its legs are in one place: it slides along in its rest pose" in notes
    character = load_character(str(file))
    assert "walk" not in character.rig.clips
    assert np.ptp(character.mesh.vertices, axis=0).min() > 0.2, "it is no line"


def test_files_that_cannot_be_used_are_refused(tmp_path, foreign):
    with pytest.raises(InputError, match=r"is read from a \.glb or \.gltf file"):
        add_character(tmp_path / "a.fbx", tmp_path)
    rigid = tmp_path / "rigid.glb"
    box = load_character("box").rig
    assert box is None
    from rmp3d.models.loading import BUILTIN

    rigid.write_bytes((BUILTIN / "box.glb").read_bytes())
    with pytest.raises(InputError, match="has no skeleton; name it as `mesh`"):
        add_character(rigid, tmp_path)
    good = foreign(tmp_path / "c.glb")
    add_character(good, tmp_path / "made")
    given = good.read_bytes()
    add_character(good, tmp_path)
    assert good.read_bytes() == given
    with pytest.raises(InputError, match="is there already"):
        add_character(good, tmp_path / "made")
    unclear = tmp_path / "d.glb"
    unclear.write_bytes(good.read_bytes().replace(b'"asset"', b'"\xf8sset"', 1))
    with pytest.raises(InputError, match=r"d\.glb: .*it has bytes that are no text"):
        add_character(unclear, tmp_path / "other")
    deep = tmp_path / "e.gltf"
    deep.write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"e\.gltf: .*it is nested too deeply"):
        add_character(deep, tmp_path / "other")
    good.write_bytes(good.read_bytes()[:-5000])
    with pytest.raises(InputError, match=r"c\.glb: "):
        add_character(good, tmp_path / "other")


@pytest.mark.parametrize(("scale", "unit"), [(1.0, "centimeters"), (10.0, "millimeters")])
def test_the_unit_of_a_file_is_that_in_which_somebody_is_so_high(
    tmp_path, foreign, with_head, scale, unit
):
    path = foreign(tmp_path / "someone.glb")
    path.write_bytes(with_head(path.read_bytes(), scaled(scale)))
    _, notes = add_character(path, tmp_path / "made")
    assert [note for note in notes if f"taken as {unit}" in note]
    low, high = load_character(str(tmp_path / "made" / "someone.toml")).mesh.bounds
    assert high[2] - low[2] == pytest.approx(1.745, abs=0.001)


@pytest.mark.parametrize("scale", [1e-6, 1e3])
def test_of_a_file_in_which_nobody_is_so_high_the_height_is_asked_for(
    tmp_path, foreign, with_head, scale
):
    path = foreign(tmp_path / "someone.glb")
    path.write_bytes(with_head(path.read_bytes(), scaled(scale)))
    with pytest.raises(InputError, match=r"someone\.glb: .* units high; .*`--height 1\.75`"):
        add_character(path, tmp_path / "made")
    with pytest.raises(InputError, match=r"must be at least 0\.01 m, got 0\.001"):
        add_character(path, tmp_path / "made", height=0.001)
    _, notes = add_character(path, tmp_path / "made", height=1.75)
    assert notes[-1].startswith("1.75 m tall")


def scaled(by):
    """Return what puts all nodes of a file under one that is scaled."""

    def change(head):
        of_another_program(head)
        top = {"name": "all", "scale": [by] * 3, "children": head["scenes"][0]["nodes"]}
        head["nodes"].append(top)
        head["scenes"][0]["nodes"] = [len(head["nodes"]) - 1]

    return change


def test_names_of_common_rigs_are_known():
    for names in (
        ["mixamorig:LeftUpLeg", "mixamorig:LeftLeg", "mixamorig:LeftFoot", "mixamorig:LeftToeBase"],
        ["thigh_l", "calf_l", "foot_l", "ball_l"],
        ["DEF-thigh.L", "DEF-shin.L", "DEF-foot.L", "DEF-toe.L"],
        ["J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot"],
        ["Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot"],
        ["left thigh", "left shin", "left foot"],
        ["L_Hip", "L_Knee", "L_Ankle", "L_Foot"],
        ["B_Hip_Left", "B_Knee_Left", "B_Ankle_Left", "B_Toe_Left"],
    ):
        assert legs_of(names)["left"] == {"thigh": 0, "shin": 1, "foot": 2}, names
        assert legs_of(names)["right"] == {}
    assert [clip_of(name) for name in ("Walk_Cycle", "anim|Running", "Idle01", "Walk_Back")] == [
        "walk", "run", "idle", None,
    ]  # fmt: skip


def test_textures_that_cannot_be_used_are_said(tmp_path, foreign, with_head):
    def textured(head):
        head["images"] = [{"uri": "skin.png"}]
        head["textures"] = [{"source": 0}]
        for each in head["materials"]:
            each["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}

    path = foreign(tmp_path / "hero.glb")
    path.write_bytes(with_head(path.read_bytes(), textured))
    _, notes = add_character(path, tmp_path / "made")
    assert any("textures are damaged, or in other files" in note for note in notes)
    _, notes = add_character(foreign(tmp_path / "plain.glb"), tmp_path / "made")
    assert not any("texture" in note for note in notes)


def as_text(path, folder):
    """A .glb as .gltf, its buffer and pictures in files beside it or, without a folder, in it."""
    data = path.read_bytes()
    length = int.from_bytes(data[12:16], "little")
    head, chunk = json.loads(data[20 : 20 + length]), data[28 + length :]
    if folder is None:
        code = base64.b64encode(chunk).decode()
        head["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{code}"
        target = path.with_suffix(".gltf")
    else:
        folder.mkdir()
        (folder / "my bones.bin").write_bytes(chunk)
        head["buffers"][0]["uri"] = "my%20bones.bin"
        target = folder / path.with_suffix(".gltf").name
    target.write_text(json.dumps(head))
    return target


@pytest.mark.parametrize("apart", [False, True])
def test_text_glTF_is_read_with_its_data_in_it_or_beside_it(tmp_path, foreign, apart):
    binary = foreign(tmp_path / "hero.glb")
    text = as_text(binary, tmp_path / "text" if apart else None)
    made = [add_character(path, tmp_path / f"made{k}") for k, path in enumerate((binary, text))]
    (first, notes), (second, same) = made
    assert notes == same
    for name in ("hero_rig.glb", "hero_body.glb"):
        assert (first.parent / name).read_bytes() == (second.parent / name).read_bytes()


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("../secret.bin", "outside its folder"), ("/etc/passwd", "outside its folder"),
        ("https://example.org/a.bin", "which is not in"),
        ("none.bin", "which is not in"),
        ("data:application/octet-stream;base64,%%", "not base64"),
        ("data:,abc", "not in base64"), (3, "should be text"),
    ],
)  # fmt: skip
def test_text_glTF_reads_no_other_places(tmp_path, foreign, uri, message):
    text = as_text(foreign(tmp_path / "hero.glb"), None)
    head = json.loads(text.read_text())
    head["buffers"][0]["uri"] = uri
    text.write_text(json.dumps(head))
    with pytest.raises(InputError, match=message):
        add_character(text, tmp_path / "made")


def test_an_animal_of_another_program_goes_on_four_legs(tmp_path, with_head):
    own = load_character("sheep").rig
    names = {
        f"{side} {end} {part}": f"b_{side.title()}{word}_0{row}"
        for side in ("left", "right")
        for end, words in (("fore", ("UpperArm", "ForeArm", "Hand")),
                           ("hind", ("Leg01", "Leg02", "Foot01")))
        for row, (part, word) in enumerate(zip(("upper", "lower", "foot"), words, strict=True))
    }  # fmt: skip
    skeleton = replace(
        own.skeleton, names=tuple(names.get(each, each) for each in own.skeleton.names)
    )
    clips = {name: replace(own.clips[name], name=name) for name in ("walk", "run")}
    path = tmp_path / "lamb.glb"
    write_rig(path, replace(own, skeleton=skeleton, clips=clips, legs=(), looks=own.looks[:1]))
    path.write_bytes(with_head(path.read_bytes(), of_another_program))
    file, notes = add_character(path, tmp_path / "made")
    assert "its arms are near the ground: it goes on four legs" in notes
    made = load_character(file)
    lamb = made.rig
    order = {lamb.skeleton.names[leg.upper]: leg.swing for leg in lamb.legs}
    for leg in own.legs:
        upper = names[own.skeleton.names[leg.upper]]
        off = (order[upper] - leg.swing) - (order["b_LeftLeg01_00"] - own.legs[0].swing)
        assert abs((off + 0.5) % 1.0 - 0.5) < 0.13, upper
    assert lamb.clips["walk"].speed == pytest.approx(own.clips["walk"].speed, rel=0.15)
    low, high = made.body.mesh.bounds
    length, width, _ = np.ptp(made.mesh.bounds, axis=0)
    assert high[0] - low[0] > 0.75 * length, "its body is as long as it is"
    assert high[1] - low[1] < 0.5 * (high[0] - low[0]), "and no wider than that"
    assert high[1] - low[1] > 0.9 * width
    assert high[2] == pytest.approx(made.mesh.bounds[1, 2], abs=0.01)


def test_forelegs_are_no_hind_legs_whichever_come_first():
    fore = [
        "upper_arm.L",
        "forearm.L",
        "forefoot.L",
        "front_thigh.R",
        "front_shin.R",
        "front_foot.R",
    ]
    hind = ["thigh.L", "lower_leg.L", "hind_foot.L", "thigh.R", "shin.R", "foot.R"]
    for names in (fore + hind, hind + fore):
        rows = {side: [names[row] for row in parts.values()]
                for side, parts in legs_of(names).items()}  # fmt: skip
        assert rows == {"left": hind[:3], "right": hind[3:]}
        rows = {side: [names[row] for row in parts.values()]
                for side, parts in arms_of(names).items()}  # fmt: skip
        assert rows == {"left": fore[:3], "right": fore[3:]}


def test_of_too_many_joints_the_shortest_ends_go_along_with_what_holds_them(
    tmp_path, foreign, monkeypatch
):
    path = foreign(tmp_path / "many.glb")
    whole = read_rig(path).skeleton
    most = len(whole.names) - 2
    for module in ("few_joints", "importing"):
        monkeypatch.setattr(f"rmp3d.models.{module}.MOST_JOINTS", most)
    os.utime(path, (1.0, 1.0))  # it is read anew
    file, notes = add_character(path, tmp_path / "made")
    few = load_character(file).rig
    assert len(few.skeleton.names) == most
    assert set(few.skeleton.names) < set(whole.names)
    assert len(few.legs) == 2
    assert f"it has {len(whole.names)} joints, and {most} are drawn" in "\n".join(notes)
    for look in few.looks:
        assert look.skin.joints.max() < most
        np.testing.assert_allclose(look.skin.weights.sum(axis=1), 1.0, atol=1e-6)


def test_a_joint_that_is_left_out_goes_with_its_nearest_one_that_is_kept(monkeypatch):
    monkeypatch.setattr("rmp3d.models.few_joints.MOST_JOINTS", 3)
    names = ("hips", "neck", "left thigh", "eye", "lash")
    parents = np.array([-1, 0, 0, 1, 3])
    place = np.array([[0.0, 0, 1], [0, 0, 1.5], [0, 0.1, 0.99], [0.1, 0, 1.6], [0.1, 0, 1.61]])
    kept, instead = few_joints(names, parents, place)
    assert kept.tolist() == [0, 1, 2]
    assert instead.tolist() == [0, 1, 2, 1, 1]


def test_spread_arms_hang_and_swing_about_the_shoulder():
    side = {"left": 1.0, "right": -1.0}
    names = ["hips", *(f"{each}{part}" for each in side for part in ("UpperArm", "Hand"))]
    place = [[0.0, 0, 1], *([0, s * y, 1.4] for s in side.values() for y in (0.2, 0.8))]
    skeleton = Skeleton(tuple(names), np.array([-1, 0, 1, 0, 3]), np.array(place))
    turned = hanging_arms(skeleton, np.array([[0.0, 0.0], [1.0, -1.0]]))
    assert set(turned) == {1, 3}
    rotation = np.tile(np.eye(3), (2, 5, 1, 1))
    for row, each in turned.items():
        rotation[:, row] = each
    _, at = skeleton.posed(rotation, np.zeros((2, 3)))
    assert (at[:, [2, 4], 2] < 0.9).all(), "hands beside the hips"
    np.testing.assert_allclose(np.linalg.norm(at[:, [2, 4]] - at[:, [1, 3]], axis=2), 0.6)
    np.testing.assert_allclose(at[0, [2, 4], 0], 0.0, atol=1e-9)
    assert at[1, 2, 0] > 0.15, "the left hand goes ahead"
    assert at[1, 4, 0] < -0.15
    place = np.array(place)
    place[[2, 4]] = place[[1, 3]] - [0.0, 0.0, 0.6]
    assert not hanging_arms(replace(skeleton, position=place), np.zeros((1, 2)))


def test_a_rig_with_more_animations_than_can_be_posed_is_refused(tmp_path, foreign, monkeypatch):
    foreign(tmp_path / "someone.glb")
    monkeypatch.setattr(rig_file, "MAX_POSES", 30)
    with pytest.raises(InputError, match=r"someone.glb: .*3 animations of \d+ nodes.* 30 at most"):
        add_character(tmp_path / "someone.glb", tmp_path)


@pytest.mark.parametrize(("hind", "foot"), [("HindLeg", 2), ("Leg", 2)])
@pytest.mark.parametrize("count", [3, 4])
def test_a_leg_of_numbered_joints_is_thigh_shin_and_foot_from_above(hind, foot, count):
    names = ["Pelvis", *(f"{hind}_L_0{n}" for n in range(count)), "Tail_L_01", "Tail_L_02"]
    assert legs_of(names)["left"] == {"thigh": 1, "shin": 2, "foot": 1 + foot}
    assert legs_of(names)["right"] == {}


def test_a_foreleg_of_five_numbered_joints_begins_below_the_shoulder_and_is_no_hind_leg():
    names = [f"ForeLeg_R_0{n}" for n in range(1, 6)]
    assert arms_of(names)["right"] == {"thigh": 1, "shin": 2, "foot": 3}
    assert legs_of(names)["right"] == {}


def test_two_numbered_joints_are_no_whole_leg():
    assert "foot" not in legs_of(["Leg_L_01", "Leg_L_02"])["left"]


def test_arms_of_common_rigs_are_known_and_a_collar_is_none():
    for names in (
        ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"],
        ["L_Collar", "L_Shoulder", "L_Elbow", "L_Wrist", "L_Hand"],
        ["clavicle_l", "upperarm_l", "lowerarm_l", "hand_l"],
    ):
        assert arms_of(names)["left"] == {"thigh": 1, "shin": 2, "foot": 3}, names
        assert arms_of(names)["right"] == {}


def test_a_hip_above_a_thigh_is_no_thigh():
    names = ["LHipJoint", "LeftUpLeg", "LeftLeg", "LeftFoot"]
    assert legs_of(names)["left"] == {"thigh": 1, "shin": 2, "foot": 3}
