"""Look-ahead avoidance: three probes ahead, on triangle meshes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.passing import keep_off
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("look_ahead_avoidance")
@dataclass(frozen=True)
class LookAheadAvoidance:
    r"""Look ahead at three points and push sideways, away from the nearest surface.

    Probes lie at the own position, at half and at the full look-ahead, which grows with the
    speed. The probe with the least clearance c, if below the margin M, gives

    .. math:: f = m s (1 - c / M) \, \perp_v(p - q) / \|\perp_v(p - q)\|

    where q is the obstacle's point nearest to the probe p, and the part along the velocity v is
    taken out, so that the push turns rather than brakes. Head-on, where nothing is left, the
    push is to the left. After the look-ahead rule of avoidance tutorials (Bevilacqua 2013,
    "Understanding steering behaviors: collision avoidance": the look-ahead scaled by the speed, a
    push away from the threat's center) and Reynolds' (1999) lateral push, on triangles instead
    of spheres. It costs three distances an agent, and sees no more than there is at its probes;
    `ObstacleAvoidance` looks at the whole course.

    Attributes:
        look_ahead: Time that the probes look forward [s].
        margin: Clearance M below which it acts [m].
        strength: Largest acceleration s [m/s^2].
    """

    scene_alone: ClassVar[bool] = True

    look_ahead: float = 0.8
    margin: float = 0.25
    strength: float = 2.0

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        count = len(flock)
        if around.obstacles is None or count == 0:
            return np.zeros((count, 3))
        ahead = flock.velocity * self.look_ahead
        middle = flock.position.copy()
        middle[:, 2] += flock.bodies.middle
        reach = float(flock.bodies.radius.max()) + self.margin
        # Most agents are near to nothing, which one look at each tells.
        tree = around.obstacles.arrays
        rows = np.flatnonzero(~keep_off(tree, middle, middle + ahead, (0.0, 0.0), reach))
        force = np.zeros((count, 3))
        if len(rows):
            force[rows] = self._push(flock, rows, around.obstacles, middle, reach)
        return force

    def _push(
        self, flock: Flock, agents: Index, obstacles: MeshQuery, middle: Float, reach: float
    ) -> Float:
        """Return the force (n, 3) [N] on agents (n,), all middles being at (N, 3) [m]."""
        count, bodies = len(agents), flock.bodies
        velocity, middle = flock.velocity.take(agents, axis=0), middle.take(agents, axis=0)
        ahead = velocity * self.look_ahead
        probes = middle[:, None] + ahead[:, None] * np.array([0.0, 0.5, 1.0])[None, :, None]
        distance, nearest, face = obstacles.closest_point(probes.reshape(-1, 3), reach)
        distance = distance.reshape(count, 3) - bodies.radius[agents, None]
        worst = np.argmin(distance, axis=1)
        rows = np.arange(count)
        away = (probes.reshape(-1, 3) - nearest).reshape(count, 3, 3)[rows, worst]
        away[bodies.grounded[agents], 2] = 0.0
        course = unit(velocity)
        sideways = away - np.einsum("ij,ij->i", away, course)[:, None] * course
        head_on = length(sideways) < 1e-6 * np.maximum(length(away), 1e-300)
        sideways[head_on] = np.cross(flock.up[agents[head_on]], course[head_on])
        threat = np.clip(1.0 - distance[rows, worst] / self.margin, 0.0, 1.0)
        threat[face.reshape(count, 3)[rows, worst] < 0] = 0.0
        return (bodies.mass[agents] * self.strength * threat)[:, None] * unit(sideways)
