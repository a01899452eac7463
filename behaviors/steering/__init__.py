"""Steering behaviors, one file each; every file in this folder registers its own."""

from rmp3d.behaviors.steering.align import Align
from rmp3d.behaviors.steering.alignment import Alignment
from rmp3d.behaviors.steering.anti_align import AntiAlign
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering.attraction import Attraction
from rmp3d.behaviors.steering.cohesion import Cohesion
from rmp3d.behaviors.steering.containment import Containment
from rmp3d.behaviors.steering.docking import Docking
from rmp3d.behaviors.steering.escape import Escape
from rmp3d.behaviors.steering.evade import Evade
from rmp3d.behaviors.steering.explore import Explore
from rmp3d.behaviors.steering.face import Face
from rmp3d.behaviors.steering.flee import Flee
from rmp3d.behaviors.steering.flocking import Flocking
from rmp3d.behaviors.steering.flow_field_following import FlowFieldFollowing, FlowStroke
from rmp3d.behaviors.steering.forage import Forage
from rmp3d.behaviors.steering.friction import Friction
from rmp3d.behaviors.steering.hide import Hide
from rmp3d.behaviors.steering.hunt import Hunt
from rmp3d.behaviors.steering.interpose import Interpose
from rmp3d.behaviors.steering.leader_following import FollowLeader
from rmp3d.behaviors.steering.look_ahead_avoidance import LookAheadAvoidance
from rmp3d.behaviors.steering.look_where_you_are_going import LookWhereYouAreGoing
from rmp3d.behaviors.steering.match_velocity import MatchVelocity
from rmp3d.behaviors.steering.noise_wander import NoiseWander
from rmp3d.behaviors.steering.obstacle_avoidance import ObstacleAvoidance
from rmp3d.behaviors.steering.offset_pursuit import OffsetPursuit
from rmp3d.behaviors.steering.path_following import PathFollowing
from rmp3d.behaviors.steering.pursue import Pursue
from rmp3d.behaviors.steering.roam import Roam
from rmp3d.behaviors.steering.seek import Seek
from rmp3d.behaviors.steering.separation import Separation
from rmp3d.behaviors.steering.shadow import Shadow
from rmp3d.behaviors.steering.shun import Shun
from rmp3d.behaviors.steering.sphere_avoidance import SphereAvoidance
from rmp3d.behaviors.steering.stay_safe import StaySafe
from rmp3d.behaviors.steering.unaligned_collision_avoidance import UnalignedCollisionAvoidance
from rmp3d.behaviors.steering.wall_following import WallFollowing
from rmp3d.behaviors.steering.wander import Wander
from rmp3d.geometry.registry import load_folder

__all__ = [
    "Align",
    "Alignment",
    "AntiAlign",
    "Arrive",
    "Attraction",
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
    "FlowStroke",
    "FollowLeader",
    "Forage",
    "Friction",
    "Hide",
    "Hunt",
    "Interpose",
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
    "SphereAvoidance",
    "StaySafe",
    "UnalignedCollisionAvoidance",
    "WallFollowing",
    "Wander",
]

load_folder(__name__, __path__)
