"""Shader programs from the files in ``viewer/shaders``.

pyglet's own class does not know shadow samplers (2.1), hence this one.
"""

import ctypes
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import numpy as np
from pyglet import gl

from rmp3d.viewer.errors import ViewerError


class Program:
    """A vertex and a fragment shader, linked; set uniforms by name when it is used."""

    def __init__(self, name: str, **defined: int) -> None:
        """Compile ``name.vert`` and ``name.frag``.

        Args:
            name: Of both files.
            defined: Numbers that the shaders know by these names.

        Raises:
            ViewerError: The driver does not accept them; says why.
        """
        self._program = gl.glCreateProgram()
        for suffix, kind in (("vert", gl.GL_VERTEX_SHADER), ("frag", gl.GL_FRAGMENT_SHADER)):
            file = f"{name}.{suffix}"
            shader = _compiled(_source(file, defined), kind, file)
            gl.glAttachShader(self._program, shader)
        gl.glLinkProgram(self._program)
        linked = gl.GLint()
        gl.glGetProgramiv(self._program, gl.GL_LINK_STATUS, ctypes.byref(linked))
        if not linked.value:
            log = ctypes.create_string_buffer(4096)
            gl.glGetProgramInfoLog(self._program, 4096, None, log)
            raise ViewerError(f"the graphics driver cannot link shader `{name}`: {_first(log)}")
        self._locations: dict[str, int] = {}

    def use(self, **uniforms: Any) -> None:
        """Make the program current and set uniforms."""
        gl.glUseProgram(self._program)
        self.set(**uniforms)

    def set(self, **uniforms: Any) -> None:
        """Set uniforms of the program, which must be the current one.

        An int sets an int or a texture's unit; a float or vector floats; a matrix (R, R) acts on
        columns. What the shader does not use is passed over.
        """
        for name, value in uniforms.items():
            location = self._location(name)
            if isinstance(value, int):
                gl.glUniform1i(location, value)
                continue
            array = np.ascontiguousarray(value, np.float32)
            pointer = array.ctypes.data_as(ctypes.POINTER(gl.GLfloat))
            if array.ndim == 2:
                setter = {3: gl.glUniformMatrix3fv, 4: gl.glUniformMatrix4fv}[len(array)]
                setter(location, 1, gl.GL_TRUE, pointer)
            else:
                setter = (
                    gl.glUniform1fv, gl.glUniform2fv, gl.glUniform3fv, gl.glUniform4fv
                )[array.size - 1]  # fmt: skip
                setter(location, 1, pointer)

    def _location(self, name: str) -> int:
        if name not in self._locations:
            found = gl.glGetUniformLocation(
                self._program, ctypes.create_string_buffer(name.encode())
            )
            self._locations[name] = found
        return self._locations[name]


def _source(file: str, defined: Mapping[str, int]) -> str:
    """Return a shader's text with what it includes, and with numbers defined."""
    folder = files("rmp3d.viewer.shaders")
    version, text = folder.joinpath(file).read_text(encoding="utf-8").split("\n", 1)
    lines = [f"#define {name} {value}" for name, value in sorted(defined.items())]
    for line in text.split("\n"):
        included = line.removeprefix("#include ")
        lines.append(folder.joinpath(included).read_text("utf-8") if included != line else line)
    return "\n".join([version, *lines])


def _compiled(source: str, kind: int, file: str) -> int:
    shader = gl.glCreateShader(kind)
    text = ctypes.c_char_p(source.encode())
    pointer = ctypes.cast(ctypes.pointer(text), ctypes.POINTER(ctypes.POINTER(gl.GLchar)))
    gl.glShaderSource(shader, 1, pointer, None)
    gl.glCompileShader(shader)
    done = gl.GLint()
    gl.glGetShaderiv(shader, gl.GL_COMPILE_STATUS, ctypes.byref(done))
    if not done.value:
        log = ctypes.create_string_buffer(4096)
        gl.glGetShaderInfoLog(shader, 4096, None, log)
        raise ViewerError(f"the graphics driver cannot compile shader `{file}`: {_first(log)}")
    return int(shader)


def _first(log: Any) -> str:
    return log.value.decode(errors="replace").strip().split("\n")[0]
