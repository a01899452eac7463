"""The pictures of the built-in scenes for the documentation, each in the middle of its story.

python -m rmp3d.documentation.pictures
python -m rmp3d.documentation.pictures --only city cave --keep out
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.viewer import Layers, render
from rmp3d.viewer.cameras.presets import named_camera

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZE = (1280, 720)
COLORS = 200  # of a quantized .png


class Shot(NamedTuple):
    """One picture: of which scenario, where to, when [s], from where, and what is switched."""

    scenario: str
    file: str
    time: float
    camera: str = "group"
    layers: tuple[str, ...] = ()


SHOTS = (
    Shot("parking", "parking.png", 10.0),
    Shot("parking", "formation_plan.jpg", 6.5, "iso", ("room", "formations", "slots")),
    Shot("patio_house", "patio_house.png", 18.0),
    Shot("canyon", "canyon.png", 9.0),
    Shot("city", "city.jpg", 15.0, "iso", ("trails",)),
    Shot("rock_valley", "rock_valley.jpg", 8.0, "iso", ("trails",)),
    Shot("water_park", "water_park.jpg", 14.0),
    Shot("cave", "cave.jpg", 10.0, "follow:7", ("trails",)),
    Shot("cave", "groups/goal_search.jpg", 20.0, "group", ("trails", "xray")),
    Shot("crossing", "crossing.jpg", 12.0),
    Shot("meadow", "meadow.jpg", 80.0),
    Shot("warehouse", "warehouse.jpg", 23.0),
    Shot("dock", "dock.jpg", 16.5, "iso"),
    Shot("station", "station.jpg", 28.2, "iso"),
    Shot("car_park", "car_park.jpg", 4.0),
    Shot("parking_hunt", "groups/hunt.jpg", 53.0),
)
TRAILS = ("trails",)
FIGURES = (
    Shot("city", "figures/6-7.jpg", 30.0, "iso", TRAILS),
    Shot("rock_valley_pursuit", "figures/6-8.jpg", 6.0, "group", TRAILS),
    Shot("rock_valley_flee", "figures/6-9.jpg", 8.0, "group", TRAILS),
    Shot("parking", "figures/6-10-a.jpg", 0.0, "iso"),
    Shot("water_park", "figures/6-10-b.jpg", 0.0, "iso"),
    Shot("figures/6-11-column", "figures/6-11-column.jpg", 9.0),
    Shot("figures/6-11-arrow", "figures/6-11-arrow.jpg", 9.0),
    Shot("figures/6-11-line", "figures/6-11-line.jpg", 9.0),
    Shot("parking", "figures/6-12-a.jpg", 10.0),
    Shot("water_park", "figures/6-12-b.jpg", 12.0),
    Shot("parking", "figures/6-13-a.jpg", 16.0),
    Shot("water_park", "figures/6-13-b.jpg", 17.5),
    Shot("parking", "figures/6-14-a.jpg", 24.0),
    Shot("water_park", "figures/6-14-b.jpg", 27.0),
    Shot("patio_house", "figures/6-15.jpg", 0.0, "iso"),
    Shot("patio_house", "figures/6-16.jpg", 14.0),
    Shot("figures/6-17-parking", "figures/6-17-a.jpg", 70.0, "group", TRAILS),
    Shot("figures/6-17-water-park", "figures/6-17-b.jpg", 100.0, "group", TRAILS),
    Shot("figures/6-17-patio-house", "figures/6-17-c.jpg", 70.0, "group", TRAILS),
)
"""The figures of the thesis, chapter 6, that show characters; see docs/explanation/figures.md."""


def main() -> None:
    """Run each scenario as far as its last picture needs, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="SCENARIO", help="by default all")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of recordings, used if there")
    options = parser.parse_args()
    shots = [
        shot for shot in (*SHOTS, *FIGURES) if not options.only or shot.scenario in options.only
    ]
    with TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for scenario in dict.fromkeys(shot.scenario for shot in shots):
            own = [shot for shot in shots if shot.scenario == scenario]
            path = folder / f"{scenario.replace('/', '-')}.rmp3d"
            if not path.exists():
                last = max(shot.time for shot in own) + 2.0
                simulate(load(scenario, [f"simulation.duration={last}"]), recording_path=path)
            for shot in own:
                draw(shot, path, FOLDER / shot.file)


def draw(shot: Shot, recording_path: Path, file: Path) -> None:
    """Write one picture of a recording."""
    with RecordingReader.open(recording_path) as recording:
        seen = playback(recording)
    camera = named_camera(shot.camera, seen, shot.time, SIZE[0] / SIZE[1])
    layers = Layers().switched(shot.layers)
    write(render(seen, shot.time, camera, SIZE, layers=layers), file)


def write(pixels: NDArray[np.uint8], file: Path) -> None:
    """Write pixels (H, W, 3) as a small file, whole or not at all."""
    from PIL import Image

    picture, part = Image.fromarray(pixels), file.with_name(f"part-{file.name}")
    try:
        if file.suffix == ".png":
            picture.quantize(COLORS, dither=Image.Dither.NONE).save(part, optimize=True)
        else:
            picture.save(part, quality=86, optimize=True, progressive=True)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
