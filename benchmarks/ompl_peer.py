"""The peer of the rigid-body benchmark: the OMPL wheel with a python-fcl callback.

Runs in an environment of its own (``pip install ompl python-fcl numpy``), so it imports nothing
of this project:

    python ompl_peer.py problem.npz RRTConnect SEED SECONDS [optimize]

The archive holds robot and world (vertices and faces), bounds (2, 3), start and goal (7,). One
line of JSON is printed: solved, seconds, checks, and the path before and after simplification.
Edges are checked as OMPL.app does: at states 1 % of the extent of position and rotation apart.
With ``optimize`` the planner makes the path as short as it can until so many processor seconds
are spent. Length is then translation plus ``reach`` of the archive times the angle.
"""

import json
import sys
import time

import fcl
import numpy as np
from ompl import base as ob
from ompl import geometric as og
from ompl import util as ou


def main() -> None:
    archive, planner, seed, limit = sys.argv[1:5]
    optimizes = sys.argv[5:] == ["optimize"]
    ou.setLogLevel(ou.LOG_ERROR)
    ou.RNG.setSeed(int(seed) + 1)  # zero would mean: by the clock
    data = np.load(archive)
    space = ob.SE3StateSpace()
    bounds = ob.RealVectorBounds(3)
    for axis in range(3):
        bounds.setLow(axis, float(data["bounds"][0, axis]))
        bounds.setHigh(axis, float(data["bounds"][1, axis]))
    space.setBounds(bounds)
    if optimizes:
        # OMPL's distance of rotations is half the angle.
        space.setSubspaceWeight(1, 2.0 * float(data["reach"]))
    setup = og.SimpleSetup(space)
    checks = [0]
    setup.setStateValidityChecker(validity(data, space, checks))
    setup.setStartAndGoalStates(state(space, data["start"]), state(space, data["goal"]))
    setup.setPlanner(getattr(og, planner)(setup.getSpaceInformation()))
    if optimizes:
        information = setup.getSpaceInformation()
        setup.setOptimizationObjective(ob.PathLengthOptimizationObjective(information))
    setup.setup()
    began = time.perf_counter()
    if optimizes:
        optimize(setup, planner, time.process_time() + float(limit))
    else:
        setup.solve(float(limit))
    seconds = time.perf_counter() - began
    answer = {"solved": bool(setup.haveExactSolutionPath()), "seconds": seconds}
    answer |= {"checks": checks[0], "raw": [], "simple": []}
    if answer["solved"]:
        answer["raw"] = rows(setup.getSolutionPath())
        setup.simplifySolution()
        answer["simple"] = rows(setup.getSolutionPath())
    print(json.dumps(answer), flush=True)


def optimize(setup, planner, end):
    """Let the planner go on until the process has spent its time.

    PRM* asks in a thread of its own whether to end, where Python may not answer: it is given
    seconds of the clock, again and again. The others crash or begin anew at a second call.
    """
    if planner != "PRMstar":
        setup.solve(ob.PlannerTerminationCondition(lambda: time.process_time() > end))
        return
    while (left := end - time.process_time()) > 0.01:
        setup.solve(left)


def validity(data, space, checks):
    """Return a function of a state: whether the body touches nothing there, within bounds."""
    world = fcl.CollisionObject(model(data["world_vertices"], data["world_faces"]))
    body = fcl.CollisionObject(model(data["robot_vertices"], data["robot_faces"]))
    request = fcl.CollisionRequest()
    low, high = data["bounds"].tolist()

    def is_valid(at):
        checks[0] += 1
        x, y, z = at.getX(), at.getY(), at.getZ()
        if not (low[0] <= x <= high[0] and low[1] <= y <= high[1] and low[2] <= z <= high[2]):
            return False
        turn = at.rotation()
        body.setTransform(fcl.Transform([turn.w, turn.x, turn.y, turn.z], [x, y, z]))
        return fcl.collide(body, world, request, fcl.CollisionResult()) == 0

    return is_valid


def model(vertices, faces):
    made = fcl.BVHModel()
    made.beginModel(len(vertices), len(faces))
    made.addSubModel(vertices, faces)
    made.endModel()
    return made


def state(space, pose):
    at = space.allocState()
    at.setXYZ(*(float(value) for value in pose[:3]))
    turn = at.rotation()
    turn.w, turn.x, turn.y, turn.z = (float(value) for value in pose[3:])
    return at


def rows(path):
    found = []
    for i in range(path.getStateCount()):
        at = path.getState(i)
        turn = at.rotation()
        found.append([at.getX(), at.getY(), at.getZ(), turn.w, turn.x, turn.y, turn.z])
    return found


if __name__ == "__main__":
    main()
