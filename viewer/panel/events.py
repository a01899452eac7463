"""pyglet's events of a window with panel: for the panel, for a mark on the ground, for the view."""

from collections.abc import Callable
from functools import partial
from typing import Any

from rmp3d.viewer.panel.placing import Placing
from rmp3d.viewer.panel.state import PanelState
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.events import LETTER_STEPS, WindowEvents
from rmp3d.viewer.texts import tr

LIVELY_FRAMES = 6  # drawn after an event, until the widgets have settled
SETTLING_FRAMES = 3  # after a click, until it is known whether a text is edited


class PanelEvents(WindowEvents):
    """Tells events over the panel from those over the scene to the right of it.

    Attributes:
        gui: The drawn panel; None until it is there.
        lively: Frames to draw although nothing has changed in the scene.

    Keys, and clicks on the scene, that follow a click on the panel wait until that is drawn. On a
    slow machine what is typed into a field would else be taken for keys of the scene, and a click
    after *Place* would place nothing.
    """

    def __init__(
        self, window: Any, controls: Callable[[], Controls], state: PanelState, placing: Placing
    ) -> None:
        super().__init__(window, controls)
        self._state, self._placing = state, placing
        self._over_panel = False
        self.gui: Any = None  # there is none yet when the window asks for its size
        self.lively = LIVELY_FRAMES
        self._settling = 0  # frames
        self._waiting: list[Callable[[], object]] = []

    def drawn(self) -> None:
        """Take that the panel was drawn, and the keys that waited for it."""
        self._settling = max(0, self._settling - 1)
        if self._settling == 0 and self._waiting:
            waiting, self._waiting = self._waiting, []
            for take in waiting:
                take()

    def _waits(self, take: Callable[[], object], *, anyway: bool = True) -> bool:
        """Keep an event for later if it is to wait, in order; return whether it does."""
        waits = self._settling > 0 and (anyway or bool(self._waiting))
        if waits:
            self._waiting.append(take)
        return waits

    @property
    def panel_width(self) -> int:
        """Width of the panel [pixels]."""
        return 0 if self.gui is None else int(self.gui.width)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a view right of the panel [pixels]."""
        width, height = super().size
        views = 2 if self._state.has_two_views else 1
        return max((width - self.panel_width) // views, 1), height

    @property
    def corner(self) -> tuple[int, int]:
        """Where the lower left pixel right of the panel is in the window."""
        return self.panel_width, 0

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of the view that the mouse is in; negative in the panel."""
        column, row = super().pixel(x, y)
        return column - self.panel_width, row

    @property
    def has_two_views(self) -> bool:
        """Whether a recording that is compared has a view of its own."""
        return self._state.has_two_views

    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        """Let the panel and the timeline know where the mouse is."""
        self.enter(x, y)
        was, self._over_panel = self._over_panel, self.pixel(x, y)[0] < 0.0
        self.gui.inputs.move(x, y)
        if self._state.files.has_dialog:
            self._controls().tools.leave()
        else:
            super().on_mouse_motion(x, y, dx, dy)
        if not self._over_panel:
            self._placing.point(self.pixel(x, y))
        if was or self._over_panel or self.gui.inputs.wants_mouse:
            self.lively = LIVELY_FRAMES

    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Press a widget, grab a mark, or turn the view."""
        self.lively = LIVELY_FRAMES
        self.gui.inputs.move(x, y)
        self.enter(x, y)
        at = self.pixel(x, y)
        press = partial(self.on_mouse_press, x, y, button, modifiers)
        if self._waits(press, anyway=at[0] >= 0.0):
            return
        self._over_panel = at[0] < 0.0
        if self._over_panel or self.gui.inputs.wants_mouse:
            self.gui.inputs.button(button, down=True)
            self._settling = SETTLING_FRAMES
        elif not self._placing.press(at, is_left=button == 1, erases=has_shift(modifiers)):
            super().on_mouse_press(x, y, button, modifiers)

    def on_mouse_drag(
        self, x: float, y: float, dx: int, dy: int, buttons: int, modifiers: int
    ) -> None:
        """Move what the press grabbed."""
        self.lively = LIVELY_FRAMES
        drag = partial(self.on_mouse_drag, x, y, dx, dy, buttons, modifiers)
        if self._waits(drag, anyway=False):
            return
        self.gui.inputs.move(x, y)
        if self._placing.pressed and not self._placing.drag(self.pixel(x, y)):
            super().on_mouse_drag(x, y, dx, dy, buttons, modifiers)

    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Let go of what the press grabbed."""
        self.lively = LIVELY_FRAMES
        if self._waits(partial(self.on_mouse_release, x, y, button, modifiers), anyway=False):
            return
        self.gui.inputs.button(button, down=False)
        if self._placing.pressed and not self._placing.release(
            self.pixel(x, y), is_left=button == 1
        ):
            super().on_mouse_release(x, y, button, modifiers)

    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        """Scroll the panel, or zoom."""
        self.lively = LIVELY_FRAMES
        self.enter(x, y)
        if self.pixel(x, y)[0] < 0.0 or self.gui.inputs.wants_mouse:
            self.gui.inputs.scroll(scroll_x, scroll_y)
        elif not self._state.preview.turn(scroll_y):
            super().on_mouse_scroll(x, y, scroll_x, scroll_y)

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Type into a field of the panel, answer a question, or pass the key on.

        A key does one thing: the panel gets it only while a text is edited or a list is open.
        """
        from pyglet.window import key

        self.lively = LIVELY_FRAMES
        if self._waits(partial(self.on_key_press, symbol, modifiers)):
            return True
        gui, state, files = self.gui, self._state, self._state.files
        if files.question is None and files.browser is not None and not gui.has_popup:
            typing = gui.inputs.wants_keys
            files.browser_key(key.symbol_string(symbol), typing=typing)
            if typing and files.browser is not None:
                gui.inputs.key(symbol, modifiers, down=True)
        elif gui.inputs.wants_keys and files.question is None:
            gui.inputs.key(symbol, modifiers, down=True)
        elif files.question is not None or gui.has_popup:
            if symbol == key.ESCAPE:
                gui.close_popup()
                files.answer(-1)
        elif symbol == key.ESCAPE and state.painting.cancel():
            pass
        elif symbol == key.ESCAPE and (state.intervening.cancel() or state.placing):
            state.placing = ""
            state.preview.clear()
        elif state.preview.key(key.symbol_string(symbol)):
            pass
        elif modifiers & (key.MOD_CTRL | key.MOD_COMMAND):
            self._shortcut(key.symbol_string(symbol), shift=has_shift(modifiers))
        elif symbol == key.ESCAPE and self._controls().cancel():
            pass
        elif symbol in (key.ESCAPE, key.Q):
            files.leave()
        else:
            return super().on_key_press(symbol, modifiers)
        return True

    def _shortcut(self, name: str, *, shift: bool) -> None:
        """Take a key that is pressed with Ctrl; others than these do nothing."""
        state = self._state

        def save_as() -> None:
            state.files.browse(saving=True)

        actions: dict[str, Callable[[], None]] = {
            "Z": state.redo if shift else state.undo,
            "Y": state.redo,
            "O": lambda: state.files.browse(saving=False),
            "S": lambda: save_as() if shift else state.files.save(state.files.path),
            "Q": state.files.leave,
        }
        if name in actions:
            actions[name]()
        elif name in LETTER_STEPS:
            self.wish(LETTER_STEPS[name])

    def on_file_drop(self, x: float, y: float, paths: list[str]) -> None:
        """Open a file that was dragged into the window."""
        self.lively = LIVELY_FRAMES
        if len(paths) == 1:
            self._state.files.open(paths[0])
        else:
            self._state.refuse(tr("drop one file at a time, these are {count}", count=len(paths)))

    def on_close(self) -> bool:
        """Ask before changes are lost; the window closes itself then."""
        self.lively = LIVELY_FRAMES
        self._state.files.leave()
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Let the panel know of a key let go."""
        self.lively = LIVELY_FRAMES
        if self._waits(partial(self.on_key_release, symbol, modifiers)):
            return
        self.gui.inputs.key(symbol, modifiers, down=False)

    def on_text(self, text: str) -> None:
        """Let the panel know what was typed."""
        self.lively = LIVELY_FRAMES
        if self._waits(partial(self.on_text, text)):
            return
        browser, question = self._state.files.browser, self._state.files.question
        if self.gui.inputs.wants_keys:
            self.gui.inputs.text(text)
        elif browser is not None and question is None and text.isprintable():
            browser.find(text)

    def wish(self, steps: int) -> None:
        """Let letters be so many steps larger, or smaller, also the next time."""
        super().wish(steps)
        self._state.settings.letters = self._controls().wish
        self._state.settings.keep()

    def on_resize(self, width: int, height: int) -> bool:
        """Take the window's new size; the panel grows with it."""
        if self.gui is not None:
            self.gui.resize(self.scale)
            self.lively = LIVELY_FRAMES
        return super().on_resize(width, height)


def has_shift(modifiers: int) -> bool:
    """Return whether Shift is held down."""
    from pyglet.window import key

    return bool(modifiers & key.MOD_SHIFT)
