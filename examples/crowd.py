"""A crowd of two kinds that cross, step by step, with a change on the way."""

import sys

import numpy as np

import rmp3d as rp

members = int(sys.argv[1]) if sys.argv[1:] else 40
duration = float(sys.argv[2]) if sys.argv[2:] else 30.0
plain = rp.Scene.load("plain")
groups = [
    rp.Group(["pedestrian", "child"], members, start="west", goal="east", name="eastward",
             behavior=rp.SelfGuided()),
    rp.Group("pedestrian", members, start="east", goal="west", name="westward",
             behavior=rp.SelfGuided()),
]  # fmt: skip
simulation = rp.Simulation(plain, groups, seed=4, nodes=100, duration=duration)
for state in simulation:
    if simulation.frames == 150:
        simulation.change("westward", speed_limit=0.6)
    if simulation.frames % 60 == 1:
        speed = np.linalg.norm(state.velocity, axis=1)
        print(f"{state.time:5.1f} s  mean speed {speed.mean():.2f} m/s, at rest {sum(speed < 0.1)}")
print("least gap:", round(simulation.log.least_to_members, 3), "m")
