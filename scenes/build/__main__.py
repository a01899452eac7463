"""Rebuild the meshes of the built-in scenes: ``python -m rmp3d.scenes.build [NAME ...]``."""

import sys
from importlib import import_module

from rmp3d.scenes.builtin import FOLDER

NAMES = (
    "canyon", "car_park", "cave", "city", "crossing", "dock", "maze", "meadow", "parking",
    "patio_house", "plain", "rock_valley", "sky", "station", "traps", "warehouse", "water_park",
)  # fmt: skip


def main(names: list[str]) -> None:
    """Write ``scenes/builtin/NAME/scene.glb`` of each scene named, or of all."""
    for name in names or NAMES:
        path = FOLDER / name / "scene.glb"
        import_module(f"rmp3d.scenes.build.{name}").build().write(path)
        sys.stdout.write(f"{path}: {path.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main(sys.argv[1:])
