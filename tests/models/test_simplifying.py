"""Simpler meshes of looks: fewer triangles that still move and look like the whole."""

import json

import numpy as np
import pytest

from rmp3d.models import builtin_models, load_character
from rmp3d.models.rig_file import read_rig
from rmp3d.models.rig_writing import write_rig
from rmp3d.models.simplifying import TRIANGLES, simplified, with_levels


@pytest.fixture(scope="module")
def rigs():
    kinds = [load_character(name) for name in builtin_models()]
    return {kind.name: kind.rig for kind in kinds if kind.rig is not None}


def test_levels_have_ever_fewer_triangles_and_the_color_and_size_of_the_whole(rigs):
    for name, rig in rigs.items():
        for look in rig.looks:
            counts = [len(each.mesh.faces) for each in (look, *look.levels)]
            assert counts == sorted(counts, reverse=True)
            assert len(look.levels) >= 1, name
            assert counts[-1] <= TRIANGLES[-1]
            shades = np.unique(look.colors, axis=0)
            for level in look.levels:
                size = np.ptp(look.mesh.bounds, axis=0)
                gap = np.abs(level.mesh.bounds - look.mesh.bounds) / size.max()
                assert gap.max() < 0.2, f"{name}: a tail, ears or skids may go, not more"
                assert all((np.abs(shades - color).max(axis=1) < 1e-9).any()
                           for color in np.unique(level.colors, axis=0))  # fmt: skip


def test_a_level_walks_as_the_whole_does(rigs):
    rig = rigs["pedestrian"]
    walk = rig.clips["walk"]
    motion = rig.motion(walk.rotation, walk.root)
    for look in rig.looks:
        whole = look.skin.moved(look.mesh.vertices, motion)
        stride = np.ptp(whole[..., 0], axis=1)
        for level in look.levels:
            points = level.skin.moved(level.mesh.vertices, motion)
            length = np.ptp(points[..., 0], axis=1)
            assert np.corrcoef(length, stride)[0, 1] > 0.9
            assert np.ptp(length) > 0.5 * np.ptp(stride), "feet may go, not steps"
            assert np.abs(points[..., 2].max(axis=1) - whole[..., 2].max(axis=1)).max() < 0.1


def test_rotor_discs_keep_most_of_their_size_and_both_sides_from_afar(rigs):
    rig = rigs["drone"]
    rotors = [row for row, name in enumerate(rig.skeleton.names) if name.startswith("rotor")]
    assert rotors
    for look in rig.looks:
        whole = _sides(look, rotors)
        for level in look.levels:
            assert (_sides(level, rotors) > 0.5 * whole).all(), "seen from above and from below"
        again = [simplified(look, count) for count in (200, 100)]
        assert all((_sides(level, rotors) > 0.5 * whole).all() for level in again)


def _sides(look, joints):
    """Return the area of faces that follow each joint: what looks up, what looks down."""
    follows = look.skin.joints[look.mesh.faces[:, 0], 0]
    up = look.mesh.areas * look.mesh.normals[:, 2]
    return np.array(
        [
            [np.maximum(side * up[follows == joint], 0.0).sum() for side in (1, -1)]
            for joint in joints
        ]
    )


def test_a_level_is_made_the_same_again_and_no_more_than_asked_for(rigs):
    look = rigs["wolf"].looks[0]
    first, again = simplified(look, 150), simplified(look, 150)
    assert first.mesh.vertices.tobytes() == again.mesh.vertices.tobytes()
    assert first.mesh.faces.tobytes() == again.mesh.faces.tobytes()
    assert 140 <= len(first.mesh.faces) <= 150
    assert (first.mesh.areas > 0.0).all()
    assert with_levels(first).levels[0].mesh.faces.shape[0] <= TRIANGLES[-1]
    assert simplified(look, 10**6).mesh.faces.shape == look.mesh.faces.shape


def test_levels_are_in_the_file_but_other_programs_do_not_draw_them(rigs, tmp_path):
    rig = rigs["pedestrian"]
    path = tmp_path / "a.glb"
    write_rig(path, rig)
    for before, after in zip(rig.looks, read_rig(path).looks, strict=True):
        assert [len(each.mesh.faces) for each in before.levels] == [
            len(each.mesh.faces) for each in after.levels
        ]
    data = path.read_bytes()
    head = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    drawn = [head["nodes"][row] for row in head["scenes"][0]["nodes"]]
    assert not any("level" in (node.get("extras") or {}) for node in drawn)
