"""Running a scenario in one call."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Unpack

from rmp3d.front.recording import Recording
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.given import check_callbacks, path_given
from rmp3d.scenario import Change, Group, Scenario, Settings
from rmp3d.scenario.arguments import scenario_of
from rmp3d.scenes import Scene
from rmp3d.simulation import simulate

Progress = Callable[[int, int], None]


def run(
    scene: Scene | Scenario | str | PathLike[str],
    groups: Group | Sequence[Group] = (),
    *,
    seed: int | None = None,
    to: str | PathLike[str] | None = None,
    changes: Sequence[Change] = (),
    progress: Progress | None = None,
    save_roadmap: str | PathLike[str] | None = None,
    **settings: Unpack[Settings],
) -> Recording:
    """Plan and simulate; return the recording.

    >>> recording = run("plain", Group(members=2, start="west", goal="east"), duration=2.0)
    >>> recording.position().shape
    (61, 2, 3)

    Args:
        scene: A `Scene` with ``groups``; or, without groups, a `Scenario`, the name of a built-in
            one, or a scenario file.
        groups: The groups and their goals.
        seed: Of all randomness; by default that of the scenario, or 0.
        to: File that the recording is streamed to (``.rmp3d``); by default it is in memory.
        changes: What becomes different while it runs.
        progress: Called with steps done and steps at most.
        save_roadmap: File for the first group's roadmap with the weights that the group has
            learned (``.roadmap``); those of other groups are written beside it. The setting
            ``roadmap`` begins with such a file.
        settings: Keywords of `Settings`: ``nodes``, ``sampler``, ``duration``, ``dt``, ...

    Returns:
        The recording, complete; close it or let it go when it is not needed any more.

    Raises:
        InputError: Names the argument, what was given, and what would be right.
        PlanningError: A start or goal is not free, or there is no path.
    """
    scenario = scenario_of(scene, groups, seed, changes, settings)
    check_callbacks(progress=progress)
    save = None if save_roadmap is None else path_given(save_roadmap, "save_roadmap")
    if to is not None:
        file = path_given(to, "to")
        if file.suffix != ".rmp3d":
            raise InputError(f"`to`: {to}: a recording file ends in `.rmp3d`")
        simulate(scenario, recording_path=file, progress=progress, save_roadmap=save)
        return Recording.open(file)
    # The writer needs a file to survive whatever happens; what is read from it has its bytes.
    with TemporaryDirectory(prefix="rmp3d-") as folder:
        path = Path(folder) / "run.rmp3d"
        simulate(scenario, recording_path=path, progress=progress, save_roadmap=save)
        return Recording.from_bytes(path.read_bytes())
