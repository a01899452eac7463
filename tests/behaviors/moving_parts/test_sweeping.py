"""The space that a part with many faces sweeps near members."""

import numpy as np

import rmp3d as rp
from rmp3d.behaviors.moving_parts import SweptPart
from rmp3d.behaviors.moving_parts.sweeping import MANY
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import rod


def query(triangles):
    corners = triangles.reshape(-1, 3)
    return MeshQuery(TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3)))


def test_of_a_part_with_many_faces_what_members_may_meet_is_swept_as_of_any_other():
    round_part = rp.Scene.from_mesh({"drum": rod((0, 0, -1), (0, 0, 2), 1.5, sides=40)})
    keys = [KeyFrame(0.0), KeyFrame(2.0, (1.0, 0.5, 0.0), (20.0, 0.0, 80.0))]
    scene = round_part.with_motions([MotionDescription("drum", keys, "stay", (0.5, 0.0, 0.0))])
    part = SweptPart(0, scene.part("drum"))
    assert len(part.part.mesh.faces) > MANY
    rng = np.random.default_rng(0)
    start = rng.uniform(-3.0, 3.0, (24, 3))
    end = start + rng.uniform(-0.5, 0.5, (24, 3))
    axis, radius = (0.2, 1.2), 0.3
    low, high = np.minimum(start, end) - radius, np.maximum(start, end) + radius
    high[:, 2] += axis[1]
    for clock in (0.2, 1.1):
        whole = part.swept(clock, clock + 0.1, radius)
        touches = 0
        for k in range(24):
            near = part.swept(clock, clock + 0.1, radius, (low[k : k + 1], high[k : k + 1]))
            answers = [
                query(space).sweep_capsule(start[k : k + 1], end[k : k + 1], axis, radius, 1e-3)[0]
                for space in (near, whole)
            ]
            assert answers[0] == answers[1]
            touches += int(not answers[0][0])
        assert 2 < touches < 22
