"""Figures of smooth motion, against motions that are known in closed form."""

import numpy as np
import pytest

from rmp3d.geometry.rotations import frame, quaternion_from_matrix
from rmp3d.reporting.motion import MotionFigures, motion_figures, summary

DT, COUNT = 1.0 / 30.0, 601
TIME = DT * np.arange(COUNT)


def figures(
    position: np.ndarray,
    heading: np.ndarray,
    up: tuple[float, float, float] = (0.0, 0.0, 1.0),
    until: float = np.inf,
    walks: bool = True,
) -> MotionFigures:
    orientation = quaternion_from_matrix(frame(heading, np.array(up)))
    return motion_figures(
        position[:, None], orientation[:, None], np.array([walks]), DT, np.array([until])
    )


def along(x: np.ndarray, y: np.ndarray | float = 0.0, z: np.ndarray | float = 0.0) -> np.ndarray:
    return np.stack(np.broadcast_arrays(x, y, z), axis=1).astype(float)


EAST = along(np.ones(COUNT))


def test_a_steady_walk_has_no_unrest() -> None:
    found = figures(along(1.3 * TIME), EAST)
    for name in ("heading_rate", "flips", "aside", "backward", "stops", "upside_down", "steepest"):
        assert getattr(found, name) == 0.0
    assert found.jerk[0] < 1e-6  # rounding of third differences


def test_the_jerk_of_a_swing_is_that_of_its_third_derivative() -> None:
    # x = a sin wt has the jerk a w^3 cos wt, of which the root mean square is a w^3 / sqrt 2;
    # differences over a time step shrink each derivative by sin(w dt / 2) / (w dt / 2).
    swing, rate = 0.2, 4.0 * np.pi
    shrink = (np.sin(rate * DT / 2) / (rate * DT / 2)) ** 3
    found = figures(along(swing * np.sin(rate * TIME)), EAST)
    assert found.jerk[0] == pytest.approx(swing * rate**3 / np.sqrt(2.0) * shrink, rel=5e-3)


def test_the_height_of_a_walker_is_a_figure_of_its_own() -> None:
    bump = 0.05 * np.sin(2.0 * np.pi * TIME)
    walker = figures(along(1.3 * TIME, 0.0, bump), EAST)
    flyer = figures(along(1.3 * TIME, 0.0, bump), EAST, walks=False)
    assert walker.jerk[0] < 1e-6
    assert walker.jerk_upright[0] == pytest.approx(0.05 * (2 * np.pi) ** 3 / np.sqrt(2), rel=0.02)
    assert flyer.jerk[0] == pytest.approx(walker.jerk_upright[0])


def test_turns_to_alternating_sides_are_flips() -> None:
    # The heading swings by 0.5 rad twice a second: its rate has 4 zeros a second.
    angle = 0.5 * np.sin(4.0 * np.pi * TIME)
    found = figures(along(1.3 * TIME), along(np.cos(angle), np.sin(angle)))
    assert found.flips[0] == pytest.approx(4.0, abs=0.1)
    assert found.heading_rate[0] == pytest.approx(
        np.degrees(0.5 * 4.0 * np.pi / np.sqrt(2.0)), rel=0.02
    )


def test_turns_slower_than_ten_degrees_a_second_are_no_flips() -> None:
    angle = np.radians(9.0) / (4.0 * np.pi) * np.sin(4.0 * np.pi * TIME)
    assert figures(along(1.3 * TIME), along(np.cos(angle), np.sin(angle))).flips[0] == 0.0


def test_a_walk_aside_and_one_backward() -> None:
    angle = np.where(TIME < 5.0, 0.0, np.where(TIME < 15.0, np.radians(40.0), np.pi))
    velocity = along(np.cos(angle), np.sin(angle))
    position = np.concatenate([np.zeros((1, 3)), np.cumsum(velocity[:-1] * DT, axis=0)])
    found = figures(position, EAST)
    assert found.aside[0] == pytest.approx(75.0, abs=0.3)
    assert found.backward[0] == pytest.approx(25.0, abs=0.3)


def test_only_what_is_before_the_arrival_counts() -> None:
    x = np.where(TIME < 10.0, TIME, 10.0 + 0.3 * np.sin(20.0 * TIME))
    assert figures(along(x), EAST).jerk[0] > 100.0
    assert figures(along(x), EAST, until=9.0).jerk[0] < 1e-6


def test_stops_are_counted_once_each() -> None:
    speed = np.where((TIME % 4.0) < 2.0, 1.0, 0.0)
    assert figures(along(np.cumsum(speed) * DT), EAST).stops[0] == 5


def test_a_flyer_on_its_back_with_its_nose_up() -> None:
    heading = np.where(TIME[:, None] < 5.0, [1.0, 0.0, np.tan(np.radians(50.0))], [1.0, 0.0, 0.0])
    found = figures(along(TIME), heading, up=(0.0, 0.0, -1.0), walks=False)
    assert found.upside_down[0] == 100.0
    assert found.steepest[0] == pytest.approx(50.0)


def test_one_frame_has_no_motion() -> None:
    found = figures(np.zeros((1, 3)), EAST[:1])
    assert found.jerk[0] == found.flips[0] == found.stops[0] == 0.0


def test_a_summary_has_the_median_and_the_worst_of_each_figure() -> None:
    position = np.stack([along(1.3 * TIME), along(0.3 * np.sin(8.0 * TIME))], axis=1)
    orientation = np.tile([1.0, 0.0, 0.0, 0.0], (COUNT, 2, 1))
    figures = motion_figures(position, orientation, np.ones(2, np.bool_), DT, np.full(2, np.inf))
    found = summary([figures])
    assert found["backward"]["worst"] == pytest.approx(2 * found["backward"]["median"], rel=1e-3)
