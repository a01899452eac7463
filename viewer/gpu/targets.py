"""What is drawn into: anti-aliased pictures, shadow maps, textures of letters."""

import ctypes

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from rmp3d.geometry.arrays import Float
from rmp3d.viewer.errors import ViewerError

MOTION_UNIT = 3
"""The texture unit of the motions of joints."""


def _one(make: object) -> int:
    name = gl.GLuint()
    make(1, ctypes.byref(name))  # type: ignore[operator]
    return name.value


def _delete(delete: object, name: int) -> None:
    delete(1, ctypes.byref(gl.GLuint(name)))  # type: ignore[operator]


class Picture:
    """A framebuffer of color and depth; with several samples a pixel its edges are smooth."""

    def __init__(self, size: tuple[int, int], samples: int) -> None:
        self.size = size
        self.framebuffer = _one(gl.glGenFramebuffers)
        self._buffers = [_one(gl.glGenRenderbuffers) for _ in range(2)]
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.framebuffer)
        formats = (gl.GL_RGBA8, gl.GL_DEPTH_COMPONENT24)
        points = (gl.GL_COLOR_ATTACHMENT0, gl.GL_DEPTH_ATTACHMENT)
        for name, kind, point in zip(self._buffers, formats, points, strict=True):
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, name)
            gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, kind, *size)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, point, gl.GL_RENDERBUFFER, name)
        _check_complete(f"a picture of {size[0]} x {size[1]} with {samples} samples")

    def copy_to(self, framebuffer: int) -> None:
        """Copy the colors, samples averaged, into a framebuffer of the same size."""
        width, height = self.size
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.framebuffer)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, framebuffer)
        box = (0, 0, width, height)
        gl.glBlitFramebuffer(*box, *box, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)

    def delete(self) -> None:
        """Free it on the card."""
        _delete(gl.glDeleteFramebuffers, self.framebuffer)
        for name in self._buffers:
            _delete(gl.glDeleteRenderbuffers, name)


class Backdrop:
    """A picture of what stands still, with depth, that shaders can read and that is copied.

    Attributes:
        size: Width and height [pixels].
        key: Whatever it shows; the owner compares it.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self.key: object = None
        self.framebuffer = _one(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.framebuffer)
        self._textures = []
        for inner, outer, kind, point in (
            (gl.GL_RGBA8, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, gl.GL_COLOR_ATTACHMENT0),
            (gl.GL_DEPTH_COMPONENT24, gl.GL_DEPTH_COMPONENT, gl.GL_FLOAT, gl.GL_DEPTH_ATTACHMENT),
        ):
            name = _one(gl.glGenTextures)
            gl.glBindTexture(gl.GL_TEXTURE_2D, name)
            gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, inner, *size, 0, outer, kind, None)
            for key in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
                gl.glTexParameteri(gl.GL_TEXTURE_2D, key, gl.GL_NEAREST)
            gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, point, gl.GL_TEXTURE_2D, name, 0)
            self._textures.append(name)
        _check_complete(f"a picture of {size[0]} x {size[1]}")

    def bind(self, color_unit: int, depth_unit: int) -> None:
        """Let shaders read color and depth as two textures."""
        for unit, name in zip((color_unit, depth_unit), self._textures, strict=True):
            gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
            gl.glBindTexture(gl.GL_TEXTURE_2D, name)

    def depth(self) -> NDArray[np.float32]:
        """Return the depths (H, W), 0..1, lowest row first."""
        depths = np.empty((self.size[1], self.size[0]), np.float32)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.framebuffer)
        _read_depth(self.size, depths)
        return depths

    def copy_to(self, framebuffer: int) -> None:
        """Copy color and depth into a framebuffer of the same size, without samples."""
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.framebuffer)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, framebuffer)
        box = (0, 0, *self.size)
        bits = gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT
        gl.glBlitFramebuffer(*box, *box, bits, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)

    def delete(self) -> None:
        """Free it on the card."""
        _delete(gl.glDeleteFramebuffers, self.framebuffer)
        for name in self._textures:
            _delete(gl.glDeleteTextures, name)


def copy_colors(picture: Picture, framebuffer: int, corner: tuple[int, int]) -> None:
    """Copy a picture into a larger framebuffer, its lower left pixel to ``corner``."""
    width, height = picture.size
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, picture.framebuffer)
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, framebuffer)
    left, bottom = corner
    gl.glBlitFramebuffer(
        0, 0, width, height, left, bottom, left + width, bottom + height,
        gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST,
    )  # fmt: skip
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)


class MotionTable:
    """A texture of the motions of joints, one row for each instance, that shaders fetch from."""

    def __init__(self) -> None:
        self._texture = _one(gl.glGenTextures)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture)
        for key in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, key, gl.GL_NEAREST)

    def upload(self, motion: Float) -> None:
        """Replace the motions by those (n, J, 3, 4) of n instances."""
        rows = np.ascontiguousarray(motion, np.float32)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture)
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D, 0, gl.GL_RGBA32F, 3 * rows.shape[1], max(len(rows), 1), 0,
            gl.GL_RGBA, gl.GL_FLOAT, rows.ctypes.data if len(rows) else None,
        )  # fmt: skip

    def bind(self, unit: int) -> None:
        """Let shaders read it as texture ``unit``."""
        gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._texture)


class DepthMap:
    """A square texture of depths seen from the sun, read by comparison.

    Sixteen bits are a hundredth of a texel in depth, and software renderers compare them faster.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.texture = _one(gl.glGenTextures)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.texture)
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D, 0, gl.GL_DEPTH_COMPONENT16, size, size, 0,
            gl.GL_DEPTH_COMPONENT, gl.GL_UNSIGNED_SHORT, None,
        )  # fmt: skip
        for key, value in {
            gl.GL_TEXTURE_MIN_FILTER: gl.GL_LINEAR,
            gl.GL_TEXTURE_MAG_FILTER: gl.GL_LINEAR,
            gl.GL_TEXTURE_WRAP_S: gl.GL_CLAMP_TO_EDGE,
            gl.GL_TEXTURE_WRAP_T: gl.GL_CLAMP_TO_EDGE,
            gl.GL_TEXTURE_COMPARE_MODE: gl.GL_COMPARE_REF_TO_TEXTURE,
            gl.GL_TEXTURE_COMPARE_FUNC: gl.GL_LEQUAL,
        }.items():
            gl.glTexParameteri(gl.GL_TEXTURE_2D, key, value)
        self._framebuffer = _one(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer)
        gl.glFramebufferTexture2D(
            gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_TEXTURE_2D, self.texture, 0
        )
        gl.glDrawBuffer(gl.GL_NONE)
        gl.glReadBuffer(gl.GL_NONE)
        _check_complete("a shadow map")

    def begin(self) -> None:
        """Clear it and draw into it from now on."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer)
        gl.glViewport(0, 0, self.size, self.size)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)

    def bind(self, unit: int) -> None:
        """Let shaders read it as texture ``unit``."""
        gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.texture)

    def read(self) -> NDArray[np.float32]:
        """Return the depths (size, size), 0..1, lowest row first."""
        depths = np.empty((self.size, self.size), np.float32)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._framebuffer)
        _read_depth((self.size, self.size), depths)
        return depths


class Coverage:
    """A texture of one byte a texel: an atlas of letters."""

    def __init__(self) -> None:
        self.texture = _one(gl.glGenTextures)
        self.size = (1, 1)

    def upload(self, image: NDArray[np.uint8]) -> None:
        """Replace it by an image (H, W), first row at texel height zero."""
        image = np.ascontiguousarray(image, np.uint8)
        height, width = image.shape
        self.size = (width, height)
        self.bind(0)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D, 0, gl.GL_R8, width, height, 0,
            gl.GL_RED, gl.GL_UNSIGNED_BYTE, image.ctypes.data,
        )  # fmt: skip
        for key in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, key, gl.GL_NEAREST)

    def bind(self, unit: int) -> None:
        """Let shaders read it as texture ``unit``."""
        gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.texture)


def read_pixels(framebuffer: int, size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the colors (H, W, 3) of a framebuffer without samples, top row first."""
    width, height = size
    pixels = np.empty((height, width, 3), np.uint8)
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glReadPixels(0, 0, width, height, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data)
    return np.ascontiguousarray(pixels[::-1])


def most_samples() -> int:
    """Return how many samples a pixel the driver can give."""
    count = gl.GLint()
    gl.glGetIntegerv(gl.GL_MAX_SAMPLES, ctypes.byref(count))
    return int(count.value)


def _read_depth(size: tuple[int, int], depths: NDArray[np.float32]) -> None:
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glReadPixels(0, 0, *size, gl.GL_DEPTH_COMPONENT, gl.GL_FLOAT, depths.ctypes.data)


def _check_complete(what: str) -> None:
    status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER)
    if status != gl.GL_FRAMEBUFFER_COMPLETE:
        raise ViewerError(f"the graphics driver refuses {what} (status {status:#x}); try smaller")
