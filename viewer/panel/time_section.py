"""The panel's section of the time: which events are shown, and what part is repeated."""

from collections import Counter

from imgui_bundle import imgui

from rmp3d.viewer.overlay.labels import clock_text
from rmp3d.viewer.panel.widgets import Widgets
from rmp3d.viewer.playback.events import QUIET
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.texts import tr


class TimeSection:
    """Draws the section into the current imgui window."""

    def __init__(self, widgets: Widgets) -> None:
        self._widgets = widgets

    def draw(self, controls: Controls | None) -> None:
        """Draw it; ``controls`` are None before there is a scene."""
        if controls is None:
            return
        clock, bar, widgets = controls.clock, controls.bar, self._widgets
        shown, loop = controls.timeline.shown, clock.loop
        rows = (
            ("Shown", "What the bar below the scene shows; the wheel over it zooms.", shown),
            ("Repeated", "Shift and drag on the bar below the scene to repeat a part.", loop),
        )
        for label, help_text, part in rows:
            widgets.label(label, help_text)
            text = f"{clock_text(part[0])} - {clock_text(part[1])}" if part else tr("none")
            imgui.text_colored(widgets.theme.quiet, text)
        gap = imgui.get_style().item_spacing.x
        width = (imgui.get_content_region_avail().x - 2.0 * gap) / 3.0
        if widgets.button("All of it", enabled=bar.span is not None, width=width):
            bar.span, controls.changed = None, True
        imgui.same_line()
        if widgets.button("Repeat", width=width, help_text="Repeat what the bar shows."):
            clock.loop, controls.changed = shown, True
        imgui.same_line()
        if widgets.button("No repeat", enabled=loop is not None, width=width):
            clock.loop, controls.changed = None, True
        self._kinds(controls)

    def _kinds(self, controls: Controls) -> None:
        """A box for each kind of event that there is."""
        counts = Counter(event.kind for event in controls.playback.events)
        if imgui.begin_table("kinds", 2):
            for kind in sorted(set(counts) - QUIET):
                imgui.table_next_column()
                text = f"{tr(kind.replace('_', ' '))} ({counts[kind]})"
                is_on = kind not in controls.bar.hidden
                help_text = "Whether events of this kind are on the bar, and gone to by n."
                if self._widgets.checkbox(f"events.{kind}", text, is_on, help_text):
                    controls.bar.switch(kind)
                    controls.changed = True
            imgui.end_table()
