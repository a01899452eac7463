"""What a program states of a run, as arguments: a scenario, or a scene with groups."""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.short_repr import in_short
from rmp3d.scenario.group import Change, Group
from rmp3d.scenario.scenario import Scenario
from rmp3d.scenario.settings import Settings
from rmp3d.scenes import Scene


def scenario_of(
    scene: Scene | Scenario | str | PathLike[str],
    groups: Group | Sequence[Group],
    seed: int | None,
    changes: Sequence[Change],
    settings: Settings,
) -> Scenario:
    """Return the scenario that the arguments of `run` state.

    Raises:
        InputError: They do not go together.
    """
    stated = Path(scene) if isinstance(scene, PathLike) else scene
    if groups or isinstance(stated, Scene):
        if isinstance(stated, Scenario):
            raise InputError("`groups`: a Scenario has its own; leave them out, or give a Scene")
        if not groups:
            raise InputError("`groups`: a scene alone does not move; give at least one Group")
        return Scenario(stated, groups, seed=seed or 0, changes=changes, **settings)
    if isinstance(stated, str | Path):
        stated = Scenario.load(stated)
    if not isinstance(stated, Scenario):
        raise InputError(
            "`scene` must be a Scene with `groups`, a Scenario, a name or a file, got "
            f"{in_short(scene)}"
        )
    if changes:
        raise InputError("`changes`: a Scenario has its own; put them there")
    return stated.changed(seed=seed, **settings)
