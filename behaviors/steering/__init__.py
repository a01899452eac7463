"""Steering behaviors, one file each; importing this package registers them all."""

from behaviors.steering.arrive import Arrive
from behaviors.steering.obstacle_avoidance import ObstacleAvoidance
from behaviors.steering.path_following import PathFollowing
from behaviors.steering.seek import Seek
from behaviors.steering.separation import Separation

__all__ = ["Arrive", "ObstacleAvoidance", "PathFollowing", "Seek", "Separation"]
