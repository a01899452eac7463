"""The panel's sections of files, and of what the window remembers."""

from imgui_bundle import imgui

from rmp3d.geometry.printable import printable
from rmp3d.scenes import builtin_scenarios
from rmp3d.viewer.export.exporter import EXPORTERS
from rmp3d.viewer.panel.files import RECORDING_SUFFIX
from rmp3d.viewer.panel.forms import FormField
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.themes import THEMES
from rmp3d.viewer.panel.widgets import CHOOSE, Widgets
from rmp3d.viewer.player.scale import STEPS
from rmp3d.viewer.texts import LANGUAGES, speak

NAME = FormField("name", "text", "", help="Name of the scenario, for messages and recordings.")


class FileSections:
    """Draws the sections into the current imgui window."""

    def __init__(self, state: PanelState, widgets: Widgets) -> None:
        self.state, self.widgets = state, widgets

    def draw(self) -> None:
        """Draw what is opened, saved and exported."""
        state, files = self.state, self.state.files
        self.widgets.label("Built-in", "A built-in scenario to begin with.")
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice("builtin", CHOOSE, list(builtin_scenarios()))
        if chosen is not None:
            files.open(chosen)
        self._recent()
        self.widgets.row(NAME, state.draft.get(["name"], ""), ["name"], state.edit)
        self.widgets.label(
            "File", "A scenario (.toml), a recording (.rmp3d), or a mesh that members move in."
        )
        imgui.set_next_item_width(-1.0)
        entered, files.path = self.widgets.text("path", ".toml, .rmp3d or a mesh", files.path)
        what = "Save the scenario (.toml), or what was simulated so far (.rmp3d, .mp4, .glb ...)."
        if self._half("Open", "Open the file of this name.") or entered:
            self._named(saving=False)
        imgui.same_line()
        if self._half("Save", what, is_second=True):
            self._named(saving=True)
        if self._half("Browse ...", "Look for a file to open (Ctrl+O)."):
            files.browse(saving=False)
        imgui.same_line()
        where = "Look for a folder to save in (Ctrl+Shift+S)."
        if self._half("Save as ...", where, is_second=True):
            files.browse(saving=True)
        self._export()

    def _half(self, text: str, help_text: str, *, is_second: bool = False) -> bool:
        """Draw a button, two of which are beside each other."""
        room = float(imgui.get_content_region_avail().x)
        half = 0.5 * (room - imgui.get_style().item_spacing.x)
        return self.widgets.button(text, width=room if is_second else half, help_text=help_text)

    def _named(self, *, saving: bool) -> None:
        files = self.state.files
        if files.path.strip():
            (files.save if saving else files.open)(files.path)

    def _recent(self) -> None:
        """Files of this and earlier sessions; the end of a long path is what tells them apart."""
        self.widgets.label("Recent", "Files that were opened or saved lately.")
        imgui.set_next_item_width(-1.0)
        paths = {printable(each): each for each in self.state.files.recent}
        imgui.begin_disabled(not paths)  # the row stays: those below would jump
        chosen = self.widgets.choice("recent", CHOOSE, list(paths), str)
        imgui.end_disabled()
        if chosen is not None:
            self.state.files.open(paths[chosen])

    def _export(self) -> None:
        """Videos, pictures, models and tables of what is seen."""
        files = self.state.files
        help_text = (
            "Write what is seen; a video has the group's or the member's camera if that is on."
        )
        self.widgets.label("Export", help_text)
        imgui.set_next_item_width(-1.0)
        kinds = [RECORDING_SUFFIX, *EXPORTERS]
        imgui.begin_disabled(not self.state.has_frames)
        chosen = self.widgets.choice("export", CHOOSE, kinds, _summary)
        imgui.end_disabled()
        if chosen is not None:
            files.export(chosen)

    def draw_window(self) -> None:
        """Draw the choice of language, theme and size of letters, which are kept."""
        settings = self.state.settings
        self.widgets.label("Language", "Of the panel and of what is written over the scene.")
        imgui.set_next_item_width(-1.0)
        codes = {name: code for code, name in LANGUAGES.items()}
        chosen = self.widgets.choice("language", LANGUAGES[settings.language], list(codes))
        if chosen is not None:
            settings.language = codes[chosen]
            speak(settings.language)
            settings.keep()
        self.widgets.label("Theme", "Colors of the panel.")
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice("theme", settings.theme, list(THEMES))
        if chosen is not None:
            settings.theme = chosen
            settings.keep()
        self.widgets.label("Letters", "How large letters and widgets are (Ctrl+plus, Ctrl+minus).")
        imgui.set_next_item_width(-1.0)
        sizes = {f"{100.0 * step:.0f} %": step for step in STEPS}
        size = next(name for name, step in sizes.items() if step == settings.letters)
        chosen = self.widgets.choice("letters", size, list(sizes))
        if chosen is not None:
            settings.letters = sizes[chosen]
            settings.keep()


def _summary(suffix: str) -> str:
    """Return what is written to a file of a kind."""
    if suffix == RECORDING_SUFFIX:
        return "The run itself, as a recording: it opens again here, and `rmp3d verify` checks it."
    return EXPORTERS.summary(suffix)
