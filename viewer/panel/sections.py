"""What is on the panel, from top to bottom: the steps of the work, and what was last said."""

from typing import Any

import numpy as np
from imgui_bundle import imgui

from behaviors import BEHAVIORS
from models import builtin_models
from models.loading import builtin_summary as model_summary
from scenes import builtin_scenarios, builtin_scenes
from scenes.builtin import builtin_summary as scene_summary
from viewer.controls import Controls
from viewer.panel.forms import Field, fields_of, registries
from viewer.panel.studio import Studio
from viewer.panel.widgets import BAD, GOOD, QUIET, WARNING, Widgets, button, choice, label
from viewer.player import SPEEDS

PHASES = {
    "draft": ("draft", QUIET),
    "building": ("planning ...", WARNING),
    "built": ("planned", GOOD),
    "running": ("running", GOOD),
    "over": ("run is over", GOOD),
    "recording": ("recording", QUIET),
}
ROADMAP = ("sampler", "local_planner", "nodes", "connected_nodes", "seconds", "neighbors")
DEFAULT_OPEN = imgui.TreeNodeFlags_.default_open.value


class Sections:
    """Draws the panel into the current imgui window."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._widgets = Widgets()
        self._path = "my-scenario.toml"

    def draw(self, controls: Controls | None) -> None:
        """Draw everything; ``controls`` are those of what is seen, None before there is a scene."""
        self._head(controls)
        said = _said(self.studio)
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
        ):
            flags = DEFAULT_OPEN if is_open else 0
            if imgui.collapsing_header(title, flags):
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
        studio = self.studio
        words, color = PHASES[studio.phase]
        imgui.text(str(studio.draft.get(["name"], "scenario")))
        imgui.same_line()
        imgui.text_colored(color, words)
        width = (imgui.get_content_region_avail().x - 4 * imgui.get_style().item_spacing.x) / 5
        busy = studio.phase == "building"
        playing = controls is not None and controls.player.playing
        can_play = studio.is_live or studio.phase == "recording"
        if busy:
            if button("Cancel", width=-1.0, help_text="Stop planning."):
                studio.stop()
        else:
            if can_play and controls is not None:
                if button("Pause" if playing else "Play", width=width, help_text="Space"):
                    controls.key("space")
            elif button("Run", width=width, help_text="Plan if need be, and simulate."):
                studio.run()
            imgui.same_line()
            roadmap = "Roadmap and path, no run yet."
            if button("Build", enabled=not can_play, width=width, help_text=roadmap):
                studio.build()
            imgui.same_line()
            step = button("Step", enabled=can_play, width=width, help_text="One frame on: →")
            if step and controls is not None:
                controls.key("right")
            imgui.same_line()
            if button("Stop", enabled=can_play, width=width, help_text="Back to the draft."):
                studio.stop()
            imgui.same_line()
            seed = "Plan and run from the start with the next seed."
            if button("Re-plan", width=width, help_text=seed):
                studio.replan()
        working = studio.working
        if working.what:
            share = working.done / working.total if working.total else 0.0
            count = f" {working.done:,} / {working.total:,}" if working.total else " ..."
            size = imgui.ImVec2(-1.0, 0.0)
            imgui.progress_bar(min(share, 1.0), size, working.what + count)
        elif can_play and controls is not None:
            self._time(controls)
        imgui.separator()

    def _time(self, controls: Controls) -> None:
        player = controls.player
        imgui.set_next_item_width(imgui.get_content_region_avail().x * 0.68)
        end = max(player.playback.duration, 1e-3)
        moved, time = imgui.slider_float("##time", player.time, 0.0, end, "%.2f s")
        if moved:
            player.seek(time)
            controls.changed = True
        imgui.same_line()
        imgui.set_next_item_width(-1.0)
        names = [f"{speed:g} x" for speed in SPEEDS]
        chosen = choice("##speed", f"{player.speed:g} x", names)
        if chosen is not None:
            player.change_speed(names.index(chosen) - SPEEDS.index(player.speed))
            controls.changed = True

    def _files(self) -> None:
        studio = self.studio
        label("Built-in", "A scenario of the project's own to begin with.")
        imgui.set_next_item_width(-1.0)
        chosen = choice("##builtin", "choose ...", list(builtin_scenarios()))
        if chosen is not None:
            studio.open(chosen)
        label("File", "A scenario (.toml) or a recording (.rmp3d); relative to where you are.")
        imgui.set_next_item_width(-1.0)
        entered, self._path = self._widgets.text("path", "file.toml or file.rmp3d", self._path)
        width = (imgui.get_content_region_avail().x - imgui.get_style().item_spacing.x) / 2
        opened = button("Open", width=width, help_text="Read the file.")
        if (opened or entered) and self._path.strip():
            studio.open(self._path)
        imgui.same_line()
        what = ".toml: the scenario. .rmp3d: what was simulated so far."
        if button("Save", width=width, help_text=what) and self._path.strip():
            studio.save(self._path)

    def _scene(self) -> None:
        studio = self.studio
        label("Scene", "Regions, ground and obstacles come with it.")
        imgui.set_next_item_width(-1.0)
        name = str(studio.draft.get(["scene", "name"]) or "own mesh")
        chosen = choice("##scene", name, builtin_scenes(), scene_summary)
        if chosen is not None:
            studio.choose_scene(chosen)

    def _group(self) -> None:
        studio, draft = self.studio, self.studio.draft
        names = [str(group["name"]) for group in draft.groups]
        label("Group", "Groups move together; each has its own character and behavior.")
        size = imgui.get_frame_height()
        imgui.set_next_item_width(-2 * (size + imgui.get_style().item_spacing.x))
        chosen = choice("##group", names[draft.group], names)
        if chosen is not None:
            draft.group = names.index(chosen)
        imgui.same_line()
        if button("+", width=size, help_text="Add a group like this one."):
            studio.add_group()
        imgui.same_line()
        several = len(names) > 1
        if button("-", enabled=several, width=size, help_text="Remove this group."):
            studio.remove_group()
        label("Character", "What the members are.")
        imgui.set_next_item_width(-1.0)
        kind = str(draft.chosen.get("character", "pedestrian"))
        chosen = choice("##character", kind, builtin_models(), model_summary)
        if chosen is not None:
            studio.edit(["groups", draft.group, "character"], chosen)
        where: list[Any] = ["groups", draft.group]
        kinds = studio.session.forms["group"]
        self._widgets.form(kinds, draft.chosen, where, studio.edit, ("members", "speed_limit"))
        self._place("start")
        if draft.needs_goal(draft.group):
            self._place("goal")

    def _place(self, role: str) -> None:
        """A region to choose, or a point: by a click on the ground, or typed."""
        studio, draft = self.studio, self.studio.draft
        label(role.capitalize(), "A region of the scene, or a point; Place takes the next click.")
        value = draft.chosen.get(role, role)
        regions = sorted(studio.playback.scene.regions) if studio.playback is not None else []
        width = 4.2 * imgui.get_font_size()
        imgui.set_next_item_width(-width - imgui.get_style().item_spacing.x)
        is_point = isinstance(value, list | tuple)
        chosen = choice(f"##{role}", "point" if is_point else str(value), regions)
        if chosen is not None:
            studio.edit(["groups", draft.group, role], chosen)
        imgui.same_line()
        active = studio.placing == role
        text = "click ..." if active else "Place"
        help_text = "Then click on the ground; the mark can also be dragged."
        if button(f"{text}##{role}", width=width, help_text=help_text):
            studio.placing = "" if active else role  # type: ignore[assignment]
        if is_point:
            field = next(f for f in fields_of(studio.session.forms["group"]) if f.name == role)
            typed = type(field)(name=role, kind="vector", unit="m", help=field.help)
            label("", "")
            key: list[str | int] = ["groups", draft.group, role]
            imgui.push_id(f"{role}.point")
            imgui.set_next_item_width(-1.0)
            changed, new = self._widgets._widget(typed, value, ".".join(map(str, key)))
            imgui.pop_id()
            if changed:
                studio.edit(key, [float(np.round(x, 4)) for x in new])

    def _behavior(self) -> None:
        studio, draft = self.studio, self.studio.draft
        table = draft.chosen["behavior"]
        name = str(table.get("name", ""))
        label("Behavior", "What the group does.")
        imgui.set_next_item_width(-1.0)
        chosen = choice("##behavior", name, list(BEHAVIORS), BEHAVIORS.summary)
        if chosen is not None:
            studio.choose_behavior(chosen)
        elif name in BEHAVIORS:
            path: list[Any] = ["groups", draft.group, "behavior"]
            self._widgets.form(registries()["behavior"][name], table, path, studio.edit)

    def _roadmap(self) -> None:
        studio = self.studio
        kind = studio.session.forms["planner"]
        table = studio.draft.get(["planner"], {})
        self._widgets.form(kind, table, ["planner"], studio.edit, ROADMAP)
        self._seed()
        if imgui.tree_node("More"):
            others = [f.name for f in fields_of(kind) if f.name not in ROADMAP]
            self._widgets.form(kind, table, ["planner"], studio.edit, others)
            imgui.tree_pop()
        for row, facts in enumerate(studio.statistics):
            if facts and imgui.tree_node_ex(studio.draft.groups[row]["name"], DEFAULT_OPEN):
                for name, value in facts:
                    label(name)
                    imgui.text_colored(QUIET, value)
                imgui.tree_pop()

    def _seed(self) -> None:
        seed = Field("seed", "int", 0, low=0, help="Of all randomness: equal seeds, equal runs.")
        self._widgets.row(seed, self.studio.draft.get(["seed"], 0), ["seed"], self.studio.edit)

    def _simulation(self) -> None:
        studio = self.studio
        table = studio.draft.get(["simulation"], {})
        kind = studio.session.forms["simulation"]
        self._widgets.form(kind, table, ["simulation"], studio.edit)


def _said(studio: Studio) -> list[tuple[str, Any]]:
    """Return what is to be read at the foot of the panel, with colors."""
    said = [(text, WARNING) for text in studio.problems]
    if studio.placing:
        said.append((f"click where the {studio.placing} is to be", GOOD))
    if studio.waiting:
        said.append((f"takes effect in the next run: {', '.join(studio.waiting)}", WARNING))
    if studio.notice.text:
        said.append((studio.notice.text, BAD if studio.notice.is_error else QUIET))
    return said
