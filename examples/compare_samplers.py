"""Which sampler finds the path through a gap with the fewest nodes?"""

import sys

import trimesh

import rmp3d as rp


def block(lower, upper):
    """Return a box of trimesh between two corners."""
    return trimesh.creation.box(bounds=[lower, upper])


scene = rp.Scene.from_mesh(
    {
        "below": block((9, 0, 0), (11, 20, 9)),
        "above": block((9, 0, 11), (11, 20, 20)),
        "left": block((9, 0, 9), (11, 9, 11)),
        "right": block((9, 11, 9), (11, 20, 11)),
    },
    bounds=[[0, 0, 0], [20, 20, 20]],
)
samplers = (rp.Uniform(), rp.Halton(), rp.Gaussian(), rp.Bridge(), rp.Medial())
seeds = range(int(sys.argv[1]) if sys.argv[1:] else 5)
print("sampler        solved  nodes  length [m]  collision queries")
for sampler in samplers:
    ends = {"body": "drone", "start": (3, 3, 3), "goal": (17, 17, 17)}
    found = [
        rp.plan(scene, **ends, sampler=sampler, nodes=200, until_solved=True, seed=seed)
        for seed in seeds
    ]
    solved = [result for result in found if result.solved]
    nodes = sum(result.nodes for result in found) / len(found)
    length = sum(result.path.length for result in solved) / max(len(solved), 1)
    work = sum(result.counts.collision for result in found) / len(found)
    name = type(sampler).__name__
    print(f"{name:14} {len(solved)}/{len(found)}    {nodes:5.0f}  {length:10.1f}  {work:17.0f}")
