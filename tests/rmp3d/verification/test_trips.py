"""What recordings claim of members that come and leave, and of their trips, is compared."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.faults.planted_runs import TRIPS
from benchmarks.faults.planter import read_run, write_run
from benchmarks.faults.plants import KINDS, PLANTS
from benchmarks.faults.presence_plants import takes_another_trip
from rmp3d.errors import RecordingError
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import simulate
from rmp3d.verification import verify

OF_PRESENCE = [
    *(name for name, plant in PLANTS.items() if plant.__module__ == takes_another_trip.__module__),
    "starts elsewhere than its trip", "comes before its timetable", "comes in the air",
    "does not stay at a place of its trip", "leaves with a leap",
    "one that should come never does", "fewer take a trip than it says", "an arrival is left out",
    "stands on after its end",
]  # fmt: skip


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trips")
    (folder / "trips.toml").write_text(TRIPS)
    simulate(load(str(folder / "trips.toml"), seed=1), recording_path=folder / "run.rmp3d")
    return read_run(folder / "run.rmp3d")


def findings(run, path):
    write_run(run, path)
    with RecordingReader.open(path) as recording:
        return verify(recording).findings


def test_the_clean_run_has_members_of_every_kind_and_no_findings(clean, tmp_path):
    kinds = [event[1] for event in clean.events]
    assert (kinds.count("came"), kinds.count("left"), kinds.count("arrived")) == (5, 5, 9)
    assert findings(clean, tmp_path / "again.rmp3d") == ()


@pytest.mark.parametrize("fault", OF_PRESENCE)
def test_every_fault_of_presence_is_found(clean, fault, tmp_path):
    planted = PLANTS[fault](clean, np.random.default_rng(3))
    assert planted is not None
    found = {each.kind for each in findings(planted, tmp_path / "planted.rmp3d")}
    assert found & {*(KINDS[fault] or found)}


def with_trips(run, trip):
    plans = ({**run.header.plans[0], "trip": np.asarray(trip)},)
    return replace(run, header=replace(run.header, plans=plans))


def test_a_stop_that_was_left_out_is_named(clean, tmp_path):
    trip = clean.header.plans[0]["trip"].copy()
    straight = int(np.flatnonzero(trip == 1)[0])
    trip[straight] = 0  # by the kiosk, it says now
    found = {each.kind: each for each in findings(with_trips(clean, trip), tmp_path / "a.rmp3d")}
    assert {each.members for each in found.values()} == {(straight,)}
    assert "has not been to `kiosk` by then" in found["claim"].text
    assert found["not_arrived"].text.endswith("has not been to `kiosk`, a place of its trip")


def test_who_is_there_from_start_to_end_has_to_arrive_and_who_came_later_need_not(tmp_path):
    (tmp_path / "trips.toml").write_text(TRIPS)
    cut = load(str(tmp_path / "trips.toml"), overrides=["simulation.duration=4"], seed=1)
    simulate(cut, recording_path=tmp_path / "run.rmp3d")
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        report, life = verify(recording), recording.life
    begins = np.flatnonzero((life[:, 0] == 0) & (life[:, 1] > 0))
    assert report.members > report.expected == len(begins) > report.arrived == 0
    late = [found.members[0] for found in report.findings if found.kind == "not_arrived"]
    assert sorted(late) == begins.tolist()


def test_whoever_stays_at_the_goal_does_not_leave_there(clean, tmp_path):
    trip = clean.header.plans[0]["trip"].copy()
    leaves = int(np.flatnonzero(trip == 2)[0])
    trip[leaves] = 1
    *counts, found = findings(with_trips(clean, trip), tmp_path / "planted.rmp3d")
    assert "its trip says that members stay at the goal" in found.text
    # The one of trip 2 is at the same time, and joined to it.
    assert [each.text for each in counts] == ["1 members come later by trip 1, which says 0"]


def test_without_trips_of_members_the_goal_of_any_trip_counts(clean, tmp_path):
    old = replace(clean, header=replace(clean.header, plans=({},)))
    assert findings(old, tmp_path / "old.rmp3d") == ()
    late = [row for row, event in enumerate(old.events) if event[1] == "arrived"][-1]
    events = list(old.events)
    events[late] = (events[late][0] - 3.0, *events[late][1:])
    lied = replace(old, events=tuple(sorted(events, key=lambda event: event[0])))
    (found,) = findings(lied, tmp_path / "lied.rmp3d")
    assert "where its trip ends" in found.text


@pytest.mark.parametrize("trip", [[9] * 9, [-1] * 9, [[0, 1]]])
def test_trips_that_there_are_not_are_damage(clean, trip, tmp_path):
    with pytest.raises(RecordingError, match="damaged: the trips of group 0 cannot be read"):
        findings(with_trips(clean, trip), tmp_path / "planted.rmp3d")
