"""What is noted of a run: how long jams last."""

import numpy as np

import rmp3d as rp
from rmp3d.behaviors.traffic import JAM_AFTER, LONGEST_DETOUR
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation

HALL = rp.Scene.from_mesh(box((-5, -5, -1), (5, 5, 0)), name="hall")


def noted(levels):
    """Return the report of a group of two that are jammed so, a second apart."""
    group = rp.Group(members=2, character="pedestrian", start=(-3, 0, 0), goal=(3, 0, 0))
    simulation = Simulation(HALL, group, nodes=10)
    events = []
    for time, level in enumerate(levels):
        events += simulation.log.take_events(simulation.runs, np.array(level, float), float(time))
    return simulation.reports()[0], [event.kind for event in events if "jam" in event.kind]


def test_the_longest_jam_is_that_from_its_start_to_the_next_progress():
    report, kinds = noted([(0, 0), (1, 0), (1, 1), (2, 0), (3, 0), (0, 0), (0, 1), (0, 0)])
    assert kinds == ["jam", "jam", "jam_over", "jam_over", "jam", "jam_over"]
    assert (report.jams, report.jams_left, report.longest_jam) == (3, 0, 4.0)


def test_a_jam_that_is_not_over_counts_up_to_now():
    report, _ = noted([(0, 0), (0, 1), (0, 1), (0, 2)])
    assert (report.jams, report.jams_left, report.longest_jam) == (1, 1, 2.0)


def test_who_waits_in_a_queue_that_moves_tries_nothing_else_and_is_not_jammed_for_long():
    report, _ = noted([(0, 0), (1, 0), (2, 0), *[(2, 0)] * 30, (0, 0)])
    assert report.longest_jam == 1.0 + JAM_AFTER + LONGEST_DETOUR


def test_without_a_jam_none_is_long():
    report, _ = noted([(0, 0), (0, 0)])
    assert (report.jams, report.longest_jam) == (0, 0.0)
