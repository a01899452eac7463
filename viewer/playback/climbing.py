"""How bodies are drawn on stairs: their height goes up and down smoothly, not by a step at once.

A recording has the feet on a tread in every frame, and so the height of a body jumps at a riser.
Drawn, a body is lifted before a step up and let down behind a step down, as a person's legs do it.
It is never drawn lower than recorded, so that nothing goes through a tread under its middle, and
hardly ever higher than the next tread.
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.risers import jumps
from rmp3d.geometry.surface import CURB
from rmp3d.scenes import Scene

AROUND = 0.15
"""Half of a foot's reach [m]: steps so near, in plan, are seen before and behind."""
SOON = 0.75
"""Steps later or earlier than this [s] do not count."""
SAMPLES = np.linspace(-AROUND, AROUND, 25)


def risen(scene: Scene, position: Float, clocks: Float) -> Float:
    """Return how far parts that carry go up below bodies, from one frame to the next.

    Args:
        scene: With the parts.
        position: (T, N, 3) of the bodies [m].
        clocks: (T, K) of the moving parts [s].

    Returns:
        (T - 1, N) [m], 0 where there is no such part below or above.
    """
    found = np.zeros((len(position) - 1, position.shape[1]))
    for clock, row in zip(clocks.T, scene.moving.tolist(), strict=True):
        part = scene.parts[row]
        if part.motion is not None and part.carries:
            way = part.motion.displacements(clock)[:, None]  # (T, 1, 3)
            low, high = part.mesh.bounds[:, :2]
            at = (position - way)[:-1, :, :2]
            inside = ((at >= low) & (at <= high)).all(axis=2)
            found = np.where(inside, np.diff(way[..., 2], axis=0), found)
    return found


def lift(position: Float, middle: int, carried: Float | float = 0.0) -> Float:
    """Return how much higher (N,) [m] than recorded bodies are drawn in one frame.

    Let J be the sum of all jumps of a body's height, over the length d in plan of its way. It is
    drawn at the mean of ``max J`` within `AROUND` of d, itself taken within `AROUND` of the body.

    Args:
        position: (T, N, 3) of frames around it [m].
        middle: Row of the frame.
        carried: (T - 1, N) how far a part that is below has gone up to the next frame [m], as a
            lift does; who rides on it climbs no step.
    """
    found = np.zeros(position.shape[1])
    if not (np.abs(np.diff(position[..., 2], axis=0)) > CURB).any():
        return found
    step = np.diff(position, axis=0)
    across = np.hypot(step[..., 0], step[..., 1])
    jump = np.where(jumps(step, carried), step[..., 2], 0.0)
    for row in np.flatnonzero(jump.any(axis=0)).tolist():
        way = np.concatenate([[0.0], np.cumsum(across[:, row])])
        sum_of_jumps = np.concatenate([[0.0], np.cumsum(jump[:, row])])
        at = np.clip(way[middle] + SAMPLES, way[0], way[-1])
        first = np.searchsorted(way, at - AROUND, side="left")
        last = np.searchsorted(way, at + AROUND, side="right")
        highest = [sum_of_jumps[a:b].max() for a, b in zip(first, last, strict=True)]
        found[row] = max(0.0, float(np.mean(highest)) - sum_of_jumps[middle])
    return found
