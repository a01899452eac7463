import numpy as np
import pytest

from rmp3d.behaviors.steering import PathFollowing
from rmp3d.behaviors.steering.path_following import point_at, project_on_polyline, stations
from rmp3d.behaviors.steering_behavior import blend
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length


def follow(make, agents, behavior, seconds):
    """Yield the flock after each step of following the path, with nothing else to look at."""
    around = make.surroundings(agents)
    for _ in range(round(seconds / make.dt)):
        force = blend([(1.0, behavior)], agents, around)
        velocity = agents.velocity + force / agents.bodies.mass[:, None] * make.dt
        velocity = clip_length(velocity, agents.bodies.max_speed)
        agents = agents.moved(position=agents.position + velocity * make.dt, velocity=velocity)
        yield agents


def circle(radius, turns=1.0, count=120):
    angle = np.linspace(0, 2 * np.pi * turns, count)
    return radius * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])


def test_projection_agrees_with_dense_sampling():
    rng = np.random.default_rng(0)
    points = rng.uniform(-3, 3, (8, 3))
    dense = np.linspace(0, stations(points)[-1], 20_001)
    samples = point_at(points, dense)
    position = rng.uniform(-4, 4, (50, 3))
    station, gap = project_on_polyline(points, position)
    np.testing.assert_allclose(
        point_at(points, station), points_nearest(samples, position), atol=2e-3
    )
    np.testing.assert_allclose(
        gap, np.linalg.norm(point_at(points, station) - position, axis=1), atol=1e-9
    )


def points_nearest(samples, position):
    return np.stack([samples[np.linalg.norm(samples - p, axis=1).argmin()] for p in position])


def test_projection_looks_only_near_where_it_is_told():
    points = np.array([[0.0, 0, 0], [10, 0, 0], [10, 1, 0], [0, 1, 0]])
    position = np.array([[2.0, 0.9, 0]])
    assert project_on_polyline(points, position)[0][0] == pytest.approx(19.0)
    station, gap = project_on_polyline(points, position, np.array([2.0]), 1.0)
    assert station[0] == pytest.approx(2.0)
    assert gap[0] == pytest.approx(0.9)


def test_projection_on_a_path_with_a_point_twice_is_finite():
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0]])
    station, gap = project_on_polyline(points, np.array([[1.2, 0.5, 0]]))
    assert (station[0], gap[0]) == (pytest.approx(1.2), pytest.approx(0.5))


def test_it_stays_in_the_tube_on_a_circle(make):
    path = circle(4.0)
    agents = make.flock([path[0]], [[0.0, 1.5, 0]])
    for now in follow(make, agents, PathFollowing(path), 14.0):
        _, gap = project_on_polyline(path, now.position)
        assert gap[0] < 0.5


def test_it_comes_back_into_the_tube_from_outside(make):
    path = np.array([[0.0, 0, 0], [30, 0, 0]])
    agents = make.flock([[1.0, 3, 0], [1, -2, 1]])
    *_, now = follow(make, agents, PathFollowing(path), 8.0)
    _, gap = project_on_polyline(path, now.position)
    assert (gap < 0.5).all()
    assert (now.position[:, 0] > 6.0).all()


def test_it_does_not_cut_where_the_path_passes_near_itself(make):
    """A hairpin: the way back is 1.2 m beside the way out, both tubes nearly touch."""
    path = np.array([[0.0, 0, 0], [8, 0, 0], [8, 1.2, 0], [0, 1.2, 0]])
    agents = make.flock([[0.0, 0, 0]], [[1.5, 0, 0]])
    furthest, before = 0.0, 0.0
    for now in follow(make, agents, PathFollowing(path), 16.0):
        station = project_on_polyline(path, now.position)[0][0]
        assert station - before < 1.0, "no leap to the way back"
        furthest, before = max(furthest, now.position[0, 0]), station
    assert furthest > 7.5
    assert before > 17.0


def test_it_goes_to_the_end_and_stays_there(make):
    path = np.array([[0.0, 0, 0], [3, 0, 0], [3, 3, 0]])
    agents = make.flock([[0.0, 0, 0], [0.0, 0.3, 0.2]])
    beyond = 0.0
    for now in follow(make, agents, PathFollowing(path), 12.0):
        beyond = max(beyond, now.position[:, 1].max())
    assert beyond < 3.05
    np.testing.assert_allclose(now.position, [[3, 3, 0], [3, 3, 0]], atol=0.02)
    assert np.abs(now.velocity).max() < 0.05


def test_it_turns_round_when_it_goes_the_wrong_way(make):
    path = np.array([[0.0, 0, 0], [20, 0, 0]])
    agents = make.flock([[10.0, 0, 0]], [[-1.5, 0, 0]])
    *_, now = follow(make, agents, PathFollowing(path), 4.0)
    assert now.velocity[0, 0] > 1.0


FIGURE_EIGHT = np.array(
    [[3 * np.sin(t), 3 * np.sin(t) * np.cos(t), 0] for t in np.linspace(0.3, 0.3 + 2 * np.pi, 90)]
)


@pytest.mark.parametrize("direction", [1, -1])
def test_a_path_that_crosses_itself_is_followed_all_the_way(make, moves, direction):
    one = PathFollowing(FIGURE_EIGHT.tolist(), radius=0.3, direction=direction)
    line = FIGURE_EIGHT[::direction]
    agents = make.flock([line[0]])
    whole = stations(line)[-1]
    before, visited = 0.0, []
    for now in moves(agents, one, 1.4 * whole / 1.5):
        around = make.surroundings(now).remembering(np.array([before]))
        here = one.remembered(now, around)[0]
        assert here - before < 0.5, "no leap where the path crosses itself"
        before = here
        visited.append(np.sign(now.position[0, 0]))
    assert before == pytest.approx(whole, abs=0.05)
    assert np.abs(np.diff(visited)).sum() >= 4


def test_bad_paths_are_refused():
    with pytest.raises(InputError, match="at least two"):
        PathFollowing([(0.0, 0, 0)])
    with pytest.raises(InputError, match="must be finite"):
        PathFollowing([(0.0, 0, 0), (np.nan, 0, 0)])
