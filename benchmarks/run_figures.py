"""Figures of runs that only campaigns measure; the processes of their studies load this file."""

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from benchmarks.afterwards import shares_of_cruise
from benchmarks.formation_story import story
from benchmarks.stories import STORIES
from benchmarks.wanderers import CASES
from rmp3d.recording import RecordingReader
from rmp3d.reporting.motion import group_figures
from rmp3d.studies import FIGURES


@FIGURES.register("formation_story")
class FormationStory:
    """Name and behavior of the first group, and how it kept its formations: `formation_story`."""

    def of(self, recording: RecordingReader) -> dict[str, Any]:
        group = recording.scenario.groups[0]
        told = asdict(story(recording)) if "slots" in recording.header.plans[0] else {}
        never = told.get("back") is not None and math.isinf(told["back"])
        named = {"group": group.name, "behavior": group.behavior["name"]}
        return {**named, **told, "never_back": never} | ({"back": None} if never else {})


@FIGURES.register("motion_of_groups")
class MotionOfGroups:
    """Figures of motion of each group: of the median member, and of the worst."""

    def of(self, recording: RecordingReader) -> dict[str, Any]:
        groups = group_figures(recording, recording.position(), recording.load_characters())
        return {
            f"{group}.{name}.{kind}": values[kind]
            for group, figures in groups.items()
            for name, values in figures.items()
            for kind in ("median", "worst")
        }


@FIGURES.register("about")
class About:
    """How far members go about after they have arrived, as shares of their cruise speed."""

    def of(self, recording: RecordingReader) -> dict[str, Any]:
        shares = shares_of_cruise(recording)
        if shares is None:
            return {"share": None, "least": None}
        return {"share": float(np.mean(shares)), "least": float(np.min(shares))}


@FIGURES.register("claim")
class Claim:
    """Whether what `benchmarks.wanderers` claims of its case holds in a run."""

    def of(self, recording: RecordingReader) -> dict[str, Any]:
        holds, text = CASES[recording.scenario.name].claim(recording)
        return {"holds": bool(holds), "text": text}


@FIGURES.register("story")
class Story:
    """Whether what a story tells happens in a run; see `benchmarks.stories`."""

    def of(self, recording: RecordingReader) -> dict[str, Any]:
        happened, text = STORIES[recording.scenario.name](recording)
        return {"happens": bool(happened), "text": text}
