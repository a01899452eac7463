"""How the panel looks: dark and light colors, for widgets and for words."""

from collections.abc import Mapping
from dataclasses import dataclass

from imgui_bundle import imgui

Color = tuple[float, float, float, float]
CLEAR = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Theme:
    """Colors of the panel, red, green, blue and opacity from 0 to 1.

    Attributes:
        widgets: By the names that Dear ImGui gives them.
        quiet: Of words that are not in the foreground.
        good: Of what has worked.
        bad: Of errors.
        warning: Of what should be looked at.
    """

    widgets: Mapping[str, Color]
    quiet: imgui.ImVec4
    good: imgui.ImVec4
    bad: imgui.ImVec4
    warning: imgui.ImVec4


DARK = Theme(
    {
        "window_bg": (0.105, 0.115, 0.130, 1.0),
        "popup_bg": (0.13, 0.14, 0.16, 1.0),
        "modal_window_dim_bg": (0.0, 0.0, 0.0, 0.5),
        "text": (0.92, 0.94, 0.96, 1.0),
        "text_disabled": (0.50, 0.53, 0.57, 1.0),
        "frame_bg": (0.19, 0.21, 0.24, 1.0),
        "frame_bg_hovered": (0.25, 0.28, 0.32, 1.0),
        "frame_bg_active": (0.28, 0.32, 0.38, 1.0),
        "button": (0.22, 0.36, 0.52, 1.0),
        "button_hovered": (0.27, 0.45, 0.65, 1.0),
        "button_active": (0.20, 0.52, 0.80, 1.0),
        "header": (0.165, 0.185, 0.215, 1.0),
        "header_hovered": (0.22, 0.26, 0.31, 1.0),
        "header_active": (0.25, 0.30, 0.37, 1.0),
        "separator": (0.25, 0.27, 0.30, 1.0),
        "slider_grab": (0.36, 0.60, 0.86, 1.0),
        "slider_grab_active": (0.45, 0.70, 0.96, 1.0),
        "scrollbar_bg": (0.07, 0.08, 0.09, 1.0),
        "scrollbar_grab": (0.31, 0.31, 0.31, 1.0),
        "check_mark": (0.47, 0.74, 1.0, 1.0),
        "plot_histogram": (0.24, 0.47, 0.70, 1.0),
        "child_bg": CLEAR,
        "border": CLEAR,
    },
    quiet=imgui.ImVec4(0.62, 0.66, 0.71, 1.0),
    good=imgui.ImVec4(0.45, 0.83, 0.58, 1.0),
    bad=imgui.ImVec4(1.0, 0.52, 0.44, 1.0),
    warning=imgui.ImVec4(1.0, 0.78, 0.35, 1.0),
)
LIGHT = Theme(
    {
        "window_bg": (0.955, 0.960, 0.965, 1.0),
        "popup_bg": (1.0, 1.0, 1.0, 1.0),
        "modal_window_dim_bg": (0.3, 0.3, 0.3, 0.4),
        "text": (0.09, 0.11, 0.13, 1.0),
        "text_disabled": (0.42, 0.45, 0.49, 1.0),
        "frame_bg": (1.0, 1.0, 1.0, 1.0),
        "frame_bg_hovered": (0.90, 0.93, 0.97, 1.0),
        "frame_bg_active": (0.84, 0.90, 0.97, 1.0),
        "button": (0.72, 0.82, 0.93, 1.0),
        "button_hovered": (0.62, 0.76, 0.92, 1.0),
        "button_active": (0.48, 0.68, 0.90, 1.0),
        "header": (0.86, 0.88, 0.91, 1.0),
        "header_hovered": (0.79, 0.84, 0.90, 1.0),
        "header_active": (0.72, 0.80, 0.89, 1.0),
        "separator": (0.77, 0.79, 0.82, 1.0),
        "slider_grab": (0.30, 0.54, 0.82, 1.0),
        "slider_grab_active": (0.20, 0.45, 0.75, 1.0),
        "scrollbar_bg": (0.89, 0.90, 0.92, 1.0),
        "scrollbar_grab": (0.68, 0.71, 0.75, 1.0),
        "check_mark": (0.10, 0.38, 0.70, 1.0),
        "plot_histogram": (0.60, 0.77, 0.93, 1.0),
        "child_bg": CLEAR,
        "border": (0.72, 0.75, 0.79, 1.0),
    },
    quiet=imgui.ImVec4(0.32, 0.36, 0.41, 1.0),
    good=imgui.ImVec4(0.04, 0.42, 0.18, 1.0),
    bad=imgui.ImVec4(0.72, 0.12, 0.06, 1.0),
    warning=imgui.ImVec4(0.52, 0.33, 0.0, 1.0),
)
THEMES: Mapping[str, Theme] = {"dark": DARK, "light": LIGHT}
