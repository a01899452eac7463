"""Vehicles of full size in runs: through what their rows fit through, and out of dead ends."""

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.geometry import TriangleMesh
from rmp3d.scenes import Part
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation


def part(name, mesh, role="obstacle"):
    return Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5))


def walled(width, thickness=0.3):
    """A floor of 16 m by 10 m with a wall across, and an opening of a width in it."""
    corners = np.array([[-8.0, -5, 0], [8, -5, 0], [8, 5, 0], [-8, 5, 0]])
    floor = TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    half, side = 0.5 * thickness, 0.5 * width
    walls = [box((-half, side, 0), (half, 5, 3)), box((-half, -5, 0), (half, -side, 3))]
    parts = [part("floor", floor, "ground"), part("left", walls[0]), part("right", walls[1])]
    bounds = np.array([[-8.0, -5, -1], [8, 5, 4]])
    return rp.Scene("walled", tuple(parts), {}, bounds)


@pytest.mark.parametrize(("body", "width", "thickness"), [("motorbike", 0.711, 0.3), ("car", 2, 4)])
def test_a_vehicle_passes_its_door_in_a_run(body, width, thickness):
    group = rp.Group(body, 1, start=(-5.5, 0.5, 0), goal=rp.Sphere((5.5, -0.5, 0.5), 1.5))
    recording = rp.run(walled(width, thickness), group, duration=30, nodes=60)
    report = rp.verify(recording)
    assert report.ok, report
    assert report.arrived == 1


def test_every_behavior_of_vehicles_has_a_driver():
    group = rp.Group("car", 1, start=(-5, 0, 0), goal=rp.Sphere((-2.5, 3, 0.5), 1.0))
    simulation = Simulation(walled(2.0), group, nodes=40, duration=5.0)
    assert list(simulation._members._drivers) == [0]
    walkers = rp.Group("pedestrian", 1, start=(-5, 0, 0), goal=rp.Sphere((-2.5, 3, 0.5), 1.0))
    assert not Simulation(walled(2.0), walkers, nodes=40, duration=5.0)._members._drivers


def test_motorbikes_pass_abreast_where_their_rows_fit():
    """Round, each would be 2.04 m wide, and two of them would not fit in 2.9 m."""
    group = rp.Group(
        "motorbike", 2, start=rp.Sphere((-5.5, 0, 0.5), 2.4), goal=rp.Sphere((5.5, 0, 0.5), 2.4),
        behavior="narrow_passages",
    )  # fmt: skip
    simulation = Simulation(walled(2.9, 4.0), group, nodes=60, duration=30.0)
    plan = simulation.runs[0].plan
    inside = np.abs(plan["position"][:, 0]) < 1.9
    assert set(plan["formation"][plan["choice"][inside]]) == {b"line"}
    assert plan["spacing"][plan["choice"][inside]].max() < 2.0
    recording = rp.run(walled(2.9, 4.0), group, nodes=60, duration=30.0)
    report = rp.verify(recording)
    assert report.ok, report
    assert report.arrived == 2


@pytest.mark.slow
def test_a_car_drives_on_over_the_flat_deck_behind_a_ramp():
    """As in a parking garage: floor, ramp and deck are sheets of three parts that share edges."""

    def sheet(west, east, low, high):
        corners = [[west, -4, low], [east, -4, high], [east, 4, high], [west, 4, low]]
        return TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))

    sheets = {"floor": (-14, 0, 0, 0), "ramp": (0, 5, 0, 0.8), "deck": (5, 20, 0.8, 0.8)}
    parts = tuple(part(name, sheet(*each), "ground") for name, each in sheets.items())
    scene = rp.Scene("garage", parts, {}, np.array([[-14.0, -4, -1], [20, 4, 6]]))
    group = rp.Group("car", 1, start=(-9, 0, 0), goal=rp.Sphere((14, 0, 0.8), 2.0))
    recording = rp.run(scene, group, duration=20, nodes=20)
    report = rp.verify(recording)
    assert report.ok, report
    assert report.arrived == 1
