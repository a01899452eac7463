"""What there is to see of a recording, a plan, a scene, a scenario or a problem."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader
from rmp3d.scenario import Scenario
from rmp3d.scenes import Scene

if TYPE_CHECKING:
    from rmp3d.viewer import Playback


def playback_of(target: Any) -> "Playback":
    """Return what there is to see of a target of `show`.

    Raises:
        InputError: It is nothing that can be shown.
    """
    from rmp3d.planner import PlanResult, Problem
    from rmp3d.plans.body_plan import WatchedPlan
    from rmp3d.playback.from_plan import playback_of_plan

    if isinstance(target, WatchedPlan):
        return playback_of_plan(target)
    if isinstance(target, RecordingReader):
        from rmp3d.playback.from_recording import playback

        return playback(target)
    if isinstance(target, Scene):
        return _still(target)
    if isinstance(target, Scenario):
        return _at_start(target)
    if isinstance(target, PlanResult):
        return playback_of_plan(WatchedPlan.of_result(target))
    if isinstance(target, Problem):
        return playback_of_plan(WatchedPlan.of_problem(target))
    raise InputError(
        "`show` takes a Recording, Scenario, Scene, Problem or PlanResult, or the name or file of "
        f"one, got {type(target).__name__}"
    )


def _still(scene: Scene) -> "Playback":
    return _frames(scene, (), np.empty((1, 0, 3)), np.empty((1, 0, 4)), 1.0, scene.name)


def _at_start(scenario: Scenario) -> "Playback":
    """Return the members where a run begins."""
    from rmp3d.simulation import Simulation

    simulation = Simulation.of(scenario)
    frame = simulation.look()
    characters = [character for plan in simulation.plans for character in plan.characters]
    return _frames(
        simulation.scene, characters, frame.position[None], frame.orientation_wxyz[None], 1.0,
        scenario.name, paths=[getattr(plan, "plan", None) for plan in simulation.plans],
    )  # fmt: skip


def _frames(
    scene: Scene,
    characters: Any,
    position: Any,
    orientation: Any,
    dt: float,
    title: str,
    paths: Any = (),
) -> "Playback":
    from rmp3d.viewer import Playback

    kinds = list(dict.fromkeys(characters))
    groups = 1 if len(characters) else 0
    found = [each.path.points for each in paths if each is not None]
    return Playback(
        scene=scene,
        characters=tuple(kinds),
        character_of=np.array([kinds.index(each) for each in characters], np.intp),
        group_of=np.zeros(len(characters), np.intp),
        group_names=("bodies",)[:groups],
        dt=dt,
        position=position,
        orientation_wxyz=orientation,
        formation_of=np.full((len(position), groups), -1),
        paths=tuple(found[:1]) if groups else (),
        title=title,
    )
