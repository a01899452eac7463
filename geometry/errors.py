"""The base of every error that a user of RMP3D may want to handle."""


class Rmp3dError(Exception):
    """Base of all errors of RMP3D; the command line prints it in one or two lines."""


class InputError(Rmp3dError):
    """A file, key or value given by the user is wrong (exit code 2)."""


class MeshError(InputError):
    """A triangle mesh that cannot be used: empty, not finite, or with bad indices."""
