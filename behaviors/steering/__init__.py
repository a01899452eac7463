"""Steering behaviors, one file each; importing this package registers them all."""

from behaviors.steering.align import Align
from behaviors.steering.alignment import Alignment
from behaviors.steering.anti_align import AntiAlign
from behaviors.steering.arrive import Arrive
from behaviors.steering.cohesion import Cohesion
from behaviors.steering.containment import Containment
from behaviors.steering.docking import Docking
from behaviors.steering.escape import Escape
from behaviors.steering.evade import Evade
from behaviors.steering.explore import Explore
from behaviors.steering.face import Face
from behaviors.steering.flee import Flee
from behaviors.steering.flocking import Flocking
from behaviors.steering.flow_field_following import FlowFieldFollowing
from behaviors.steering.forage import Forage
from behaviors.steering.hide import Hide
from behaviors.steering.hunt import Hunt
from behaviors.steering.interpose import Interpose
from behaviors.steering.leader_following import LeaderFollowing
from behaviors.steering.look_ahead_avoidance import LookAheadAvoidance
from behaviors.steering.look_where_you_are_going import LookWhereYouAreGoing
from behaviors.steering.match_velocity import MatchVelocity
from behaviors.steering.noise_wander import NoiseWander
from behaviors.steering.obstacle_avoidance import ObstacleAvoidance
from behaviors.steering.offset_pursuit import OffsetPursuit
from behaviors.steering.path_following import PathFollowing
from behaviors.steering.pursue import Pursue
from behaviors.steering.roam import Roam
from behaviors.steering.seek import Seek
from behaviors.steering.separation import Separation
from behaviors.steering.shadow import Shadow
from behaviors.steering.shun import Shun
from behaviors.steering.stay_safe import StaySafe
from behaviors.steering.unaligned_collision_avoidance import UnalignedCollisionAvoidance
from behaviors.steering.wall_following import WallFollowing
from behaviors.steering.wander import Wander

__all__ = [
    "Align",
    "Alignment",
    "AntiAlign",
    "Arrive",
    "Cohesion",
    "Containment",
    "Docking",
    "Escape",
    "Evade",
    "Explore",
    "Face",
    "Flee",
    "Flocking",
    "FlowFieldFollowing",
    "Forage",
    "Hide",
    "Hunt",
    "Interpose",
    "LeaderFollowing",
    "LookAheadAvoidance",
    "LookWhereYouAreGoing",
    "MatchVelocity",
    "NoiseWander",
    "ObstacleAvoidance",
    "OffsetPursuit",
    "PathFollowing",
    "Pursue",
    "Roam",
    "Seek",
    "Separation",
    "Shadow",
    "Shun",
    "StaySafe",
    "UnalignedCollisionAvoidance",
    "WallFollowing",
    "Wander",
]
