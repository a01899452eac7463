"""The question that is asked before work is lost, over panel and scene."""

from imgui_bundle import imgui

from rmp3d.geometry.printable import printable
from rmp3d.viewer.panel.files import Files
from rmp3d.viewer.panel.widgets import Widgets

NAME = "question"
WIDTH = 34.0  # in heights of the font


def draw_question(files: Files, widgets: Widgets) -> None:
    """Draw the question in the middle of the window, if there is one; take the answer."""
    question = files.question
    if question is not None and not imgui.is_popup_open(NAME):
        imgui.open_popup(NAME)
    display, font = imgui.get_io().display_size, imgui.get_font_size()
    middle = imgui.ImVec2(0.5 * display.x, 0.4 * display.y)
    imgui.set_next_window_pos(middle, pivot=imgui.ImVec2(0.5, 0.5))
    imgui.set_next_window_size(imgui.ImVec2(min(WIDTH * font, display.x), 0.0))
    flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move
    if not imgui.begin_popup_modal(NAME, None, flags)[0]:
        return
    if question is None:
        imgui.close_current_popup()
    else:
        imgui.text_wrapped(printable(question.text, "\n"))
        imgui.spacing()
        gap, count = imgui.get_style().item_spacing.x, len(question.answers)
        width = (imgui.get_content_region_avail().x - (count - 1) * gap) / count
        for row, (text, _) in enumerate(question.answers):
            if row:
                imgui.same_line()
            if widgets.button(text, width=width):
                imgui.close_current_popup()
                files.answer(row)
    imgui.end_popup()
