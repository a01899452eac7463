"""Errors of the viewer."""

from rmp3d.geometry.errors import Rmp3dError


class ViewerError(Rmp3dError):
    """No window or picture can be made here: no display, no OpenGL, or a broken driver."""
