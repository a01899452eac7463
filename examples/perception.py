"""Perception alone: which agents see which others, in a cone of view and past walls."""

import numpy as np

import rmp3d as rp
from rmp3d.behaviors import Flock
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.perception import ViewCone, Zone
from rmp3d.behaviors.world_state import WorldState
from rmp3d.models import load_character

around = Environment.of(rp.Scene.load("parking"))
place = np.random.default_rng(1).uniform(around.bounds[0], around.bounds[1], (40, 3))
place[:, 2] = 0.0
walkers = Flock.at_rest([load_character("pedestrian")] * 40, place)
world = WorldState(walkers, np.zeros(40, int), ("crowd",), solid=around.flying)
rows = np.arange(40)
for sense in (Zone(radius=15.0), ViewCone(range=15.0, angle=360.0), ViewCone(range=15.0, angle=90)):
    seeing, seen = sense.perceived(world, rows)
    print(f"{sense}: {len(seeing)} pairs; the first sees {seen[seeing == 0].tolist()}")
