"""Group behaviors: they own the group's memory and give every member its subgoal."""

from rmp3d.behaviors.groups.acting import ActingGroup
from rmp3d.behaviors.groups.carried import Carried
from rmp3d.behaviors.groups.circle_following import CircleFollowing
from rmp3d.behaviors.groups.goal_search import GoalSearch
from rmp3d.behaviors.groups.group_behavior import (
    BEHAVIORS,
    GroupBehavior,
    GroupEvent,
    GroupRun,
    GroupTask,
    Intent,
    Journey,
    Task,
)
from rmp3d.behaviors.groups.herded import HerdedGroup
from rmp3d.behaviors.groups.herding import Herding
from rmp3d.behaviors.groups.leader_following import FollowTheLeader
from rmp3d.behaviors.groups.narrow_passages import NarrowPassages
from rmp3d.behaviors.groups.self_guided import SelfGuided
from rmp3d.behaviors.groups.steered import SteeringGroup

__all__ = [
    "BEHAVIORS",
    "ActingGroup",
    "Carried",
    "CircleFollowing",
    "FollowTheLeader",
    "GoalSearch",
    "GroupBehavior",
    "GroupEvent",
    "GroupRun",
    "GroupTask",
    "HerdedGroup",
    "Herding",
    "Intent",
    "Journey",
    "NarrowPassages",
    "SelfGuided",
    "SteeringGroup",
    "Task",
]
