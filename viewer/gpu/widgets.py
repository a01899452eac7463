"""Dear ImGui's triangles and textures, drawn with pyglet's own OpenGL.

The renderers that imgui-bundle ships need PyOpenGL beside pyglet; this one needs nothing else.
"""

import ctypes

import numpy as np
from imgui_bundle import imgui
from pyglet import gl

from rmp3d.viewer.gpu.program import Program
from rmp3d.viewer.gpu.state import SEE_THROUGH, set_state

LARGEST_TEXTURE = 8192  # texels a side


def _name(make: object) -> int:
    name = gl.GLuint()
    make(1, ctypes.byref(name))  # type: ignore[operator]
    return int(name.value)


class WidgetRenderer:
    """Draws what `imgui.render` has made into the window's framebuffer."""

    def __init__(self) -> None:
        """Make buffers in the current OpenGL context, for the current imgui context."""
        self._program = Program("widgets")
        self._array = _name(gl.glGenVertexArrays)
        self._vertices, self._indices = _name(gl.glGenBuffers), _name(gl.glGenBuffers)
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        attributes = (
            (2, gl.GL_FLOAT, gl.GL_FALSE, imgui.VERTEX_BUFFER_POS_OFFSET),
            (2, gl.GL_FLOAT, gl.GL_FALSE, imgui.VERTEX_BUFFER_UV_OFFSET),
            (4, gl.GL_UNSIGNED_BYTE, gl.GL_TRUE, imgui.VERTEX_BUFFER_COL_OFFSET),
        )
        for location, (width, kind, normalized, offset) in enumerate(attributes):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, width, kind, normalized, imgui.VERTEX_SIZE, offset)
        gl.glBindVertexArray(0)
        imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures.value
        platform = imgui.get_platform_io()
        platform.renderer_texture_max_width = LARGEST_TEXTURE
        platform.renderer_texture_max_height = LARGEST_TEXTURE

    def draw(self, data: imgui.ImDrawData) -> None:
        """Draw over what is there."""
        for texture in imgui.get_platform_io().textures:
            if texture.status != imgui.ImTextureStatus.ok:
                _update(texture)
        width, height = data.display_size.x, data.display_size.y
        scale = data.framebuffer_scale
        pixels = int(width * scale.x), int(height * scale.y)
        if min(pixels) <= 0:
            return
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        gl.glViewport(0, 0, *pixels)
        set_state(depth=None, blend=SEE_THROUGH)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glActiveTexture(gl.GL_TEXTURE0)
        self._program.use(display=np.array([width, height]), atlas=0)
        gl.glBindVertexArray(self._array)
        data.scale_clip_rects((scale.x, scale.y))
        for commands in data.cmd_lists:
            self._draw_list(commands, pixels[1])
        gl.glBindVertexArray(0)
        gl.glDisable(gl.GL_SCISSOR_TEST)  # copies of pictures would heed it

    def delete(self) -> None:
        """Free the textures."""
        for texture in imgui.get_platform_io().textures:
            if texture.ref_count == 1:
                texture.status = imgui.ImTextureStatus.want_destroy
                _update(texture)

    def _draw_list(self, commands: imgui.ImDrawList, height: int) -> None:
        vertices, indices = commands.vtx_buffer, commands.idx_buffer
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        gl.glBufferData(
            gl.GL_ARRAY_BUFFER,
            vertices.size() * imgui.VERTEX_SIZE,
            ctypes.c_void_p(vertices.data_address()),
            gl.GL_STREAM_DRAW,
        )
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, self._indices)
        gl.glBufferData(
            gl.GL_ELEMENT_ARRAY_BUFFER,
            indices.size() * imgui.INDEX_SIZE,
            ctypes.c_void_p(indices.data_address()),
            gl.GL_STREAM_DRAW,
        )
        kind = gl.GL_UNSIGNED_SHORT if imgui.INDEX_SIZE == 2 else gl.GL_UNSIGNED_INT
        for command in commands.cmd_buffer:
            left, top, right, bottom = command.clip_rect
            if right <= left or bottom <= top:
                continue
            gl.glBindTexture(gl.GL_TEXTURE_2D, int(command.tex_ref.get_tex_id()))
            gl.glScissor(
                int(max(left, 0)), int(height - bottom), int(right - left), int(bottom - top)
            )
            gl.glDrawElements(
                gl.GL_TRIANGLES,
                command.elem_count,
                kind,
                ctypes.c_void_p(command.idx_offset * imgui.INDEX_SIZE),
            )


def _update(texture: imgui.ImTextureData) -> None:
    """Make, change or free a texture, as imgui wants it."""
    status = imgui.ImTextureStatus
    if texture.status == status.want_destroy:
        gl.glDeleteTextures(1, ctypes.byref(gl.GLuint(int(texture.tex_id))))
        texture.set_tex_id(0)
        texture.status = status.destroyed
        return
    if texture.status == status.want_create:
        texture.set_tex_id(_name(gl.glGenTextures))
    pixels = np.ascontiguousarray(texture.get_pixels_array())
    gl.glBindTexture(gl.GL_TEXTURE_2D, int(texture.tex_id))
    gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
    for key in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, key, gl.GL_LINEAR)
    for key in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T):
        gl.glTexParameteri(gl.GL_TEXTURE_2D, key, gl.GL_CLAMP_TO_EDGE)
    gl.glTexImage2D(
        gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, texture.width, texture.height, 0,
        gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data,
    )  # fmt: skip
    texture.status = status.ok
