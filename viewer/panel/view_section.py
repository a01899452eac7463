"""The panel's section about what is looked at: parts, storeys, clip plane, groups, measuring."""

from dataclasses import replace

from imgui_bundle import imgui

from rmp3d.viewer.cameras.presets import Ride
from rmp3d.viewer.cameras.saved_views import SLOTS
from rmp3d.viewer.panel.files import RECORDING_SUFFIX
from rmp3d.viewer.panel.parts_tree import Branch, parts_tree
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.widgets import CHOOSE, Widgets
from rmp3d.viewer.playback.bounds import scene_bounds, whole_bounds
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.tools import Tools
from rmp3d.viewer.texts import tr
from rmp3d.viewer.visibility import AXES, ClipPlane

NO_CLIP = "none"
CAMERAS: dict[str, tuple[str, Ride]] = {
    "everything": ("1", ""),
    "from above": ("2", ""),
    "the group or the selected": ("3", "group"),
    "behind a member": ("4", "follow"),
    "through its eyes": ("5", "first"),
}
"""Keys of cameras, and how they ride along."""
SIDES = {
    f"{axis} {keeps}": (row, keeps) for row, axis in enumerate(AXES) for keeps in ("below", "above")
}


class ViewSection:
    """Draws the section into the current imgui window."""

    def __init__(self, state: PanelState, widgets: Widgets) -> None:
        self.state, self.widgets = state, widgets
        self._other = ""  # file that is compared
        self._wanted = ""
        self._tree: tuple[object, tuple[Branch, ...]] = (None, ())
        self._all: frozenset[str] = frozenset()  # names of all parts

    def draw(self, controls: Controls | None) -> None:
        """Draw it; ``controls`` are None before there is a scene."""
        if controls is None:
            return
        self._cameras(controls)
        self._buttons(controls)
        self._storeys(controls.tools)
        self._clip(controls)
        self._compare()
        self._groups(controls)
        self._parts(controls)

    def _cameras(self, controls: Controls) -> None:
        """Where one looks from, and views that are kept: all that the keys 1 to 0 do."""
        self.widgets.label("Camera", "Where one looks from: also by the keys 1 to 5.")
        imgui.set_next_item_width(-1.0)
        ride = controls.rig.ride
        shown = next((name for name, (_, own) in CAMERAS.items() if own == ride and own), CHOOSE)
        chosen = self.widgets.choice("camera", shown, list(CAMERAS))
        if chosen is not None:
            controls.key(CAMERAS[chosen][0])
        views = controls.views
        help_text = "Views that were kept; Shift and a key from 6 to 0 keeps one, the key shows it."
        self.widgets.label("Kept views", help_text)
        gap = imgui.get_style().item_spacing.x
        room = imgui.get_content_region_avail().x
        margins = 4.0 * imgui.get_style().frame_padding.x
        least = float(imgui.calc_text_size(tr("Keep view")).x) + 0.5 * margins
        arrow = imgui.get_frame_height()  # beside what is chosen
        most = room - gap - arrow - margins - float(imgui.calc_text_size(tr(CHOOSE)).x)
        wide = max(least, min(0.5 * (room - gap), most))
        imgui.set_next_item_width(room - gap - wide)
        kept = sorted(views.saved.cameras, key=SLOTS.index)
        slot = self.widgets.choice("kept view", CHOOSE, kept)
        if slot is not None:
            controls.key(slot)
        imgui.same_line()
        help_text = "Keep what is seen now, beside the file that is open; five views have a place."
        free = next((name for name in SLOTS if name not in kept), "")
        keep = self.widgets.button("Keep view", enabled=bool(free), width=wide, help_text=help_text)
        if keep:
            controls.key(free, shift=True)

    def _buttons(self, controls: Controls) -> None:
        tools, some = controls.tools, bool(controls.selection)
        measure = "Measures ..." if tools.measuring else "Measure"
        wide = self.widgets.widths_in_a_row(["Hide", "Only", "Show all", measure])
        hide = "Hide the selected members. By key (Del), the part under the mouse if none is."
        if self.widgets.button("Hide", enabled=some, width=wide[0], help_text=hide):
            tools.hide()
        imgui.same_line()
        only = "Show only the selected members. By key (Shift+Del), the part under the mouse."
        if self.widgets.button("Only", enabled=some, width=wide[1], help_text=only):
            tools.isolate()
        imgui.same_line()
        help_text = "Show all parts and members (Ins)."
        if self.widgets.button("Show all", width=wide[2], help_text=help_text):
            tools.show_all()
        imgui.same_line()
        help_text = "Measure between two clicks: straight, in height, along the ground (Shift+M)."
        if self.widgets.button(f"{measure}##measure", width=wide[3], help_text=help_text):
            tools.toggle_measuring()

    def _storeys(self, tools: Tools) -> None:
        storeys = tools.storeys
        if not storeys:
            return
        names = [f"{row + 1}: {each.height:.1f} m" for row, each in enumerate(storeys)] + ["all"]
        self.widgets.label("Storey", "Leave out what is over a storey (Page Up, Page Down).")
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice("storey", names[tools.storey], names)
        if chosen is not None:
            tools.choose_storey(names.index(chosen))

    def _clip(self, controls: Controls) -> None:
        tools = controls.tools
        clip, bounds = tools.visible.clip, scene_bounds(controls.playback)
        self.widgets.label(
            "Clip plane",
            "Draw only what is on one side of a plane (Shift+X, Y, Z; arrows up and down move it).",
        )
        imgui.set_next_item_width(-1.0)
        shown = NO_CLIP if clip is None else f"{AXES[clip.axis]} {clip.keeps}"
        chosen = self.widgets.choice("clip", shown, [NO_CLIP, *SIDES])
        if chosen == NO_CLIP:
            tools.put_clip(None)
        elif chosen is not None:
            axis, keeps = SIDES[chosen]
            same = clip is not None and clip.axis == axis
            at = clip.at if clip is not None and same else float(bounds[:, axis].mean())
            tools.put_clip(ClipPlane(axis, at, keeps))  # type: ignore[arg-type]
        if clip is None:
            return
        self.widgets.label("at", "Where the plane is [m].")
        imgui.set_next_item_width(-1.0)
        low, high = (float(x) for x in whole_bounds(controls.playback)[:, clip.axis])
        moved, at = self.widgets.slider("clip at", clip.at, low, high, "%.2f m")
        if moved:
            tools.show(replace(tools.visible, clip=replace(clip, at=at)))

    def _compare(self) -> None:
        """A recording to compare with: typed, or chosen from the recent ones."""
        state = self.state
        if not state.has_frames:
            return
        self.widgets.label(
            "Compare", "Another recording (.rmp3d): its members are drawn as ghosts."
        )
        imgui.set_next_item_width(-1.0)
        entered, self._other = self.widgets.text("compared", "a recording, then Enter", self._other)
        if entered:
            state.compare(self._other)
        recent = [each for each in state.files.recent if each.endswith(RECORDING_SUFFIX)]
        if recent:
            self.widgets.label("with", "Recordings that were opened or saved lately.")
            imgui.set_next_item_width(-1.0)
            chosen = self.widgets.choice("compare", CHOOSE, recent)
            if chosen is not None:
                self._other = chosen
                state.compare(chosen)
        if state.compared is None:
            return
        self.widgets.label("Side by side", "Two views of one camera, instead of ghosts in one.")
        help_text = tr("Two views of one camera, instead of ghosts in one.")
        if self.widgets.checkbox("side by side", "", state.side_by_side, help_text):
            state.side_by_side = not state.side_by_side
        if self.widgets.button("No more comparing"):
            self._other = ""
            state.compare("")

    def _groups(self, controls: Controls) -> None:
        playback, tools = controls.playback, controls.tools
        if playback.member_count == 0 or not self.widgets.branch(tr("Groups"), key="shown groups"):
            return
        for group, name in enumerate(playback.group_names):
            rows = playback.members(group)
            hidden = sum(int(row) in tools.visible.hidden_members for row in rows)
            seen = f"{len(rows) - hidden}/{len(rows)}" if hidden else f"{len(rows)}"
            imgui.push_id(f"group {group}")
            key, help_text = f"shown.{name}", "Whether the members of this group are drawn."
            if self.widgets.checkbox(key, "", hidden < len(rows), tr(help_text)):
                shown = hidden == len(rows)
                tools.show(tools.visible.with_members(rows, shown=shown))
            imgui.same_line()
            if self.widgets.small_button(tr("select"), f"select.{name}"):
                controls.chosen.choose(rows.tolist())
            imgui.same_line()
            imgui.text(f"{name} ({seen})")
            imgui.pop_id()
        imgui.tree_pop()

    def _parts(self, controls: Controls) -> None:
        scene = controls.playback.scene
        if not self.widgets.branch(tr("Parts ({count})", count=len(scene.parts)), key="parts"):
            return
        imgui.set_next_item_width(-1.0)
        _, self._wanted = self.widgets.text("wanted part", "name contains ...", self._wanted)
        key = (scene, self._wanted)
        if self._tree[0] != key:
            self._tree = key, parts_tree(scene.parts, self._wanted)
            self._all = frozenset(scene.part_names)
        for branch in self._tree[1]:
            self._branch(controls.tools, branch, branch.title)
        imgui.tree_pop()

    def _branch(self, tools: Tools, branch: Branch, key: str) -> None:
        """Draw a box for all parts of a branch, and what is below it."""
        hidden = tools.visible.hidden_parts
        is_shown = any(name not in hidden for name in branch.names)
        imgui.push_id(key)
        triangles = tr("{count} triangles", count=f"{branch.triangles:,}")
        if self.widgets.checkbox(f"part.{key}", "", is_shown, triangles):
            tools.show(tools.visible.with_parts(branch.names, shown=not is_shown))
        imgui.same_line()
        text = f"{branch.title} ({len(branch.names)})" if branch.branches else branch.title
        if self.widgets.small_button(tr("only"), f"only.{key}"):
            tools.show(replace(tools.visible, hidden_parts=self._all - set(branch.names)))
        imgui.same_line()
        if not branch.branches:
            imgui.text(text)
        elif self.widgets.branch(text, f"branch.{key}"):
            for each in branch.branches:
                self._branch(tools, each, f"{key}/{each.title}")
            imgui.tree_pop()
        imgui.pop_id()
