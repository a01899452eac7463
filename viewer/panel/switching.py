"""Parts of the scene that the user lets appear and go while a run goes on."""

from typing import NamedTuple

from imgui_bundle import imgui

from rmp3d.scenes.presence import PartPresence
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.widgets import Widgets
from rmp3d.viewer.texts import tr

TIME_DIGITS = 3  # of the time of a change [s]
HELP = "A part that appears waits until nobody stands there. Ctrl+Z takes it back."


class SwitchedPart(NamedTuple):
    """A part that may appear and go: whether it is there, and whether it is to be."""

    name: str
    is_there: bool
    wanted: bool


def switched_parts(state: PanelState) -> list[SwitchedPart]:
    """Return the parts of the run that may appear and go, as they are at its last moment."""
    playback, found = state.playback, []
    if playback is None or not state.is_live:
        return []
    clocks = playback.clocks(playback.duration)
    for row, clock in zip(playback.scene.moving.tolist(), clocks.tolist(), strict=True):
        part = playback.scene.parts[row]
        motion = part.motion
        if not isinstance(motion, PartPresence):
            continue
        for change in state.draft.get(["changes"], []):
            if change.get("part") == part.name and change["time"] <= playback.duration:
                motion = motion.asked(bool(change.get("there", True)), change["time"])
        is_there = (round(clock) % 2 == 0) == motion.there
        wanted = (motion.due(playback.duration) % 2 == 0) == motion.there
        found.append(SwitchedPart(part.name, is_there, wanted))
    return found


def switch_part(state: PanelState, part: SwitchedPart) -> None:
    """Let a part go that is to be there, or appear; a change of the draft, so it can be undone."""
    if state.phase != "running":
        return
    time = round(state.simulated, TIME_DIGITS)
    change = {"time": time, "part": part.name, "there": not part.wanted}
    changes = [*state.draft.get(["changes"], []), change]
    state.edit(["changes"], sorted(changes, key=lambda each: each["time"]))


def draw_switches(state: PanelState, widgets: Widgets) -> None:
    """Draw a box for each part that may appear and go, if there is a run."""
    parts = switched_parts(state)
    if not parts or not widgets.branch(tr("Parts that appear and go"), "switches"):
        return
    imgui.begin_disabled(state.phase != "running")
    for part in parts:
        waits = part.is_there != part.wanted
        text = tr("{name} (waits)", name=part.name) if waits else part.name
        if widgets.checkbox(f"switch.{part.name}", text, part.wanted, tr(HELP)):
            switch_part(state, part)
    imgui.end_disabled()
    imgui.tree_pop()
