"""What is on the panel, from top to bottom: the steps of the work, and what was last said."""

from textwrap import fill
from typing import Any

from imgui_bundle import imgui

from rmp3d.geometry.printable import printable
from rmp3d.scenes import SceneDescription, builtin_scenes
from rmp3d.scenes.builtin import builtin_summary as scene_summary
from rmp3d.viewer.drawings import missing_of
from rmp3d.viewer.layers import LayerRow, layer_rows
from rmp3d.viewer.panel.file_sections import FileSections
from rmp3d.viewer.panel.forms import FormField, fields_of
from rmp3d.viewer.panel.group_sections import GroupSections
from rmp3d.viewer.panel.head import PanelHead
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.structured import StructuredWidgets
from rmp3d.viewer.panel.switching import draw_switches
from rmp3d.viewer.panel.themes import Theme
from rmp3d.viewer.panel.time_section import TimeSection
from rmp3d.viewer.panel.view_section import ViewSection
from rmp3d.viewer.panel.widgets import TIP_COLUMNS, Widgets
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.texts import tr

ROADMAP = ("sampler", "local_planner", "nodes", "connected_nodes", "seconds", "neighbors")
OF_MESHES = ("up", "scale", "center", "max_slope", "ground")
WHERE = {
    "start": "click on the ground, where the start will be",
    "goal": "click on the ground, where the goal will be",
}
DEFAULT_OPEN = imgui.TreeNodeFlags_.default_open.value


class Sections:
    """Draws the panel into the current imgui window."""

    def __init__(self, state: PanelState) -> None:
        self.state = state
        self.widgets = Widgets(state.refuse)
        self.widgets.structured = StructuredWidgets(self.widgets)
        self._head = PanelHead(state, self.widgets)
        self._groups = GroupSections(state, self.widgets)
        self._files = FileSections(state, self.widgets)
        self._time = TimeSection(self.widgets)
        self._view = ViewSection(state, self.widgets)

    def draw(self, controls: Controls | None) -> None:
        """Draw everything; ``controls`` are those of what is seen, None before there is a scene."""
        self.widgets.has_popup = False
        self._head.draw(controls)
        said = _said(self.state, self.widgets.theme)
        lines = sum(1 + len(text) // 46 for text, _ in said)
        foot = min(lines + 1.2, 9.0) * imgui.get_text_line_height_with_spacing() if said else 0.0
        imgui.begin_child("steps", imgui.ImVec2(0.0, -foot))
        for title, section, is_open in (
            ("Files", self._files.draw, False),
            ("Scene", self._scene, True),
            ("Characters", self._groups.draw_members, True),
            ("Behavior", self._groups.draw_behavior, True),
            ("Roadmap", self._roadmap, True),
            ("Simulation", self._simulation, False),
            ("View", lambda: self._view.draw(controls), False),
            ("Layers", lambda: self._layers(controls), False),
            ("Time", lambda: self._time.draw(controls), False),
            ("Window", self._files.draw_window, False),
        ):
            if self.widgets.section(title, is_open=is_open):
                section()
                imgui.spacing()
        imgui.end_child()
        if said:
            imgui.separator()
            imgui.begin_child("said", imgui.ImVec2(0.0, 0.0))
            for text, color in said:
                imgui.push_style_color(imgui.Col_.text.value, color)
                imgui.text_wrapped(printable(text, "\n"))
                imgui.pop_style_color()
            imgui.end_child()
        self.widgets.closing = False

    def _scene(self) -> None:
        state = self.state
        self.widgets.label("Scene", "The scene has the ground, the obstacles and the regions.")
        imgui.set_next_item_width(-1.0)
        name = str(state.draft.get(["scene", "name"]) or "own mesh")
        chosen = self.widgets.choice("scene", name, builtin_scenes(), scene_summary)
        if chosen is not None:
            state.choose_scene(chosen)
        table = state.draft.get(["scene"], {})
        if "mesh" in table:
            self.widgets.form(SceneDescription, table, ["scene"], state.edit, OF_MESHES)
        draw_switches(state, self.widgets)

    def _roadmap(self) -> None:
        state = self.state
        kind = state.session.forms["planner"]
        table = state.draft.get(["planner"], {})
        self.widgets.form(kind, table, ["planner"], state.edit, ROADMAP)
        self._seed()
        if self.widgets.branch(tr("More"), "More"):
            others = [f.name for f in fields_of(kind) if f.name not in ROADMAP]
            self.widgets.form(kind, table, ["planner"], state.edit, others)
            imgui.tree_pop()
        for row, facts in enumerate(state.built.statistics):
            if facts and imgui.tree_node_ex(state.draft.groups[row]["name"], DEFAULT_OPEN):
                for name, value in facts:
                    self.widgets.label(name)
                    imgui.text_colored(self.widgets.theme.quiet, tr(value))
                imgui.tree_pop()

    def _seed(self) -> None:
        seed = FormField(
            "seed", "int", 0, low=0, help="Seed of all random numbers. Equal seeds give equal runs."
        )
        self.widgets.row(seed, self.state.draft.get(["seed"], 0), ["seed"], self.state.edit)

    def _simulation(self) -> None:
        state = self.state
        table = state.draft.get(["simulation"], {})
        kind = state.session.forms["simulation"]
        self.widgets.form(kind, table, ["simulation"], state.edit)

    def _layers(self, controls: Controls | None) -> None:
        if controls is None:
            return
        if imgui.begin_table("layers", 2):
            for row in layer_rows():
                imgui.table_next_column()
                missing = missing_of(row.name, controls.playback)
                help_text = layer_tip(row, missing, has_run=self.state.has_frames)
                is_on = getattr(controls.layers, row.name)
                key = f"layers.{row.name}"
                if self.widgets.checkbox(key, row.title, is_on, help_text, quiet=bool(missing)):
                    controls.layers = controls.layers.toggled(row.name)
                    controls.changed = True
            imgui.end_table()


def layer_tip(row: LayerRow, missing: str, *, has_run: bool) -> str:
    """Return what is said of a layer: what it shows, why that is nothing now, and its key."""
    nothing = tr("nothing to show" if has_run else "nothing to show before a run")
    why = f"{nothing}: {tr(missing)}" if missing else ""
    key = f"Shift+{row.key}" if row.key.isupper() else row.key
    lines = [tr(row.shows), why, tr("on the keyboard: {key}", key=key)]
    return "\n".join(fill(line, TIP_COLUMNS) for line in lines if line)


def _keys_of(state: PanelState) -> str:
    """Return what can be done with the ghost of a member that is placed."""
    turns = state.preview.turns
    if turns and state.preview.flies:
        return "turn it: wheel, arrow keys; higher, lower: Page keys"
    if turns:
        return "turn it: wheel, arrow keys"
    return "higher, lower: Page keys" if state.preview.flies else ""


def _said(state: PanelState, theme: Theme) -> list[tuple[str, Any]]:
    """Return what is to be read at the foot of the panel, with colors."""
    said = [(text, theme.warning) for text in state.problems]
    if state.painting.active and state.painting.has_field:
        said.append((tr("drag over the ground; Shift rubs out, Esc ends that"), theme.good))
    elif state.intervening.adding:
        said.append((tr("click on the ground, where a member will come"), theme.good))
    elif state.intervening.leading:
        said.append((tr("the group goes where the mouse points; Esc ends that"), theme.good))
    elif state.placing:
        said.append((tr(WHERE[state.placing]), theme.good))
    if state.preview.problem:
        said.append((state.preview.problem, theme.bad))
    elif state.preview.point is not None and _keys_of(state):
        said.append((tr(_keys_of(state)), theme.quiet))
    if state.waiting:
        names = ", ".join(state.draft.named(key) for key in state.waiting)
        said.append((tr("will take effect in the next run: {names}", names=names), theme.warning))
    if state.notice.text:
        said.append((state.notice.text, theme.bad if state.notice.is_error else theme.quiet))
    return said
