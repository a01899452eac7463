"""Showing things: a window where there is a screen, a replay or picture in a notebook."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rmp3d.front.notebook import html_of, in_notebook
from rmp3d.front.playbacks import playback_of
from rmp3d.recording import RecordingReader
from rmp3d.scenario import Scenario
from rmp3d.scenes import Scene

if TYPE_CHECKING:
    pass


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
    if in_notebook():
        from IPython.display import HTML, display  # type: ignore[import-not-found,unused-ignore]

        display(HTML(html_of(target)))
        return
    seen = playback_of(target)
    from rmp3d.viewer import show as show_window

    show_window(seen)


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
        table = load(str(scenario.save(Path(folder) / "scenario.toml")))
        session = LiveSession(loaded_extensions())
        open_panel(session, scenario_table(table), Layers(), Opening())
