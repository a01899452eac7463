"""Compiling ahead: the first use of a kernel compiles it, which should not eat a time limit."""

from functools import cache

import numpy as np

from rmp3d.geometry import TriangleMesh
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.centering import centered
from rmp3d.planner.trees.following import followed
from rmp3d.planner.trees.graph import GOAL, START, Graph
from rmp3d.planner.trees.growth import grow_trees
from rmp3d.scenes.problems.rigid_problem import RigidProblem


@cache
def compile_kernels() -> bool:
    """Run every compiled kernel of rigid planning once; a second call does nothing.

    The first time on a machine this compiles them, which takes some 20 s; later it loads them
    from numba's cache on disk in about a second.

    Returns:
        Whether it has compiled them.
    """
    corners = np.vstack([np.zeros(3), 0.1 * np.eye(3)])
    robot = TriangleMesh(corners, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    pose = np.array([0.2, 0.2, 0.2, 1.0, 0.0, 0.0, 0.0])
    problem = RigidProblem(
        "compiling", robot, robot, True, np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]), True,
        "rigid", pose, pose + np.array([0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
    )  # fmt: skip
    space = RigidBodySpace.of_problem(problem)
    space.world.is_free(pose[None])
    space.world.inside(pose[None])
    space.world.touch_nothing(pose[None], pose[None])
    graph = Graph(space, problem.start, problem.goal, np.random.default_rng(0))
    graph.grow(1.0)
    graph.add(np.zeros((0, 7)), np.array([[START, GOAL]]))
    graph.shortest_path()
    centered(space, pose[None])
    list(followed(space, pose, np.ones(6)))
    return bool(grow_trees.stats.cache_misses)
