"""What is inside something else without touching it: pieces of bodies, obstacles, other bodies."""

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.scenes import load_scene
from rmp3d.verification import verify
from rmp3d.verification.pieces import Pieces

FLYER = """mesh = "{name}.obj"
[body]
radius = 3.0
[vehicle]
kind = "flying"
mass = 4.0
max_speed = 5.0
cruise_speed = 3.0
max_force = 32.0
max_turn_rate = 360.0
"""


def reversed_(mesh):
    return TriangleMesh(mesh.vertices, mesh.faces[:, ::-1])


@pytest.fixture
def yard(world, tmp_path):
    """The yard in a folder of its own."""
    return type(world)(tmp_path)


def add_flyer(yard, name, mesh):
    yard.write_obj(yard.folder / f"{name}.obj", {"body": mesh})
    (yard.folder / f"{name}.toml").write_text(FLYER.format(name=name))


def add_part(yard, name, mesh):
    """Add an obstacle to the yard."""
    parts = {part.name: part.mesh for part in yard.scene.parts}
    yard.write_obj(yard.folder / "yard.obj", {**parts, name: mesh})
    yard.scene = load_scene(yard.description, yard.folder)


def inside(yard, position, character, orientation=None):
    path = yard.record(yard.folder / "a.rmp3d", position, orientation, character)
    with RecordingReader.open(path) as recording:
        return [f for f in verify(recording).findings if f.kind in ("inside", "member_collision")]


def standing(*places, frames=70):
    return np.tile(np.array(places, float), (frames, 1, 1))


@pytest.mark.parametrize("first_piece", [0, 1])
def test_any_piece_of_a_body_inside_an_obstacle_is_found(yard, first_piece):
    boxes = [
        yard.box([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]),
        yard.box([1.9, -0.1, -0.1], [2.1, 0.1, 0.1]),
    ]
    add_flyer(yard, "pair", join(boxes if first_piece == 0 else boxes[::-1]))
    assert not inside(yard, standing([2.0, 2.0, 1.5]), "pair")
    (finding,) = inside(yard, standing([3.0, 8.0, 1.5]), "pair")  # the pillar is at x 4..6, y 7..9
    assert (finding.part, finding.members, finding.time) == ("pillar", (0,), 0.0)
    assert finding.until == pytest.approx(69 / 32)
    assert finding.depth == pytest.approx(1.0, abs=0.11)


def test_an_obstacle_inside_a_body_is_found_at_rest_and_turning(yard):
    shell = yard.box([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0])
    add_flyer(yard, "shell", shell)
    add_part(yard, "ball", yard.box([2.9, 2.9, 1.4], [3.1, 3.1, 1.6]))
    assert not inside(yard, standing([6.0, 3.0, 1.5]), "shell")
    half = np.linspace(0.0, 0.5, 70)[:, None]
    turning = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=-1)
    for orientation in (None, turning):
        (finding,) = inside(yard, standing([3.0, 3.0, 1.5]), "shell", orientation)
        assert finding.part == "ball"
        assert finding.text == "`ball`, or a piece of it, is inside member 0"


def test_an_open_sheet_inside_a_body_is_found(yard):
    add_flyer(yard, "shell", yard.box([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]))
    add_part(yard, "sheet", TriangleMesh([[3, 3, 1.5], [3.1, 3, 1.5], [3, 3.1, 1.6]], [[0, 1, 2]]))
    assert inside(yard, standing([3.0, 3.0, 1.5]), "shell")[0].part == "sheet"


@pytest.mark.parametrize("order", [1, -1])
def test_a_piece_of_a_body_inside_another_body_of_the_same_shape_is_found(yard, order):
    near, far = (
        yard.box([-0.6, -0.6, -0.6], [0.6, 0.6, 0.6]),
        yard.box([1.9, -0.1, -0.1], [2.1, 0.1, 0.1]),
    )
    add_flyer(yard, "pair", join([near, far]))
    assert not inside(yard, standing([2.0, 2.0, 1.5], [2.0, 4.0, 1.5]), "pair")
    places = [[2.0, 2.0, 1.5], [4.0, 2.0, 1.5]][::order]  # the far piece of one in the near one
    (finding,) = inside(yard, standing(*places), "pair")
    assert (finding.kind, finding.members) == ("member_collision", (0, 1))
    assert finding.depth == pytest.approx(0.6, abs=0.11)


def test_a_closed_piece_counts_though_its_part_has_an_open_one(yard):
    sheet = TriangleMesh([[8, 1, 1], [8, 2, 1], [8, 2, 2]], [[0, 1, 2]])
    add_part(yard, "shed", join([yard.box([1, 1, 0], [4, 4, 3]), sheet]))
    add_flyer(yard, "dot", yard.box([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]))
    assert inside(yard, standing([2.5, 2.5, 1.5]), "dot")[0].part == "shed"


def test_a_cavity_is_outside_and_a_body_inside_out_is_a_body(yard):
    shell = join([yard.box([1, 1, 0], [4, 4, 3]), reversed_(yard.box([2, 2, 1], [3, 3, 2]))])
    add_part(yard, "shell", shell)
    add_part(yard, "turned", reversed_(yard.box([7, 1, 1], [9, 3, 2.9])))
    add_flyer(yard, "dot", yard.box([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]))
    assert not inside(yard, standing([2.5, 2.5, 1.5]), "dot")
    assert inside(yard, standing([1.5, 2.5, 1.5]), "dot")
    assert inside(yard, standing([8.0, 2.0, 2.0]), "dot")


def test_a_room_that_is_looked_at_from_inside_is_outside(yard):
    room = reversed_(yard.box([1, 1, 0], [4, 4, 3]))
    assert Pieces(room, rooms=True).solid is None
    assert Pieces(room).contains(np.array([[2.0, 2.0, 1.0]])).all()


def test_a_member_that_is_inside_is_told_from_its_first_to_its_last_frame(yard):
    add_flyer(yard, "dot", yard.box([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]))
    position = standing([2.0, 2.0, 1.5], frames=300)
    position[100:230, 0] = [5.0, 8.0, 1.5]
    found = [f for f in inside(yard, position, "dot") if f.kind == "inside"]
    assert [(f.time * 32, f.until * 32) for f in found] == [(100, 229)]


def test_pieces_are_as_many_as_there_are_and_know_what_is_closed(world):
    box = world.box([0, 0, 0], [1, 1, 1])
    apart = join([box, world.box([2, 0, 0], [3, 1, 1]), box.select(np.arange(12) != 3)])
    assert Pieces(box).closed.all()
    found = Pieces(apart.select(slice(0, 24)))
    assert found.count == 2
    np.testing.assert_allclose(np.sort(found.points[:, 2]), 1.0)
    np.testing.assert_allclose(found.volumes, 1.0)
    assert not Pieces(box.select(np.arange(12) != 3)).closed.any()


def test_one_that_comes_where_another_has_just_been_is_in_nobody(yard):
    add_flyer(yard, "block", yard.box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]))
    path = yard.folder / "a.rmp3d"
    with RecordingWriter(path, yard.header(2, "block")) as writer:
        for frame in range(40):
            place = np.array([[2.0 + 0.05 * frame, 3.0, 2.0], [2.08, 3.1, 1.9]])
            member = np.arange(1 if frame < 30 else 2)
            writer.append(
                position=place[member], orientation_wxyz=np.tile([1.0, 0, 0, 0], (len(member), 1)),
                subgoal=place[member], formation_of=[0], member=member,
            )  # fmt: skip
    with RecordingReader.open(path) as recording:
        kinds = {finding.kind for finding in verify(recording).findings}
    assert "member_collision" not in kinds
