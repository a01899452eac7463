"""Members set out one after another: --with examples/own_behavior.py --behavior relay."""

from dataclasses import dataclass

import numpy as np

import rmp3d as rp
from rmp3d.behaviors.groups import GROUP_BEHAVIORS, GroupBehavior, GroupRun, Intent


@GROUP_BEHAVIORS.register("relay")
@dataclass(frozen=True)
class Relay(GroupBehavior):
    """Follow the path's subgoals, each member ``delay`` [s] after the one before."""

    delay: float = 2.0

    def begin(self, task):
        run = RelayRun(task)
        run.subgoals, run.goal = task.path.subgoals(3.0, task.space), task.goal
        run.next, run.leaves = np.zeros(task.count, int), self.delay * np.arange(task.count)
        return run


class RelayRun(GroupRun):
    def step(self, flock, time):
        near = np.linalg.norm(self.subgoals[self.next] - flock.position, axis=1) < 1.0
        self.next = np.minimum(self.next + near, len(self.subgoals) - 1)
        inside, waits = self.goal.contains(flock.position), time < self.leaves
        self.tell_arrivals(inside, time)
        aim = np.where(waits[:, None], flock.position, self.subgoals[self.next])
        return Intent.towards(flock, aim, waits | inside)


if __name__ == "__main__":
    group = rp.Group(members=3, start="west", goal="east", behavior=Relay(1.0))
    print(rp.run("plain", group, duration=2.0))
