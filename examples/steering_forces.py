"""Steering forces alone, on arrays: no scene, no run, no file."""

import numpy as np

from rmp3d.behaviors import Flock
from rmp3d.behaviors.steering import Cohesion, Flee, Separation
from rmp3d.behaviors.steering_behavior import KnownAgent, Surroundings
from rmp3d.models import load_character

rng = np.random.default_rng(0)
birds = Flock.at_rest([load_character("bird")] * 6, rng.uniform(-2.0, 2.0, (6, 3)))
around = Surroundings.of(birds, reach=5.0)  # which birds see which others
print("separation [N]\n", Separation().steering_force(birds, around).round(2))
print("cohesion [N]\n", Cohesion().steering_force(birds, around).round(2))

hawk = KnownAgent.row_of(birds, np.zeros(6, int))  # everyone flees from the first
around = Surroundings.of(birds, reach=5.0, others={"threat": hawk})
print("flee [N]\n", Flee().steering_force(birds, around).round(2))
