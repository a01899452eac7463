"""The panel on the screen: Dear ImGui's context, its look, and one picture of it."""

from typing import Any

from imgui_bundle import imgui

from rmp3d.viewer.gpu.widgets import WidgetRenderer
from rmp3d.viewer.overlay.text import load_font
from rmp3d.viewer.panel.browser_dialog import BrowserDialog
from rmp3d.viewer.panel.inputs import Inputs
from rmp3d.viewer.panel.question import draw_question
from rmp3d.viewer.panel.sections import Sections
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.themes import THEMES, Theme
from rmp3d.viewer.player.controls import Controls

WIDTH = 348.0  # of the panel [points] at scale 1
LETTERS = 14.0  # height of a font [points] at scale 1


class Gui:
    """Draws the panel over the left of a window; one object per window.

    Attributes:
        inputs: Takes the window's events.
    """

    def __init__(self, window: Any, state: PanelState) -> None:
        """Make a context of its own; the window's OpenGL context must be current."""
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)
        io = imgui.get_io()
        io.set_ini_filename("")
        io.set_log_filename("")
        path = getattr(load_font(16), "path", None)
        if path:
            io.fonts.add_font_from_file_ttf(str(path), LETTERS)
        self.inputs = Inputs(window)
        self._renderer = WidgetRenderer()
        self._sections = Sections(state)
        self._browser = BrowserDialog(state.files, self._sections.widgets)
        self._window, self._state = window, state
        self._look = (0.0, "")
        self.resize(1.0)

    @property
    def width(self) -> int:
        """Of the panel [pixels of the framebuffer]."""
        points = WIDTH * self._look[0]
        pixels, size = self._window.get_framebuffer_size()[0], self._window.get_size()[0]
        return int(min(points * pixels / max(size, 1), 0.6 * pixels))

    @property
    def has_popup(self) -> bool:
        """Whether a list is open over the panel."""
        return self._sections.widgets.has_popup

    def close_popup(self) -> None:
        """Close the list that is open."""
        self._sections.widgets.closing = True

    @property
    def cut(self) -> set[str]:
        """Texts for which there was no room; see `Widgets.cut`."""
        return self._sections.widgets.cut

    @property
    def cut_names(self) -> set[str]:
        """What was chosen in lists and had no room; see `Widgets.cut_names`."""
        return self._sections.widgets.cut_names

    @property
    def centers(self) -> dict[str, tuple[float, float]]:
        """Where widgets are, by name; see `Widgets.centers`."""
        return self._sections.widgets.centers

    def resize(self, scale: float) -> None:
        """Take the window's size, and how large letters and widgets are."""
        imgui.set_current_context(self._context)
        self.inputs.resize()
        look = (scale, self._state.settings.theme)
        if look != self._look:
            self._look = look
            _style(scale)
            _paint(THEMES[look[1]])
            self._sections.widgets.theme = THEMES[look[1]]

    def draw(self, seconds: float, controls: Controls | None) -> None:
        """Draw the panel into the window's framebuffer, after ``seconds`` [s]."""
        self.resize(self._look[0])  # another theme may have been chosen
        io = imgui.get_io()
        io.delta_time = max(seconds, 1e-4)
        imgui.new_frame()
        self.inputs.begun()
        ratio = io.display_size.x / max(self._window.get_framebuffer_size()[0], 1)
        imgui.set_next_window_pos(imgui.ImVec2(0.0, 0.0))
        imgui.set_next_window_size(imgui.ImVec2(self.width * ratio, io.display_size.y))
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move
        imgui.begin("panel", None, flags | imgui.WindowFlags_.no_bring_to_front_on_focus)
        self._sections.widgets.right = self.width * ratio
        self._sections.draw(controls)
        imgui.end()
        if self._state.files.question is None:  # else each would close the other
            self._browser.draw()
        draw_question(self._state.files, self._sections.widgets)
        imgui.render()
        self._renderer.draw(imgui.get_draw_data())

    def close(self) -> None:
        """Free textures and context."""
        imgui.set_current_context(self._context)
        self._renderer.delete()
        imgui.destroy_context(self._context)


def _style(scale: float) -> None:
    style = imgui.get_style()
    style.font_scale_main = scale
    sizes = {
        "window_padding": (10, 10),
        "frame_padding": (7, 3),
        "item_spacing": (7, 5),
        "item_inner_spacing": (5, 4),
    }
    for name, (x, y) in sizes.items():
        setattr(style, name, imgui.ImVec2(x * scale, y * scale))
    for name, size in {
        "indent_spacing": 12,
        "scrollbar_size": 11,
        "grab_min_size": 10,
        "frame_rounding": 3,
        "grab_rounding": 3,
        "popup_rounding": 3,
        "scrollbar_rounding": 3,
    }.items():
        setattr(style, name, float(size * scale))
    style.window_rounding = style.window_border_size = style.child_border_size = 0.0
    style.frame_border_size = 1.0


def _paint(theme: Theme) -> None:
    style = imgui.get_style()
    for name, color in theme.widgets.items():
        style.set_color_(getattr(imgui.Col_, name).value, imgui.ImVec4(*color))
