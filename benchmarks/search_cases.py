"""The cases of the goal-search studies: which behaviors are compared, on which maps."""

from rmp3d.behaviors.groups import GoalSearch

SCENES = "cave,canyon,parking,water_park,traps,maze"
# By what a table calls them.
CASES = {
    "random walk": GoalSearch(rule="random_walk"),
    "memory": GoalSearch(rule="trails", weights=False),
    "told": GoalSearch(rule="told"),
    "trails": GoalSearch(rule="trails"),
    "walked back": GoalSearch(rule="trails", laid="walked_back"),
}
# Those that are run again with the weights of their first run.
LEARNING = ("told", "trails", "walked back")
BASE = "memory"
# What is switched off, and what that makes of `told` and of `trails`.
OFF = {
    "nothing": {},
    "reward (0)": {"reward": 0.0},
    "memory": {"memory": False},
    "marks of dead ends (`dead_end` 1)": {"dead_end": 1.0},
    "spreading (`walked` 1)": {"walked": 1.0},
    "all weights (all 1)": {"weights": False},
    "fading (`recall` full)": {"recall": "full"},
}
MEANING = """\
`random walk`: no memory, no weights, nobody is told. `memory`: each remembers what it has closed;
no weights, nobody is told. `told`: the finder tells its route. `trails`: nobody is told, weights
are read where one stands, and the finder lays the trail at once. `walked back`: the finder walks
back to lay it. `again`: with the weights that the first run has left on the same roadmap, faded,
and other random numbers."""
