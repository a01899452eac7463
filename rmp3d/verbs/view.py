"""Open the viewer: the panel, a recording, a plan, a scene; or take a picture without a screen.

Without a target, or with a scenario, the window has the panel in which scenarios are made,
planned and run. A problem file (.env, .cfg) is planned, then its body goes along the certified
path; a result of `rmp3d plan` (.json) is shown without planning.

With --web there is no window: a browser on this machine shows the page of `rmp3d export FILE.html`
at an address that is printed, until Ctrl-C. A scenario is planned first; the page shows its run
while it is simulated.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias

from rmp3d.terminal.output import say, say_cost, say_cost_of_reading, say_notes
from rmp3d.verbs.options import add_output_options, add_set_option, picture_size
from rmp3d.verbs.planned import (
    add_plan_options,
    is_plan,
    is_scenario,
    plan_of_target,
    refuse_plan_options,
)

if TYPE_CHECKING:
    from rmp3d.geometry.meanwhile import Meanwhile
    from rmp3d.live.web_run import WebRun
    from rmp3d.recording import RecordingReader
    from rmp3d.scenes import Scene
    from rmp3d.viewer import Layers, Playback
    from rmp3d.viewer.settings import WindowSettings

    Begun: TypeAlias = RecordingReader | Meanwhile[Scene] | None

FIRST_SCENE = "parking"  # of the panel, until another is chosen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument(
        "target",
        metavar="TARGET",
        nargs="?",
        default="",
        help="a recording, a scenario, a problem file (.env, .cfg), a result of `rmp3d plan` "
        "(.json), a built-in scene, or a mesh; default: the panel alone",
    )
    parser.add_argument("--screenshot", type=Path, metavar="FILE", help="a picture, no window")
    parser.add_argument(
        "--time",
        type=float,
        default=0.0,
        metavar="T",
        help="start here [s]; with the panel: run up to here",
    )
    parser.add_argument(
        "--camera", default="iso", help="iso (default), top, group, follow:ROW, first:ROW"
    )
    parser.add_argument(
        "--layers", default="", metavar="A,B", help="switch layers, such as roadmap,path"
    )
    parser.add_argument("--select", type=int, default=-1, metavar="ROW", help="a member")
    parser.add_argument("--clock", action="store_true", help="write the time into a screenshot")
    parser.add_argument("--size", default="1280x720", metavar="WxH", help="pixels")
    parser.add_argument("--fullscreen", action="store_true")
    parser.add_argument(
        "--language", default="", metavar="CODE", help="en or es; default: as chosen in the panel"
    )
    parser.add_argument(
        "--theme", choices=("dark", "light"), help="default: as chosen in the panel"
    )
    parser.add_argument(
        "--panel", action="store_true", help="with --screenshot: the panel, too, after a run to T"
    )
    parser.add_argument(
        "--compare", default="", metavar="OTHER", help="a second recording: ghosts, or side by side"
    )
    parser.add_argument("--web", action="store_true", help="in a browser, on this machine only")
    parser.add_argument("--port", type=int, metavar="N", help="with --web; default: a free one")
    add_plan_options(parser)
    add_set_option(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Show it."""
    begun = _begun(options)
    from rmp3d.geometry.errors import InputError
    from rmp3d.viewer import Layers, named_camera, save_picture, show
    from rmp3d.viewer.texts import speak

    settings = _settings(options)
    speak(settings.language)
    size = picture_size(options.size)
    layers = Layers().switched([name for name in options.layers.split(",") if name])
    other = _compared(options)
    if options.web:
        return _serve(options, begun)
    if options.port is not None:
        raise InputError("--port: is for --web")
    if not is_plan(options.target):
        refuse_plan_options(options, "what is not planned", but=("set",))
    if (not options.target or is_scenario(options.target)) and (
        options.screenshot is None or options.panel
    ):
        return _open_panel(options, size, layers, settings)
    if options.panel:
        raise InputError(f"--panel: {options.target} is not a scenario")
    playback, code = _seen(options, begun)
    say_notes(options, playback.scene.notes)
    say_cost(options, "drawing", playback.scene)
    selected = member_of(options.select, playback)
    if options.screenshot is not None:
        save_picture(
            playback,
            options.screenshot,
            options.time,
            options.camera,
            size,
            ghosts=other,
            layers=layers,
            selected=selected,
            clock=options.clock,
        )
        say(options, f"picture: {options.screenshot}")
        return code
    camera = None  # of all of the scene, over the bar at the bottom whatever the window's size
    if options.camera != "iso":
        camera = named_camera(options.camera, playback, options.time, size[0] / size[1])
    show(
        playback,
        compared=other,
        size=size,
        time=options.time,
        camera=camera,
        fullscreen=options.fullscreen,
        layers=layers,
        selected=selected,
        file=Path(options.target) if Path(options.target).is_file() else None,
    )
    return code


def _compared(options: argparse.Namespace) -> "Playback | None":
    """Return what is compared with the target, if anything.

    Raises:
        InputError: One of both is no recording.
    """
    from rmp3d.geometry.errors import InputError
    from rmp3d.scenario.targets import is_recording

    if not options.compare:
        return None
    if options.web:
        raise InputError("--compare: is for the window and for pictures, not for --web")
    for target in (options.target, options.compare):
        if not is_recording(target):
            raise InputError(f"--compare: {target} is no recording (.rmp3d); both must be")
    from rmp3d.playback.from_recording import playback
    from rmp3d.recording import RecordingReader

    with RecordingReader.open(options.compare) as recording:
        return playback(recording)


def _serve(options: argparse.Namespace, begun: "Begun") -> int:
    """Show it in browsers until Ctrl-C."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.viewer.export.web_page import ReplayPage
    from rmp3d.viewer.web_server import PageServer

    if options.screenshot is not None or options.panel or options.fullscreen:
        raise InputError("--web: takes neither --screenshot, --panel nor --fullscreen")
    port = 0 if options.port is None else options.port
    PageServer(b"", port).close()  # what can be refused is, before any work
    run: WebRun | None = None
    if is_scenario(options.target):
        run = _planned_for_pages(options)
        playback, code = run.playback, 0
    else:
        playback, code = _seen(options, begun)
    page = run or ReplayPage().page(playback)
    say_notes(options, playback.scene.notes)
    say_cost(options, "drawing", playback.scene)
    server = PageServer(page, port)
    print(f"open {server.address}", flush=True)
    say(options, "Only browsers on this machine reach it. Ctrl-C ends it.")
    if run is not None:
        Thread(target=_simulate, args=(run, options), daemon=True).start()
    try:
        server.serve()
    finally:
        server.close()
    return code


def _planned_for_pages(options: argparse.Namespace) -> "WebRun":
    """Plan a scenario, which is then simulated while browsers show it."""
    from rmp3d.live.web_run import WebRun
    from rmp3d.scenario import Scenario
    from rmp3d.scenario.loading import load

    refuse_plan_options(options, "a scenario, which is run", but=("set",))
    table = load(options.target, options.overrides)
    say_cost_of_reading(options, table.scene)
    scenario = Scenario.of(table)
    say_cost(options, "planning", scenario.scene)
    return WebRun(scenario)


def _simulate(run: "WebRun", options: argparse.Namespace) -> None:
    """Simulate to the end, and say how it ended."""
    run.go_on()
    if run.problem:
        print(f"rmp3d view: {run.problem}", file=sys.stderr, flush=True)
    else:
        say(options, f"The run is over at {run.playback.duration:.1f} s.")


def _begun(options: argparse.Namespace) -> "Begun":
    """Begin to read a scene, which is done while the viewer is loaded; None if there is none yet.

    Raises:
        InputError: The target is wrong.
    """
    from rmp3d.geometry.meanwhile import Meanwhile
    from rmp3d.scenario.targets import described_scene, description_of_target, is_recording

    if is_plan(options.target) or not options.target or is_scenario(options.target):
        return None
    if is_recording(options.target):
        from rmp3d.recording import RecordingReader

        recording = RecordingReader.open(options.target)
        say_cost_of_reading(options, recording.scenario.scene)
        recording.begin_scene()
        return recording
    description, *_ = description_of_target(options.target, options.overrides)
    say_cost_of_reading(options, description)
    return Meanwhile(lambda: described_scene(options.target, description))


def _seen(options: argparse.Namespace, begun: "Begun") -> "tuple[Playback, int]":
    """Return what there is to see, and the exit code: 1 for a plan without a path."""
    from rmp3d.geometry.meanwhile import Meanwhile
    from rmp3d.scenario.targets import described_scene, description_of_target

    if is_plan(options.target):
        from rmp3d.playback.from_plan import playback_of_plan

        plan = plan_of_target(options)
        return playback_of_plan(plan), 0 if plan.solved else 1
    if isinstance(begun, Meanwhile):
        return _playback_of_scene(begun.result()), 0
    if begun is None:
        target = options.target or FIRST_SCENE
        description, *_ = description_of_target(target, options.overrides)
        say_cost_of_reading(options, description)
        return _playback_of_scene(described_scene(target, description)), 0
    from rmp3d.playback.from_recording import playback

    if options.screenshot is None and not options.web and not options.compare:
        return playback(begun, lazily=True), 0  # frames are read while it plays
    with begun:
        return playback(begun), 0


def member_of(row: int, playback: "Playback") -> int:
    """Return the row of ``--select``, -1 for no member.

    Raises:
        InputError: There is no such member.
    """
    from rmp3d.geometry.errors import InputError

    if not -1 <= row < playback.member_count:
        if playback.member_count == 0:
            raise InputError(f"--select {row}: a scene has no members; name a recording")
        last = playback.member_count - 1
        raise InputError(f"--select {row}: must be the number of a member, from 0 to {last}")
    return row


def _settings(options: argparse.Namespace) -> "WindowSettings":
    """Return what the window remembers, and what is asked for here, which is remembered, too.

    A picture depends on nothing that is remembered.
    """
    from rmp3d.viewer.settings import WindowSettings, read_settings
    from rmp3d.viewer.texts import translations

    settings = WindowSettings() if options.screenshot is not None else read_settings()
    asked = {"language": options.language, "theme": options.theme}
    settings = replace(settings, **{name: value for name, value in asked.items() if value})
    translations(settings.language)
    if any(asked.values()):
        settings.keep()
    return settings


def _open_panel(
    options: argparse.Namespace, size: tuple[int, int], layers: "Layers", settings: "WindowSettings"
) -> int:
    from rmp3d.live import LiveSession
    from rmp3d.scenario.loading import load
    from rmp3d.scenario.saving import scenario_table
    from rmp3d.viewer.panel.opening import Opening
    from rmp3d.viewer.panel.window import open_panel

    opening = Opening(options.time, options.camera, options.select)
    scenario = load(options.target or FIRST_SCENE, options.overrides)
    say_cost_of_reading(options, scenario.scene)
    table = scenario_table(scenario)
    if options.screenshot is not None:
        from rmp3d.viewer.panel.picture import save_panel_picture

        picture = options.screenshot
        save_panel_picture(
            LiveSession(options.extensions),
            table,
            picture,
            opening=opening,
            size=size,
            layers=layers,
            settings=settings,
        )
        say(options, f"picture: {picture}")
        return 0
    open_panel(
        LiveSession(options.extensions),
        table,
        layers,
        opening,
        size=size,
        fullscreen=options.fullscreen,
        settings=settings,
    )
    return 0


def _playback_of_scene(scene: "Scene") -> "Playback":
    """Return a scene without members."""
    import numpy as np

    from rmp3d.viewer import Playback

    return Playback(
        scene=scene,
        characters=(),
        character_of=np.empty(0, np.intp),
        group_of=np.empty(0, np.intp),
        group_names=(),
        dt=1.0,
        position=np.empty((1, 0, 3)),
        orientation_wxyz=np.empty((1, 0, 4)),
        formation_of=np.empty((1, 0), np.intp),
        title=scene.name,
    )
