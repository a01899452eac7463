"""Who is at rest in a step, and costs nothing; who is awake; and who is near enough to matter.

A member is *calm* that is where it stays, or waits to set out: its group says so. One that is calm
and as good as stands comes to rest and keeps its place, however near others stand, until it has
something else to do or somebody that moves comes too near. So the personal distance of those that
stand close together is no reason to shift their feet for ever, nor is a wall beside them.

The mask is made once for each moment, from what was known when the last step was over.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.kept_pairs import FEW
from rmp3d.behaviors.safety.moving import MovingBodies
from rmp3d.behaviors.safety.timed import SKIN
from rmp3d.behaviors.vehicles.looking import ROOM
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import length

# Who is calm and no faster than that stands still from the next step on [m/s].
SLOW = 0.1
# Somebody that moves wakes others when the gap between the bodies is smaller than WAKES, and on its
# course would become smaller than PASSES; or when it is smaller than TOUCHES already [m].
WAKES, PASSES, TOUCHES = 0.25, 0.1, 0.05
# Less than that share of all are worth to be taken out as a part.
FEWER = 0.9
# Who is calm moves if it is faster than so; one slower than so may go on in any direction [m/s].
MOVES = 0.1


@dataclass(frozen=True, eq=False)
class Awake:
    """Who of N members is at rest, and who is awake.

    Attributes:
        resting: (N,) whether a member is at rest; None: nobody is.
        rows: Those awake, in ascending order; None: everyone.
        part: Those awake and those near to one of them, in ascending order; None: everyone, or
            almost.
    """

    resting: Bool | None = None
    rows: Index | None = None
    part: Index | None = None

    def among(self, rows: Index) -> Index | None:
        """Return the numbers, in ``rows`` of the flock, of those awake; None: of all."""
        if self.resting is None or self.rows is None:
            return None
        if len(rows) == len(self.resting):  # rows are in ascending order
            return self.rows
        return np.flatnonzero(~self.resting[rows])

    def only(self, values: Float) -> Float:
        """Return values (N, 3) that are zero for those at rest."""
        if self.rows is None:
            return values
        found = np.zeros_like(values)
        found[self.rows] = values.take(self.rows, axis=0)
        return found


EVERYONE = Awake()


class Resting:
    """Finds out who is at rest.

    Args:
        dt: Time step [s].
    """

    def __init__(self, dt: float) -> None:
        self._dt, self._moving = dt, MovingBodies(dt)

    def look(self, flock: Flock, calm: Bool | None) -> Awake:
        """Return who is awake, and leave pairs out of which both members are at rest.

        Args:
            flock: Present state.
            calm: (N,) members that are where they stay; None: nobody is.
        """
        flock.nearby.leave_out(None)
        if calm is None or not calm.any():
            return EVERYONE
        bodies, speed = flock.bodies, length(flock.velocity)
        sight, loss = self._moving.sights(flock)
        resting = calm & (speed <= np.minimum(SLOW, loss))
        # Far enough for each that rests, too; see `PairsOfPart.candidates`.
        upright = 0.5 * (bodies.heights[:, 1] - bodies.heights[:, 0])
        rest = bodies.half_width + 3.0 * bodies.far + upright + 2.0 * SKIN + WAKES
        reach = np.maximum(bodies.radius + 0.5 * ROOM, rest)
        pairs = flock.nearby.renew(flock.position, reach, ~resting)
        moves = ~calm | (speed > MOVES)
        state = (moves + 2 * resting).astype(np.int8)
        _wake(pairs, flock.position, flock.velocity, bodies.radius, state, resting)
        if not resting.any():
            return EVERYONE
        flock.nearby.leave_out(resting)
        rows = np.flatnonzero(~resting)
        if len(flock) <= FEW:
            return Awake(resting, rows)
        safe, room = bodies.half_width + SKIN + sight + 3.0 * bodies.far, bodies.radius + 0.5 * ROOM
        near, pairs = ~resting, flock.nearby.candidates(flock.position, reach)
        _add_near(pairs, flock.position, safe, room, resting, near)
        part = np.flatnonzero(near)
        return Awake(resting, rows, part if len(part) < FEWER * len(flock) else None)


@compiled
def _wake(pairs, position, velocity, radius, state, resting):
    """Let those of ``resting`` (N,) be awake to whom one comes near that moves.

    The ``state`` (N,) is 1 of those that move, 2 of those that rest at first, 0 of all others.
    """
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        if state[i] + state[j] != 3:
            continue
        x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
        z, far = position[j, 2] - position[i, 2], radius[i] + radius[j]
        square = x * x + y * y + z * z
        if square >= (far + WAKES) * (far + WAKES):
            continue
        close = square < (far + TOUCHES) * (far + TOUCHES)
        if state[i] == 2:
            i, j, x, y, z = j, i, -x, -y, -z
        if close or _comes(x, y, z, velocity[i], far + PASSES):
            resting[j] = False


@compiled
def _comes(x, y, z, velocity, far):
    """Return whether a body comes nearer than ``far`` [m] to an offset, or hardly moves."""
    vx, vy, vz = velocity[0], velocity[1], velocity[2]
    speed = sqrt(vx * vx + vy * vy + vz * vz)
    if speed < MOVES:
        return True
    along = (x * vx + y * vy + z * vz) / speed
    return along > 0.0 and x * x + y * y + z * z - along * along < far * far


@compiled
def _add_near(pairs, position, safe, room, resting, near):
    """Let those be ``near`` (N,) that rest, and are within reach of one that is awake.

    Within s_i + s_j in plan they could meet in a step, within r_i + r_j they take room [m].
    """
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        if resting[i] == resting[j]:
            continue
        x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
        z, apart = position[j, 2] - position[i, 2], x * x + y * y
        meet, crowd = safe[i] + safe[j], room[i] + room[j]
        if apart <= meet * meet or apart + z * z <= crowd * crowd:
            near[i] = near[j] = True
