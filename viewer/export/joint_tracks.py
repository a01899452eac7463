"""How the joints of members move, as exporters write it: local rotations, and the root's places."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.rotations import quaternion_from_matrix
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses

STEP = 1.0 / 24.0
"""Poses are worked out at most so far apart [s]."""
ROOM = 400_000
"""Joints of all poses that are worked out together."""
TOLERANCE, ANGLE = 0.004, float(np.radians(2.5))
"""How far roots [m] and joints [rad] may be off between key frames."""


@dataclass(frozen=True, eq=False)
class JointTracks:
    """The joints of n members of one kind at T moments.

    Attributes:
        turned: (T, n, J, 4) rotations of the joints relative to their parents, scalar first.
        root: (T, n, 3) places of the first joint, body frame [m].
    """

    turned: Float
    root: Float


def sample_times(playback: Playback) -> Float:
    """Return the moments (T,) [s] at which the joints of a playback are worked out."""
    count = 1 + int(np.ceil(playback.duration / STEP))
    return np.linspace(0.0, playback.duration, count)


def members_at_once(times: Float, joints: int) -> int:
    """Return of how many members the joints are worked out together: it bounds the memory."""
    return max(1, ROOM // (len(times) * joints))


def joint_tracks(
    playback: Playback, poses: Poses, kind: int, members: Index, times: Float
) -> JointTracks:
    """Return how the joints of members (n,) of a kind with bones move at times (T,) [s]."""
    rig = playback.characters[kind].rig
    assert rig is not None
    turned, roots = [], []
    parents, at = rig.skeleton.parents[1:], rig.skeleton.position[0]
    for time in times.tolist():
        motion = poses.motions(kind, members, playback.pose(time), time)
        turn = motion[..., :3]
        local = turn.copy()
        local[:, 1:] = turn[:, parents].transpose(0, 1, 3, 2) @ turn[:, 1:]
        turned.append(quaternion_from_matrix(local))
        roots.append(np.einsum("nab,b->na", turn[:, 0], at) + motion[:, 0, :, 3])
    return JointTracks(np.array(turned), np.array(roots))
