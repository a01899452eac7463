"""Walks over the surface against the height field's formula and against `locate`."""

import numpy as np
import pytest

from rmp3d.geometry import TriangleMesh, join
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length


def waves(x, y):
    return 0.4 * np.sin(x) + 0.3 * np.cos(1.3 * y)


@pytest.fixture
def field(make):
    line = np.linspace(-4, 4, 17)
    return WalkableSurface(make.grid(line, line, waves))


@pytest.fixture
def levels(make):
    """A floor, a deck 2.5 m over its middle, and a ramp from a cut-out of the floor up to it."""
    line = np.linspace(-6, 6, 13)
    floor = make.grid(line, line, lambda x, y: 0.0 * x)
    x, y, _ = floor.triangles.mean(axis=1).T
    floor = floor.select(~((x > -5) & (x < -1) & (np.abs(y) < 1)))
    deck = make.grid(np.array([0.0, 3.0, 5.0]), np.array([-1.0, 1]), lambda x, y: 2.5 + 0.0 * x)
    ramp = make.grid(np.array([-5.0, 0.0]), np.array([-1.0, 1]), lambda x, y: 0.5 * (x + 5))
    return WalkableSurface(join([floor, deck, ramp]))


def on_triangle(surface, point, face, tolerance=1e-9):
    """Whether points (M, 3) lie in their triangles (M,): barycentric coordinates and height."""
    a, b, c = np.moveaxis(surface.mesh.triangles[face], 1, 0)
    system = np.stack([b - a, c - a], axis=2)[:, :2]
    share = np.linalg.solve(system, (point - a)[:, :2, None])[..., 0]
    height = a[:, 2] + (share * np.stack([b - a, c - a], 1)[..., 2]).sum(axis=1)
    inside = (share > -tolerance).all(axis=1) & (share.sum(axis=1) < 1 + tolerance)
    return inside & (np.abs(height - point[:, 2]) < tolerance)


def test_locate_finds_the_height_field_from_above_and_below(field):
    rng = np.random.default_rng(0)
    plan = rng.uniform(-4, 4, (400, 2))
    true = field.locate(np.column_stack([plan, waves(*plan.T)]))[0][:, 2]
    assert np.abs(true - waves(*plan.T)).max() < 0.06  # half-meter cells
    for off in (-0.4, 0.0, 0.4):
        point, face = field.locate(np.column_stack([plan, true + off]))
        np.testing.assert_allclose(point[:, 2], true, atol=1e-12)
        np.testing.assert_array_equal(point[:, :2], plan)
        assert on_triangle(field, point, face).all()
    far, none = field.locate(np.column_stack([plan, true + 0.6]))
    np.testing.assert_array_equal(none, -1)
    np.testing.assert_array_equal(far, np.column_stack([plan, true + 0.6]))


def test_locate_looks_only_as_far_as_it_is_told(field):
    point = np.array([[0.3, 0.2, 2.0]])
    assert field.locate(point, above=5.0, below=0.1)[1][0] == -1
    assert field.locate(point, above=0.0, below=5.0)[1][0] >= 0


def test_points_exactly_on_vertices_and_edges_are_on_the_surface(field):
    vertices = field.mesh.vertices
    middles = (
        field.mesh.triangles.mean(axis=1),
        0.5 * (field.mesh.triangles[:, 0] + field.mesh.triangles[:, 1]),
    )
    for points in (vertices, *middles):
        found, face = field.locate(points)
        assert (face >= 0).all()
        np.testing.assert_allclose(found, points, atol=1e-9)


def test_a_walk_ends_where_locate_finds_the_surface(field):
    rng = np.random.default_rng(1)
    start, face = field.locate(
        np.column_stack([rng.uniform(-3.9, 3.9, (500, 2)), np.zeros(500)]), 2, 2
    )
    goal = rng.uniform(-3.9, 3.9, (500, 2))
    point, last, arrived = field.walk(start, face, goal - start[:, :2])
    assert arrived.all()
    np.testing.assert_allclose(point[:, :2], goal, atol=1e-12)
    assert on_triangle(field, point, last).all()
    there, _ = field.locate(point)
    np.testing.assert_allclose(point, there, atol=1e-9)


def test_a_walk_in_small_steps_comes_to_the_same_place(field):
    rng = np.random.default_rng(2)
    point, face = field.locate(np.column_stack([rng.uniform(-1, 1, (50, 2)), np.zeros(50)]), 2, 2)
    step = rng.uniform(-0.02, 0.02, (50, 2))
    far, _, _ = field.walk(point, face, 100 * step)
    for _ in range(100):
        point, face, arrived = field.walk(point, face, step)
        assert arrived.all()
    np.testing.assert_allclose(point, far, atol=1e-9)


def test_a_walk_stops_at_the_border(field):
    rng = np.random.default_rng(3)
    start, face = field.locate(np.column_stack([rng.uniform(-3, 3, (200, 2)), np.zeros(200)]), 2, 2)
    angle = rng.uniform(0, 2 * np.pi, 200)
    way = 20 * np.column_stack([np.cos(angle), np.sin(angle)])
    point, last, arrived = field.walk(start, face, way)
    assert not arrived.any()
    np.testing.assert_allclose(np.abs(point[:, :2]).max(axis=1), 4.0, atol=1e-9)
    assert on_triangle(field, point, last, 1e-7).all()
    again, _, arrived = field.walk(point, last, way)
    assert not arrived.any()
    np.testing.assert_allclose(again, point, atol=1e-9)
    back, _, arrived = field.walk(point, last, start[:, :2] - point[:, :2])
    assert arrived.all()
    np.testing.assert_allclose(back, start, atol=1e-9)


def test_walks_along_and_through_vertices_arrive(field):
    """Along grid lines and diagonals every crossing is a vertex, every start on an edge."""
    start, face = field.locate(np.array([[-4.0, y, 0] for y in np.linspace(-4, 4, 17)]), 2, 2)
    point, last, arrived = field.walk(start, face, np.tile([8.0, 0], (17, 1)))
    assert arrived.all()
    np.testing.assert_allclose(point[:, 0], 4.0)
    assert on_triangle(field, point, last, 1e-7).all()
    for way in ([8.0, 8.0], [4.0, 8.0]):
        point, last, arrived = field.walk(start[:1], face[:1], [way])
        assert arrived.all()
        assert on_triangle(field, point, last, 1e-7).all()


def test_a_start_on_an_edge_may_be_ascribed_to_either_triangle(field):
    inner = np.argwhere(field.neighbor >= 0)[::7]
    for row, edge in inner:
        a, b = field.mesh.triangles[row][[edge, (edge + 1) % 3]]
        middle = 0.5 * (a + b)
        for way in ([0.3, 0.1], [-0.2, 0.25]):
            if np.abs(middle[:2] + way).max() > 4.0:
                continue
            ends = [
                field.walk(middle[None], [side], [way])[0][0]
                for side in (row, field.neighbor[row, edge])
            ]
            np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)
            np.testing.assert_allclose(ends[0], field.locate(ends[0][None])[0][0], atol=1e-9)


def test_levels_above_one_another_are_never_confused(levels):
    rng = np.random.default_rng(4)
    plan = rng.uniform([0.1, -0.9], [4.9, 0.9], (100, 2))
    for height in (0.0, 2.5):
        start, face = levels.locate(np.column_stack([plan, np.full(100, height + 0.1)]))
        np.testing.assert_array_equal(start[:, 2], height)
        target = rng.permutation(plan)
        point, _, arrived = levels.walk(start, face, target - plan)
        assert arrived.all()
        np.testing.assert_allclose(point[:, 2], height, atol=1e-12)
    off, _, arrived = levels.walk(*levels.locate(np.array([[2.0, 0, 2.5]])), [[0.0, 3.0]])
    assert not arrived[0], "the deck has an edge, below which the floor does not catch anyone"
    np.testing.assert_allclose(off[0], [2.0, 1.0, 2.5], atol=1e-9)


def test_the_ramp_leads_from_the_floor_to_the_deck_and_back(levels):
    start, face = levels.locate(np.array([[-5.8, 0.3, 0.0]]))
    point, last, arrived = levels.walk(start, face, [[9.0, 0.1]])
    assert arrived[0]
    np.testing.assert_allclose(point[0], [3.2, 0.4, 2.5], atol=1e-9)
    back, _, arrived = levels.walk(point, last, [[-9.0, -0.1]])
    assert arrived[0]
    np.testing.assert_allclose(back[0], start[0], atol=1e-9)
    assert len(np.unique(levels.component)) == 1


def test_beside_the_ramp_one_walks_below_the_deck(levels):
    start, face = levels.locate(np.array([[-5.8, 1.5, 0.0]]))
    start, face, _ = levels.walk(start, face, [[6.0, 0.0]])
    point, _, arrived = levels.walk(start, face, [[3.0, -1.2]])
    assert arrived[0]
    assert point[0, 2] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("step", "passes"), [(0.0, True), (0.02, True), (-0.02, True), (0.05, False), (-0.05, False)]
)
def test_small_steps_are_walked_over_and_high_ones_are_not(make, step, passes):
    """The right half has other cells than the left: a T-junction at x = 0."""
    left = make.grid(np.array([-2.0, 0]), np.linspace(-2, 2, 3), lambda x, y: 0.0 * x)
    right = make.grid(np.array([0.0, 2]), np.linspace(-2, 2, 4), lambda x, y: step + 0.0 * x)
    surface = WalkableSurface(join([left, right]))
    rng = np.random.default_rng(5)
    start, face = surface.locate(
        np.column_stack([rng.uniform(-1.9, -0.1, 100), rng.uniform(-1.9, 1.9, 100), np.zeros(100)]),
        0.01,
        0.01,
    )
    goal = np.column_stack([rng.uniform(0.1, 1.9, 100), rng.uniform(-1.9, 1.9, 100)])
    point, last, arrived = surface.walk(start, face, goal - start[:, :2])
    assert (arrived == passes).all()
    np.testing.assert_allclose(point[:, 2], step if passes else 0.0, atol=1e-12)
    assert on_triangle(surface, point, last, 1e-7).all()
    if not passes:
        np.testing.assert_allclose(point[:, 0], 0.0, atol=1e-9)
    assert len(np.unique(surface.component)) == (1 if passes else 2)
    at_seam = np.abs(surface.border[:, :, 0]).max(axis=1) < 1e-9
    assert at_seam.any() == (not passes)


def test_the_border_is_the_outline(field):
    ends = field.border
    assert (np.abs(ends[..., :2]).max(axis=2) == 4.0).all()
    assert length((ends[:, 1] - ends[:, 0])[:, :2]).sum() == pytest.approx(4 * 8.0)


def test_a_border_half_continued_is_half_open(make):
    wide = make.flat([-2, -2], [0, 2])
    narrow = make.flat([0, -2], [2, 0])
    border = WalkableSurface(join([wide, narrow])).border
    seam = border[np.abs(border[:, :, 0]).max(axis=1) < 1e-9]
    assert length(seam[:, 1] - seam[:, 0]).sum() == pytest.approx(2.0, abs=4.0 / 16)
    assert seam[..., 1].min() > -4.0 / 16


def test_a_polyline_lies_on_the_surface_and_each_piece_in_one_triangle(field):
    rng = np.random.default_rng(6)
    starts, faces = field.locate(
        np.column_stack([rng.uniform(-3.9, 3.9, (40, 2)), np.zeros(40)]), 2, 2
    )
    for start, face in zip(starts, faces, strict=True):
        goal = rng.uniform(-3.9, 3.9, 2)
        points, after, arrived = field.polyline(start, face, goal - start[:2])
        assert arrived
        np.testing.assert_array_equal(points[0], start)
        np.testing.assert_allclose(points[-1, :2], goal, atol=1e-12)
        assert on_triangle(field, points[:-1], after[:-1], 1e-7).all()
        assert on_triangle(field, points[1:], after[:-1], 1e-7).all(), "the piece ends in its face"
        share = (points[:, :2] - start[:2]) @ (goal - start[:2])
        assert (np.diff(share) >= -1e-12).all()
        walked, _, _ = field.walk(start[None], [face], (goal - start[:2])[None])
        np.testing.assert_array_equal(points[-1], walked[0])


def test_a_polyline_of_many_pieces_is_whole(make):
    line = np.linspace(0, 1, 401)
    surface = WalkableSurface(make.grid(line, np.array([0.0, 1.0]), lambda x, y: 0.1 * x))
    start, face = surface.locate(np.array([[0.0, 0.5, 0.0]]))
    points, _, arrived = surface.polyline(start[0], face[0], np.array([1.0, 0.01]))
    assert arrived
    assert len(points) > 700
    np.testing.assert_allclose(points[:, 2], 0.1 * points[:, 0], atol=1e-12)


def test_no_displacement_stays(field):
    start, face = field.locate(np.array([[0.3, 0.2, 0]]), 2, 2)
    point, last, arrived = field.walk(start, face, np.zeros((1, 2)))
    assert arrived[0]
    assert last[0] == face[0]
    np.testing.assert_array_equal(point, start)
    points, _, arrived = field.polyline(start[0], face[0], np.zeros(2))
    assert arrived
    np.testing.assert_array_equal(points, start)


def disk(count, rng):
    angle = rng.uniform(0, 2 * np.pi, count)
    return np.sqrt(rng.uniform(0, 1, count))[:, None] * np.column_stack(
        [np.cos(angle), np.sin(angle)]
    )


def reached_heights(surface, point, face, radius, rng, count=300):
    """Heights of the ends of straight walks of at most ``radius`` from a point."""
    walked, _, _ = surface.walk(
        np.tile(point, (count, 1)), np.full(count, face), radius * disk(count, rng)
    )
    return walked[:, 2]


@pytest.mark.parametrize("radius", [0.0, 0.05, 0.4, 1.5])
def test_the_height_range_bounds_whatever_is_walked_to(field, levels, radius):
    rng = np.random.default_rng(7)
    for surface in (field, levels):
        start, face = surface.locate(
            np.column_stack([rng.uniform(-3.9, 3.9, (40, 2)), rng.uniform(0, 3, 40)]), 2, 2
        )
        start, face = start[face >= 0], face[face >= 0]
        low, high = surface.height_range(start, face, radius).T
        for k in range(len(start)):
            height = reached_heights(surface, start[k], face[k], radius, rng)
            assert low[k] <= height.min() + 1e-9
            assert high[k] >= height.max() - 1e-9


def test_the_height_range_of_a_small_circle_is_tight(field):
    rng = np.random.default_rng(8)
    start, face = field.locate(
        np.column_stack([rng.uniform(-3.5, 3.5, (40, 2)), np.zeros(40)]), 2, 2
    )
    low, high = field.height_range(start, face, 0.05).T
    assert (high - low < 2 * 0.05 * 1.0 + 1e-9).all()


def test_the_height_range_reaches_over_seams_without_shared_vertices(make):
    floor = make.grid(np.array([-4.0, 0]), np.linspace(-2, 2, 3), lambda x, y: 0.0 * x)
    ramp = make.grid(np.array([0.0, 4]), np.linspace(-2, 2, 4), lambda x, y: 0.5 * x)
    surface = WalkableSurface(join([floor, ramp]))
    start, face = surface.locate(np.array([[-0.2, 0.1, 0.0]]))
    _, high = surface.height_range(start, face, 1.0)[0]
    assert high >= 0.4 - 1e-9


def test_the_height_range_holds_over_more_triangles_than_it_looks_at(make):
    line = np.linspace(-2, 2, 81)
    surface = WalkableSurface(make.grid(line, line, lambda x, y: 1.5 * x))
    start, face = surface.locate(np.array([[0.01, 0.02, 0.0]]))
    low, high = surface.height_range(start, face, 1.0)[0]
    assert low <= start[0, 2] - 1.5
    assert high >= start[0, 2] + 1.5


@pytest.mark.parametrize("corners", [5, 81])
def test_heights_over_a_tilted_plane_are_those_of_the_surface_without_its_tilt(make, corners):
    """Over more triangles than it looks at, they are bounds, too."""
    line, tilt = np.linspace(-2, 2, corners), np.array([0.4, -0.3])
    rough = make.grid(line, line, lambda x, y: 0.1 * np.sin(3.0 * x) * np.cos(2.0 * y))
    plane = rough.vertices[:, :2] @ tilt
    leaning = TriangleMesh(rough.vertices + plane[:, None] * [0.0, 0.0, 1.0], rough.faces)
    points = np.array([[0.01, 0.02, 0.0], [-0.7, 1.1, 0.0], [0.9, -0.4, 0.0]])
    level = WalkableSurface(rough).height_range(*WalkableSurface(rough).locate(points), 0.6)
    start, face = WalkableSurface(leaning).locate(points, 2.0, 2.0)
    found = WalkableSurface(leaning).height_range(start, face, 0.6, np.tile(tilt, (3, 1)))
    found -= (points[:, :2] @ tilt)[:, None]
    if corners == 5:
        np.testing.assert_allclose(found, level, atol=1e-12)
    rng = np.random.default_rng(2)
    for k in range(3):
        ends, _, _ = WalkableSurface(rough).walk(
            np.tile(points[k], (300, 1)), np.full(300, face[k]), 0.6 * disk(300, rng)
        )
        assert found[k, 0] <= ends[:, 2].min() + 1e-9
        assert found[k, 1] >= ends[:, 2].max() - 1e-9


def test_faces_that_look_down_or_stand_upright_are_left_out(make):
    mesh = make.box([0, 0, 0], [1, 1, 1])
    surface = WalkableSurface(mesh)
    np.testing.assert_array_equal(surface.mesh.normals[:, 2], 1.0)
    assert len(surface.mesh.faces) == 2
    with pytest.raises(ValueError, match="no triangle of `mesh` faces up"):
        WalkableSurface(TriangleMesh(mesh.vertices, mesh.faces[:, ::-1]).select(surface_rows(mesh)))


def surface_rows(mesh):
    return np.flatnonzero(mesh.normals[:, 2] > 0.5)


def test_empty_batches_have_empty_answers(field):
    none = np.zeros((0, 3))
    assert [a.shape for a in field.locate(none)] == [(0, 3), (0,)]
    walked = field.walk(none, np.zeros(0, int), np.zeros((0, 2)))
    assert [a.shape for a in walked] == [(0, 3), (0,), (0,)]
    assert field.height_range(none, np.zeros(0, int), 1.0).shape == (0, 2)


def test_walks_leave_their_input_alone(field):
    start, face = field.locate(np.array([[0.3, 0.2, 0], [1, 1, 0]]), 2, 2)
    before = start.copy(), face.copy()
    field.walk(start, face, np.ones((2, 2)))
    np.testing.assert_array_equal(start, before[0])
    np.testing.assert_array_equal(face, before[1])


def test_a_ramp_laid_upon_a_floor_is_walked_up_and_down():
    def quad(corners):
        return TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))

    floor = quad([[-5, -5, 0], [15, -5, 0], [15, 5, 0], [-5, 5, 0]])
    ramp = quad([[2, -1, 0], [6, -1, 1], [6, 1, 1], [2, 1, 0]])
    deck = quad([[6, -1, 1], [9, -1, 1], [9, 1, 1], [6, 1, 1]])
    surface = WalkableSurface(join([floor, ramp, deck]))
    below, face = surface.locate(np.array([[0.0, 0.2, 0.0]]))
    above, top, arrived = surface.walk(below, face, np.array([[7.0, 0.0]]))
    assert arrived.all()
    np.testing.assert_allclose(above, [[7.0, 0.2, 1.0]], atol=1e-12)
    back, _, _ = surface.walk(above, top, np.array([[-7.0, 0.0]]))
    np.testing.assert_allclose(back, below, atol=1e-12)
    points, _, _ = surface.polyline(below[0], int(face[0]), np.array([7.0, 0.0]))
    expected = np.clip((points[:, 0] - 2.0) / 4.0, 0.0, 1.0)
    np.testing.assert_allclose(points[:, 2], expected, atol=1e-12)
    # Beside the ramp the floor goes on, and a bound of the heights in reach knows the ramp.
    beside, _, _ = surface.walk(below + np.array([[0, 2, 0]]), face, np.array([[7.0, 0.0]]))
    assert beside[0, 2] == 0.0
    low, high = surface.height_range(below, face, np.array([4.0]))[0]
    assert low == 0.0
    assert high >= 0.5


@pytest.mark.parametrize("begins", [-2.0, 0.3])
@pytest.mark.parametrize("uneven", [0.0, 5e-4, -5e-4])
def test_treads_that_only_touch_lead_up_over_a_floor_that_goes_on_below(make, uneven, begins):
    """Turned anyhow: rounding decides whether the next tread begins before this one ends."""
    y = np.array([-2.0, 2.0])
    # The floor goes on below all treads, or begins anew right below the second one.
    pieces = [make.grid(np.array([begins, 4.0]), y, lambda x, y: 0.0 * x)]
    if begins > 0.0:
        pieces.append(make.grid(np.array([-2.0, 0.0]), y, lambda x, y: 0.0 * x))
    for k in range(5):
        height = 0.2 * (k + 1) + uneven * (k % 2)
        x, y = np.array([0.3 * k, 0.3 * (k + 1)]), np.array([-1.0, 1.0])
        pieces.append(make.grid(x, y, lambda x, y, height=height: 0.0 * x + height))
    stairs = join(pieces)
    for angle in [0.0, *np.random.default_rng(0).uniform(-np.pi, np.pi, 11)]:
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners = np.column_stack([stairs.vertices[:, :2] @ turn, stairs.vertices[:, 2]])
        surface = WalkableSurface(TriangleMesh(corners, stairs.faces), step_height=0.2)
        plan = np.column_stack([np.full(20, -1.0), np.linspace(-0.9, 0.9, 20)]) @ turn
        start, face = surface.locate(np.column_stack([plan, np.zeros(20)]))
        way = np.tile(np.array([2.4, 0.0]) @ turn, (20, 1))
        top, on, arrived = surface.walk(start, face, way)
        assert arrived.all()
        np.testing.assert_allclose(top[:, 2], 1.0, atol=1e-9)
        back, _, arrived = surface.walk(top, on, -way)
        assert arrived.all()
        np.testing.assert_allclose(back, start, atol=1e-9)


def test_a_walk_from_place_to_place_is_that_of_its_single_walks(field):
    rng = np.random.default_rng(3)
    start, face = field.locate(np.array([[0.1, 0.2, 0.0]]), 10.0, 10.0)
    steps = rng.uniform(-1.2, 1.2, (30, 40, 2))
    steps[:, 0] = 0.0
    places = start[0, :2] + np.cumsum(steps, axis=1)
    found, on = field.walk_along(start[0], int(face[0]), places)
    assert on[:, 0].all()
    assert not on.all(), "some come to the border"
    here, faces, arrived = np.repeat(start, 30, 0), np.repeat(face, 30), np.ones(30, bool)
    for k in range(1, 40):
        moved, onto, reached = field.walk(here, faces, places[:, k] - here[:, :2])
        here = np.where(arrived[:, None], moved, here)
        faces, arrived = np.where(arrived, onto, faces), arrived & reached
        np.testing.assert_array_equal(found[:, k], here)
        np.testing.assert_array_equal(on[:, k], arrived)
    begin = start[0].copy()
    nowhere, on = field.walk_along(begin, -1, places)
    assert begin.flags.writeable, "it is the caller's"
    assert not on.any()
    assert (nowhere == start[0]).all()
