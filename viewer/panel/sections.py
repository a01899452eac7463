"""What is on the panel, from top to bottom: the steps of the work, and what was last said."""

from collections.abc import Callable
from textwrap import fill
from typing import Any

from imgui_bundle import imgui

from rmp3d.behaviors import GROUP_BEHAVIORS
from rmp3d.models import builtin_models
from rmp3d.models.loading import builtin_summary as model_summary
from rmp3d.scenes import SceneDescription, builtin_scenarios, builtin_scenes
from rmp3d.scenes.builtin import builtin_summary as scene_summary
from rmp3d.viewer.drawings import missing_of
from rmp3d.viewer.layers import LayerRow, layer_rows
from rmp3d.viewer.panel.forms import FormField, fields_of, registries
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.widgets import BAD, GOOD, QUIET, TIP_COLUMNS, WARNING, Widgets
from rmp3d.viewer.playback.clock import SPEEDS
from rmp3d.viewer.player.controls import Controls

PHASES = {
    "draft": ("draft", QUIET),
    "building": ("planning ...", WARNING),
    "built": ("planned", GOOD),
    "running": ("running", GOOD),
    "over": ("run is over", GOOD),
    "recording": ("recording", QUIET),
}
ROADMAP = ("sampler", "local_planner", "nodes", "connected_nodes", "seconds", "neighbors")
OF_MESHES = ("up", "scale", "center", "max_slope", "ground")
DEFAULT_OPEN = imgui.TreeNodeFlags_.default_open.value


class Sections:
    """Draws the panel into the current imgui window."""

    def __init__(self, state: PanelState) -> None:
        self.state = state
        self.widgets = Widgets()
        self._path = "my-scenario.toml"

    def draw(self, controls: Controls | None) -> None:
        """Draw everything; ``controls`` are those of what is seen, None before there is a scene."""
        self._head(controls)
        said = _said(self.state)
        lines = sum(1 + len(text) // 46 for text, _ in said)
        foot = min(lines + 1.2, 9.0) * imgui.get_text_line_height_with_spacing() if said else 0.0
        imgui.begin_child("steps", imgui.ImVec2(0.0, -foot))
        for title, section, is_open in (
            ("Files", self._files, False),
            ("Scene", self._scene, True),
            ("Characters", self._group, True),
            ("Behavior", self._behavior, True),
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

    def _head(self, controls: Controls | None) -> None:
        state = self.state
        words, color = PHASES[state.phase]
        imgui.text(str(state.draft.get(["name"], "scenario")))
        imgui.same_line()
        imgui.text_colored(color, words)
        if state.phase == "building":
            if self.widgets.button("Cancel", width=-1.0, help_text="Stop planning."):
                state.stop()
        else:
            self._transport(controls)
        working = state.working
        if working.what:
            share = working.done / working.total if working.total else 0.0
            count = f" {working.done:,} / {working.total:,}" if working.total else " ..."
            size = imgui.ImVec2(-1.0, 0.0)
            imgui.progress_bar(min(share, 1.0), size, working.what + count)
        elif controls is not None and self._can_play:
            self._time(controls)
        imgui.separator()

    @property
    def _can_play(self) -> bool:
        return self.state.is_live or self.state.phase == "recording"

    def _transport(self, controls: Controls | None) -> None:
        """The buttons of a run."""
        state, can_play = self.state, self._can_play
        playing = controls is not None and controls.clock.playing
        play = ("Pause" if playing else "Play", "Space", lambda: _press(controls, "space"))
        run = ("Run", "Plan if need be, and simulate.", state.run)
        buttons: list[tuple[str, str, Callable[[], None], bool]] = [
            (*(play if can_play else run), True),
            ("Build", "Roadmap and path, no run yet.", state.build, not can_play),
            (
                "Step",
                "One frame on: \N{RIGHTWARDS ARROW}",
                lambda: _press(controls, "right"),
                can_play,
            ),
            ("Stop", "Back to the draft.", state.stop, can_play),
            ("Re-plan", "Plan and run from the start with the next seed.", state.replan, True),
        ]
        gap = imgui.get_style().item_spacing.x
        width = (imgui.get_content_region_avail().x - (len(buttons) - 1) * gap) / len(buttons)
        for column, (text, help_text, action, enabled) in enumerate(buttons):
            if column:
                imgui.same_line()
            if self.widgets.button(text, enabled=enabled, width=width, help_text=help_text):
                action()

    def _time(self, controls: Controls) -> None:
        clock = controls.clock
        imgui.set_next_item_width(imgui.get_content_region_avail().x * 0.68)
        end = max(clock.playback.duration, 1e-3)
        moved, time = imgui.slider_float("##time", clock.time, 0.0, end, "%.2f s")
        if moved:
            clock.seek(time)
            controls.changed = True
        imgui.same_line()
        imgui.set_next_item_width(-1.0)
        names = [f"{speed:g} x" for speed in SPEEDS]
        chosen = self.widgets.choice("speed", f"{clock.speed:g} x", names)
        if chosen is not None:
            clock.change_speed(names.index(chosen) - SPEEDS.index(clock.speed))
            controls.changed = True

    def _files(self) -> None:
        state = self.state
        self.widgets.label("Built-in", "A scenario of the project's own to begin with.")
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice("builtin", "choose ...", list(builtin_scenarios()))
        if chosen is not None:
            state.open(chosen)
        name = FormField("name", "text", "", help="Of the scenario, for messages and recordings.")
        self.widgets.row(name, state.draft.get(["name"], ""), ["name"], state.edit)
        self.widgets.label("File", "A scenario (.toml), a recording (.rmp3d) or a mesh to move in.")
        imgui.set_next_item_width(-1.0)
        entered, self._path = self.widgets.text("path", ".toml, .rmp3d or a mesh", self._path)
        width = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2
        opened = self.widgets.button("Open", width=width, help_text="Read the file.")
        if (opened or entered) and self._path.strip():
            state.open(self._path)
        imgui.same_line()
        what = ".toml: the scenario. .rmp3d: what was simulated so far."
        if self.widgets.button("Save", width=width, help_text=what) and self._path.strip():
            state.save(self._path)

    def _scene(self) -> None:
        state = self.state
        self.widgets.label("Scene", "Regions, ground and obstacles come with it.")
        imgui.set_next_item_width(-1.0)
        name = str(state.draft.get(["scene", "name"]) or "own mesh")
        chosen = self.widgets.choice("scene", name, builtin_scenes(), scene_summary)
        if chosen is not None:
            state.choose_scene(chosen)
        table = state.draft.get(["scene"], {})
        if "mesh" in table:
            self.widgets.form(SceneDescription, table, ["scene"], state.edit, OF_MESHES)

    def _group(self) -> None:
        state, draft = self.state, self.state.draft
        names = [str(group["name"]) for group in draft.groups]
        self.widgets.label("Group", "Members of a group move together.")
        size = imgui.get_frame_height()
        imgui.set_next_item_width(-2 * (size + imgui.get_style().item_spacing.x))
        chosen = self.widgets.choice("group", names[draft.group], names)
        if chosen is not None:
            draft.group = names.index(chosen)
        imgui.same_line()
        if self.widgets.button("+", width=size, help_text="Add a group like this one."):
            state.add_group()
        imgui.same_line()
        several = len(names) > 1
        if self.widgets.button("-", enabled=several, width=size, help_text="Remove this group."):
            state.remove_group()
        self._characters()
        where: list[Any] = ["groups", draft.group]
        kinds = state.session.forms["group"]
        self.widgets.form(kinds, draft.chosen, where, state.edit, ("members", "speed_limit"))
        self._place("start")
        if draft.needs_goal(draft.group):
            self._place("goal")

    def _characters(self) -> None:
        """A list to choose from for each character that members take in turn, and an own file."""
        kinds = self.state.draft.characters
        path: list[str | int] = ["groups", self.state.draft.group, "character"]

        def put(row: int, end: int, *names: str) -> None:
            new = [*kinds[:row], *names, *kinds[end:]]
            self.state.edit(path, new if len(new) > 1 else new[0])

        size = imgui.get_frame_height()
        for row, kind in enumerate(kinds):
            key = "character" if row == 0 else f"character {row + 1}"
            self.widgets.label(
                "Character" if row == 0 else "and", "What the members are; several in turn."
            )
            imgui.set_next_item_width(-2 * (size + imgui.get_style().item_spacing.x))
            chosen = self.widgets.choice(key, kind, builtin_models(), model_summary)
            if chosen is not None:
                put(row, row + 1, chosen)
            for text, enabled, names, help_text in (
                (f"+##{key}", True, (kind, kind), "Add a character: members take them in turn."),
                (f"-##{key}", len(kinds) > 1, (), "Remove this character."),
            ):
                imgui.same_line()
                if self.widgets.button(text, enabled=enabled, width=size, help_text=help_text):
                    put(row, row + 1, *names)
        own = FormField("own_file", "text", "", help="A character file (.toml) of your own.")
        value = None if kinds[-1] in builtin_models() else kinds[-1]
        last = len(kinds) - 1
        self.widgets.row(own, value, path, lambda _, new: put(last, last + 1, new or "pedestrian"))

    def _place(self, role: str) -> None:
        """A region to choose, or a point: by a click on the ground, or typed."""
        state, draft = self.state, self.state.draft
        self.widgets.label(role.capitalize(), "A region of the scene, or a point.")
        value = draft.chosen.get(role, role)
        regions = sorted(state.playback.scene.regions) if state.playback is not None else []
        width = 4.2 * imgui.get_font_size()
        imgui.set_next_item_width(-width - imgui.get_style().item_spacing.x)
        is_point = isinstance(value, list | tuple)
        shown = "point" if is_point else str(value)
        chosen = self.widgets.choice(role, shown, [*regions, "point"])
        if chosen == "point":
            state.make_point(role)
        elif chosen is not None:
            state.edit(["groups", draft.group, role], chosen)
        imgui.same_line()
        active = state.placing == role
        text = "click ..." if active else "Place"
        help_text = "Then click on the ground; the mark can also be dragged."
        if self.widgets.button(f"{text}##{role}", width=width, help_text=help_text):
            state.placing = "" if active else role  # type: ignore[assignment]
        if is_point:
            point = FormField("point", "vector", unit="m", help=f"Of the {role}, x y z [m].")
            self.widgets.row(point, value, ["groups", draft.group, role], state.edit)

    def _behavior(self) -> None:
        state, draft = self.state, self.state.draft
        table = draft.chosen["behavior"]
        name = str(table.get("name", ""))
        self.widgets.label("Behavior", "What the group does.")
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice(
            "behavior", name, list(GROUP_BEHAVIORS), GROUP_BEHAVIORS.summary
        )
        if chosen is not None:
            state.choose_behavior(chosen)
        elif name in GROUP_BEHAVIORS:
            path: list[Any] = ["groups", draft.group, "behavior"]
            self.widgets.form(registries()["behavior"][name], table, path, state.edit)

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
            "seed", "int", 0, low=0, help="Of all randomness: equal seeds, equal runs."
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
                help_text = layer_tip(row, missing, has_run=self._can_play)
                is_on = getattr(controls.layers, row.name)
                key = f"layers.{row.name}"
                if self.widgets.checkbox(key, row.title, is_on, help_text, quiet=bool(missing)):
                    controls.layers = controls.layers.toggled(row.name)
                    controls.changed = True
            imgui.end_table()


def layer_tip(row: LayerRow, missing: str, *, has_run: bool) -> str:
    """Return what is said of a layer: what it shows, why that is nothing now, and its key."""
    nothing = "nothing to show" if has_run else "nothing to show before a run"
    lines = [row.shows, f"{nothing}: {missing}" if missing else "", f"key: {row.key}"]
    return "\n".join(fill(line, TIP_COLUMNS) for line in lines if line)


def _press(controls: Controls | None, key: str) -> None:
    if controls is not None:
        controls.key(key)


def _said(state: PanelState) -> list[tuple[str, Any]]:
    """Return what is to be read at the foot of the panel, with colors."""
    said = [(text, WARNING) for text in state.problems]
    if state.placing:
        said.append((f"click where the {state.placing} is to be", GOOD))
    if state.waiting:
        said.append((f"takes effect in the next run: {', '.join(state.waiting)}", WARNING))
    if state.notice.text:
        said.append((state.notice.text, BAD if state.notice.is_error else QUIET))
    return said
