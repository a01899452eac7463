"""Showing things: a window where there is a screen, a replay or picture in a notebook."""

import io
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader
from rmp3d.scenario import Scenario
from rmp3d.scenes import Scene

if TYPE_CHECKING:
    from rmp3d.viewer import Playback

HEIGHT = 480  # of a replay in a notebook [pixels]


def show(target: Any) -> None:
    """Show a recording, scenario, scene, problem or the result of planning.

    >>> show(run)  # doctest: +SKIP

    In a notebook: a replay in the output. Else a window, until it is closed; of a scenario, the
    window with the panel, in which it can be edited, planned and run.

    Args:
        target: A `Recording`, `Scenario`, `Scene`, `Problem` or `PlanResult`; or the name of a
            built-in scenario, or a file of any of these. The body of a result of planning goes
            along its path; a problem file is planned first.

    Raises:
        InputError: It is something else.
        ViewerError: There is neither a notebook nor a screen; says what to do instead.
    """
    if isinstance(target, str | Path):
        target = loaded(Path(target))
    if isinstance(target, Scenario) and not in_notebook():
        _open_panel(target)
        return
    seen = playback_of(target)
    if in_notebook():
        from IPython.display import HTML, display  # type: ignore[import-not-found,unused-ignore]

        display(HTML(replay_html(seen) or ""))
        return
    from rmp3d.viewer import show as show_window

    show_window(seen)


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def replay_html(seen: "Playback", largest: int | None = None) -> str | None:
    """Return a replay as a frame of HTML that needs nothing else; None if it would be too large.

    Args:
        seen: What to play.
        largest: Letters at most.
    """
    from rmp3d.viewer.export import make_exporter

    page = io.BytesIO()
    make_exporter(Path("replay.html")).write(seen, page, None)
    text = page.getvalue().decode()
    if largest is not None and len(text) > largest:
        return None
    return (
        f'<iframe srcdoc="{escape(text)}" width="100%" height="{HEIGHT}" '
        'style="border: 0" allowfullscreen></iframe>'
    )


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


def loaded(path: Path) -> Any:
    """Return what a name or file holds; a problem file is planned."""
    from rmp3d.scenario.targets import is_problem, is_recording, is_result
    from rmp3d.scenes import builtin_scenarios

    if is_recording(str(path)):
        return RecordingReader.open(path)
    if is_problem(str(path)):
        from rmp3d.plans.asking import plan_file

        return plan_file(path)
    if is_result(str(path)):
        from rmp3d.plans.saved import load_plan

        return load_plan(path)
    if path.suffix == ".toml" or path.as_posix() in builtin_scenarios():
        return Scenario.load(path.as_posix())
    return Scene.load(path)


def _open_panel(scenario: Scenario) -> None:
    from rmp3d.extensions import loaded_extensions
    from rmp3d.live import LiveSession
    from rmp3d.scenario.loading import load
    from rmp3d.scenario.saving import scenario_table
    from rmp3d.viewer import Layers
    from rmp3d.viewer.errors import ViewerError
    from rmp3d.viewer.gpu.platforms import screen_problem
    from rmp3d.viewer.panel.opening import Opening
    from rmp3d.viewer.panel.window import open_panel

    problem = screen_problem()
    if problem is not None:
        raise ViewerError(
            f"no window: {problem}; in a notebook `show` plays inline; else run the scenario "
            "(`rmp3d.run`) and `export` the recording"
        )
    with TemporaryDirectory(prefix="rmp3d-") as folder:
        # What works in the panel is another process: it reads meshes and characters from files.
        table = load(str(scenario.save(Path(folder) / f"{scenario.name}.toml")))
        session = LiveSession(loaded_extensions())
        open_panel(session, scenario_table(table), Layers(), Opening())


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
