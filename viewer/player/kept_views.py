"""Keys that keep a view, and go back to it."""

from pathlib import Path
from typing import Protocol

from rmp3d.geometry.errors import InputError
from rmp3d.viewer.cameras.rig import Rig
from rmp3d.viewer.cameras.saved_views import SLOTS, SavedViews
from rmp3d.viewer.explaining import explained
from rmp3d.viewer.texts import tr


class CameraHolder(Protocol):
    """A camera that is carried, and what is said; see `Controls`."""

    rig: Rig

    def notify(self, message: str) -> None:
        """Put a short notice on the screen."""
        ...


class KeptViews:
    """The views of a window.

    Attributes:
        saved: The cameras, and their file.
    """

    def __init__(self, carried: CameraHolder) -> None:
        self._carried = carried
        self.saved = SavedViews(None, {})

    def load(self, file: Path | None) -> None:
        """Take the views beside a file; those that are in no file yet are kept beside it."""
        try:
            found = SavedViews.beside(file)
        except InputError as error:
            found = SavedViews(None, {})
            self._carried.notify(explained(str(error)))
        if self.saved.path is None and not found.cameras:
            found.cameras = self.saved.cameras
        self.saved = found

    def key(self, name: str, *, shift: bool) -> bool:
        """Take the key of a view; return whether it was one."""
        if name not in SLOTS:
            return False
        if shift:
            self._keep(name)
        elif name in self.saved.cameras:
            self._carried.rig.send(self.saved.cameras[name])
        else:
            self._carried.notify(tr("there is no view {name}; Shift+{name} keeps one", name=name))
        return True

    def _keep(self, name: str) -> None:
        try:
            self.saved.keep(name, self._carried.rig.camera)
        except InputError as error:
            self._carried.notify(explained(str(error)))
        else:
            self._carried.notify(tr("view {name} is kept", name=name))
