"""Groups that are carried: what is refused, and the warehouse as a whole."""

import numpy as np
import pytest
import trimesh

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.models import load_character
from rmp3d.models.carried import as_carried
from rmp3d.recording import RecordingReader
from rmp3d.scenario.loading import load
from rmp3d.simulation import Simulation, plan_groups, simulate
from rmp3d.simulation.planning import grown
from rmp3d.verification import verify


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["groups.0.behavior.name=self_guided"], r"groups\[0\].behavior.*`self_guided` is not for"),
        (["planner.space=translation"], r"planner.space.*`box` is carried.*not in `translation`"),
        (["groups.0.behavior.rest=here"], r"behavior.rest`: must be \"anywhere\", \"auto\" or"),
        (["groups.0.speed_limit=0.5"], r"groups\[0\].speed_limit.*behavior.speed"),
    ],
)
def test_what_does_not_go_together_is_refused_before_planning(overrides, message):
    with pytest.raises(InputError, match=message):
        plan_groups(load("warehouse", overrides))


def test_another_group_beside_one_that_is_carried_is_refused():
    scenario = load("warehouse")
    walkers = load("parking").groups[0]
    both = type(scenario).from_json(scenario.to_json())
    both.groups.append(type(walkers)(name="walkers", start="dock", goal="racks"))
    with pytest.raises(InputError, match=r"groups\[0\].behavior.*scene to itself"):
        plan_groups(both)


def test_only_what_is_carried_turns_freely():
    with pytest.raises(InputError, match=r"planner.space.*`pedestrian` cannot do by itself"):
        plan_groups(load("parking", ["planner.space=rigid"]))


@pytest.mark.parametrize("name", ["pedestrian", "drone", "motorbike"])
def test_any_character_can_be_carried_and_its_body_holds_every_turn_of_its_mesh(name):
    own = load_character(name)
    carried = as_carried(own)
    assert (carried.name, carried.vehicle, carried.grounded) == (name, "carried", False)
    assert carried.body.capsule_axis == (0.0, 0.0)
    assert np.linalg.norm(own.body.mesh.vertices, axis=1).max() <= carried.body.radius
    assert as_carried(carried) is carried


def test_a_grown_body_that_is_no_box_contains_the_body():
    # A rod along a diagonal: stretched along the axes it would not hold itself.
    rod = trimesh.creation.cylinder(0.05, segment=[[-1, -0.1, 0], [1, 0.1, 0]])
    body = as_carried(rp.Character(rod, vehicle="flying")).body
    parts = grown(body).mesh
    inside = {tuple(np.round(corner, 9)) for corner in parts.vertices}
    assert {tuple(np.round(corner, 9)) for corner in body.mesh.vertices} <= inside


def slit():
    """A scene with a wall, and a slit in it that a board 2.6 m high passes tilted only."""
    sizes = [(0.4, 4.2, 6.0), (0.4, 4.2, 6.0), (0.4, 3.6, 2.0), (0.4, 3.6, 1.6), (14, 12, 0.4)]
    places = [(0, -3.9, 3), (0, 3.9, 3), (0, 0, 1.0), (0, 0, 5.2), (0, 0, -0.2)]
    boxes = [trimesh.creation.box(size) for size in sizes]
    for box, place in zip(boxes, places, strict=True):
        box.apply_translation(place)
    regions = {"here": rp.Box((-6, -4, 2), (-3, 4, 5)), "there": rp.Box((3, -4, 2), (6, 4, 5))}
    return rp.Scene.from_mesh(trimesh.util.concatenate(boxes), regions=regions)


def test_a_free_flying_board_is_carried_tilted_through_a_slit_and_verifies():
    board = rp.Character(
        trimesh.creation.box((0.4, 2.2, 2.6)), name="board", vehicle="flying", max_speed=1.5
    )
    group = rp.Group(board, 2, start="here", goal="there", behavior=rp.Carried())
    run = rp.run(slit(), [group], seed=1, nodes=120)
    report = run.verify()
    assert report.findings == ()
    assert report.arrived == 2
    position, turn = run.position(), run.orientation_wxyz()
    up = 1.0 - 2.0 * (turn[..., 1] ** 2 + turn[..., 2] ** 2)  # of the body's z axis
    in_slit = np.abs(position[..., 0]) < 0.1
    assert in_slit.any(axis=0).all()
    assert np.abs(up[in_slit]).max() < 0.95
    np.testing.assert_allclose(np.abs(up[[0, -1]]), 1.0, atol=1e-4)


def test_a_pedestrian_alone_is_planned_in_six_degrees_of_freedom():
    ends = {"start": (-4.5, 0, 2.5), "goal": (4.5, 0, 2.5)}
    result = rp.plan(slit(), body="pedestrian", space="rigid", nodes=120, seed=1, **ends)
    assert result.certified
    assert result.configurations.shape[1] == 7
    assert result.problem.character.name == "pedestrian"


def test_the_body_that_is_planned_for_is_larger_on_every_side():
    body = load_character("box").body
    sides = grown(body).mesh.bounds - body.mesh.bounds
    np.testing.assert_allclose(sides, [[-0.02] * 3, [0.02] * 3], atol=1e-9)


@pytest.fixture(scope="module")
def crates(tmp_path_factory):
    """Scenario, report and recording of two crates."""
    scenario = load("warehouse", members=2)
    path = tmp_path_factory.mktemp("warehouse") / "crates.rmp3d"
    return scenario, simulate(scenario, recording_path=path), path


@pytest.mark.slow
def test_crates_are_tilted_in_the_hatch_and_lie_level_in_the_racks(crates):
    _, report, path = crates
    assert report.complete
    assert 0.0 < report.min_clearance_scene < 0.05
    assert report.min_clearance_members >= 0.15
    with RecordingReader.open(path) as recording:
        assert verify(recording).findings == ()
        position, turn = recording.position(), recording.orientation_wxyz()
    # The share of the heading that points up or down.
    steep = 2.0 * np.abs(turn[..., 1] * turn[..., 3] - turn[..., 0] * turn[..., 2])
    in_hatch = np.abs(position[..., 2] - 3.1) < 0.1
    assert in_hatch.any(axis=0).all()
    assert steep[in_hatch].min() > 0.3
    np.testing.assert_allclose(turn[[0, -1], :, 1:3], 0.0, atol=1e-4)
    assert (np.abs(position[-1, :, 1]) > 2.6).all()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_motions(crates):
    scenario, _, path = crates
    again = Simulation.of(scenario).runs[0]
    with RecordingReader.open(path) as recording:
        position = recording.position()
        for frame in range(0, recording.frames, 50):
            there, _ = again.pose(frame * recording.dt)
            np.testing.assert_allclose(position[frame], there, atol=2**-20)
