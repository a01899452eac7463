"""From a scenario to a recording: plan, then step every group with a fixed time step."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.traffic import Traffic
from rmp3d.geometry.arrays import Float
from rmp3d.recording import Header, RecordingWriter
from rmp3d.recording.header import Plan
from rmp3d.scenario import Scenario, ScenarioTable
from rmp3d.simulation.coming import cast
from rmp3d.simulation.frame import Frame
from rmp3d.simulation.learned import save_roadmaps
from rmp3d.simulation.moving import NeverOpenError
from rmp3d.simulation.planning import GroupPlan, PreparedGroup, Progress
from rmp3d.simulation.plans import plan_groups
from rmp3d.simulation.report import GroupReport, RunReport
from rmp3d.simulation.run import MakeSafety, MakeTraffic, Simulation

__all__ = [
    "Frame",
    "GroupPlan",
    "GroupReport",
    "NeverOpenError",
    "PreparedGroup",
    "RunReport",
    "Simulation",
    "header_of",
    "path_of",
    "plan_groups",
    "save_roadmaps",
    "simulate",
]


def simulate(
    scenario: Scenario | ScenarioTable,
    *,
    recording_path: Path | str,
    progress: Progress = None,
    plan_progress: Progress = None,
    each_step: Callable[[Simulation], None] | None = None,
    save_roadmap: Path | None = None,
    traffic: MakeTraffic | None = Traffic,
    safety: MakeSafety | None = SafetyConstraint.of,
) -> RunReport:
    """Plan and run a scenario; stream it to a recording.

    The run ends when all with a goal have been in it for `linger`, or after `duration`. An
    interrupted run (Ctrl-C) leaves a recording of what was done.

    Args:
        scenario: What to run.
        recording_path: Written to.
        progress: Called with steps done and steps at most.
        plan_progress: Called with nodes done and nodes in all, while roadmaps are built.
        each_step: Called with the simulation before each step, which may add goals, say.
        save_roadmap: What groups have learned is written to it at the end; see `save_roadmaps`.
        traffic: Makes the traffic rules; None: nobody gives way.
        safety: Makes the safety constraint; None: nothing keeps members apart.

    Raises:
        InputError: Something in the scenario cannot be, such as more members than room.
        PlanningError: There is no path.
    """
    began = perf_counter()
    scenario = Scenario.of(scenario)
    plans = plan_groups(scenario, plan_progress)
    planned = perf_counter()
    simulation = Simulation.of(scenario, plans, traffic=traffic, safety=safety)
    _stream(simulation, recording_path, progress, each_step)
    if save_roadmap is not None:
        save_roadmaps(simulation, save_roadmap)
    return RunReport(
        scenario=scenario.name,
        seed=scenario.seed,
        recording=str(recording_path),
        frames=simulation.frames,
        dt=scenario.table.simulation.dt,
        wall_seconds=perf_counter() - planned,
        plan_seconds=planned - began,
        groups=simulation.reports(),
        min_clearance_scene=simulation.log.least_to_scene,
        min_clearance_members=simulation.log.least_to_members,
        safety=simulation.safety,
        notes=simulation.scene.notes,
        measure=simulation.log.crossings.figures(),
    )


def _stream(
    simulation: Simulation,
    recording_path: Path | str,
    progress: Progress,
    each_step: Callable[[Simulation], None] | None,
) -> None:
    """Run a simulation to its end and write every moment to a recording."""
    simulation.roster.limited = True
    with RecordingWriter(recording_path, header_of(simulation)) as recording:
        while not simulation.over:
            if simulation.frames > 0:
                simulation.advance()
            if each_step is not None:
                each_step(simulation)
            simulation.look().write(recording)
            if progress is not None:
                done = simulation.steps if simulation.over else simulation.frames - 1
                progress(done, simulation.steps)


def header_of(simulation: Simulation, table: ScenarioTable | None = None) -> Header:
    """Return what a recording of a simulation says once, before its frames.

    Args:
        simulation: At any moment.
        table: The scenario as the recording is to have it; by default the one that was begun with.
    """
    plans, scenario = simulation.plans, simulation.scenario
    table = table or scenario.table
    return Header.of(
        table,
        simulation.scene,
        [character for group in cast(plans, table.counts) for character in group],
        formations=simulation.formations,
        paths=[path_of(plan) for plan in plans],
        plans=[
            {**_roadmap(plan), **run.plan} for plan, run in zip(plans, simulation.runs, strict=True)
        ],
        series=[{k: np.shape(v) for k, v in each.items()} for each in simulation.measures()],
        behaviors=simulation.behaviors,
        held=scenario.held,
    )


def path_of(plan: PreparedGroup) -> Float:
    """Return the planned path (K, 3) [m]; without rows for a group that has none."""
    return plan.plan.path.points if isinstance(plan, GroupPlan) else np.empty((0, 3))


def _roadmap(plan: PreparedGroup) -> Plan:
    """Return nodes (V, 3) [m], edges (E, 2) and attempts of the roadmap that was planned on."""
    if not isinstance(plan, GroupPlan):
        return {}
    roadmap = plan.roadmap
    return {
        "nodes": roadmap.configurations[:, :3].astype(np.float32),
        "edges": roadmap.edges.astype(np.int32),
        "attempts": np.array([roadmap.attempts]),
    }
