"""The gallery of steering behaviors: ``python -m rmp3d.documentation.gallery [NAME ...]``.

Runs the built-in scenario of each behavior, and writes a picture of the trails and the page that
shows them all.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from rmp3d.behaviors import STEERING_BEHAVIORS
from rmp3d.documentation.pictures import write
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify
from rmp3d.viewer.plots.trails import save_trails

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "pictures" / "steering"
PAGE = DOCS / "reference" / "steering-gallery.md"
INTRODUCTION = """\
# Steering behaviors, one by one

Every picture is the whole run of a built-in scenario, seen from above (flyers from the side too):
rings are starts, disks are ends, trails get darker with time, and strokes show headings every two
seconds, the last one bold. `make gallery` draws them all anew. What behaviors go by, and vehicles:
[steering](steering.md); options and units: `rmp3d behaviors -v`; how behaviors are combined:
[perception](perception.md); how characters choose: [action selection](action-selection.md).
"""


def draw(name: str, folder: Path) -> str:
    """Run ``steering/NAME``, draw its trails, and return what verification finds.

    Args:
        name: Of the behavior.
        folder: For the recording.
    """
    scenario = load(f"steering/{name}")
    path = folder / f"{name}.rmp3d"
    simulate(scenario, recording_path=path)
    with RecordingReader.open(path) as recording:
        large = folder / f"{name}.png"
        save_trails(large, playback(recording))
        with Image.open(large) as picture:
            write(np.asarray(picture.convert("RGB")), PICTURES / large.name)
        findings = verify(recording).findings
    return ", ".join(sorted({finding.kind for finding in findings})) or "no findings"


def page() -> str:
    """Return the page of the gallery."""
    lines = [INTRODUCTION]
    for name in STEERING_BEHAVIORS:
        lines += [
            f"## `{name}`",
            "",
            f"{STEERING_BEHAVIORS.summary(name)}",
            "",
            f"![{load(f'steering/{name}').description}](../pictures/steering/{name}.png)",
            "",
            f"*{load(f'steering/{name}').description}.*",
            "",
            "```sh",
            f"rmp3d run steering/{name}",
            "```",
            "",
        ]
    return "\n".join(lines)


def main(names: list[str]) -> None:
    """Draw the pictures of the behaviors named, or of all; and write the page."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in names or list(STEERING_BEHAVIORS):
            sys.stdout.write(f"{name}: {draw(name, Path(folder))}\n")
            sys.stdout.flush()
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
