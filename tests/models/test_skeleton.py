import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rmp3d.geometry import InputError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.models import builtin_models, load_character
from rmp3d.models.legs import TwoBones
from rmp3d.models.loading import BUILTIN
from rmp3d.models.people import STYLES
from rmp3d.models.rig_file import read_rig
from rmp3d.models.rig_writing import write_rig
from rmp3d.models.skeleton import LegJoints, Skeleton, Skin

RIGGED = [name for name in builtin_models() if name != "box"]


def posed(rig, clip, phase, look=0):
    """Vertices (N, V, 3) of a look at phases of a clip."""
    own = rig.looks[look]
    return own.skin.moved(own.mesh.vertices, rig.motion(*clip.at(np.asarray(phase))))


@pytest.mark.parametrize("name", RIGGED)
def test_the_rest_pose_is_the_mesh_and_weights_sum_to_one(name):
    character = load_character(name)
    rig = character.rig
    still = np.zeros((1, len(rig.skeleton.names), 4))
    still[..., 0] = 1.0
    motion = rig.motion(still, np.zeros((1, 3)))
    for look in rig.looks:
        assert look.skin.weights.sum(axis=1) == pytest.approx(1.0)
        assert look.skin.weights.min() >= 0.0
        moved = look.skin.moved(look.mesh.vertices, motion)[0]
        assert moved == pytest.approx(look.mesh.vertices, abs=1e-12)
    assert character.mesh is rig.looks[0].mesh


@pytest.mark.parametrize("name", RIGGED)
def test_clips_go_round_without_a_jump(name):
    rig = load_character(name).rig
    for clip in rig.clips.values():
        step = 1.0 / 96.0
        points = posed(rig, clip, np.arange(0.0, 1.0 + step / 2, step))
        assert points[0] == pytest.approx(points[-1], abs=1e-9)
        moved = np.linalg.norm(np.diff(points, axis=0), axis=-1).max(axis=1)
        size = float(np.linalg.norm(np.ptp(points[0], axis=0)))
        assert moved.max() < 0.1 * size, (clip.name, moved.max())


@pytest.mark.parametrize("name", ["pedestrian", "child", "sheep", "wolf", "dog"])
def test_a_foot_on_the_ground_of_a_walk_goes_back_as_fast_as_the_body_ahead(name):
    rig = load_character(name).rig
    clip, look = rig.clips["walk"], rig.looks[0]
    phases = np.arange(0.0, 1.0, 1.0 / len(clip.rotation))  # its key frames
    points = posed(rig, clip, phases)
    points[..., 0] += (clip.stride * phases)[:, None]
    for leg in rig.legs:
        sole = (look.skin.joints[:, 0] == leg.foot) & (look.mesh.vertices[:, 2] < 0.01)
        low = points[:, sole]
        assert low[..., 2].min() > -0.004
        down = (low[1:, :, 2] < 0.003) & (low[:-1, :, 2] < 0.003)
        slip = np.linalg.norm(np.diff(low[..., :2], axis=0), axis=-1)[down]
        assert len(slip) > 10
        assert slip.max() < 0.004


@pytest.mark.parametrize("name", ["pedestrian", "sheep"])
def test_limbs_leave_the_capsule_by_no_more_than_is_said(name):
    """What collides is rigid; the documentation says how far a moving mesh leaves its capsule."""
    character = load_character(name)
    rig, body = character.rig, character.body
    points = posed(rig, rig.clips["walk"], np.arange(24) / 24).reshape(-1, 3)
    nearest = np.zeros_like(points)
    nearest[:, 2] = np.clip(points[:, 2], *body.capsule_axis)
    out = np.linalg.norm(points - nearest, axis=1) - body.radius
    assert out.max() < {"pedestrian": 0.3, "sheep": 0.18}[name]
    above = points[:, 2] > 0.35
    assert out[above].max() < 0.12, "mostly feet and shins"


def test_several_looks_differ_in_shape_and_color():
    rig = load_character("pedestrian").rig
    assert len({len(look.mesh.faces) for look in rig.looks}) >= 4
    assert len({look.colors.tobytes() for look in rig.looks}) == len(rig.looks) == 6


def test_two_bones_keep_their_lengths_and_reach_the_ankle():
    skeleton = Skeleton(
        ("hip", "knee", "ankle"),
        np.array([-1, 0, 1]),
        np.array([[0.0, 0, 1], [0.02, 0, 0.5], [0, 0, 0.1]]),
    )
    bones = TwoBones(skeleton, LegJoints(0, 1, 2, 0.0, 0.05, 0.1))
    rng = np.random.default_rng(0)
    hip = rng.normal(size=(50, 3))
    way = rng.normal(size=(50, 3)) * [0.3, 0.1, 0.1] - [0, 0, 0.6]
    pelvis = Rotation.from_rotvec(rng.uniform(-3, 3, (50, 1)) * [0, 0, 1]).as_matrix()
    upper, lower, end = bones.solved(hip, hip + way, pelvis)
    thigh, shin = np.array([0.02, 0, -0.5]), np.array([-0.02, 0, -0.4])
    knee = hip + upper @ thigh
    assert knee + lower @ shin == pytest.approx(end)
    near = np.linalg.norm(way, axis=1) < bones.reach
    assert near.any()
    assert end[near] == pytest.approx((hip + way)[near])
    for turn in (upper, lower):
        assert np.linalg.det(turn) == pytest.approx(1.0)
    # The knee is on the side of the pelvis's front.
    bent = np.einsum("na,na->n", knee - hip, pelvis[:, :, 0])
    across = np.einsum("na,na->n", way, pelvis[:, :, 0]) * 0.5
    assert (bent > across - 0.05)[near].all()


def test_a_rig_reads_back_as_it_was_written(tmp_path):
    rig = load_character("wolf").rig
    write_rig(tmp_path / "a.glb", rig)
    again = read_rig(tmp_path / "a.glb")
    assert again.skeleton.names == rig.skeleton.names
    assert again.legs == rig.legs
    for name, clip in rig.clips.items():
        other = again.clips[name]
        assert other.stride == pytest.approx(clip.stride)
        assert other.duration == pytest.approx(clip.duration, abs=1e-5)
        dots = np.abs(np.einsum("rjq,rjq->rj", other.rotation, clip.rotation))
        assert dots == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("skins", 0, "joints"), [], "should be a list of nodes"),
        (("skins", 0, "joints", 3), 999, r"skins\[0\].joints\[3\] refers to none of the"),
        (("skins", 0, "joints", 3), 0, "names a node twice"),
        (("skins", 0, "inverseBindMatrices"), -1, "refers to none of the .* accessors"),
        (("animations", 0, "samplers"), 5, "needs lists of `samplers`"),
        (("animations", 0, "channels", 0, "sampler"), 77, "refers to none of .* samplers"),
        (("animations", 0, "channels", 1, "target", "node"), 500, "refers to none of"),
        (("animations", 0, "samplers", 1, "input"), 0, "elements of"),
        (("nodes", 0, "translation"), ["x"], r"nodes\[0\].translation should be 3 numbers"),
        (("skins", 0, "extras", "legs"), [[1]], "damaged"),
        (
            ("materials", 0, "pbrMetallicRoughness"),
            {"baseColorFactor": [1, 1, 1, [5.0]]},
            "are damaged: its entries do not fit together",
        ),
    ],
)
def test_a_broken_skin_is_named_with_its_file(tmp_path, place, value, message, with_head):
    def change(head):
        for key in place[:-1]:
            head = head[key]
        head[place[-1]] = value

    path = tmp_path / "broken.glb"
    path.write_bytes(with_head((BUILTIN / "sheep.glb").read_bytes(), change))
    with pytest.raises(InputError, match=message) as error:
        read_rig(path)
    assert "broken.glb" in str(error.value)


def test_weights_of_nothing_and_joints_before_their_parents_are_refused():
    with pytest.raises(InputError, match="vertex 1 follows no joint"):
        Skin(np.zeros((2, 4)), np.array([[1.0, 0, 0, 0], [0, 0, 0, 0]]))
    with pytest.raises(InputError, match="a joint follows its parent"):
        Skeleton(("a", "b"), np.array([-1, 1]), np.zeros((2, 3)))


@pytest.mark.parametrize("clip", ["walk", "run", "sit"])
def test_no_thigh_comes_through_the_skirt(clip):
    """Points of the legs above its seam are inside of it, or less than 1.2 cm out of it."""
    rig = load_character("pedestrian").rig
    style = 3
    assert STYLES[style].dress == "skirt"
    look, vertices = rig.looks[style], rig.looks[style].mesh.vertices
    faces = look.mesh.faces
    skin, dress = (
        (np.abs(look.colors - np.array(bytearray.fromhex(color[1:])) / 255.0) < 1e-3).all(axis=1)
        for color in (STYLES[style].colors[0], STYLES[style].colors[3])
    )
    legs = skin & np.isin(
        look.skin.joints[faces, 0], [row for leg in rig.legs for row in (leg.upper, leg.lower)]
    ).all(axis=1)
    share = np.array(
        [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6], [0.5, 0.5, 0], [0, 0.5, 0.5]]
    )
    under = (np.einsum("sc,fc->fs", share, vertices[faces[legs], 2]) > 0.58).ravel()
    assert under.any()
    for points in posed(rig, rig.clips[clip], np.arange(12) / 12.0, style):
        skirt = MeshQuery(TriangleMesh(points, faces[dress]))
        thigh = np.einsum("sc,fcx->fsx", share, points[faces[legs]]).reshape(-1, 3)[under]
        outside = ~skirt.contains(thigh)
        assert (skirt.closest_point(thigh)[0] * outside).max() < 0.012
