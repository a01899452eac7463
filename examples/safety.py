"""The safety filter alone: what is asked for becomes what can be proved safe."""

import numpy as np

from rmp3d.behaviors import Flock, SafetyConstraint
from rmp3d.models import load_character

drone = load_character("drone")
flock = Flock.at_rest([drone, drone], [[0.0, 0.0, 5.0], [2.5, 0.0, 5.0]])
safety = SafetyConstraint(dt=1.0 / 30.0)
towards = np.array([[3.0, 0.0, 0.0], [-3.0, 0.0, 0.0]])  # [m/s]: straight into each other
for step in range(90):
    gain = drone.parameters.max_force / drone.parameters.mass * safety.dt
    proposal = flock.velocity + np.clip(towards - flock.velocity, -gain, gain)
    velocity = safety.velocity(flock, proposal, towards)
    flock = flock.moved(position=flock.position + velocity * safety.dt, velocity=velocity)
    if step % 15 == 0:
        gap = np.linalg.norm(np.diff(flock.position, axis=0)) - 2.0 * drone.body.radius
        print(f"{step * safety.dt:4.1f} s  speed {np.abs(velocity[0, 0]):.2f} m/s  gap {gap:.3f} m")
print(f"they stay {safety.report.smallest_gap:.4f} m apart, braking distances included")
