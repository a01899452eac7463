"""The panel's sections of one group: its members, their start and goal, and what they do."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS
from rmp3d.models import builtin_models
from rmp3d.models.loading import builtin_summary
from rmp3d.models.skeleton import STANDING, clips_at_rest
from rmp3d.viewer.panel.forms import FormField, registries
from rmp3d.viewer.panel.named_fields import names_of
from rmp3d.viewer.panel.painting import SPEED, WIDTH
from rmp3d.viewer.panel.several_groups import has_formation, share_formation
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.panel.widgets import Widgets

PLACE_HELPS = {
    "start": "Where the members start: a region of the scene, or a point.",
    "goal": "Where the members go: a region of the scene, or a point.",
}
USUAL = "usual"
"""What the list of activities shows where the group says none."""


class GroupSections:
    """Draws the sections of the chosen group into the current imgui window."""

    def __init__(self, state: PanelState, widgets: Widgets) -> None:
        self.state, self.widgets = state, widgets
        self._clips: dict[tuple[str, ...], list[str]] = {}  # by characters; see `_at_rest`

    def draw_members(self) -> None:
        """Draw the choice of the group, its characters and number, its start and goal."""
        state, draft = self.state, self.state.draft
        names = [str(group["name"]) for group in draft.groups]
        self.widgets.label("Group", "Members of one group move together.")
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
        shown = ("members", "speed_limit", "heading")
        self.widgets.form(kinds, draft.chosen, where, state.edit, shown)
        self._at_rest()
        self._place("start")
        if draft.needs_goal(draft.group):
            self._place("goal")
        self._while_it_runs(runs=state.phase == "running")

    def _while_it_runs(self, *, runs: bool) -> None:
        """Buttons that let members of the run come, leave, and follow the mouse; always there."""
        state = self.state
        self.widgets.label("In the run", "What happens to this group in the run that goes on.")
        doing = state.intervening
        text = "click ..." if doing.adding else "Add"
        leads = "leads ..." if doing.leading else "Lead"
        wide = self.widgets.widths_in_a_row([text, "Remove", leads])
        help_text = "Press, then click on the ground: each click lets a member come there."
        if self.widgets.button(f"{text}##member", enabled=runs, width=wide[0], help_text=help_text):
            doing.adding, doing.leading, state.placing = not doing.adding, False, ""
        imgui.same_line()
        some = runs and bool(doing.removable)
        help_text = "Let the selected members leave. Ctrl and a click select one more."
        if self.widgets.button("Remove", enabled=some, width=wide[1], help_text=help_text):
            doing.remove()
        imgui.same_line()
        help_text = "The groups of the selected, or this one, go where the mouse points (Esc ends)."
        if self.widgets.button(f"{leads}##lead", enabled=runs, width=wide[2], help_text=help_text):
            doing.leading, doing.adding, doing.pointer = not doing.leading, False, None

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
                "Character" if row == 0 else "and",
                "Which character the members are; of several, they take one each in turn.",
            )
            imgui.set_next_item_width(-2 * (size + imgui.get_style().item_spacing.x))
            shown = Path(kind).name  # of a file, the field below has all of its path
            chosen = self.widgets.choice(key, shown, builtin_models(), builtin_summary)
            if chosen is not None:
                put(row, row + 1, chosen)
            for text, enabled, names, help_text in (
                (
                    f"+##{key}",
                    True,
                    (kind, kind),
                    "Add a character. Members take the characters in turn.",
                ),
                (f"-##{key}", len(kinds) > 1, (), "Remove this character."),
            ):
                imgui.same_line()
                if self.widgets.button(text, enabled=enabled, width=size, help_text=help_text):
                    put(row, row + 1, *names)
        own = FormField(
            "own_file", "text", "", help="A character file (.toml) of your own.", is_key=False
        )
        value = None if kinds[-1] in builtin_models() else kinds[-1]
        last, default = len(kinds) - 1, self.state.draft.default_character
        self.widgets.row(own, value, path, lambda _, new: put(last, last + 1, new or default))

    def _at_rest(self) -> None:
        """A list of what members do that stand still, if they can do anything but that.

        Until new characters are read it is there, and those that are known keep it, or have none:
        the rows below do not jump.
        """
        state, draft = self.state, self.state.draft
        characters, playback = tuple(draft.characters), state.playback
        if playback is not None and not state.session.busy:
            kinds = dict.fromkeys(playback.character_of[playback.members(draft.group)].tolist())
            rigs = [playback.characters[kind].rig for kind in kinds]
            found = {name for rig in rigs if rig is not None for name in clips_at_rest(rig)}
            if kinds:
                self._clips[characters] = sorted(found)
        clips = self._clips.get(characters, [STANDING])
        if not clips:
            return
        self.widgets.label("At rest", "What members do that stand still for a while.")
        imgui.set_next_item_width(-1.0)
        shown = str(draft.chosen.get("at_rest") or USUAL)
        names = list(dict.fromkeys([USUAL, STANDING, *clips]))
        chosen = self.widgets.choice("at_rest", shown, names)
        if chosen is not None:
            new = None if chosen == USUAL else chosen
            state.edit(["groups", draft.group, "at_rest"], new)

    def _place(self, role: str) -> None:
        """A region to choose, or a point: by a click on the ground, or typed."""
        state, draft = self.state, self.state.draft
        self.widgets.label(role.capitalize(), PLACE_HELPS[role])
        value = draft.chosen.get(role, role)
        regions = sorted(state.playback.scene.regions) if state.playback is not None else []
        width = 4.2 * imgui.get_font_size()
        imgui.set_next_item_width(-width - imgui.get_style().item_spacing.x)
        is_point = isinstance(value, list | tuple)
        shown = "point" if is_point else str(value)
        chosen = self.widgets.choice(role, shown, [*regions, "point"], places=True)
        if chosen == "point":
            state.make_point(role)
        elif chosen is not None:
            state.edit(["groups", draft.group, role], chosen)
        imgui.same_line()
        active = state.placing == role
        text = "click ..." if active else "Place"
        help_text = "Press, then click on the ground. The mark can also be dragged."
        if self.widgets.button(f"{text}##{role}", width=width, help_text=help_text):
            state.placing = "" if active else role  # type: ignore[assignment]
        if is_point:
            point = FormField(
                "point", "vector", unit="m", help="The place: x, y, z [m].", is_key=False
            )
            self.widgets.row(point, value, ["groups", draft.group, role], state.edit)

    def draw_behavior(self) -> None:
        """Draw the choice of the behavior, and its options."""
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
            if state.painting.has_field:
                self._brush()
            regions = sorted(state.playback.scene.regions) if state.playback is not None else []
            self.widgets.names = names_of(draft.table, draft.group, regions)
            path: list[Any] = ["groups", draft.group, "behavior"]
            self.widgets.form(registries()["behavior"][name], table, path, state.edit)
        if len(draft.groups) > 1 and has_formation(table):
            self.widgets.label("Other groups", "Change several groups at the same moment.")
            help_text = (
                "The groups of the selected members get this formation; all if nobody of them is "
                "selected."
            )
            if self.widgets.button("Same formation", width=-1.0, help_text=help_text):
                share_formation(state)
        if draft.needs_goal(draft.group):
            self._afterwards()

    def _brush(self) -> None:
        """The brush of the group's flow field; while it is in use, its width and speed."""
        painting = self.state.painting
        self.widgets.label("Flow field", "Arrows on the ground that the members follow.")
        gap = imgui.get_style().item_spacing.x
        width = (imgui.get_content_region_avail().x - gap) / 2
        text = "painting ..." if painting.active else "Paint flow"
        help_text = (
            "Press, then drag over the ground: members there move along the stroke. With Shift "
            "the brush rubs out. Esc ends."
        )
        if self.widgets.button(f"{text}##flow", width=width, help_text=help_text):
            self.state.intervening.cancel()
            self.state.placing, painting.active = "", not painting.active
        imgui.same_line()
        some = painting.has_strokes
        if self.widgets.button(
            "Clear##flow", enabled=some, width=width, help_text="Rub out all strokes."
        ):
            painting.clear()
        if painting.active:
            for field, value in ((WIDTH, painting.width), (SPEED, painting.speed)):
                self.widgets.row(field, value, ["brush", field.name], self._set_brush)

    def _set_brush(self, path: Sequence[str | int], value: Any) -> None:
        setattr(self.state.painting, str(path[-1]), value)

    def _afterwards(self) -> None:
        """The choice of what members do after they have arrived, and its options."""
        path: list[Any] = ["groups", self.state.draft.group, "afterwards"]
        value = self.state.draft.chosen.get("afterwards")
        table = value if isinstance(value, dict) else {"name": value or USUAL}
        name = str(table["name"])
        self.widgets.label("Afterwards", "What the members do after all of them have arrived.")
        imgui.set_next_item_width(-1.0)
        chosen = self.widgets.choice("afterwards", name, [USUAL, *ACTIVITIES], _activity_summary)
        if chosen is not None:
            self.state.edit(path, None if chosen == USUAL else {"name": chosen})
        elif name in ACTIVITIES:
            self.widgets.form(ACTIVITIES[name], table, path, self.state.edit)


def _activity_summary(name: str) -> str:
    return "What is usual after the behavior." if name == USUAL else ACTIVITIES.summary(name)
