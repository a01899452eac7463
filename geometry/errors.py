"""The base classes of all errors of RMP3D."""


class Rmp3dError(Exception):
    """Base of all errors of RMP3D; the command line prints it in one or two lines."""


class InputError(Rmp3dError):
    """A file, key or value that the user gave is wrong (exit code 2)."""


class MeshError(InputError):
    """A triangle mesh cannot be used: it is empty, not finite, or has bad indices."""
