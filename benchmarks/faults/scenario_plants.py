"""Faults in the scenario that a recording holds: it is another one than the run's."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from benchmarks.faults.plants import Run, plant
from rmp3d.models import load_character
from rmp3d.models.carried import as_carried
from rmp3d.recording import fingerprint
from rmp3d.scenario.tables import GroupTable
from rmp3d.scenes import RegionDescription, Scene, SceneDescription


def _told(run: Run, **changed: Any) -> Run:
    scenario = msgspec.structs.replace(run.header.scenario, **changed)
    return replace(run, header=replace(run.header, scenario=scenario))


def _with_scene(run: Run, changed: Mapping[str, Any]) -> Run:
    """Return the run as if its scene were another one, whose hash fits."""
    stated: SceneDescription = msgspec.structs.replace(run.header.scenario.scene, **changed)
    told = _told(run, scene=stated)
    return replace(told, header=replace(told.header, scene_hash=Scene.described(stated).hash))


def _with_group(run: Run, row: int, **changed: Any) -> Run:
    groups: list[GroupTable] = list(run.header.scenario.groups)
    groups[row] = msgspec.structs.replace(groups[row], **changed)
    return _told(run, groups=groups)


@plant("scenario")
def a_wider_goal(run: Run, rng: np.random.Generator) -> Run | None:
    """Of the first group that has one: so that who stops early has arrived, too."""
    for row, group in enumerate(run.header.scenario.groups):
        if isinstance(group.goal, str):
            low, high = run.scene.region(group.goal).bounds
            wider = RegionDescription(lower=(low - 2.0).tolist(), upper=(high + 2.0).tolist())
            regions = {**run.header.scenario.scene.regions, group.goal: wider}
            return _with_scene(run, {"regions": regions})
        if group.goal is not None:
            return _with_group(run, row, goal_radius=30.0)
    return None


@plant("scenario")
def a_higher_step(run: Run, rng: np.random.Generator) -> Run | None:
    members = run.grounded()
    if len(members) == 0:
        return None
    return _with_group(run, int(run.header.group_of[members[0]]), max_step=0.9)


@plant("scenario")
def steeper_ground_can_be_walked(run: Run, rng: np.random.Generator) -> Run | None:
    return _with_scene(run, {"max_slope": 80.0})


@plant("scenario")
def another_body(run: Run, rng: np.random.Generator) -> Run | None:
    """The recording tells of other characters than the run's, as they are in files, too."""
    kinds = run.header.characters
    row = int(rng.integers(len(kinds)))
    other = "child" if run.characters[0].grounded else "fish"
    if other in kinds:
        return None

    def named(group: GroupTable) -> str | list[str]:
        names = [group.character] if isinstance(group.character, str) else group.character
        names = [other if name == kinds[row] else name for name in names]
        return names[0] if isinstance(group.character, str) else names

    groups = [
        msgspec.structs.replace(each, character=named(each)) for each in run.header.scenario.groups
    ]
    told = _told(run, groups=groups)
    hashes = list(run.header.character_hashes)
    character = load_character(other)
    carried = any(each.behavior["name"] == "carried" for each in groups)
    hashes[row] = fingerprint(as_carried(character) if carried else character)
    names = tuple(other if name == kinds[row] else name for name in kinds)
    return replace(
        told, header=replace(told.header, characters=names, character_hashes=tuple(hashes))
    )


@plant("scenario", "claim")
def a_run_may_last_longer(run: Run, rng: np.random.Generator) -> Run | None:
    settings = run.header.scenario.simulation
    longer = msgspec.structs.replace(settings, duration=settings.duration + 60.0)
    return _told(run, simulation=longer)
