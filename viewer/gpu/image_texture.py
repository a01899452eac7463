"""Pictures on surfaces, on the graphics card."""

import ctypes
from io import BytesIO

import numpy as np
from pyglet import gl

PICTURE_UNIT = 2
"""The texture unit of the picture that is drawn with."""


class ImageTexture:
    """A picture that repeats, with smaller copies for what is far away."""

    def __init__(self, data: bytes) -> None:
        """Upload a PNG or JPEG; its colors are sRGB."""
        from PIL import Image

        with Image.open(BytesIO(data)) as image:
            texels = np.ascontiguousarray(np.asarray(image.convert("RGBA"))[::-1])
        name = gl.GLuint()
        gl.glGenTextures(1, ctypes.byref(name))
        self._name = name.value
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._name)
        height, width = texels.shape[:2]
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D, 0, gl.GL_SRGB8_ALPHA8, width, height, 0,
            gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, texels.ctypes.data,
        )  # fmt: skip
        gl.glGenerateMipmap(gl.GL_TEXTURE_2D)
        for key, value in (
            (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR_MIPMAP_LINEAR),
            (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_REPEAT),
            (gl.GL_TEXTURE_WRAP_T, gl.GL_REPEAT),
        ):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, key, value)

    def bind(self) -> None:
        """Have programs that use `PICTURE_UNIT` draw with it."""
        gl.glActiveTexture(gl.GL_TEXTURE0 + PICTURE_UNIT)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._name)
        gl.glActiveTexture(gl.GL_TEXTURE0)
