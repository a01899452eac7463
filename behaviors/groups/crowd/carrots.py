"""What members of a crowd want in a step, in one compiled loop over them.

A member goes after a point a little ahead on its way, until it is on the last part of its route.
"""

from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.row_vectors import unit_of
from rmp3d.geometry.vectors import LARGER, SHORT

# How far ahead of a member the point is [m], and how fast that moves [m/s], at the full pace.
AHEAD, MOVES = 0.5, 0.25


@compiled
def write_carrots(position, subgoal, pace, last, waiting, goal, velocity):
    """Fill in where members (N, 3) are to go [m], and how fast that moves (N, 3) [m/s].

    Args:
        position: (N, 3) where they are [m].
        subgoal: (N, 3) the next points of their routes [m].
        pace: (N,) share of their speed at which they go there.
        last: (N,) whether these are the last ones, where they stay.
        waiting: (N,) who stays where it is.
        goal: Written to.
        velocity: Written to.
    """
    for i in range(position.shape[0]):
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        for k in range(3):
            velocity[i, k] = 0.0
        if waiting[i]:
            goal[i, 0], goal[i, 1], goal[i, 2] = x, y, z
        elif last[i]:
            for k in range(3):
                goal[i, k] = subgoal[i, k]
        else:
            ux, uy, uz = unit_of(
                subgoal[i, 0] - x, subgoal[i, 1] - y, subgoal[i, 2] - z, SHORT, LARGER
            )
            ahead, moves = AHEAD * pace[i], MOVES * pace[i]
            goal[i, 0], goal[i, 1], goal[i, 2] = x + ahead * ux, y + ahead * uy, z + ahead * uz
            velocity[i, 0], velocity[i, 1], velocity[i, 2] = moves * ux, moves * uy, moves * uz
