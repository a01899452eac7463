import numpy as np
import pytest
from scipy import ndimage

from rmp3d.geometry.checked_toml import read_toml
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.models import load_character
from rmp3d.planner.collision.rigid_judge import RigidJudge
from rmp3d.planner.collision.row_world import RowCollisionWorld
from rmp3d.planner.spaces.ground_heading import posed
from rmp3d.scenes import (
    SceneDescription,
    builtin_folder,
    builtin_scenes,
    builtin_summary,
    load_scene,
)
from rmp3d.scenes.build.__main__ import NAMES

WALKED = ("car_park", "city", "crossing", "parking", "patio_house", "rock_valley", "water_park")
# Regions in which a pedestrian fits everywhere; others have obstacles in them.
CLEAR = {
    "car_park": ("forecourt", "entrance"),
    "city": ("park", "square"),
    "crossing": ("west", "east", "south", "north"),
    "parking": ("motorcycles", "cars"),
    "patio_house": ("entrance", "garden"),
    "water_park": ("restaurant", "middle", "balloon"),
}


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("anywhere")
    return {name: load_scene(SceneDescription(name=name), folder) for name in builtin_scenes()}


def free_cells(scene, cell, radius):
    """Return plan grid points on the ground (X, Y, 3) and whether a walker fits at each."""
    capsule_axis = np.array(load_character("pedestrian").body.capsule_axis)
    axes = [
        np.arange(low + cell / 2, high, cell)
        for low, high in zip(*scene.bounds[:, :2], strict=True)
    ]
    x, y = np.meshgrid(*axes, indexing="ij")
    points, face = WalkableSurface(scene.walkable).locate(
        np.stack([x.ravel(), y.ravel(), np.full(x.size, 0.3)], axis=1), 1.0
    )
    free = face >= 0
    clearance, _ = MeshQuery(scene.obstacles).capsule_clearance(
        points[free], capsule_axis, radius, 1.0
    )
    free[free] = clearance > 0.0
    return points.reshape(*x.shape, 3), free.reshape(x.shape)


def connected(scene, points, free, start, goal):
    label, _ = ndimage.label(free)
    shape = free.shape
    flat = points.reshape(-1, 3)
    places = [
        set(label[scene.region(name).contains(flat).reshape(shape) & free])
        for name in (start, goal)
    ]
    return bool(set.intersection(*places) - {0})


def test_the_built_in_scenes_are_listed_with_a_line_each():
    assert builtin_scenes() == NAMES
    assert set(NAMES) >= {"canyon", "city", "parking", "patio_house", "rock_valley"}
    assert all(len(builtin_summary(name)) > 20 for name in builtin_scenes())


@pytest.mark.parametrize("name", NAMES)
def test_no_faces_of_two_colors_are_seen_in_one_place(name, scenes):
    """Which of them is drawn would change from picture to picture."""
    parts, rng = scenes[name].parts, np.random.default_rng(0)
    for row, part in enumerate(parts):
        mesh = part.mesh
        face = np.repeat(np.arange(len(mesh.faces)), np.clip(2 * mesh.areas, 1, 20).astype(int))
        weight = rng.dirichlet([1.0, 1.0, 1.0], len(face))
        points = np.einsum("pc,pcx->px", weight, mesh.triangles[face])
        for other in parts[row + 1 :]:
            low, high = other.mesh.bounds
            near = ((points > low - 1e-3) & (points < high + 1e-3)).all(axis=1)
            near &= mesh.normals[face, 2] > -0.7  # not seen from below
            rows = np.flatnonzero(near)
            if len(rows) == 0:
                continue
            gap, _, met = MeshQuery(other.mesh).closest_point(points[rows], 1e-4)
            rows, met = rows[gap < 1e-4], met[gap < 1e-4]
            same_way = (other.mesh.normals[met] * mesh.normals[face[rows]]).sum(axis=1) > 0.99
            differ = np.abs(other.colors[met] - part.colors[face[rows]]).max(axis=1) > 0.03
            assert (same_way & differ).sum() < 3, f"{part.name} and {other.name}"


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_stands_beside_each_scene(name, scenes):
    scenario = read_toml(builtin_folder(name) / "scenario.toml")
    assert scenario["scene"] == {"name": name}
    for group in scenario["groups"]:
        assert {group["start"], group.get("goal", group["start"])} <= set(scenes[name].regions)
        load_character(group["character"])


@pytest.mark.parametrize("name", NAMES)
def test_every_obstacle_is_a_closed_solid_facing_out(name, scenes):
    scene = scenes[name]
    obstacles = [part for part in scene.parts if part.role == "obstacle"]
    assert len(scene.solids) == len(obstacles)
    for part in obstacles:
        a, b, c = np.moveaxis(part.mesh.triangles, 1, 0)
        assert np.einsum("fi,fi->", a, np.cross(b, c)) > 0.0, part.name
    assert scene.notes == ()


@pytest.mark.parametrize("name", NAMES)
def test_regions_lie_in_the_bounds(name, scenes):
    for region in scenes[name].regions.values():
        assert (region.lower[:2] >= scenes[name].bounds[0, :2]).all()
        assert (region.upper[:2] <= scenes[name].bounds[1, :2]).all()


@pytest.mark.parametrize("name", WALKED)
def test_the_ground_is_one_conforming_sheet(name, scenes):
    walkable = scenes[name].walkable
    assert len(np.unique(WalkableSurface(walkable).component)) == 1
    corners, index = np.unique(walkable.vertices, axis=0, return_inverse=True)
    faces = index.reshape(-1)[walkable.faces]
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges, count = np.unique(edges, axis=0, return_counts=True)
    assert count.max() == 2
    # No corner may lie inside a border edge: that would be a seam of unlike triangles.
    border = corners[edges[count == 1]]
    corners = np.unique(border.reshape(-1, 3), axis=0)
    along = border[:, 1] - border[:, 0]
    share = np.einsum("ei,vei->ve", along, corners[:, None] - border[None, :, 0])
    share /= np.einsum("ei,ei->e", along, along)
    foot = border[None, :, 0] + share[..., None] * along
    near = np.linalg.norm(corners[:, None] - foot, axis=-1) < 1e-6
    assert not (near & (share > 1e-6) & (share < 1 - 1e-6)).any()


@pytest.mark.parametrize("name", CLEAR)
def test_a_pedestrian_fits_everywhere_in_start_and_goal(name, scenes):
    scene = scenes[name]
    points, free = free_cells(scene, 0.25, 0.28)
    for region in map(scene.region, CLEAR[name]):
        inside = region.contains(points.reshape(-1, 3)).reshape(free.shape)
        assert inside.sum() * 0.25**2 > 25.0
        assert free[inside].all()


def test_the_corridor_of_the_parking_is_two_meters_wide(scenes):
    query = MeshQuery(scenes["parking"].obstacles)
    x = np.linspace(-4.4, 4.4, 23)
    origin = np.stack([x, 0 * x, 0 * x + 1.0], axis=1)
    for sign in (-1.0, 1.0):
        distance, _ = query.cast_ray(origin, np.tile([0.0, sign, 0.0], (len(x), 1)))
        assert distance == pytest.approx(np.ones(len(x)), abs=1e-6)


def test_a_line_of_nine_abreast_fits_from_the_start_to_near_the_corridor(scenes):
    points, free = free_cells(scenes["parking"], 0.25, 0.28)
    x, y = points[..., 0], points[..., 1]
    lane = (np.abs(y) < 5.2) & (x > -21.0) & (x < -6.0)
    assert free[lane].all()
    lane = (np.abs(y) < 5.2) & (x > 6.0) & (x < 21.0)
    assert free[lane].all()


def test_the_doors_of_the_patio_house_are_its_narrowest_places(scenes):
    query = MeshQuery(scenes["patio_house"].obstacles)
    for place, direction in (
        ((-6.875, -2.5), (0.0, 1.0)),
        ((1.375, 3.0), (0.0, 1.0)),
        ((4.0, 0.875), (1.0, 0.0)),
        ((6.625, -3.0), (0.0, 1.0)),
    ):
        origin = np.array([[*place, 1.0]] * 2)
        distance, _ = query.cast_ray(
            origin, np.array([(*direction, 0), (-direction[0], -direction[1], 0)])
        )
        assert distance == pytest.approx([0.45, 0.45], abs=1e-6)
    for radius, fits in ((0.42, True), (0.455, False)):
        points, free = free_cells(scenes["patio_house"], 0.05, radius)
        assert connected(scenes["patio_house"], points, free, "entrance", "garden") == fits


def test_the_terrace_is_reached_over_a_ramp_of_ten_degrees(scenes):
    walkable = scenes["patio_house"].walkable
    slope = np.degrees(np.arccos(walkable.normals[:, 2]))
    assert np.unique(slope.round(1)).tolist() == [0.0, 10.0]
    assert scenes["patio_house"].region("garden").lower[2] > 0.0


def test_the_bridges_of_the_water_park_arch_over_water_and_are_two_meters_wide(scenes):
    scene = scenes["water_park"]
    surface, query = WalkableSurface(scene.walkable), MeshQuery(scene.obstacles)
    water = scene.part("water").mesh.bounds[1, 2]
    for start, end, rise in (((-12.9, -1.0), (-4.7, 1.0), 1.0), ((13.5, 2.0), (22.0, 0.0), 1.1)):
        start, end = np.array(start), np.array(end)
        along = (end - start) / np.linalg.norm(end - start)
        place, face = surface.locate(np.array([[*(start - 0.5 * along), 0.0]]))
        halfway, _, arrived = surface.walk(place, face, [0.5 * (end - start) + 0.5 * along])
        assert arrived.all()
        assert halfway[0] == pytest.approx([*(0.5 * (start + end)), rise], abs=1e-5)
        assert halfway[0, 2] - water > 1.5
        for side in (-1.0, 1.0):
            across = side * np.array([[-along[1], along[0], 0.0]])
            distance, _ = query.cast_ray(halfway + np.array([0.0, 0.0, 0.2]), across)
            assert distance == pytest.approx([1.0], abs=1e-5)
    assert connected_over_bridges(scene)


def connected_over_bridges(scene):
    """Whether a pedestrian gets from the restaurant to the balloon; not without a bridge."""
    points, free = free_cells(scene, 0.2, 0.28)
    way = connected(scene, points, free, "restaurant", "balloon")
    on_bridge = (points[..., 0] > 15.0) & (points[..., 0] < 20.0)
    return way and not connected(scene, points, free & ~on_bridge, "restaurant", "balloon")


def test_the_footbridge_of_the_city_is_walked_over_and_under(scenes):
    scene = scenes["city"]
    surface = WalkableSurface(scene.walkable)
    start, face = surface.locate(np.array([[22.5, -22.0, 0.0], [26.0, -3.0, 0.0]]))
    ends, _, arrived = surface.walk(start, face, np.array([[0.0, 22.0], [-3.5, 3.0]]))
    assert arrived.all()
    assert ends[:, 2] == pytest.approx([3.2, -0.1], abs=1e-6)
    assert np.abs(ends[0] - ends[1])[:2] == pytest.approx([0.0, 0.0], abs=1e-9)
    head = ends[1] + [0.0, 0.0, 1.8]
    room, _ = MeshQuery(scene.obstacles).cast_ray(head, np.array([[0.0, 0.0, 1.0]]))
    assert room[0] > 0.5


def test_the_crossing_has_two_levels_at_one_place_and_a_slip_ramp_between_them(scenes):
    surface = WalkableSurface(scenes["crossing"].walkable)
    start, face = surface.locate(np.array([[-30.0, 0, 0], [0.0, -20, 0], [10.0, 2.0, 3.6]]))
    walks = np.array([[30.0, 0.0], [0.0, 20.0], [0.0, 22.0]])
    ends, _, arrived = surface.walk(start, face, walks)
    assert arrived.all()
    np.testing.assert_allclose(ends[:2], [[0, 0, 3.6], [0, 0, 0]], atol=1e-9)
    assert ends[2, 2] == pytest.approx(0.0, abs=1e-9)  # down the slip ramp
    room, _ = MeshQuery(scenes["crossing"].obstacles).cast_ray(
        ends[1:2] + np.array([0.0, 0.0, 1.8]), np.array([[0.0, 0.0, 1.0]])
    )
    assert room[0] > 1.0


def test_the_car_park_has_three_decks_wide_lanes_and_ramps_with_headroom(scenes):
    scene = scenes["car_park"]
    surface, query = WalkableSurface(scene.walkable), MeshQuery(scene.obstacles)
    slope = np.degrees(np.arccos(np.clip(scene.walkable.normals[:, 2], -1.0, 1.0)))
    assert np.unique(slope.round(1)).tolist() == [0.0, 7.8]
    # Up both ramps, and back around on the deck between them.
    start, face = surface.locate(np.array([[-14.0, 0.0, 0.0], [-14.0, 0.0, 3.0]]))
    ends, _, arrived = surface.walk(start, face, np.array([[28.0, 0.0], [28.0, 0.0]]))
    assert arrived.all()
    assert ends[:, 2] == pytest.approx([3.0, 6.0])
    for at, way, width in (
        ((0.0, 6.0, 0.7), (0.0, -1.0, 0.0), 2.7),  # from the middle of the lane to the ramps
        ((0.0, 0.0, 2.0), (0.0, 1.0, 0.0), 3.0),  # half a ramp
        ((16.0, 0.0, 3.7), (-1.0, 0.0, 0.0), 5.0),  # across the end of a deck, to the ramp's end
    ):
        found, _ = query.cast_ray(np.array([at]), np.array([way]))
        assert found[0] >= width - 1e-6
    up = np.array([[0.0, 0.0, 1.0]])
    for place in ((-14.0, 6.0, 0.1), (0.0, -6.0, 3.1), (0.0, 1.0, 1.6)):
        assert query.cast_ray(np.array([place]), up)[0][0] == pytest.approx(2.6)


@pytest.mark.parametrize(
    ("name", "x", "rise"),
    [
        ("car_park", (-13.0, 13.0), (-11.0, 11.0, 3.0)),
        ("crossing", (-28.0, 7.0), (-26.0, -8.0, 3.6)),
    ],
)
def test_a_car_fits_on_the_ramps_with_its_capsules(scenes, name, x, rise):
    car = load_character("car")
    world = RowCollisionWorld(scenes[name], car.body, max_step=car.parameters.max_step)
    along = np.linspace(*x, 60)
    height = rise[2] * np.clip((along - rise[0]) / (rise[1] - rise[0]), 0.0, 1.0)
    poses = posed(np.stack([along, 0.0 * along - 1.5, height], axis=1), 0.0 * along)
    assert world.is_free(poses).all()
    assert world.motions_are_free(poses[:-1], poses[1:]).all()


def test_the_rock_valley_has_real_slopes_and_cliffs_around(scenes):
    scene = scenes["rock_valley"]
    slope = np.degrees(np.arccos(scene.walkable.normals[:, 2]))
    area = scene.walkable.areas
    assert slope.max() < 33.0
    assert area[slope > 20.0].sum() > 0.2 * area.sum()
    border = WalkableSurface(scene.walkable).border
    outward = border.mean(axis=1)
    outward[:, 2] += 0.5
    cliffs = MeshQuery(scene.part("cliffs").mesh)
    assert (cliffs.closest_point(outward)[0] < 0.6).all()


def test_the_way_through_the_canyon_leads_through_its_window(scenes):
    scene = scenes["canyon"]
    cell = 0.3
    axes = [np.arange(low, high, cell) for low, high in zip(*scene.bounds, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    points = grid.reshape(-1, 3)
    distance, _, _ = MeshQuery(scene.obstacles).closest_point(points, 1.5)
    inside = np.zeros(len(points), bool)
    for solid in scene.solids:
        inside |= MeshQuery(solid).contains(points)

    for radius, fits in ((0.4, True), (0.7, True), (1.1, False)):
        free = ((distance > radius) & ~inside).reshape(grid.shape[:3])
        assert connected(scene, grid, free, "mouth", "lake") == fits
    for name in scene.regions:
        there = scene.region(name).contains(points)
        # Room for 20 drones 1.4 m apart, each with a cube of its own.
        assert (there & (distance > 0.4) & ~inside).sum() * cell**3 > 20 * 1.4**3


def test_a_fish_can_swim_through_the_cave_where_a_whale_cannot(scenes):
    scene = scenes["cave"]
    cell = 0.5
    axes = [np.arange(low + 0.4, high - 0.4, cell) for low, high in zip(*scene.bounds, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    points = grid.reshape(-1, 3)
    distance, _, _ = MeshQuery(scene.obstacles).closest_point(points, 2.5)
    outside = ~MeshQuery(scene.part("rock").mesh).contains(points)
    # Two fish can pass each other everywhere; the tunnels are round, and half a cell is lost.
    for radius, fits in ((0.33, True), (0.66, True), (2.0, False)):
        free = (outside & (distance > radius)).reshape(grid.shape[:3])
        assert connected(scene, grid, free, "entrance", "spring") == fits
    for name in scene.regions:
        there = scene.region(name).contains(points) & outside & (distance > 0.33)
        # Room for 60 fish 1.2 m apart.
        assert there.sum() * cell**3 > 60 * 1.2**3


def test_only_a_crate_that_is_tilted_passes_the_hatch_of_the_warehouse(scenes):
    """No level crate can be at the deck's height in the hatch, whichever way round; python-fcl."""
    crate = load_character("box").body.mesh
    judge = RigidJudge(crate, scenes["warehouse"].obstacles, None, np.zeros((0, 3)))
    x, y = np.meshgrid(np.linspace(6.4, 7.6, 13), np.linspace(-0.6, 0.6, 13))
    for angle in np.radians(np.arange(0.0, 180.0, 7.5)):
        turn = [np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)]
        for place in zip(x.ravel(), y.ravel(), strict=True):
            assert judge.collides(np.array([*place, 3.1, *turn]))
    upended = [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]
    below, above = (np.array([7.0, 0.0, z, *upended]) for z in (1.5, 4.2))
    assert judge.motion_is_free(below, above)


def test_a_crate_passes_the_gate_of_the_warehouse_only_lengthwise(scenes):
    crate = load_character("box").body.mesh
    judge = RigidJudge(crate, scenes["warehouse"].obstacles, None, np.zeros((0, 3)))
    ends = np.array([[-6.5, -0.75, 0.5], [-3.5, -0.75, 0.5]])
    for angle, passes in ((0.0, True), (90.0, False)):
        half = np.radians(angle) / 2
        turn = np.tile([np.cos(half), 0.0, 0.0, np.sin(half)], (2, 1))
        assert judge.motion_is_free(*np.hstack([ends, turn])) == passes


def test_the_canyon_is_small_enough_for_a_fast_planner(scenes):
    assert sum(len(part.mesh.faces) for part in scenes["canyon"].parts) < 6000
    assert sum((builtin_folder(name) / "scene.glb").stat().st_size for name in NAMES) < 3.5e6
