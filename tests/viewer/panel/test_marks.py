import numpy as np

from rmp3d.geometry.mesh import join
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import unit
from rmp3d.viewer.panel.marks import meets, path_lines, place_lines, roadmap_lines
from rmp3d.viewer.panel.protocol import Grown, Place


def test_a_line_of_sight_meets_floor_wall_or_nothing(playback):
    scene = playback.scene
    down = np.array([0.0, 0.0, -1.0])
    np.testing.assert_allclose(meets(scene, np.array([-8.0, 1, 5]), down), [-8, 1, 0])
    np.testing.assert_allclose(meets(scene, np.array([0.0, 4, 9]), down), [0, 4, 2.5])
    slant = np.array([1.0, 0.0, -0.5]) / np.hypot(1, 0.5)
    np.testing.assert_allclose(meets(scene, np.array([-10.0, 0, 2]), slant), [-6, 0, 0], atol=1e-9)
    assert meets(scene, np.array([-8.0, 1, 5]), -down) is None


def test_what_is_met_agrees_with_the_compiled_rays(playback):
    query = MeshQuery(join([part.mesh for part in playback.scene.parts]))
    rng = np.random.default_rng(3)
    origin = rng.uniform([-15, -7, 3], [15, 7, 8], (60, 3))
    direction = unit(rng.normal(size=(60, 3)) - [0, 0, 1.0])
    reach = query.cast_ray(origin, direction)[0]
    assert 10 < np.isfinite(reach).sum() < 60
    for row in range(60):
        found = meets(playback.scene, origin[row], direction[row])
        if np.isfinite(reach[row]):
            np.testing.assert_allclose(found, origin[row] + reach[row] * direction[row], atol=1e-9)
        else:
            assert found is None


def test_lines_of_places_roadmaps_and_paths(playback):
    region = playback.scene.regions["start"]
    places = (Place("start", 0, region, np.array([-10.0, 0, 0])), Place("goal", 0, region, None))
    assert len(place_lines(places, 0)) > len(place_lines(places, 1)) > 0
    nodes = np.array([[0.0, 0, 0], [1, 0, 0], [5, 5, 0]])
    grown = Grown(0, nodes, np.array([0, 0, 1]), nodes[:1], nodes[1:2])
    assert len(roadmap_lines({0: grown})) == 1 + 2 * len(nodes)
    assert len(roadmap_lines({})) == len(path_lines((np.empty((0, 3)),))) == 0
    assert len(path_lines((nodes,))) == 2
