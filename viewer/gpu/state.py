"""The switches of OpenGL that a drawing pass depends on, all of them stated.

OpenGL keeps each switch as the last drawing has left it: another pass, the panel, pyglet. So every
pass states them before it clears or draws, counts on none set earlier, and puts none back.
"""

from pyglet import gl

from rmp3d.viewer.errors import ViewerError

Blend = tuple[int, int, int, int]
SEE_THROUGH: Blend = (gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA) * 2
"""By the color's alpha, over what is there."""


def set_state(
    *,
    depth: int | None = gl.GL_LEQUAL,
    write_depth: bool = True,
    blend: Blend | None = None,
    cull: bool = False,
    wireframe: bool = False,
    clip: bool = False,
) -> None:
    """State how the next pass draws; by default solid faces, the nearest in front.

    Args:
        depth: Comparison with the depth that is there; None draws over everything, and leaves the
            depths as they are.
        write_depth: Whether depths are replaced, by clearing too.
        blend: Factors of the new and the old color, of the new and the old alpha; None replaces.
        cull: Whether faces seen from behind are left out.
        wireframe: Whether only edges of faces are drawn.
        clip: Whether what has a negative `gl_ClipDistance` is left out.
    """
    for switch, on in (
        (gl.GL_DEPTH_TEST, depth is not None),
        (gl.GL_BLEND, blend is not None),
        (gl.GL_CULL_FACE, cull),
        (gl.GL_SCISSOR_TEST, False),
        (gl.GL_MULTISAMPLE, True),
        (gl.GL_CLIP_DISTANCE0, clip),
        (gl.GL_CLIP_DISTANCE0 + 1, clip),
    ):
        (gl.glEnable if on else gl.glDisable)(switch)
    gl.glDepthFunc(gl.GL_LEQUAL if depth is None else depth)
    gl.glDepthMask(gl.GL_TRUE if write_depth else gl.GL_FALSE)
    if blend is not None:
        gl.glBlendFuncSeparate(*blend)
    gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_LINE if wireframe else gl.GL_FILL)


def begin_picture(framebuffer: int, size: tuple[int, int]) -> None:
    """Clear a framebuffer of ``size`` pixels, and draw into it from now on."""
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, framebuffer)
    gl.glViewport(0, 0, *size)
    set_state()
    gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)


def finish() -> None:
    """Return when all that was asked for is drawn."""
    gl.glFinish()


def end_picture() -> None:
    """Leave no vertices bound, and refuse to go on if a call of the picture was an error.

    Raises:
        ViewerError: Says OpenGL's number of the first one.
    """
    gl.glBindVertexArray(0)
    code = gl.glGetError()
    if code:
        full = " (the graphics memory is full)" if code == gl.GL_OUT_OF_MEMORY else ""
        raise ViewerError(
            f"OpenGL cannot draw the picture: error 0x{code:04x}{full}; the variable "
            "`PYGLET_DEBUG_GL=1` names the call"
        )
