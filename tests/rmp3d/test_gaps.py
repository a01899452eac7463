"""The least clearances that a run reports, against those of the meshes."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.vectors import MANY
from rmp3d.models import load_character
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation.gaps import KeptClearances, least_clearance, least_gap, pairs_for_gaps
from rmp3d.verification.bodies import RigidMesh, gap

SLACK = 0.5  # m by which the capsules may stand out of the mesh: their round ends hold square ones


def parked(names, position, angle):
    """Return members at rest with a heading each, and their meshes where they stand."""
    kinds = [load_character(name) for name in names]
    heading = np.stack([np.cos(angle), np.sin(angle), np.zeros(len(names))], axis=1)
    flock = Flock.at_rest(Bodies.of(kinds), np.array(position, float), heading)
    axes = frame(flock.heading, flock.up)
    meshes = [RigidMesh(kind.body.mesh) for kind in kinds]
    placed = [mesh.placed(*at) for mesh, *at in zip(meshes, axes, flock.position, strict=True)]
    return flock, placed


@pytest.mark.parametrize("names", [("car", "car"), ("motorbike", "car"), ("car", "pedestrian")])
@pytest.mark.parametrize("angle", [0.0, 0.5, 1.57])
def test_the_gap_between_vehicles_is_that_of_their_shapes(names, angle):
    flock, (first, second) = parked(names, [[0, 0, 0], [0.4, 2.0, 0]], np.array([0.0, angle]))
    true = gap(first, second)[0]
    assert true - SLACK < least_gap(flock) <= true + 1e-6


def test_the_clearance_of_a_vehicle_is_that_of_its_shape():
    flock, _ = parked(["car", "pedestrian"], [[0, 0, 0], [40, 0, 0]], np.zeros(2))
    half = load_character("car").body.half_width
    wall = MeshQuery(box((-9, half + 0.2, -1), (9, half + 1.2, 3)))
    found = least_clearance(wall, flock, np.arange(2), 1.0)
    assert found == pytest.approx(0.2, abs=1e-6)
    assert least_gap(flock) == np.inf  # not that between the capsules of one body


def test_clearances_that_are_kept_are_those_of_a_search():
    rng = np.random.default_rng(2)
    walls = MeshQuery(box((-20, -0.3, -1), (20, 0.3, 3)))
    place = rng.uniform(-15, 15, (MANY + 40, 3)) * [1.0, 1.0, 0.0]
    place[:, 1] += np.where(place[:, 1] > 0.0, 0.7, -0.7)
    flock = Flock.at_rest(Bodies.alike(len(place), radius=rng.uniform(0.2, 0.3, len(place))), place)
    rows = np.arange(3, MANY + 20)
    kept, measured, search = KeptClearances(walls, rows), [], walls.capsule_clearance
    walls.capsule_clearance = lambda points, *rest: (
        measured.append(len(points)) or search(points, *rest)
    )
    for cap in (1.0, 1.0, 0.3, 0.3, 0.05, 0.4):
        found = kept.least(flock, cap)
        measured.append(0)
        assert found == least_clearance(MeshQuery(walls.mesh), flock, rows, cap)
        flock = flock.moved(position=flock.position + rng.normal(0, 0.04, place.shape))
    assert sum(measured) < 4 * len(rows)  # of 6


def test_the_pairs_that_are_kept_give_the_gap_of_a_search():
    rng, bodies = np.random.default_rng(3), Bodies.of([load_character("pedestrian")] * 700)
    flock = Flock.at_rest(bodies, rng.uniform(0, 40, (700, 3)))
    for _ in range(4):
        flock = flock.moved(position=flock.position + rng.uniform(-0.1, 0.1, (700, 3)))
        assert least_gap(flock, pairs_for_gaps(flock)) == least_gap(flock)
