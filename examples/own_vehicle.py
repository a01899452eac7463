"""A vehicle of one's own: it hovers, always upright, and spins as it goes.

    rmp3d run MY.toml --with examples/own_vehicle.py

A character uses it with `kind = "hovering"` in the `[vehicle]` table of its file.
"""

from dataclasses import replace

import numpy as np

from rmp3d.behaviors import Flock
from rmp3d.behaviors.vehicles import VEHICLES, Motion
from rmp3d.models import load_character

SPIN = 2.0  # [rad/s]


@VEHICLES.register("hovering")
class Hovering:
    """Hover upright in any direction, and spin."""

    grounded, space = False, "translation"

    def move(self, flock: Flock, motion: Motion) -> Flock:
        """Return the flock after one step."""
        c, s = np.cos(SPIN * motion.dt), np.sin(SPIN * motion.dt)
        turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        return flock.moved(
            position=flock.position + motion.velocity * motion.dt,
            velocity=motion.velocity,
            heading=flock.heading @ turn,
        )


if __name__ == "__main__":
    saucer = replace(load_character("drone"), vehicle="hovering")
    flock = Flock.at_rest([saucer], [[0.0, 0.0, 5.0]])
    print(Hovering().move(flock, Motion(np.array([[1.0, 0.0, 0.0]]), dt=0.1)).position)
