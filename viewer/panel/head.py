"""The head of the panel: how far the scenario is, the buttons of a run, progress and time."""

from collections.abc import Callable

from imgui_bundle import imgui

from rmp3d.viewer.panel.protocol import Working
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.widgets import Widgets
from rmp3d.viewer.playback.clock import SPEEDS
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.texts import tr

PHASES = {
    "draft": ("draft", "quiet"),
    "building": ("planning ...", "warning"),
    "built": ("planned", "good"),
    "running": ("running", "good"),
    "paused": ("paused", "quiet"),
    "over": ("run is over", "good"),
    "recording": ("recording", "quiet"),
}

# The list of speeds is so many rows wide, beside how far an export is.
SPEED_WIDE = 3.6
UNDO, REDO = "\N{ANTICLOCKWISE TOP SEMICIRCLE ARROW}", "\N{CLOCKWISE TOP SEMICIRCLE ARROW}"


def phase_words(phase: str, stands: bool) -> tuple[str, str]:
    """Return what a phase is called, and its color; ``stands``: whether its playback does."""
    return PHASES["paused" if phase == "running" and stands else phase]


BUTTONS = (("Run", "Play", "Pause"), ("Build",), ("Step",), ("Stop", "Cancel"), ("Re-plan",))
"""What the buttons of a run say, from left to right."""


class PanelHead:
    """Draws the head into the current imgui window."""

    def __init__(self, state: PanelState, widgets: Widgets) -> None:
        self.state, self.widgets = state, widgets

    def draw(self, controls: Controls | None) -> None:
        """Draw it, always as high; ``controls`` are None before there is a scene."""
        state = self.state
        stands = controls is not None and state.has_frames and not controls.clock.playing
        words, color = phase_words(state.phase, stands)
        files, size = state.files, imgui.get_frame_height()
        gap = imgui.get_style().item_spacing.x
        imgui.align_text_to_frame_padding()
        imgui.text(str(state.draft.get(["name"], "scenario")) + (" *" if files.unsaved else ""))
        imgui.same_line()
        imgui.text_colored(getattr(self.widgets.theme, color), tr(words))
        padding = imgui.get_style().window_padding.x
        imgui.same_line(imgui.get_window_width() - padding - 2.0 * size - gap)
        can_undo, can_redo = state.history.can_undo, state.history.can_redo
        if self.widgets.button(
            UNDO, enabled=can_undo, width=size, help_text="Undo the last change (Ctrl+Z)."
        ):
            state.undo()
        imgui.same_line()
        if self.widgets.button(
            REDO, enabled=can_redo, width=size, help_text="Redo what was undone (Ctrl+Y)."
        ):
            state.redo()
        self._transport(controls)
        working = state.working if state.working.what else files.exporting
        plays = controls is not None and state.has_frames and not state.working.what
        if working.what:
            beside = SPEED_WIDE * size if plays else 0.0
            self._progress(working, beside)
        if controls is not None and plays:
            self._speed(controls, beside=bool(working.what))
        elif not working.what:
            imgui.dummy(imgui.ImVec2(0.0, size))
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
        builds = state.phase == "building"
        leave = "Leave the run, and go back to the draft."
        stop = ("Stop", leave, state.stop, can_play)
        if builds:
            stop = ("Cancel", "Stop planning, and go back to the draft.", state.stop, True)
        buttons: list[tuple[str, str, Callable[[], None], bool]] = [
            (*(play if can_play else run), not builds),
            (
                "Build",
                "Build the roadmap and find the path; do not run yet.",
                state.build,
                not (can_play or builds),
            ),
            (
                "Step",
                "Go one frame on (\N{RIGHTWARDS ARROW}).",
                lambda: _press(controls, "right"),
                can_play,
            ),
            stop,
            (
                "Re-plan",
                "Plan again with another seed, and run from the start.",
                state.replan,
                not builds,
            ),
        ]
        widths = self.widgets.widths_in_a_row([self.widgets.widest(each) for each in BUTTONS])
        for column, (text, help_text, action, enabled) in enumerate(buttons):
            if column:
                imgui.same_line()
            wide = widths[column]  # whatever it says now, so that it stays where it is
            if self.widgets.button(text, enabled=enabled, width=wide, help_text=help_text):
                action()

    def _progress(self, working: Working, beside: float) -> None:
        """How far the work is; what does not belong to planning has a button that ends it.

        So much is left free beside it [px].
        """
        share = working.done / working.total if working.total else 0.0
        count = f" {working.done:,} / {working.total:,}" if working.total else " ..."
        height = imgui.get_frame_height()
        ends = self.state.phase != "building"  # planning is ended by Cancel
        gap = imgui.get_style().item_spacing.x
        room = (height + gap if ends else 0.0) + (beside + gap if beside else 0.0)
        what = f"{tr(working.what)} {working.about}".rstrip()
        wide = imgui.get_content_region_avail().x - room
        imgui.progress_bar(min(share, 1.0), imgui.ImVec2(wide, height), what + count)
        if ends:
            imgui.same_line()
            if self.widgets.button("x##work", width=height, help_text="End this work."):
                self.state.end_work()

    def _speed(self, controls: Controls, *, beside: bool) -> None:
        """How fast it is played, beside how far an export is; the timeline says where it is."""
        clock = controls.clock
        if beside:
            imgui.same_line()
        else:
            self.widgets.label("Speed", "How fast time goes on ([ and ] on the keyboard).")
        imgui.set_next_item_width(-1.0)
        names = [f"{speed:g} x" for speed in SPEEDS]
        chosen = self.widgets.choice("speed", f"{clock.speed:g} x", names)
        if chosen is not None:
            clock.change_speed(names.index(chosen) - SPEEDS.index(clock.speed))
            controls.changed = True


def _press(controls: Controls | None, key: str) -> None:
    if controls is not None:
        controls.key(key)
