"""The dialog in which a file is looked for, over panel and scene; mouse and keyboard."""

from pathlib import Path

from imgui_bundle import imgui

from rmp3d.geometry.printable import printable
from rmp3d.viewer.panel.browsing import KINDS, Browser
from rmp3d.viewer.panel.files import Files
from rmp3d.viewer.panel.widgets import Widgets
from rmp3d.viewer.texts import tr

NAME = "browser"
WIDTH, HEIGHT = 36.0, 30.0  # in heights of the font
LIST = "browser.list"


class BrowserDialog:
    """Draws the dialog; keeps only which row it has scrolled to."""

    def __init__(self, files: Files, widgets: Widgets) -> None:
        self._files, self._widgets = files, widgets
        self._seen: tuple[object, ...] = ()  # the folder, and the row that is marked

    def draw(self) -> None:
        """Draw it if a file is looked for."""
        browser = self._files.browser
        if browser is not None and not imgui.is_popup_open(NAME):
            imgui.open_popup(NAME)
        display, font = imgui.get_io().display_size, imgui.get_font_size()
        imgui.set_next_window_pos(
            imgui.ImVec2(0.5 * display.x, 0.5 * display.y), pivot=imgui.ImVec2(0.5, 0.5)
        )
        size = imgui.ImVec2(min(WIDTH * font, display.x), min(HEIGHT * font, display.y))
        imgui.set_next_window_size(size)
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_move
        if not imgui.begin_popup_modal(NAME, None, flags)[0]:
            return
        if browser is None:
            imgui.close_current_popup()
        else:
            self._head(browser)
            self._list(browser)
            self._foot(browser)
        imgui.end_popup()

    def _head(self, browser: Browser) -> None:
        """Which folder is shown, the way up and to others, and the kind of files."""
        widgets, gap = self._widgets, imgui.get_style().item_spacing.x
        imgui.text(tr("Save as" if browser.saving else "Open a file"))
        height = imgui.get_frame_height()
        up = "Go to the folder above (Backspace)."
        if widgets.button("^##browser", width=height, help_text=up):
            browser.up()
        imgui.same_line()
        wide = imgui.get_content_region_avail().x
        imgui.set_next_item_width(0.60 * wide)
        places = {printable(str(path)): path for path in _places(browser, self._files.recent)}
        chosen = widgets.choice("browser.places", printable(str(browser.folder)), list(places))
        if chosen is not None:
            browser.go(places[chosen])
        imgui.same_line()
        imgui.set_next_item_width(0.40 * wide - gap)
        kinds = {tr(kind): kind for kind in KINDS}
        kind = widgets.choice("browser.kind", tr(browser.kind), list(kinds))
        if kind is not None:
            browser.show(kinds[kind])

    def _list(self, browser: Browser) -> None:
        lines = 2.0 if browser.problem else 1.0
        foot = (lines + 0.4) * imgui.get_frame_height_with_spacing()
        imgui.begin_child(LIST, imgui.ImVec2(0.0, -foot), imgui.ChildFlags_.borders.value)
        seen = (browser.folder, browser.kind, browser.marked)
        if seen != self._seen:  # another folder, or keys have moved the mark: it is to be seen
            self._seen = seen
            top = browser.marked * imgui.get_text_line_height_with_spacing()
            room = imgui.get_window_height() - 3.0 * imgui.get_text_line_height_with_spacing()
            if not imgui.get_scroll_y() <= top <= imgui.get_scroll_y() + room:
                imgui.set_scroll_y(max(top - 0.5 * room, 0.0))
        if not browser.entries and not browser.problem:
            quiet = self._widgets.theme.quiet
            imgui.text_colored(quiet, tr("no file of this kind is here"))
        clipper = imgui.ListClipper()
        clipper.begin(len(browser.entries))
        entries = browser.entries
        while clipper.step():
            for row in range(clipper.display_start, clipper.display_end):
                if browser.entries is entries:  # not after a folder was gone into
                    self._entry(browser, row)
        imgui.end_child()

    def _entry(self, browser: Browser, row: int) -> None:
        entry = browser.entries[row]
        size = "" if entry.is_folder else _size_text(entry.size)
        column = imgui.get_content_region_avail().x - imgui.calc_text_size(size).x
        shown = self._widgets.fitted(entry.text, column - imgui.get_font_size())
        flags = imgui.SelectableFlags_.allow_double_click.value
        pressed, _ = imgui.selectable(f"{shown}##{row}", row == browser.marked, flags)
        self._widgets.note(f"browser/{entry.name}")
        if shown != entry.text and imgui.is_item_hovered():
            imgui.set_tooltip(entry.text)
        if size:
            imgui.same_line(column)
            imgui.text_colored(self._widgets.theme.quiet, size)
        if pressed:
            browser.mark(row)
            self._seen = (browser.folder, browser.kind, row)
            if imgui.is_mouse_double_clicked(0):
                self._files.browsed(browser.enter())

    def _foot(self, browser: Browser) -> None:
        """The name of the file, and the buttons."""
        widgets, files = self._widgets, self._files
        if browser.problem:
            imgui.text_colored(widgets.theme.warning, browser.problem)
        gap, wide = imgui.get_style().item_spacing.x, imgui.get_content_region_avail().x
        imgui.set_next_item_width(0.56 * wide)
        entered, browser.name = widgets.text("browser.name", "name of the file", browser.name)
        width = 0.22 * wide - gap
        imgui.same_line()
        verb = "Save##browser" if browser.saving else "Open##browser"
        can = bool(browser.path) or browser.marked >= 0
        if widgets.button(verb, enabled=can, width=width) or entered:
            files.browsed(browser.take())
        imgui.same_line()
        if widgets.button("Cancel##browser", width=width):
            files.browser = None


def _places(browser: Browser, recent: list[str]) -> list[Path]:
    """Return the folders above the one that is shown, home, and those of recent files."""
    folders = [*browser.folder.parents, Path.home(), Path.cwd(), *(Path(p).parent for p in recent)]
    return list(dict.fromkeys([browser.folder, *folders]))


def _size_text(size: int) -> str:
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000  # type: ignore[assignment]
    return f"{size:.1f} GB"
