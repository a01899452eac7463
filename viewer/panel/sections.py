"""What is on the panel, from top to bottom: the steps of the work, and what was last said."""

from pathlib import Path
from textwrap import fill
from typing import Any

from imgui_bundle import imgui

from rmp3d.scenes import SceneDescription, builtin_scenarios, builtin_scenes
from rmp3d.scenes.builtin import builtin_summary as scene_summary
from rmp3d.viewer.drawings import missing_of
from rmp3d.viewer.export.exporter import EXPORTERS
from rmp3d.viewer.layers import LayerRow, layer_rows
from rmp3d.viewer.panel.forms import FormField, fields_of
from rmp3d.viewer.panel.group_sections import GroupSections
from rmp3d.viewer.panel.head import PanelHead
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.structured import StructuredWidgets
from rmp3d.viewer.panel.widgets import BAD, GOOD, QUIET, TIP_COLUMNS, WARNING, Widgets
from rmp3d.viewer.player.controls import Controls

ROADMAP = ("sampler", "local_planner", "nodes", "connected_nodes", "seconds", "neighbors")
OF_MESHES = ("up", "scale", "center", "max_slope", "ground")
DEFAULT_OPEN = imgui.TreeNodeFlags_.default_open.value


class Sections:
    """Draws the panel into the current imgui window."""

    def __init__(self, state: PanelState) -> None:
        self.state = state
        self.widgets = Widgets(state.refuse)
        self.widgets.structured = StructuredWidgets(self.widgets)
        self._head = PanelHead(state, self.widgets)
        self._groups = GroupSections(state, self.widgets)

    def draw(self, controls: Controls | None) -> None:
        """Draw everything; ``controls`` are those of what is seen, None before there is a scene."""
        self.widgets.has_popup = False
        self._head.draw(controls)
        said = _said(self.state)
        lines = sum(1 + len(text) // 46 for text, _ in said)
        foot = min(lines + 1.2, 9.0) * imgui.get_text_line_height_with_spacing() if said else 0.0
        imgui.begin_child("steps", imgui.ImVec2(0.0, -foot))
        for title, section, is_open in (
            ("Files", self._files, False),
            ("Scene", self._scene, True),
            ("Characters", self._groups.draw_members, True),
            ("Behavior", self._groups.draw_behavior, True),
            ("Roadmap", self._roadmap, True),
            ("Simulation", self._simulation, False),
            ("Layers", lambda: self._layers(controls), False),
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
                imgui.text_wrapped(text)
                imgui.pop_style_color()
            imgui.end_child()
        self.widgets.closing = False

    def _files(self) -> None:
        state = self.state
        self.widgets.label("Built-in", "A built-in scenario to begin with.")
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice("builtin", "choose ...", list(builtin_scenarios()))
        if chosen is not None:
            state.files.open(chosen)
        name = FormField(
            "name", "text", "", help="Name of the scenario, for messages and recordings."
        )
        self.widgets.row(name, state.draft.get(["name"], ""), ["name"], state.edit)
        self.widgets.label(
            "File", "A scenario (.toml), a recording (.rmp3d), or a mesh that members move in."
        )
        imgui.set_next_item_width(-1.0)
        files = state.files
        entered, files.path = self.widgets.text("path", ".toml, .rmp3d or a mesh", files.path)
        width = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2
        opened = self.widgets.button("Open", width=width, help_text="Open the file.")
        if (opened or entered) and files.path.strip():
            files.open(files.path)
        imgui.same_line()
        what = "Save the scenario (.toml), or what was simulated so far (.rmp3d, .mp4, .glb ...)."
        if self.widgets.button("Save", width=width, help_text=what) and files.path.strip():
            files.save(files.path)

        if files.recent:
            self.widgets.label("Recent", "Files that were opened or saved in this window.")
            imgui.set_next_item_width(-1.0)
            chosen = self.widgets.choice("recent", "choose ...", files.recent)
            if chosen is not None:
                files.open(chosen)
        if state.has_frames:
            self._export()

    def _export(self) -> None:
        """Videos, pictures, models and tables of what is seen."""
        files = self.state.files
        help_text = (
            "Write what is seen; a video has the group's or the member's camera if that is on."
        )
        self.widgets.label("Export", help_text)
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice("export", "choose ...", list(EXPORTERS), EXPORTERS.summary)
        if chosen is not None:
            files.save(str(Path(files.path).with_suffix(chosen)))

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

    def _roadmap(self) -> None:
        state = self.state
        kind = state.session.forms["planner"]
        table = state.draft.get(["planner"], {})
        self.widgets.form(kind, table, ["planner"], state.edit, ROADMAP)
        self._seed()
        if imgui.tree_node("More"):
            others = [f.name for f in fields_of(kind) if f.name not in ROADMAP]
            self.widgets.form(kind, table, ["planner"], state.edit, others)
            imgui.tree_pop()
        for row, facts in enumerate(state.statistics):
            if facts and imgui.tree_node_ex(state.draft.groups[row]["name"], DEFAULT_OPEN):
                for name, value in facts:
                    self.widgets.label(name)
                    imgui.text_colored(QUIET, value)
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
    nothing = "nothing to show" if has_run else "nothing to show before a run"
    lines = [row.shows, f"{nothing}: {missing}" if missing else "", f"on the keyboard: {row.key}"]
    return "\n".join(fill(line, TIP_COLUMNS) for line in lines if line)


def _said(state: PanelState) -> list[tuple[str, Any]]:
    """Return what is to be read at the foot of the panel, with colors."""
    said = [(text, WARNING) for text in state.problems]
    if state.intervening.adding:
        said.append(("click on the ground, where a member will come", GOOD))
    elif state.intervening.leading:
        said.append(("the group goes where the mouse points; Esc ends that", GOOD))
    elif state.placing:
        said.append((f"click on the ground, where the {state.placing} will be", GOOD))
    if state.waiting:
        said.append((f"will take effect in the next run: {', '.join(state.waiting)}", WARNING))
    if state.notice.text:
        said.append((state.notice.text, BAD if state.notice.is_error else QUIET))
    return said
