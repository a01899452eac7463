"""Group behaviors: they own the group's memory and give every member its subgoal."""

from behaviors.groups.acting import ActingGroup
from behaviors.groups.carried import Carried
from behaviors.groups.circle_following import CircleFollowing
from behaviors.groups.goal_search import GoalSearch
from behaviors.groups.group_behavior import (
    BEHAVIORS,
    GroupBehavior,
    GroupEvent,
    GroupRun,
    GroupTask,
    Intent,
    Journey,
    Task,
)
from behaviors.groups.herded import HerdedGroup
from behaviors.groups.herding import Herding
from behaviors.groups.leader_following import FollowTheLeader
from behaviors.groups.narrow_passages import NarrowPassages
from behaviors.groups.self_guided import SelfGuided
from behaviors.groups.steered import SteeringGroup

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
