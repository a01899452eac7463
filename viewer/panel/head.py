"""The head of the panel: how far the scenario is, the buttons of a run, progress and time."""

from collections.abc import Callable

from imgui_bundle import imgui

from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.widgets import GOOD, QUIET, WARNING, Widgets
from rmp3d.viewer.playback.clock import SPEEDS
from rmp3d.viewer.player.controls import Controls

PHASES = {
    "draft": ("draft", QUIET),
    "building": ("planning ...", WARNING),
    "built": ("planned", GOOD),
    "running": ("running", GOOD),
    "over": ("run is over", GOOD),
    "recording": ("recording", QUIET),
}


class PanelHead:
    """Draws the head into the current imgui window."""

    def __init__(self, state: PanelState, widgets: Widgets) -> None:
        self.state, self.widgets = state, widgets

    def draw(self, controls: Controls | None) -> None:
        """Draw it; ``controls`` are those of what is seen, None before there is a scene."""
        state = self.state
        words, color = PHASES[state.phase]
        imgui.text(str(state.draft.get(["name"], "scenario")))
        imgui.same_line()
        imgui.text_colored(color, words)
        if state.phase == "building":
            if self.widgets.button(
                "Cancel", width=-1.0, help_text="Stop planning, and go back to the draft."
            ):
                state.stop()
        else:
            self._transport(controls)
        working = state.working
        if working.what:
            share = working.done / working.total if working.total else 0.0
            count = f" {working.done:,} / {working.total:,}" if working.total else " ..."
            size = imgui.ImVec2(-1.0, 0.0)
            imgui.progress_bar(min(share, 1.0), size, working.what + count)
        elif controls is not None and self.state.has_frames:
            self._time(controls)
        imgui.separator()

    def _transport(self, controls: Controls | None) -> None:
        """The buttons of a run."""
        state, can_play = self.state, self.state.has_frames
        playing = controls is not None and controls.clock.playing
        play = (
            "Pause" if playing else "Play",
            "Play or pause (space bar).",
            lambda: _press(controls, "space"),
        )
        run = ("Run", "Plan where that is not done yet, then simulate.", state.run)
        buttons: list[tuple[str, str, Callable[[], None], bool]] = [
            (*(play if can_play else run), True),
            (
                "Build",
                "Build the roadmap and find the path; do not run yet.",
                state.build,
                not can_play,
            ),
            (
                "Step",
                "Go one frame on (\N{RIGHTWARDS ARROW}).",
                lambda: _press(controls, "right"),
                can_play,
            ),
            ("Stop", "Leave the run, and go back to the draft.", state.stop, can_play),
            (
                "Re-plan",
                "Plan again with another seed, and run from the start.",
                state.replan,
                True,
            ),
        ]
        gap = imgui.get_style().item_spacing.x
        width = (imgui.get_content_region_avail().x - (len(buttons) - 1) * gap) / len(buttons)
        for column, (text, help_text, action, enabled) in enumerate(buttons):
            if column:
                imgui.same_line()
            if self.widgets.button(text, enabled=enabled, width=width, help_text=help_text):
                action()

    def _time(self, controls: Controls) -> None:
        clock = controls.clock
        imgui.set_next_item_width(imgui.get_content_region_avail().x * 0.68)
        end = max(clock.playback.duration, 1e-3)
        moved, time = imgui.slider_float("##time", clock.time, 0.0, end, "%.2f s")
        if moved:
            clock.seek(time)
            controls.changed = True
        imgui.same_line()
        imgui.set_next_item_width(-1.0)
        names = [f"{speed:g} x" for speed in SPEEDS]
        chosen = self.widgets.choice("speed", f"{clock.speed:g} x", names)
        if chosen is not None:
            clock.change_speed(names.index(chosen) - SPEEDS.index(clock.speed))
            controls.changed = True


def _press(controls: Controls | None, key: str) -> None:
    if controls is not None:
        controls.key(key)
