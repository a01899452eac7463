"""Keys reach the widgets as they were pressed, however many come in one frame."""

import pytest


@pytest.fixture
def field(opengl):
    """A function that draws a frame and returns the text that is edited there; its inputs."""
    from imgui_bundle import imgui

    from rmp3d.viewer.gpu.platforms import open_window

    hidden = open_window((8, 8), title="", visible=False)  # before keys have names

    from rmp3d.viewer.panel.inputs import Inputs

    before, context = imgui.get_current_context(), imgui.create_context()
    imgui.set_current_context(context)
    io, inputs, text = imgui.get_io(), Inputs(None), ["hello"]
    io.set_ini_filename("")
    io.display_size = imgui.ImVec2(400.0, 200.0)
    io.backend_flags |= imgui.BackendFlags_.renderer_has_textures

    def frame(focus=False):
        io.delta_time = 1.0 / 60.0
        imgui.new_frame()
        inputs.begun()
        imgui.begin("window")
        if focus:
            imgui.set_keyboard_focus_here()
        text[0] = imgui.input_text("text", text[0])[1]
        imgui.end()
        imgui.render()
        return text[0]

    frame(focus=True)
    for _ in range(4):
        frame()
    yield frame, inputs
    imgui.destroy_context(context)
    hidden.close()
    if before is not None:
        imgui.set_current_context(before)


@pytest.mark.parametrize("frame_after", [0, 1, 2])
def test_control_let_go_in_the_frame_of_its_letter_was_held_with_it(field, frame_after):
    from pyglet.window import key

    frame, inputs = field
    events = [(key.END, 0, True), (key.END, 0, False), (key.LCTRL, 0, True),
              (key.A, key.MOD_CTRL, True), (key.LCTRL, key.MOD_CTRL, False),
              (key.A, 0, False)]  # fmt: skip
    for row, (symbol, modifiers, down) in enumerate(events):
        inputs.key(symbol, modifiers, down=down)
        if row < 2 or row == 1 + frame_after:
            frame()
            frame()
    inputs.text("x")
    for _ in range(6):
        text = frame()
    assert text == "x", "all of it was selected"
