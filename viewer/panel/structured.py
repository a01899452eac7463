"""Widgets for what is made of parts: lists and tables of things, steering behaviors, places."""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from imgui_bundle import imgui

from rmp3d.viewer.panel.forms import CHOICES, NOTHING, FormField, fields_of
from rmp3d.viewer.panel.named_fields import NEW, go_to_of, shortened, stops_of, title_of
from rmp3d.viewer.panel.widgets import ADD, NONE, POINT, Edit, Widgets, wrapped
from rmp3d.viewer.texts import tr

WEIGHTED = ("steering behaviors",)
WEIGHT = FormField("weight", "number", 1.0, low=0.0, help="Factor on what it asks for.")


class StructuredWidgets:
    """Draws the fields whose values are lists, tables or names of the scenario.

    Whatever is changed inside, the whole value is given on, so that it is valid as a whole.
    """

    def __init__(self, widgets: Widgets) -> None:
        self._widgets = widgets
        self._draw: dict[str, Callable[..., None]] = {
            "named": self._named,
            "place": self._place,
            "places": self._places,
            "several": self._several,
            "choices": self._choices,
            "list": self._list,
            "tables": self._tables,
        }
        self._new_names: dict[str, str] = {}

    def draws(self, field: FormField) -> bool:
        """Return whether it draws a field."""
        return field.kind in self._draw

    def draw(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        """Draw a field to the right of its label, and below."""
        self._draw[field.kind](field, value, path, edit)

    def _named(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        may_be_none = field.default is None or field.default == ""
        names = [*([NONE] if may_be_none else []), *self._widgets.names.get(field.source, ())]
        shown = NONE if value is None or value == "" else str(value)
        places = field.source in ("region", "area", "post")
        chosen = self._widgets.choice(key_of(path), shown, names, places=places)
        if chosen is not None:
            number = int(chosen) if field.source == "member" and chosen.isdecimal() else chosen
            edit(path, field.default if chosen == NONE else number)

    def _place(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        new = self._place_choice(key_of(path), value, [NONE])
        if new is not NOTHING:
            edit(path, new)
        self._point(value, path, edit)

    def _place_choice(self, key: str, value: Any, before: Sequence[str]) -> Any:
        """Draw the choice of a region, group or point; return the new value, `NOTHING` for none."""
        shown = value if isinstance(value, str) else NONE if value is None else POINT
        names = [*before, *self._widgets.names.get("place", ()), POINT]
        chosen = self._widgets.choice(key, str(shown), names, places=True)
        if chosen is None:
            return NOTHING
        return None if chosen in before else [0.0, 0.0, 0.0] if chosen == POINT else chosen

    def _point(self, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        if value is not None and not isinstance(value, str):
            point = FormField(
                "point", "vector", unit="m", help="The place: x, y, z [m].", is_key=False
            )
            self._widgets.row(point, value, path, edit)

    def _places(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        stops = stops_of(value)
        for row, stop in enumerate(stops):
            here = [*path, row]
            if row:
                self._widgets.label("then", "The next place.")
            self._narrow(1)
            new = self._place_choice(key_of(here), stop, [])
            if new is not NOTHING:
                edit(path, go_to_of([*stops[:row], new, *stops[row + 1 :]]))
            if self._small("-", here, "Go there no more."):
                edit(path, go_to_of(stops[:row] + stops[row + 1 :]))

            def put(_: Sequence[str | int], new: Any, row: int = row) -> None:
                edit(path, go_to_of([*stops[:row], new, *stops[row + 1 :]]))

            self._point(stop, here, put)
        if stops:
            self._widgets.label("then")
        imgui.set_next_item_width(-1.0)
        names = [*self._widgets.names.get("place", ()), POINT]
        chosen = self._widgets.choice(f"{key_of(path)}.add", ADD, names, places=True)
        if chosen is not None:
            edit(path, go_to_of([*stops, [0.0, 0.0, 0.0] if chosen == POINT else chosen]))

    def _several(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        """Names one below the other."""
        items, known = list(value or ()), self._widgets.names.get(field.source, ())
        for row, item in enumerate(items):
            here = [*path, row]
            if row:
                self._widgets.label("then", "The next one.")
            self._narrow(1)
            chosen = self._widgets.choice(key_of(here), str(item), known)
            if chosen is not None:
                edit(path, [*items[:row], chosen, *items[row + 1 :]])
            if self._small("-", here, "Take it out."):
                edit(path, items[:row] + items[row + 1 :])
        self._add(path, items, known, None, edit)

    def _choices(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        """Entries of a registry in their order, each with its options."""
        registry, items = CHOICES[field.source], list(value or ())
        for row, item in enumerate(items):
            here = [*path, row]
            table = dict(item) if isinstance(item, Mapping) else {"name": item}
            if row:
                self._widgets.label("and", "The next in order of priority.")
            self._narrow(2)
            name = str(table.get("name", ""))
            chosen = self._widgets.choice(key_of(here), name, list(registry), registry.summary)
            if chosen is not None:
                edit(path, [*items[:row], chosen, *items[row + 1 :]])
            if self._small("^", here, "Move it up: it comes first.", enabled=row > 0):
                swapped = [items[row], items[row - 1]]
                edit(path, [*items[: row - 1], *swapped, *items[row + 1 :]])
            if self._small("-", here, "Take it out."):
                edit(path, items[:row] + items[row + 1 :])
            if self._has_options(field, name) and self._opens(tr("options"), here):
                self._options(field, name, table, here, _within(items, row, path, edit))
                imgui.tree_pop()
        self._add(path, items, list(registry), registry.summary, edit)

    def _add(
        self,
        path: Sequence[str | int],
        items: list[Any],
        names: Sequence[str],
        summary: Callable[[str], str] | None,
        edit: Edit,
    ) -> None:
        """Draw the list from which one more is chosen."""
        if items:
            self._widgets.label("and")
        imgui.set_next_item_width(-1.0)
        chosen = self._widgets.choice(f"{key_of(path)}.add", ADD, names, summary)
        if chosen is not None:
            edit(path, [*items, chosen])

    @staticmethod
    def _has_options(field: FormField, name: str) -> bool:
        registry = CHOICES[field.source]
        return name in registry and (field.source in WEIGHTED or bool(fields_of(registry[name])))

    def _options(
        self, field: FormField, name: str, table: Mapping[str, Any], here: Sequence[str | int],
        edit: Edit,
    ) -> None:  # fmt: skip
        """Draw the options of a choice."""
        if field.source in WEIGHTED:
            self._widgets.row(WEIGHT, table.get("weight", 1.0), [*here, "weight"], edit)
        self._widgets.form(CHOICES[field.source][name], table, here, edit)

    def _list(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        """Items one below the other, each opened by a click."""
        assert field.items is not None
        items = list(value or ())
        if self._small("+", path, "Add one.", same_line=False):
            edit(path, [*items, self._new(field.items)])
        for row, item in enumerate(items):
            here = [*path, row]
            removed = self._small("-", here, "Take it out.", same_line=False)
            imgui.same_line()
            if self._opens(title_of(item, row), here):
                table = item if isinstance(item, Mapping) else {}
                self._widgets.form(field.items, table, here, _within(items, row, path, edit))
                imgui.tree_pop()
            if removed:
                edit(path, items[:row] + items[row + 1 :])

    def _tables(self, field: FormField, value: Any, path: Sequence[str | int], edit: Edit) -> None:
        """Items by their names; a new one is added by typing its name."""
        assert field.items is not None
        items = dict(value or {})
        key = f"{key_of(path)}.add"
        self._narrow(1)
        entered, typed = self._widgets.text(key, "a new name", self._new_names.get(key, ""))
        self._new_names[key] = typed
        name = typed.strip().replace(" ", "_")
        added = self._small("+", path, "Add one of this name.", enabled=bool(name))
        if (added or entered) and name and name not in items:
            self._new_names[key] = ""
            edit(path, {**items, name: self._new(field.items)})
        for name, item in items.items():
            here = [*path, name]
            removed = self._small("-", here, "Take it out.", same_line=False)
            imgui.same_line()
            if self._opens(name, here):
                self._widgets.form(field.items, item, here, _within(items, name, path, edit))
                imgui.tree_pop()
            if removed:
                edit(path, {key: each for key, each in items.items() if key != name})

    def _new(self, kind: type) -> dict[str, Any]:
        """Return a new item, with a first choice where something must be named."""
        made = dict(NEW.get(kind, {}))
        for field in fields_of(kind):
            if field.default is not NOTHING or field.name in made:
                continue
            names = self._widgets.names.get(field.source, ()) if field.kind == "named" else ()
            made[field.name] = names[0] if names else field.name
        return made

    def _narrow(self, buttons: int) -> None:
        """Leave place for small buttons to the right of the next widget."""
        size = imgui.get_frame_height() + imgui.get_style().item_spacing.x
        imgui.set_next_item_width(-buttons * size)

    def _small(
        self,
        text: str,
        path: Sequence[str | int],
        help_text: str,
        *,
        enabled: bool = True,
        same_line: bool = True,
    ) -> bool:
        if same_line:
            imgui.same_line()
        return self._widgets.button(
            f"{text}##{key_of(path)}", enabled=enabled, width=imgui.get_frame_height(),
            help_text=help_text,
        )  # fmt: skip

    def _opens(self, text: str, path: Sequence[str | int]) -> bool:
        room = imgui.get_content_region_avail().x - imgui.get_tree_node_to_label_spacing()
        shown = shortened(text, room, lambda part: imgui.calc_text_size(part).x)
        opens = self._widgets.branch(shown, f"{key_of(path)}...")
        if shown != text and imgui.is_item_hovered(imgui.HoveredFlags_.delay_short.value):
            self._widgets.show_tip(wrapped(text))
        return opens


def key_of(path: Sequence[str | int]) -> str:
    """Return what a widget of a path is called."""
    return ".".join(map(str, path))


def _within(items: Any, at: str | int, path: Sequence[str | int], edit: Edit) -> Edit:
    """Return an `Edit` for what is inside one item, that gives the whole of the items on."""
    depth = len(path) + 1

    def put(inside: Sequence[str | int], value: Any) -> None:
        changed = copy.deepcopy(items)
        item = changed[at]
        table = dict(item) if isinstance(item, Mapping) else {"name": item}
        place: Any = table
        for key in inside[depth:-1]:
            if not isinstance(place.get(key), dict | list):
                place[key] = {} if place.get(key) is None else {"name": place[key]}
            place = place[key]
        if value is None:
            place.pop(inside[-1], None)
        else:
            place[inside[-1]] = value
        changed[at] = table
        edit(path, changed)

    return put
