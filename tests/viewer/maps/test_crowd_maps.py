"""Maps of the crowd against sums that are written out, and what they must add up to."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.viewer.drawings.crowd_maps import DensityDrawing, draped, round_up
from rmp3d.viewer.drawings.drawing import Seen
from rmp3d.viewer.maps.crowd_maps import REACH, SPREAD, GroundCells, crowd_map, mean_map
from rmp3d.viewer.maps.map_series import MapSeries, ground_cells, velocities


def cells(storeys=(0.0, 3.0), shape=(24, 18), cell=0.5, holes=0.2, seed=0):
    rng = np.random.default_rng(seed)
    height = np.tile(np.array(storeys)[:, None, None], (1, *shape))
    height[rng.random(height.shape) < holes] = np.nan
    return GroundCells(np.array([-2.0, 1.0]), cell, np.array(storeys), height)


def crowd(count, seed=1):
    rng = np.random.default_rng(seed)
    feet = np.column_stack([rng.uniform(-1, 9, count), rng.uniform(2, 9, count), np.zeros(count)])
    feet[::3, 2] = 3.0
    return feet, rng.normal(0.0, 1.0, (count, 3))


def test_density_and_flow_are_the_sums_of_the_formula():
    ground, (feet, velocity) = cells(), crowd(17)
    found = crowd_map(ground, feet, velocity)
    density, flow = np.zeros(ground.shape), np.zeros(ground.shape)
    for foot, speed in zip(feet, np.linalg.norm(velocity, axis=1), strict=True):
        storey = int(foot[2] == 3.0)
        weight = np.zeros(ground.shape)
        for column in range(ground.shape[1]):
            for row in range(ground.shape[2]):
                middle = ground.low + ground.cell * (np.array([column, row]) + 0.5)
                gap = np.hypot(*(middle - foot[:2]))
                if ground.is_ground[storey, column, row] and gap <= REACH * SPREAD:
                    weight[storey, column, row] = np.exp(-0.5 * (gap / SPREAD) ** 2)
        weight /= weight.sum() * ground.cell**2
        density += weight
        flow += speed * weight
    np.testing.assert_allclose(found.density, density, atol=1e-12)
    np.testing.assert_allclose(found.flow, flow, atol=1e-12)
    busy = density > 0
    np.testing.assert_allclose(found.speed[busy], (flow / np.where(busy, density, 1))[busy])


def test_the_integral_of_the_density_is_the_number_of_members():
    ground, (feet, velocity) = cells(), crowd(40)
    found = crowd_map(ground, feet, velocity)
    area = ground.cell**2
    assert found.density.sum() * area == pytest.approx(40)
    assert found.density[1].sum() * area == pytest.approx(14), "each on its own storey"
    speed = np.linalg.norm(velocity, axis=1)
    assert found.flow.sum() * area == pytest.approx(speed.sum())
    assert found.speed.max() <= speed.max() + 1e-12
    far = crowd_map(ground, feet + np.array([500.0, 0.0, 0.0]), velocity)
    assert far.density.sum() == 0.0
    nobody = crowd_map(ground, feet[:0], velocity[:0])
    assert nobody.density.shape == ground.shape
    assert nobody.speed.sum() == 0.0


def test_an_even_crowd_has_its_density_everywhere_and_its_flow_is_density_times_speed():
    ground = cells(storeys=(0.0,), shape=(40, 40), holes=0.0)
    step = np.arange(0.25, 20.0, 0.5)  # four to the square meter
    feet = np.stack(np.meshgrid(step - 2.0, step + 1.0, [0.0]), axis=-1).reshape(-1, 3)
    found = crowd_map(ground, feet, np.tile([1.2, 0.5, 0.0], (len(feet), 1)))
    inner = (slice(None), slice(8, -8), slice(8, -8))
    np.testing.assert_allclose(found.density[inner], 4.0, rtol=0.02)
    np.testing.assert_allclose(found.flow[inner], 4.0 * 1.3, rtol=0.02)
    np.testing.assert_allclose(found.speed, 1.3, rtol=1e-9)


def test_a_mean_is_that_of_density_and_flow_not_of_speed():
    ground = cells(storeys=(0.0,), holes=0.0)
    feet = np.array([[3.0, 5.0, 0.0]])
    slow = crowd_map(ground, feet, np.array([[1.0, 0.0, 0.0]]))
    fast = crowd_map(ground, np.repeat(feet, 3, axis=0), np.tile([2.0, 0.0, 0.0], (3, 1)))
    mean = mean_map([slow, fast])
    np.testing.assert_allclose(mean.density, 2.0 * slow.density)
    assert mean.speed.max() == pytest.approx((1.0 + 3 * 2.0) / 4)


def test_cells_lie_on_the_ground_and_nowhere_else(playback):
    ground = ground_cells(playback.scene)
    assert ground.is_ground.sum() * ground.cell**2 == pytest.approx(32 * 16, rel=0.02)
    np.testing.assert_allclose(ground.height[ground.is_ground], 0.0, atol=1e-9)


def test_series_of_a_playback_count_those_who_are_there(playback):
    ground = ground_cells(playback.scene)
    series, area = MapSeries(ground), ground.cell**2
    assert series.at(playback, 3.0).density.sum() * area == pytest.approx(9)
    up = playback.position.copy()
    up[playback.frame_at(2.0)[0] + 1 :, 3, 2] += 0.17  # over the riser of a step
    climbing = velocities(replace(playback, position=up), 2.0)
    np.testing.assert_allclose(climbing, velocities(playback, 2.0))
    life = np.tile([0, playback.frame_count], (9, 1))
    life[0] = [60, 90]
    coming = replace(playback, life=life)
    assert series.at(coming, 0.5).density.sum() * area == pytest.approx(8)
    assert np.isfinite(velocities(coming, 2.0)).all()
    assert np.linalg.norm(velocities(coming, 2.0)[0]) < 3.0
    mean = series.mean(playback, 1.0)
    wanted = mean_map([series.at(playback, t) for t in (0.0, 0.25, 0.5, 0.75, 1.0)])
    np.testing.assert_allclose(mean.density, wanted.density)
    long = series.mean(playback, 19.9)
    assert long.density.sum() * area == pytest.approx(9)


def test_a_drawing_covers_the_cells_with_people_and_its_legend_has_the_unit(playback):
    drawing = DensityDrawing(playback)
    drawn = drawing.draw(Seen(4.0, playback.pose(4.0)))
    corners = drawn.patches[:, :3]
    members = playback.pose(4.0).position
    for member in members:
        assert np.hypot(*(corners[:, :2] - member[:2]).T).min() < 0.5
    assert np.hypot(*(corners[:, None, :2] - members[None, :, :2]).T).min(axis=0).max() < 3.5
    assert (drawn.patches[:, 3:] >= 0).all()
    assert (drawn.patches[:, 3:] <= 1).all()
    (legend,) = drawn.legends
    assert legend.title == "density [1/m²]"
    averaged = drawing.draw(Seen(4.0, playback.pose(4.0), averaged=True))
    assert averaged.legends[0].title == "mean density [1/m²]"
    assert len(averaged.patches) > len(drawn.patches), "where they have been"
    assert len(draped(ground_cells(playback.scene), *[np.zeros((1, 64, 32))] * 2)) == 0


def test_scales_end_at_round_numbers():
    assert [round_up(x) for x in (0.0, 0.3, 1.0, 1.01, 4.0, 7.0, 32.0)] == [1, 0.5, 1, 2, 5, 10, 50]
