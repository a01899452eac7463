"""What the user puts on the ground by clicks and drags: places, newcomers, strokes of a brush."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.models import Character
from rmp3d.viewer.panel.marks import meets, moved
from rmp3d.viewer.panel.protocol import Place
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.player.controls import CLICK_PIXELS, Controls
from rmp3d.viewer.texts import tr

GRAB_PIXELS = 16.0  # of a window 720 high; from a mark to a press that grabs it
Role = Literal["start", "goal"]
Pixel = tuple[float, float]


class Placing:
    """Follows the mouse from a press to its release.

    Attributes:
        places: Starts and goals while a mark is dragged; else None, and those of the state hold.
    """

    def __init__(self, state: PanelState, controls: Callable[[], Controls]) -> None:
        """Take the panel's state, and a function that returns the window's present controls."""
        self._state, self._controls = state, controls
        self._held: Role | None = None  # the mark that the mouse drags
        self._pressed_at: Pixel | None = None
        self._paints = False  # whether the mouse drags the brush of a flow field
        self.places: tuple[Place, ...] | None = None

    @property
    def pressed(self) -> bool:
        """Whether a button was pressed over the scene and not let go yet."""
        return self._pressed_at is not None

    def press(self, at: Pixel, *, is_left: bool, erases: bool = False) -> bool:
        """Take a press at a pixel; return whether a mark was grabbed, or a stroke begun."""
        if self._paints:  # another button
            return True
        self._pressed_at = at
        painting = self._state.painting
        self._paints = is_left and painting.active and painting.has_field
        if self._paints:
            painting.begin(self._ground(at), erases=erases)
            return True
        self._held = self._mark_at(at) if is_left else None
        return self._held is not None

    def drag(self, at: Pixel) -> bool:
        """Take a move to a pixel; return whether a mark or a brush goes with it."""
        if self._paints:
            self._state.painting.follow(self._ground(at))
            return True
        if self._held is None:
            return False
        point = self._ground(at)
        self._state.preview.aim(self._held, point, flies=self._flies, turns=False)
        if point is not None:
            state = self._state
            self.places = moved(state.places, state.draft.group, self._held, point)
        return True

    def release(self, at: Pixel, *, is_left: bool) -> bool:
        """Take the end of a press; return whether it was about a mark or a brush."""
        if self._paints and not is_left:
            return True
        if self._paints:
            self._paints, self._pressed_at = False, None
            self._state.painting.follow(self._ground(at))
            self._state.painting.end()
            return True
        pressed, self._pressed_at = self._pressed_at or at, None
        held, self._held = self._held, None
        self.places = None
        if held is not None:
            self._state.preview.clear()
        clicked = np.hypot(at[0] - pressed[0], at[1] - pressed[1]) < CLICK_PIXELS
        if held is not None:
            if not clicked:
                self._put(held, at)
            return True
        if self._state.placing and clicked and is_left:
            self._controls().cancel_press()
            self._put(self._state.placing, at)
            return True
        if self._state.intervening.adding and clicked and is_left:
            self._controls().cancel_press()
            point = self._ground(at)
            if point is None:
                self._say_why()
            else:
                self._state.intervening.add(point)
            return True
        return False

    def _put(self, role: Role, at: Pixel) -> None:
        """Put a start, goal or member to where a line of sight meets the ground."""
        point = self._ground(at)
        if point is None:
            self._say_why()
            return
        self._state.placing = role
        self._state.place(point)

    def point(self, at: Pixel) -> None:
        """Note where the mouse points on the ground, if a group is led there or one is placed."""
        intervening, preview = self._state.intervening, self._state.preview
        if self._state.placing or intervening.adding:
            role: Role = self._state.placing or "start"
            turns = self._state.placing == "start" and self._turns
            preview.aim(role, self._ground(at), flies=self._flies, turns=turns)
        elif preview.point is not None:
            preview.clear()
        if intervening.leading:
            intervening.pointer = self._ground(at)

    @property
    def _kinds(self) -> list[Character]:
        """The character of the edited group's first member, if there is one yet."""
        playback = self._controls().playback
        kinds = playback.character_of[playback.members(self._state.draft.group)[:1]]
        return [playback.characters[kind] for kind in kinds]

    @property
    def _flies(self) -> bool:
        """Whether the members of the edited group fly."""
        return any(kind.vehicle == "flying" for kind in self._kinds)

    @property
    def _turns(self) -> bool:
        """Whether they can look anywhere at the start: vehicles begin along their way."""
        return all(
            kind.vehicle != "carried" and kind.parameters.turn_radius == 0.0 for kind in self._kinds
        )

    def _say_why(self) -> None:
        """Say why nothing is put at a pixel."""
        loads = self._state.playback is None
        text = "the scene is still being loaded" if loads else "there is no ground here"
        self._controls().notify(tr(text))

    def _ground(self, at: Pixel) -> Float | None:
        """Return the point (3,) [m] of the ground at a pixel; a flyer's keeps its height.

        The floor that is seen before there is a scene is no ground.
        """
        if self._state.playback is None:
            return None
        controls = self._controls()
        playback = controls.playback
        origin, direction = controls.camera.ray(at, controls.size)
        point = meets(playback.scene, origin, direction)
        if point is not None and self._flies:
            row = playback.members(self._state.draft.group)[0]
            height = playback.position[0, row, 2]
            height += self._state.preview.lift
            point = np.array([point[0], point[1], max(height, point[2])])
        return point

    def _mark_at(self, at: Pixel) -> Role | None:
        """Return whether a start or goal of the chosen group is at a pixel."""
        state, controls = self._state, self._controls()
        if state.is_live or state.phase in ("building", "recording") or state.placing:
            return None
        reach = GRAB_PIXELS * controls.size[1] / 720.0
        for place in state.places:
            if place.group == state.draft.group:
                pixel = controls.camera.project(place.mark, controls.size)[0][0]
                if np.hypot(*(pixel - np.array(at))) < reach:
                    return "start" if place.role == "start" else "goal"
        return None
