"""Joining places at rest to a rigid roadmap: straight out of where they are, then over it."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, frozen
from rmp3d.geometry.rotations import rotate
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.spaces.metric import nearest

# Exits of a place: along these axes of the body, so far [m].
AXES = np.concatenate([np.eye(3), -np.eye(3)])
EXITS = (0.3, 0.8, 1.6)
# Nodes that an exit is tried to be joined to.
NEAR = 8


def exits_of(space: RigidBodySpace, place: Float) -> Float:
    """Return configurations (M, 7) that a place (7,) is left to without turning, proved free."""
    axes = rotate(np.tile(place[3:], (6, 1)), AXES)
    offset = (np.array(EXITS)[:, None, None] * axes[None]).reshape(-1, 3)
    ends = np.tile(place, (len(offset), 1))
    ends[:, :3] += offset
    return ends[space.connects(np.tile(place, (len(ends), 1)), ends)]


def reached(roadmap: Roadmap, places: Float, anchor: Float) -> Bool:
    """Return which places (P, 7), nodes of a roadmap, it joins to its node ``anchor``.

    The anchor (7,) is a configuration; its nearest node counts.
    """
    label = roadmap.component
    node = int(nearest(roadmap.space, roadmap.configurations, anchor[None], 1)[0, 0])
    rows = nearest(roadmap.space, roadmap.configurations, places, 1)[:, 0]
    joined: Bool = label[rows] == label[node]
    return joined


def with_places(roadmap: Roadmap, places: Float) -> Roadmap:
    """Return the roadmap with more nodes: places (P, 7), and where they are left to.

    A place is joined to its exits, and those to the nodes near them.
    """
    space = roadmap.space
    assert isinstance(space, RigidBodySpace)
    nodes, pairs, polylines = [roadmap.configurations], [], []
    total = len(roadmap.configurations)
    for place in places:
        ends = exits_of(space, place)
        own = np.arange(total + 1, total + 1 + len(ends))
        pairs += [(total, row) for row in own.tolist()]
        polylines += [np.stack([place, end]) for end in ends]
        if len(ends):
            near = nearest(space, roadmap.configurations, ends, NEAR)  # (M, NEAR)
            start = roadmap.configurations[near].reshape(-1, 7)
            end = np.repeat(ends, near.shape[1], axis=0)
            free = space.connects(start, end)
            for row in np.flatnonzero(free).tolist():
                pairs.append((int(near.reshape(-1)[row]), int(own[row // near.shape[1]])))
                polylines.append(np.stack([start[row], end[row]]))
        nodes += [place[None], ends]
        total += 1 + len(ends)
    rows = np.concatenate(nodes)
    more = np.zeros(len(rows) - len(roadmap.configurations))
    grown = replace(
        roadmap,
        configurations=frozen(rows),
        clearance=frozen(np.append(roadmap.clearance, more)),
    )
    return grown.with_edges(np.array(pairs, np.intp).reshape(-1, 2), polylines)
