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


class Rows:
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


class Surface:
    """Triangles drawn once per instance; columns as in ``viewer.surfaces``."""

    def __init__(self, vertices: NDArray[np.float32], instances: NDArray[np.float32]) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self._vertices = Rows((3, 3, 3, 1), 0, per_instance=False)
        self._vertices.upload(vertices)
        self.instances = Rows((3, 4, 4), 4, per_instance=True)
        self.instances.upload(instances)

    def draw(self) -> None:
        """Draw all instances with the current program."""
        if self.instances.count == 0:
            return
        gl.glBindVertexArray(self._array)
        gl.glDrawArraysInstanced(gl.GL_TRIANGLES, 0, self._vertices.count, self.instances.count)


class Segments:
    """Lines of a width in pixels; columns as in ``viewer.lines``."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.rows = Rows((3, 3, 4, 4, 1), 0, per_instance=True)

    def draw(self) -> None:
        """Draw all segments with the current program."""
        if self.rows.count == 0:
            return
        gl.glBindVertexArray(self._array)
        gl.glDrawArraysInstanced(gl.GL_TRIANGLE_STRIP, 0, 4, self.rows.count)


class Quads:
    """Triangles in pixels for the overlay: position, texel, color."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._array)
        self.rows = Rows((2, 2, 4), 0, per_instance=False)

    def draw(self) -> None:
        """Draw all triangles with the current program."""
        if self.rows.count == 0:
            return
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, self.rows.count)


class Empty:
    """A vertex array without attributes, for shaders that make their own vertices."""

    def __init__(self) -> None:
        self._array = _generate(gl.glGenVertexArrays)

    def draw(self) -> None:
        """Draw one triangle."""
        gl.glBindVertexArray(self._array)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)
