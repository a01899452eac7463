"""Forms as widgets: one row per field, a label to the left and what is filled in to the right."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil
from textwrap import fill
from typing import Any, Protocol
from unicodedata import normalize

from imgui_bundle import imgui

from rmp3d.geometry.printable import printable
from rmp3d.viewer.panel.forms import NOTHING, FormField, fields_of, registries
from rmp3d.viewer.panel.named_fields import is_relevant, shortened
from rmp3d.viewer.panel.themes import DARK
from rmp3d.viewer.panel.values import hint_of, lines_of, number_of, number_text, value_of
from rmp3d.viewer.texts import named, tr

Edit = Callable[[Sequence[str | int], Any], None]
LABEL_SHARE = 0.42  # of the panel's width
COORDINATE_DECIMALS = 4  # of what is typed [m]; the widget itself has single precision
MOST_LINES = 6  # of a list
TIP_COLUMNS = 52  # letters a line
LARGE_LIST = imgui.ComboFlags_.height_largest.value
SELECT_ALL = imgui.InputTextFlags_.auto_select_all.value
NONE, POINT, ADD, CHOOSE = "none", "point", "add ...", "choose ..."
AUTOMATIC = "automatic"  # where nothing is chosen
WORDS = (
    NONE, POINT, ADD, CHOOSE, AUTOMATIC, "everywhere", "usual", "own mesh", "dark", "light",
    "everything", "from above", "the group or the selected", "behind a member", "through its eyes",
)  # fmt: skip
"""What is translated in lists as a text; anything else there is a name."""


class FieldDrawer(Protocol):
    """Draws fields of some kinds."""

    def draws(self, field: FormField) -> bool:
        """Return whether it draws a field."""
        ...

    def draw(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        """Draw a field to the right of its label, and below."""
        ...


class Widgets:
    """Draws rows; keeps only what is typed and not yet finished.

    Attributes:
        centers: Where widgets were drawn last, by what they are called: (x, y) in points from
            the upper left corner.
        structured: Draws fields whose values are lists, tables or names of the scenario.
        names: What there is to be named in the scenario, as of `named_fields.names_of`.
        has_popup: Whether a list is open.
        closing: Whether that is to be closed.
        right: The panel's right edge [points].
        theme: Colors of words.
        cut: Texts for which there was no room, so that their end is left out.
        cut_names: Likewise what was chosen in lists; a tip says it in full.

    Labels, buttons, boxes and headings are given in English and drawn in the user's language.
    """

    def __init__(self, refuse: Callable[[str], None]) -> None:
        """Take a function that is told why what was typed is not taken."""
        self._refuse = refuse
        self.has_popup = self.closing = False
        self.right = 0.0
        self.theme = DARK
        self.cut: set[str] = set()
        self.cut_names: set[str] = set()
        self.names: Mapping[str, Sequence[str]] = {}
        self.structured: FieldDrawer | None = None
        self.centers: dict[str, tuple[float, float]] = {}
        self._typing: dict[str, Any] = {}

    def form(
        self,
        kind: type,
        table: Mapping[str, Any],
        path: Sequence[str | int],
        edit: Edit,
        names: Sequence[str] = (),
    ) -> None:
        """Draw a form's rows, and of what a field names, that one's.

        Args:
            kind: Dataclass or structure that the table describes.
            table: What is filled in.
            path: Of the table in the scenario.
            edit: Called with the path and the new value of a field that was changed.
            names: Of the fields to draw; all if empty.
        """
        for field in fields_of(kind):
            if (names and field.name not in names) or not is_relevant(kind, field.name, table):
                continue
            value = table.get(field.name, None if field.default is NOTHING else field.default)
            self.row(field, value, [*path, field.name], edit)

    def row(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        """Draw one field, and below it the options of what it names."""
        self._label(tr(field.label), tip(field))
        key = ".".join(map(str, path))
        imgui.push_id(key)
        imgui.set_next_item_width(-1.0)
        if self.structured is not None and self.structured.draws(field):
            self.structured.draw(field, value, path, edit)
        elif field.kind == "registry":
            self._choice_with_options(field, value, path, edit)
        else:
            changed, new = self._widget(field, value, key)
            if imgui.is_item_hovered(imgui.HoveredFlags_.delay_normal.value):
                self.show_tip(tip(field))
            if changed:
                edit(path, new)
        imgui.pop_id()

    def _choice_with_options(
        self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit
    ) -> None:
        table = dict(value) if isinstance(value, Mapping) else {"name": value}
        name = str(table.get("name", ""))
        registry = registries()[field.name]

        def summary(name: str) -> str:
            return registry.summary(name) if name in registry else tr("Chosen by the program.")

        chosen = self.choice(".".join(map(str, path)), name, field.choices, summary)
        if chosen is not None:
            edit(path, chosen if isinstance(value, str) else {"name": chosen})
        elif name in registry:
            imgui.indent(0.5 * imgui.get_font_size())
            self.form(registry[name], table, path, edit)
            imgui.unindent(0.5 * imgui.get_font_size())

    def _widget(self, field: FormField, value: Any, key: str) -> tuple[bool, Any]:
        """Draw what is filled in; return whether it was changed, and the new value."""
        if field.kind == "bool":
            return imgui.checkbox("##", bool(value))
        if field.kind == "choice":
            others = (AUTOMATIC,) if field.optional else ()
            chosen = self.choice(key, str(value or AUTOMATIC), (*others, *field.choices))
            return chosen is not None, None if chosen == AUTOMATIC else chosen
        if field.kind == "vector" and isinstance(value, list | tuple):
            changed, new = self._finished(key, [float(x) for x in value], self._vector)
            return changed, [round(x, COORDINATE_DECIMALS) + 0.0 for x in new]
        if field.kind in ("int", "number") and (value is None or isinstance(value, int | float)):
            return self._number(field, value, key)
        several = isinstance(value, list | tuple | dict) and len(value) > 1
        one_line = partial(imgui.input_text_with_hint, "##", tr(hint_of(value)))
        text = "" if hint_of(value) else printable(lines_of(value), "\n")
        changed, text = self._finished(key, text, _several_lines if several else one_line)
        if field.kind == "text":
            return changed, text or (None if field.optional else "")
        return changed, value_of(text)

    def _number(self, field: FormField, value: float | None, key: str) -> tuple[bool, Any]:
        """Draw a number as text, so that nothing that is typed is changed without a word."""
        hint = tr(field.zero or hint_of(None))
        draw = partial(imgui.input_text_with_hint, "##", hint, flags=SELECT_ALL)
        shown = "" if field.zero and not value else number_text(value, field.unit)
        changed, text = self._finished(key, shown, draw)
        if not changed:
            return False, value
        try:
            new = number_of(field, text)
        except ValueError as error:
            self._refuse(str(error))
            return False, value
        return new != value, new

    def _finished(
        self, key: str, value: Any, draw: Callable[[Any], tuple[bool, Any]]
    ) -> tuple[bool, Any]:
        """Draw a widget that is typed into; it is changed when the typing is finished."""
        _, new = draw(self._typing.get(key, value))
        self.note(key)
        if imgui.is_item_active():
            self._typing[key] = new
            return False, value
        typed = self._typing.pop(key, value)
        if imgui.is_item_deactivated_after_edit():
            return new != value or typed != value, new
        return False, value

    def text(self, key: str, hint: str, value: str) -> tuple[bool, str]:
        """Draw a text field; return whether Enter was pressed in it, and the text so far.

        A file's name that cannot be printed is shown with escapes, and stays until it is edited.
        """
        flags, shown = imgui.InputTextFlags_.enter_returns_true.value, printable(value)
        entered, text = imgui.input_text_with_hint(f"##{key}", tr(hint), shown, flags)
        self.note(key)
        return entered, value if text == shown else text

    def label(self, text: str, help_text: str = "") -> None:
        """Draw a row's label; the next widget comes to its right."""
        self._label(tr(text), tr(help_text))

    def _label(self, text: str, help_text: str) -> None:
        """Draw a label that is in the user's language already."""
        imgui.align_text_to_frame_padding()
        left = imgui.get_cursor_pos_x()
        start = max(imgui.get_window_width() * LABEL_SHARE, left + imgui.get_font_size())
        imgui.text(self._fitted(text, start - left))
        if help_text and imgui.is_item_hovered(imgui.HoveredFlags_.delay_short.value):
            self.show_tip(wrapped(help_text))
        imgui.same_line()
        imgui.set_cursor_pos_x(start)

    def _fitted(self, text: str, room: float) -> str:
        """Return a text of the panel, shortened where there is no room for it, which is noted."""
        shown = self.fitted(text, room)
        if shown != text:
            self.cut.add(text)
        return shown

    @staticmethod
    def fitted(text: str, room: float) -> str:
        """Return a text, shortened where it is wider than there is room [points]."""
        return shortened(text, room, lambda part: float(imgui.calc_text_size(part).x))

    def choice(
        self,
        key: str,
        chosen: str,
        names: Sequence[str],
        summary: Callable[[str], str] | None = None,
        *,
        places: bool = False,
    ) -> str | None:
        """Draw a list to choose from; return another choice, if it was made.

        Regions of a scene stay as they are called (``places``), whatever else has such a name.
        """
        new, say = None, in_words if not places else _in_plain_words
        said = printable(say(chosen))
        room = imgui.calc_item_width() - imgui.get_frame_height()  # beside the arrow
        shown = self.fitted(said, room - 2.0 * imgui.get_style().frame_padding.x)
        opened = imgui.begin_combo(f"##{key}", shown, LARGE_LIST)
        self.note(key)
        if shown != said:
            self.cut_names.add(chosen)
            if not opened and imgui.is_item_hovered(imgui.HoveredFlags_.delay_short.value):
                self.show_tip(said)
        if opened:
            self.has_popup = True
            if self.closing:
                imgui.close_current_popup()
            for name in names if places else in_order(names):
                pressed, _ = imgui.selectable(f"{say(name)}##{name}", name == chosen)
                self.note(f"{key}/{name}")
                if pressed and name != chosen:
                    new = name
                key_told = "" if places else in_files(name)
                told = f"{tr(summary(name)) if summary else ''}\n{key_told}".strip()
                if told and imgui.is_item_hovered():
                    self.show_tip(wrapped(told))
            imgui.end_combo()
        return new

    @staticmethod
    def widest(texts: Sequence[str]) -> str:
        """Return the text of several that needs most room in the user's language."""
        return max(texts, key=lambda text: float(imgui.calc_text_size(tr(text)).x))

    @staticmethod
    def widths_in_a_row(texts: Sequence[str]) -> list[float]:
        """Return widths [points] of buttons beside one another: their texts, and equal margins."""
        wide = [float(imgui.calc_text_size(tr(text)).x) for text in texts]
        gaps = (len(texts) - 1) * imgui.get_style().item_spacing.x
        rest = imgui.get_content_region_avail().x - gaps - sum(wide)
        return [each + rest / len(texts) for each in wide]

    def button(
        self, text: str, *, enabled: bool = True, width: float = 0.0, help_text: str = ""
    ) -> bool:
        """Draw a button; return whether it was pressed."""
        help_text = tr(help_text)
        imgui.begin_disabled(not enabled)
        shown = tr(text.partition("##")[0])
        if width > 0.0:
            shown = self._fitted(shown, width - imgui.get_style().frame_padding.x)
        pressed = imgui.button(f"{shown}###{text}", imgui.ImVec2(width, 0.0))
        self.note(text)
        if help_text and imgui.is_item_hovered(imgui.HoveredFlags_.delay_short.value):
            self.show_tip(wrapped(help_text))
        imgui.end_disabled()
        return pressed

    def checkbox(
        self, key: str, text: str, value: bool, help_text: str, *, quiet: bool = False
    ) -> bool:
        """Draw a checkbox, its name faint if ``quiet``; return whether it was pressed."""
        if quiet:
            imgui.push_style_color(imgui.Col_.text.value, self.theme.quiet)
        pressed, _ = imgui.checkbox(f"{tr(text)}###{key}", value)
        self.note(key)
        if quiet:
            imgui.pop_style_color()
        if imgui.is_item_hovered(imgui.HoveredFlags_.delay_short.value):
            self.show_tip(wrapped(help_text))
        return pressed

    def small_button(self, text: str, key: str) -> bool:
        """Draw a button as high as its text; return whether it was pressed."""
        pressed = imgui.small_button(text)
        self.note(key)
        return bool(pressed)

    def slider(
        self, key: str, value: float, low: float, high: float, text: str
    ) -> tuple[bool, float]:
        """Draw a slider with its value as ``text`` formats it; return whether it moved, and to."""
        moved, new = imgui.slider_float(f"##{key}", value, low, high, text)
        self.note(key)
        return bool(moved), float(new)

    def show_tip(self, text: str) -> None:
        """Show a tooltip beside the panel, where it covers nothing of it."""
        y, height = imgui.get_mouse_pos().y, imgui.get_io().display_size.y
        pivot = imgui.ImVec2(0.0, 1.0 if y > 0.5 * height else 0.0)
        imgui.set_next_window_pos(imgui.ImVec2(self.right, y), pivot=pivot)
        # Else its first picture is as large as the tip before, and cuts it off.
        wide, margin = imgui.calc_text_size(text), imgui.get_style().window_padding
        size = imgui.ImVec2(ceil(wide.x + 2.0 * margin.x), ceil(wide.y + 2.0 * margin.y))
        imgui.set_next_window_size(size)
        imgui.set_tooltip(text)

    def branch(self, text: str, key: str) -> bool:
        """Draw a line that opens what is below it; if it is open, end with `imgui.tree_pop`."""
        opened = imgui.tree_node(f"{text}###{key}")
        self.note(key)
        return bool(opened)

    def section(self, title: str, *, is_open: bool) -> bool:
        """Draw a heading that shows and hides what is below it; return whether it shows it."""
        flags = imgui.TreeNodeFlags_.default_open.value if is_open else 0
        shows = imgui.collapsing_header(f"{tr(title)}###{title}", flags)
        self.note(title)
        return bool(shows)

    def note(self, name: str) -> None:
        """Remember where the widget drawn last is."""
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        self.centers[name] = (0.5 * (low.x + high.x), 0.5 * (low.y + high.y))

    @staticmethod
    def _vector(value: list[float]) -> tuple[bool, list[float]]:
        return imgui.input_float3("##", value, "%.2f")


def _several_lines(text: str) -> tuple[bool, str]:
    """Draw a text of several lines, as high as it needs, within limits."""
    lines = min(text.count("\n") + 1, MOST_LINES)
    height = lines * imgui.get_text_line_height() + 2.0 * imgui.get_style().frame_padding.y
    return imgui.input_text_multiline("##", text, imgui.ImVec2(-1.0, height))


def in_words(name: str) -> str:
    """Return an item of a list as it is shown: a name as it is, a word in the user's language."""
    return tr(name) if name in WORDS else named(name)


def _in_plain_words(name: str) -> str:
    return tr(name) if name in WORDS else name


def in_order(names: Sequence[str]) -> list[str]:
    """Return the items of a list in the order of what is seen, if their names are in order."""
    if list(names) != sorted(names):
        return list(names)
    return sorted(names, key=lambda name: normalize("NFD", in_words(name)))  # accents come last


def in_files(name: str) -> str:
    """Return what a name is in a scenario file, if it is shown as another; else nothing."""
    is_other = name not in WORDS and named(name) != name
    return tr("in a scenario file: {key}", key=name) if is_other else ""


def tip(field: FormField) -> str:
    """Return what is said of a field: its meaning, and its key in a scenario file."""
    key = tr("in a scenario file: {key}", key=field.name) if field.is_key else ""
    return wrapped(f"{tr(field.help)}\n{key}".strip())


def wrapped(text: str) -> str:
    """Return a text for a tooltip, its lines broken where they are too long."""
    return "\n".join(fill(line, TIP_COLUMNS) for line in text.split("\n"))
