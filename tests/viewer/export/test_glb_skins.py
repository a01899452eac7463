from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.models import load_character
from rmp3d.models.gltf_scene import GltfScene
from rmp3d.viewer import export_playback
from rmp3d.viewer.playback.posing import Poses, look_of

TO_GLTF = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def worlds(scene, time):
    """World matrices (K, 4, 4) of the nodes at a moment, by SciPy."""
    (animation,) = scene.json["animations"]
    moved = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        node, path = channel["target"]["node"], channel["target"]["path"]
        times = scene.array(sampler["input"], "", 1)[:, 0]
        values = scene.array(sampler["output"], "", 4 if path == "rotation" else 3)
        at = np.clip(time, times[0], times[-1])
        if path == "rotation":
            moved[node, path] = Slerp(times, Rotation.from_quat(values))(at).as_quat()
        else:
            moved[node, path] = [np.interp(at, times, column) for column in values.T]
    found = np.zeros((len(scene.nodes), 4, 4))

    def fill(row, above):
        node = scene.nodes[row]
        local = np.eye(4)
        turned = moved.get((row, "rotation"), node.get("rotation", [0, 0, 0, 1]))
        local[:3, :3] = Rotation.from_quat(turned).as_matrix()
        local[:3, 3] = moved.get((row, "translation"), node.get("translation", [0, 0, 0]))
        found[row] = above @ local
        for child in node.get("children", []):
            fill(child, found[row])

    for row in scene.json["scenes"][0]["nodes"]:
        fill(row, np.eye(4))
    return found


def skinned(scene, name, time):
    """Places (V, 3) of a skinned mesh, as the specification says."""
    node = next(node for node in scene.nodes if node["name"] == name)
    skin = scene.json["skins"][node["skin"]]
    bind = scene.array(skin["inverseBindMatrices"], "", 16).reshape(-1, 4, 4).transpose(0, 2, 1)
    matrices = worlds(scene, time)[skin["joints"]] @ bind
    found = []
    for primitive in scene.json["meshes"][node["mesh"]]["primitives"]:
        own = primitive["attributes"]
        points = np.insert(scene.array(own["POSITION"], "", 3), 3, 1.0, axis=1)
        joints, weights = scene.array(own["JOINTS_0"], "", 4), scene.array(own["WEIGHTS_0"], "", 4)
        assert np.abs(weights.sum(axis=1) - 1.0).max() < 1e-6
        mixed = np.einsum("vk,vkab->vab", weights, matrices[joints])
        found.append(np.einsum("vab,vb->va", mixed, points)[:, :3])
    return np.concatenate(found)


def test_skins_in_the_file_are_where_the_viewer_draws_them(make, tmp_path):
    playback = make(members=3, seconds=4.0)
    playback = replace(playback, characters=(load_character("pedestrian"),))
    export_playback(playback, tmp_path / "a.glb", options={"bones": 2})
    scene = GltfScene(tmp_path / "a.glb")
    assert len(scene.json["skins"]) == 2
    rigid = next(node for node in scene.nodes if node["name"] == "visitors 2")
    assert "mesh" in rigid
    assert "skin" not in rigid
    rig, poses = playback.characters[0].rig, Poses(playback)
    looks = look_of(np.arange(3), len(rig.looks))
    for time in (0.0, 1.234, 3.1):
        pose = playback.pose(time)
        motion = poses.motions(0, np.arange(2), pose, time)
        for member in range(2):
            look = rig.looks[looks[member]]
            drawn = look.skin.moved(look.mesh.vertices, motion[[member]])[0]
            turn = matrix_from_quaternion(pose.orientation_wxyz[member])
            drawn = drawn @ turn.T + pose.position[member]
            there = skinned(scene, f"visitors {member} body", time) @ TO_GLTF
            gap = np.linalg.norm(there[:, None] - drawn[None], axis=-1).min(axis=1)
            assert gap.max() < 0.05
            assert np.median(gap) < 0.02


def test_the_same_bones_are_written_twice_and_none_if_asked(make, tmp_path):
    playback = replace(make(members=2, seconds=1.0), characters=(load_character("dog"),))
    for name in ("a.glb", "b.glb"):
        export_playback(playback, tmp_path / name)
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    export_playback(playback, tmp_path / "c.glb", options={"bones": 0})
    assert "skins" not in GltfScene(tmp_path / "c.glb").json


def test_a_joint_without_weight_is_the_first_one_as_validators_want_it(make, tmp_path):
    wolf = load_character("wolf")
    of_no_weight = [look.skin.joints[look.skin.weights == 0.0] for look in wolf.rig.looks]
    assert np.concatenate(of_no_weight).any(), "the character has such ones"
    playback = replace(make(members=1, seconds=1.0), characters=(wolf,))
    export_playback(playback, tmp_path / "a.glb")
    scene = GltfScene(tmp_path / "a.glb")
    own = [
        primitive["attributes"]
        for mesh in scene.json["meshes"]
        for primitive in mesh["primitives"]
        if "JOINTS_0" in primitive["attributes"]
    ]
    assert own
    for each in own:
        joints = scene.array(each["JOINTS_0"], "", 4)
        assert not joints[scene.array(each["WEIGHTS_0"], "", 4) == 0.0].any()
