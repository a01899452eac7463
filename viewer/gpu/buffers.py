"""Vertex arrays: instanced triangles, instanced line segments, overlay quads."""

import ctypes

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

FLOAT_BYTES = 4


def _generate(make: object) -> int:
    name = gl.GLuint()
    make(1, ctypes.byref(name))  # type: ignore[operator]
    return name.value


class RowBuffer:
    """A buffer of float32 rows whose columns feed attributes of the bound vertex array."""

    def __init__(
        self, columns: tuple[int, ...], first_location: int, *, per_instance: bool
    ) -> None:
        """Bind to the current vertex array.

        Args:
            columns: Width of each attribute, in order; a row is all of them.
            first_location: Location of the first attribute; the others follow.
            per_instance: Whether a row serves one instance (else one vertex).
        """
        self.count = 0
        self._width = sum(columns)
        self._name = _generate(gl.glGenBuffers)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._name)
        offset = 0
        for location, width in enumerate(columns, first_location):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(
                location, width, gl.GL_FLOAT, gl.GL_FALSE, self._width * FLOAT_BYTES, offset
            )
            gl.glVertexAttribDivisor(location, 1 if per_instance else 0)
            offset += width * FLOAT_BYTES

    def upload(self, rows: NDArray[np.float32]) -> None:
        """Replace the rows by (R, width) ones."""
        rows = np.ascontiguousarray(rows, np.float32).reshape(-1, self._width)
        self.count = len(rows)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._name)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, rows.nbytes, rows.ctypes.data, gl.GL_DYNAMIC_DRAW)


class SurfaceBuffer:
    """Triangles drawn once per instance; columns as in ``rmp3d.viewer.shapes.surfaces``."""

    def __init__(
        self,
        vertices: NDArray[np.float32],
        faces: NDArray[np.uint32],
        skin: NDArray[np.float32] | None = None,
    ) -> None:
        """Upload a mesh without instances.

        Args:
            vertices: (V, 10) rows.
            faces: (F, 3) rows of them.
            skin: (V, 8) joints and weights of the vertices, for programs with SKIN.
        """
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self._vertices = RowBuffer((3, 3, 3, 1), 0, per_instance=False)
        self._vertices.upload(vertices)
        self._corners = faces.size
        name = _generate(gl.glGenBuffers)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, name)
        faces = np.ascontiguousarray(faces, np.uint32)
        gl.glBufferData(
            gl.GL_ELEMENT_ARRAY_BUFFER, faces.nbytes, faces.ctypes.data, gl.GL_STATIC_DRAW
        )
        self.instances = RowBuffer((3, 4, 4, 1), 4, per_instance=True)
        if skin is not None:
            RowBuffer((4, 4), 8, per_instance=False).upload(skin)

    def draw(self, count: int | None = None) -> None:
        """Draw the first ``count`` instances, by default all, with the current program."""
        count = self.instances.count if count is None else count
        if count == 0 or self._corners == 0:
            return
        gl.glBindVertexArray(self._array)
        gl.glDrawElementsInstanced(gl.GL_TRIANGLES, self._corners, gl.GL_UNSIGNED_INT, None, count)


class SquareBuffer:
    """Squares that the program places, one per instance; columns as of `Surface`'s instances."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.instances = RowBuffer((3, 4, 4, 1), 4, per_instance=True)

    def draw(self) -> None:
        """Draw all with the current program."""
        _draw_squares(self._array, self.instances.count)


class SegmentBuffer:
    """Lines of a width in pixels; columns as in ``rmp3d.viewer.shapes.lines``."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.rows = RowBuffer((3, 3, 4, 4, 1), 0, per_instance=True)

    def draw(self) -> None:
        """Draw all segments with the current program."""
        _draw_squares(self._array, self.rows.count)


class RingBuffer:
    """Level circles with a line of a width in pixels; columns as in `viewer.shapes.rings`."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.rows = RowBuffer((3, 1, 2, 4, 1), 0, per_instance=True)

    def draw(self) -> None:
        """Draw all rings with the current program."""
        _draw_squares(self._array, self.rows.count)


class TriangleBuffer:
    """Triangles of plain colors; columns as in ``rmp3d.viewer.shapes.patches``, three rows each."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.rows = RowBuffer((3, 4), 0, per_instance=False)

    def draw(self) -> None:
        """Draw all triangles with the current program."""
        if self.rows.count == 0:
            return
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, self.rows.count)


class QuadBuffer:
    """Triangles in pixels for the overlay: position, texel, color."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.rows = RowBuffer((2, 2, 4), 0, per_instance=False)

    def draw(self) -> None:
        """Draw all triangles with the current program."""
        if self.rows.count == 0:
            return
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, self.rows.count)


class BoxBuffer:
    """Upright boxes in pixels: left, bottom, right, top."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.rows = RowBuffer((4,), 0, per_instance=True)

    def draw(self) -> None:
        """Draw all boxes with the current program."""
        _draw_squares(self._array, self.rows.count)


class EmptyBuffer:
    """A vertex array without attributes, for shaders that make their own vertices."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)

    def draw(self) -> None:
        """Draw one triangle."""
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)


def _draw_squares(array: int, count: int) -> None:
    if count:
        gl.glBindVertexArray(array)
        gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, count)
