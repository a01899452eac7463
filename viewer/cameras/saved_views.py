"""Views that are kept beside a scenario or recording: cameras by a number, in their own file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from rmp3d.geometry.checked_toml import checked, read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import whole_file
from rmp3d.viewer.cameras.camera import STEEPEST, Camera

SUFFIX = ".views.toml"
SLOTS = ("6", "7", "8", "9", "0")
"""Names of the views, and keys."""


class ViewTable(msgspec.Struct, forbid_unknown_fields=True):
    """A view in a file.

    Attributes:
        target: (3,) where the camera looks [m].
        azimuth: Of the eye seen from there, from +x towards +y [degrees].
        elevation: Of the eye above the horizon [degrees].
        distance: From the eye to the target [m].
        field_of_view: Vertical angle of the picture [degrees].
        through_roofs: Whether it looks through the roofs over the members.
    """

    target: tuple[float, float, float]
    azimuth: float
    elevation: float
    distance: float
    field_of_view: float = 38.0
    through_roofs: bool = False

    def __post_init__(self) -> None:
        limits = {"distance": (0.0, 1e7), "field_of_view": (1.0, 170.0), "elevation": (-90.0, 90.0)}
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if not low <= value <= high or (name == "distance" and value == 0.0):
                raise InputError(f"`{name}`: must be from {low:g} to {high:g}, given {value:g}")

    @property
    def camera(self) -> Camera:
        """The camera."""
        return Camera(
            target=np.array(self.target),
            azimuth=float(np.radians(self.azimuth)),
            elevation=min(float(np.radians(self.elevation)), STEEPEST),
            distance=self.distance,
            field_of_view=float(np.radians(self.field_of_view)),
            under_roof=-1 if self.through_roofs else None,
        )


@dataclass
class SavedViews:
    """The views of one file, or of none.

    Attributes:
        path: Where they are kept; None for nowhere.
        cameras: By their names.
    """

    path: Path | None
    cameras: Mapping[str, Camera]

    @classmethod
    def beside(cls, file: Path | None) -> "SavedViews":
        """Return the views that are kept beside a scenario or recording.

        Raises:
            InputError: Their file is wrong; names it, the key, and what would be right.
        """
        if file is None:
            return cls(None, {})
        path = file.with_name(file.name + SUFFIX)
        if not path.is_file():
            return cls(path, {})
        cameras = {}
        for name, table in read_toml(path).items():
            if name not in SLOTS:
                raise InputError(f"{path}: `{name}`: a view is called {', '.join(SLOTS)}")
            if not isinstance(table, dict):
                raise InputError(f"{path}: `{name}`: must be a table, such as [{name}]")
            cameras[name] = checked(table, ViewTable, f"{path}: {name}").camera
        return cls(path, cameras)

    def keep(self, name: str, camera: Camera) -> None:
        """Keep a camera, and write the file if there is one.

        Raises:
            InputError: The file cannot be written.
        """
        self.cameras = {**self.cameras, name: camera}
        if self.path is not None:
            text = "\n".join(_written(*each) for each in sorted(self.cameras.items()))
            with whole_file(self.path) as file:
                file.write(text.encode())


def _written(name: str, camera: Camera) -> str:
    """Return a view as a table of TOML."""
    target = ", ".join(f"{x + 0.0:.6f}" for x in camera.target)
    lines = [
        f"[{name}]",
        f"target = [{target}]",
        f"azimuth = {np.degrees(camera.azimuth):.6f}",
        f"elevation = {np.degrees(camera.elevation):.6f}",
        f"distance = {camera.distance:.6f}",
        f"field_of_view = {np.degrees(camera.field_of_view):.6f}",
    ]
    if camera.under_roof is not None:
        lines.append("through_roofs = true")
    return "\n".join(lines) + "\n"
