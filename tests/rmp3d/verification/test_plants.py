"""Every kind of fault in every kind of run is found, and clean runs have no findings.

The faults are those of the campaign (`benchmarks/faults/plants.py`); the runs are made here by
formulas, for bodies on foot, in the air, on wheels and carried, and for two groups.
"""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from benchmarks.faults import evasive_plants, outsider_plants
from benchmarks.faults.planter import read_run, write_run
from benchmarks.faults.plants import KINDS, PLANTS
from rmp3d.errors import RecordingError
from rmp3d.models import load_character
from rmp3d.recording import Header, RecordingReader, RecordingWriter
from rmp3d.scenario import Scenario
from rmp3d.verification import verify

BY_HAND = outsider_plants.__name__, evasive_plants.__name__
DT = 1 / 32
FRAMES = 160
WHEELS = """max_braking = 450.0
max_side_force = 150.0
turn_radius = 2.0
"""


def places(first, step):
    """Places (T,) along a line that is gone from rest, 12 frames long at a growing step."""
    return first + np.concatenate(
        [[0.0], np.cumsum(step * np.minimum(np.arange(1, FRAMES) / 12, 1.0))]
    )


def yaw(angle):
    half = 0.5 * np.asarray(angle, float)
    return np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=-1)


def on_foot(height=0.0):
    position = np.zeros((FRAMES, 2, 3))
    position[..., 0] = places(8.0, 0.039)[:, None]
    position[..., 1] = [1.0, 2.5]
    position[..., 2] = height
    return position, yaw(np.zeros((FRAMES, 2)))


def in_the_air():
    return on_foot(1.5)


def on_wheels():
    """Arcs of 3 m and 4.5 m about (10, 5), with headings along each motion that ends there."""
    radius = np.array([3.0, 4.5])
    angle = places(0.0, 0.02)[:, None] * np.ones(2) / radius[0] * 1.5 - 2.2
    position = np.zeros((FRAMES, 2, 3))
    position[..., 0] = 10.0 + radius * np.cos(angle)
    position[..., 1] = 5.0 + radius * np.sin(angle)
    step = np.diff(position, axis=0, prepend=2 * position[:1] - position[1:2])
    return position, yaw(np.arctan2(step[..., 1], step[..., 0]))


RUNS = {
    "on foot": ("walker", on_foot),
    "in the air": ("flyer", in_the_air),
    "on wheels": ("car", on_wheels),
    "carried": ("crate", in_the_air),
    "two groups": ("walker", on_foot),
}


def header_of(yard, kind, character):
    header = yard.header(2, character, FRAMES)
    if kind != "two groups":
        return header
    (group,) = header.scenario.groups
    groups = [
        msgspec.structs.replace(group, members=1),
        msgspec.structs.replace(
            group, name="group 2", character=str(yard.folder / "flyer.toml"), members=1
        ),
    ]
    scenario = msgspec.structs.replace(header.scenario, groups=groups)
    kinds = [load_character(str(yard.folder / f"{name}.toml")) for name in ("walker", "flyer")]
    return Header.of(scenario, yard.scene, kinds, formations=("line", "column"))


@pytest.fixture(scope="module", params=RUNS)
def clean(request, world, tmp_path_factory):
    """A clean run: what `read_run` returns, and the kinds of what is found in it."""
    yard = type(world)(tmp_path_factory.mktemp("clean"))
    text = (yard.folder / "walker.toml").read_text()
    (yard.folder / "car.toml").write_text(text + WHEELS)
    character, made = RUNS[request.param]
    header = header_of(yard, request.param, character)
    position, orientation = made()
    if request.param == "two groups":
        position[:, 1, 2] = 1.5
    path = yard.folder / "clean.rmp3d"
    groups = len(header.scenario.groups)
    east = yard.scene.regions["east"]
    with RecordingWriter(path, header) as writer:
        writer.add_event(0.0, "formation", 0, -1, "start in line")
        arrived = 0
        for frame in range(FRAMES):
            for member in range(2):
                inside = east.contains(position[: frame + 1, member])
                if inside[-1] and not inside[:-1].any():
                    group = int(header.group_of[member])
                    writer.add_event(frame * DT, "arrived", group, member, "in the goal region")
                    arrived += 1
            writer.append(
                position=position[frame], orientation_wxyz=orientation[frame],
                subgoal=position[-1], formation_of=[0] * groups,
            )  # fmt: skip
        writer.add_event((FRAMES - 1) * DT, "end", -1, -1, f"{arrived} arrived")
    return read_run(path), found(path)


def found(path, trusted=None):
    try:
        with RecordingReader.open(path) as recording:
            findings = verify(recording, trusted=trusted).findings
            return {(finding.kind, finding.members) for finding in findings}
    except RecordingError:
        return {("damaged", ())}


def test_clean_runs_have_no_findings(clean):
    assert {kind for kind, _ in clean[1]} <= {"not_arrived"}


@pytest.mark.parametrize("fault", PLANTS)
def test_every_fault_is_found(clean, fault, tmp_path):
    run, known = clean
    if PLANTS[fault].__module__ in BY_HAND and not run.characters[-1].grounded:
        pytest.skip("the campaign plants it here: it takes as long as all others")
    planted = PLANTS[fault](run, np.random.default_rng(3))
    if planted is None:
        pytest.skip("does not suit this run")
    write_run(planted, tmp_path / "planted.rmp3d")
    trusted = Scenario.of(run.header.scenario)
    new = {kind for kind, _ in found(tmp_path / "planted.rmp3d", trusted) - known}
    assert new & {*(KINDS[fault] or new), "damaged"}


def test_a_fault_of_one_member_is_told_of_that_member(clean, tmp_path):
    run, _ = clean
    position = run.position.copy()
    position[80:, 1, 1] += 0.4
    write_run(replace(run, position=position), tmp_path / "planted.rmp3d")
    assert {members for kind, members in found(tmp_path / "planted.rmp3d") if kind == "force"} == {
        (1,)
    }
