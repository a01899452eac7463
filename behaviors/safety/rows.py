"""The arrays that the filter's kernels read and write, in groups that belong together.

Kernels take a group as one argument; numba knows named tuples.
"""

from typing import Any, NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.query import STACK

MAX_PLANES = 200
# Pair planes that only a gentle stop could come to are left out beyond so many.
MAX_AHEAD = 40
MAX_TRIANGLES = 24
# Time after which gentle braking begins [s].
REACTION = 0.3
# Corners of a walk until the stop, at most.
MAX_CORNERS = 256


class BodyRows(NamedTuple):
    """What the filter reads of N bodies; row i of each array is body i.

    Attributes:
        position: (N, 3) reference points [m].
        velocity: (N, 3) [m/s]; in plan for walkers, as all that follows.
        proposal: (N, 3) velocity asked for [m/s].
        desire: (N, 3) velocity wanted in the long run [m/s].
        braking: (N, 3) displacement until the stop if the body brakes now [m].
        reach: (N,) longest displacement until a stop after the next step [m].
        sight: (N,) the same for a gentle stop [m]; no less.
        radius: (N,) [m].
        capsule_axis: (N, 2) [m].
        grounded: (N,) whether it walks.
        face: (N,) triangle of the surface that it stands on.
        loss: (N,) speed lost in a step by braking [m/s].
        gentle: (N,) the same by gentle braking [m/s].
        acceleration: (N, 3) of the last step [m/s^2].
        easing: (N,) share of the way to a wanted acceleration that is gone in a step.
        force: (N, 3) largest changes of velocity in a step by thrust, brake and side force [m/s].
        course: (N, 3) unit, of the motion.
        turn: (N,) largest angle to the course in a step [rad].
        max_speed: (N,) [m/s].
        heading: (N, 3) unit, in plan for walkers.
        row: (N, K, 4) capsules of elongated bodies; see `rmp3d.behaviors.bodies.Bodies`.
        row_count: (N,) how many; 0 for round bodies.
        ends: (N, 2) offsets of the last and the first of them [m]; 0 for round bodies.
        swing: (N,) how far the ends can swing out in a step [m]; 0 for round bodies.
        queue: (N,) number of the queue that it is in, -1 for none.
    """

    position: Float
    velocity: Float
    proposal: Float
    desire: Float
    braking: Float
    reach: Float
    sight: Float
    radius: Float
    capsule_axis: Float
    grounded: Bool
    face: Index
    loss: Float
    gentle: Float
    acceleration: Float
    easing: Float
    force: Float
    course: Float
    turn: Float
    max_speed: Float
    heading: Float
    row: Float
    row_count: Index
    ends: Float
    swing: Float
    queue: Index


class PairPlanes(NamedTuple):
    """HalfSpaces between near bodies; body i owns ``entry[start[i]:start[i + 1]]``.

    Attributes:
        normal: (P, 3) from the first body of a pair to the second.
        bound: (P, 2) of the first and of the second.
        goes_on: (P, 2) how much farther a gentle stop of each may come, as the other moves on [m].
        share: (P,) of the gap that is the first body's, for pairs that are parted at equal moments;
            see `rmp3d.behaviors.safety.timed`. For others -1.
        pairs: (P, 2) rows of the bodies.
        start: (N + 1,) where each body's entries begin.
        entry: (2 P,) 2 k where the body is the first of pair k, 2 k + 1 where it is the second.
        number: (N,) of each body; its entries are taken in the order of the others' numbers.
    """

    normal: Float
    bound: Float
    goes_on: Float
    share: Float
    pairs: Index
    start: Index
    entry: Index
    number: Index


class SceneArrays(NamedTuple):
    """The scene, as the arrays of its queries.

    Attributes:
        walking: What walkers must not touch.
        flying: What flyers must not touch.
        border: Borders of the surface.
        overhead: Ground over the heads of walkers.
        probes: (N, K, 4) what of each body must keep clear of that: radius, ends of the axis, and
            offset along the heading [m].
        probe_count: (N,) how many.
        cone: Slope of the cone at the feet above which ground is overhead, and its height there
            [m].
        steps: Highest step that a walk takes, 0 if no more than a curb [m].
        ground: The surface.
        bounds: (2, 3) box that bodies stay in [m].
        number: Of all this; negative where it changes.
        known: (N, 16) how far off it was from each body; see `rmp3d.behaviors.safety.clearing`.
    """

    walking: Any
    flying: Any
    border: Any
    overhead: Any
    probes: Float
    probe_count: Index
    cone: tuple[float, float]
    steps: float
    ground: Any
    bounds: Float
    number: int
    known: Float


class HalfSpaces(NamedTuple):
    """Room for the half-spaces n.w <= h of one body: normals (M, 3) and bounds (M,).

    ``goes_on`` (M,) is how much farther a gentle stop may come [m]. Bodies that are parted at equal
    moments have in ``timed`` (M, 6): the body's share of the gap, the gap now [m], the cosine of
    its motion and the normal, the same of the other's, the other's speed [m/s] and its loss of
    speed in a step [m/s]. For the others, the share is -1.
    """

    normal: Float
    bound: Float
    goes_on: Float
    timed: Float


class GentleRoom(NamedTuple):
    """Room for what is reached gently: a wish (3,), the answer (3,), and bounds (M,)."""

    wish: Float
    found: Float
    bound: Float


class NearestTriangles(NamedTuple):
    """Room for the nearest triangles: distances (T,) [m] and unit directions (T, 3) to them."""

    distance: Float
    direction: Float


class TraversalRoom(NamedTuple):
    """Room for a traversal of a tree: its stack, the bounds there, and the answer."""

    stack: Index
    limit: Float
    out: Float


class WalkRoom(NamedTuple):
    """Room for a walk over the surface: its corners (C, 3) [m] and their faces (C,)."""

    points: Float
    faces: Index


class BodyRow(NamedTuple):
    """One body of `BodyRows`; a triple is x, y, z."""

    position: Any
    velocity: Any
    proposal: Any
    desire: Any
    braking: Any
    reach: float
    sight: float
    shape: "Upright"
    grounded: bool
    face: int
    loss: float
    gentle: float
    acceleration: Any
    easing: float
    force: Any
    course: Any
    turn: float
    max_speed: float
    heading: Any
    row: Any
    row_count: int
    ends: Any
    swing: float
    queue: int


class Upright(NamedTuple):
    """An upright capsule: its radius, and the heights of its axis over a reference point [m]."""

    radius: float
    low: float
    high: float


@inlined
def _row(array, i):
    """Return row i of an array (N, 3) as three numbers: cheaper than a view of it."""
    return array[i, 0], array[i, 1], array[i, 2]


@inlined
def body_of(bodies, i):
    """Return row i of `BodyRows` as a `BodyRow`."""
    (
        position, velocity, proposal, desire, braking, reach, sight, radius, axis, grounded, face,
        loss, gentle, acceleration, easing, force, course, turn, max_speed, heading, row, row_count,
        ends, swing, queue,
    ) = bodies  # fmt: skip
    return BodyRow(
        _row(position, i), _row(velocity, i), _row(proposal, i), _row(desire, i),
        _row(braking, i), reach[i], sight[i], Upright(radius[i], axis[i, 0], axis[i, 1]),
        grounded[i], face[i], loss[i], gentle[i], _row(acceleration, i), easing[i],
        _row(force, i), _row(course, i), turn[i], max_speed[i], _row(heading, i), row[i],
        row_count[i], (ends[i, 0], ends[i, 1]), swing[i], queue[i],
    )  # fmt: skip


@compiled
def room_for_planes():
    """Return room for the half-spaces of one body, and for the triangles nearest to it."""
    return (
        HalfSpaces(
            np.empty((MAX_PLANES, 3)),
            np.empty(MAX_PLANES),
            np.empty(MAX_PLANES),
            np.empty((MAX_PLANES, 6)),
        ),
        NearestTriangles(np.empty(MAX_TRIANGLES), np.empty((MAX_TRIANGLES, 3))),
    )


@compiled
def room_for_gentle_stops():
    """Return room for the gentle stop of one body."""
    return GentleRoom(np.empty(3), np.empty(3), np.empty(MAX_PLANES))


@compiled
def room_for_search():
    """Return room for the traversal of a tree, and for a walk."""
    return (
        TraversalRoom(np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)),
        WalkRoom(np.empty((MAX_CORNERS, 3)), np.empty(MAX_CORNERS, np.int64)),
    )
