"""Ground between frames: chasms, slits, ridges, levels and steps are found at any speed."""

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.overhead import probes
from rmp3d.recording import RecordingReader
from rmp3d.scenes import load_scene
from rmp3d.verification import verify

DT = 1 / 32


def floor(x0, x1, height=0.0, y0=0.0, y1=10.0):
    """A level rectangle."""
    corners = [[x0, y0, height], [x1, y0, height], [x1, y1, height], [x0, y1, height]]
    return TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))


def riser(x, low, high):
    """An upright rectangle across the yard that looks to -x."""
    corners = [[x, 0, low], [x, 0, high], [x, 10, high], [x, 10, low]]
    return TriangleMesh(np.array(corners, float), np.array([[0, 1, 2], [0, 2, 3]]))


def profile(points):
    """Ground that follows (x, z) points, as wide as the yard."""
    corners = np.array([[x, y, z] for x, z in points for y in (0.0, 10.0)])
    first = np.arange(0, len(corners) - 2, 2)[:, None]
    faces = np.concatenate([first + np.array([0, 2, 3]), first + np.array([0, 3, 1])])
    return TriangleMesh(corners, faces)


@pytest.fixture
def found(world, tmp_path):
    """A function that returns the findings of the ground, of one walker over some ground.

    It goes along y = 3.3 to the given x, at the heights that are given.
    """

    def of(ground, x, z=0.0, max_step=0.02):
        yard = type(world)(tmp_path)
        yard.write_obj(tmp_path / "yard.obj", {"floor": ground})
        yard.description.roles = {"floor": "ground"}
        yard.scene = load_scene(yard.description, tmp_path)
        text = (tmp_path / "walker.toml").read_text().replace("max_speed = 1.8", "max_speed = 80.0")
        text = text.replace("max_force = 300.0", "max_force = 1e7")
        (tmp_path / "walker.toml").write_text(f"{text}max_step = {max_step}\n")
        x = np.asarray(x, float)
        position = np.zeros((len(x), 1, 3))
        position[:, 0] = np.column_stack([x, np.full(len(x), 3.3), np.broadcast_to(z, len(x))])
        path = yard.record(tmp_path / "a.rmp3d", position)
        with RecordingReader.open(path) as recording:
            findings = verify(recording).findings
        ground_kinds = ("off_ground", "level_jump", "collision", "inside")
        return [f for f in findings if f.kind in ground_kinds]

    return of


def steps(step, first=1.0, last=16.0):
    return np.arange(first, last, step)


@pytest.mark.parametrize("step", [0.04, 0.3])
def test_a_plain_walk_over_two_slabs_has_no_findings(found, step):
    assert not found(join([floor(0, 7), floor(7, 20)]), steps(step))


@pytest.mark.parametrize(("low", "high"), [(-0.004, 0.004), (0.0, 0.009)])
def test_a_walker_that_trembles_up_and_down_is_found_though_each_frame_is_near(found, low, high):
    x = steps(0.04, last=4.0)
    findings = found(floor(0, 20), x, np.where(np.arange(len(x)) % 2, low, high))
    assert [f.kind for f in findings] == ["off_ground"]
    assert "hops" in findings[0].text
    assert not found(floor(0, 20), x, np.linspace(low, high, len(x)))


def test_a_slit_is_found_though_no_frame_is_over_it(found):
    slabs = join([floor(0, 7.01), floor(7.04, 20)])
    x = steps(0.05)  # 7.0 and 7.05
    (finding,) = found(slabs, x)
    assert (finding.kind, finding.text) == ("off_ground", "member 0 crosses a gap in the ground")
    assert finding.time == pytest.approx(120 * DT)
    assert finding.until == pytest.approx(121 * DT)
    assert not found(join([floor(0, 7.01), floor(7.012, 20)]), x)  # a crack


def test_a_chasm_that_is_jumped_over_is_found(found):
    slabs = join([floor(0, 7), floor(9, 20)])
    (finding,) = found(slabs, [*steps(0.05, 1, 6.9), *steps(0.05, 9.1, 16)])
    assert finding.kind == "off_ground"


def test_a_way_past_the_end_of_a_wall_of_air_is_cut_exactly(found):
    """Ground with a notch that the straight way just misses, or just meets."""
    for end, is_met in ((3.29, False), (3.31, True)):
        notch = [floor(0, 7), floor(8, 20), floor(7, 8, y0=end)]
        assert bool(found(join(notch), steps(0.3))) == is_met


@pytest.mark.parametrize("height", [0.3, 0.5, 1.0])
def test_a_dive_through_a_ridge_between_two_frames_is_found(found, height):
    ridge = profile([(0, 0), (7, 0), (7 + height, height), (7 + 2 * height, 0), (20, 0)])
    x = np.array([*steps(0.05, 1, 6.96), *steps(0.05, 7.04 + 2 * height, 16)])
    assert {f.kind for f in found(ridge, x)} & {"level_jump", "collision"}


def test_a_walk_over_the_ridge_itself_has_no_findings(found):
    ridge = profile([(0, 0), (7, 0), (8, 0.8), (9, 0), (20, 0)])
    x = steps(0.06)
    assert not found(ridge, x, np.maximum(0.8 - 0.8 * np.abs(x - 8), 0))


def test_a_pit_that_is_bridged_in_the_air_is_found(found):
    pit = profile([(0, 0), (7, 0), (7.5, -0.5), (8, 0), (20, 0)])
    kinds = {f.kind for f in found(pit, [*steps(0.05, 1, 6.96), *steps(0.05, 8.04, 16)])}
    assert kinds == {"level_jump"}


def stairs(height, count=5, tread=0.28, with_risers=True):
    parts = [floor(0, 7)]
    for k in range(count):
        last = 20.0 if k == count - 1 else 7 + (k + 1) * tread
        parts.append(floor(7 + k * tread, last, (k + 1) * height))
        if with_risers:
            parts.append(riser(7 + k * tread, k * height, (k + 1) * height))
    return join(parts)


def climb(x, height, count=5, tread=0.28):
    return height * np.clip(np.floor((x - 7) / tread + 1), 0, count)


@pytest.mark.parametrize("with_risers", [True, False])
@pytest.mark.parametrize("way", [1, -1])
def test_stairs_are_walked_up_and_down_in_steps_of_max_step(found, with_risers, way):
    ground, x = stairs(0.17, with_risers=with_risers), steps(0.043)[::way]
    assert not found(ground, x, climb(x, 0.17), max_step=0.2)


@pytest.mark.parametrize("with_risers", [True, False])
def test_steps_higher_than_max_step_are_found(found, with_risers):
    x = steps(0.043)
    for height, max_step in ((0.25, 0.2), (0.17, 0.1), (0.05, 0.02)):
        kinds = {
            f.kind
            for f in found(
                stairs(height, with_risers=with_risers), x, climb(x, height), max_step=max_step
            )
        }
        assert kinds & {"level_jump", "collision"}
        assert "level_jump" in kinds


def test_two_steps_at_once_are_found(found):
    x = np.array([*steps(0.05, 1, 6.96), *steps(0.05, 7.3, 16)])
    kinds = {f.kind for f in found(stairs(0.17), x, climb(x, 0.17), max_step=0.2)}
    assert not kinds  # over the first tread, 28 cm long
    high = np.where(x < 7, 0.0, 0.34)
    x = np.where(x < 7, x, x + 0.1)
    jump = join([floor(0, 7), floor(7, 20, 0.34), riser(7, 0.0, 0.34)])
    assert "level_jump" in {f.kind for f in found(jump, x, high, max_step=0.2)}


def test_a_walker_that_wades_through_a_platform_is_found(found):
    """The floor goes on under it, so that the way is over one plane all along."""
    platform = join([floor(0.0, 20.0), riser(6.0, 0.0, 0.15), floor(6.0, 10.0, 0.15)])
    x = np.arange(1.0, 9.0, 0.1)
    assert not found(platform, x, np.where(x > 6.0, 0.15, 0.0), max_step=0.2)
    (finding,) = found(platform, x, max_step=0.2)
    assert (finding.kind, finding.depth) == ("off_ground", pytest.approx(0.15))
    assert "wades" in finding.text


def test_a_wall_on_the_ground_is_no_step(found):
    """A sheet 15 cm high has no ground on top: one that walks through it touches it."""
    ground = join([floor(0, 20), riser(7, 0.0, 0.15)])
    assert found(join([floor(0, 20)]), steps(0.04), max_step=0.2) == []
    world_has_steps = join([ground, floor(15, 20, 0.15), riser(15, 0.0, 0.15)])
    kinds = {f.kind for f in found(world_has_steps, steps(0.04, last=10), max_step=0.2)}
    assert not kinds  # the walker's body begins 20 cm above the floor
    tall = join([floor(0, 20), riser(7, 0.0, 0.5)])
    assert "collision" in {f.kind for f in found(tall, steps(0.04, last=10), max_step=0.2)}


def test_closed_boxes_as_stairs_without_roles_have_no_findings(world, tmp_path):
    """A body from the floor to the head touches risers, and the boxes are no obstacles to it."""
    yard = type(world)(tmp_path)
    boxes = [yard.box([0, 0, -0.2], [20, 10, 0])]
    boxes += [yard.box([7 + k * 0.28, 0, 0], [20, 10, (k + 1) * 0.17]) for k in range(5)]
    yard.write_obj(tmp_path / "yard.obj", {"stairs": join(boxes)})
    yard.write_obj(tmp_path / "walker.obj", {"body": yard.box([-0.1, -0.1, 0.06], [0.1, 0.1, 1.6])})
    text = (tmp_path / "walker.toml").read_text()
    (tmp_path / "walker.toml").write_text(f"{text}max_step = 0.2\n")
    yard.description.roles = {}
    yard.scene = load_scene(yard.description, tmp_path)
    x = steps(0.043)
    position = np.zeros((len(x), 1, 3))
    position[:, 0] = np.column_stack([x, np.full(len(x), 3.3), climb(x, 0.17)])
    path = yard.record(tmp_path / "a.rmp3d", position)
    with RecordingReader.open(path) as recording:
        assert {f.kind for f in verify(recording).findings} <= {"start"}


@pytest.mark.parametrize(("clearance", "count"), [(5e-4, 0), (-4e-3, 1)])
def test_a_high_tread_beside_a_walker_counts_from_where_safety_keeps_off(found, clearance, count):
    """Safety allows treads to be 1 mm higher than the highest step, and the verifier does too."""
    radius, tread = 0.3, 0.34
    (_, low, _), _ = probes(radius, radius, 1.4, 1.0, 0.2 + 1e-3 + 2e-3)
    aside = np.sqrt((radius + clearance) ** 2 - (low - tread) ** 2)
    first, second = 5.0 - 0.5 * aside, 5.0
    treads = [floor(first, second, 0.5 * tread), floor(second, 20, tread)]
    risers = [riser(first, 0, 0.5 * tread), riser(second, 0.5 * tread, tread)]
    ground = join([floor(0, first), *treads, *risers])
    findings = found(ground, np.full(5, second - aside), max_step=0.2)
    assert [f.kind for f in findings] == ["collision"] * count
