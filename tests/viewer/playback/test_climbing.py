"""Bodies that climb stairs are drawn without jumps, and never lower than they were."""

import numpy as np
import pytest

from rmp3d.scenes import KeyFrame, MotionDescription, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.playback.climbing import AROUND, lift, risen

DT, RISE, RUN = 1 / 30, 0.17, 0.28


def climb(speed=1.3, seconds=6.0, down=False):
    """One walker up (or down) a flight of stairs that begins 2 m ahead, and one beside, level."""
    x = np.arange(0.0, seconds, DT) * speed
    tread = np.clip(np.floor((x - 2.0) / RUN) + 1, 0, 10)
    z = RISE * (10 - tread if down else tread)
    climber = np.column_stack([x, 0 * x, z])
    return np.stack([climber, climber * [1, 1, 0] + [0, 2, 0]], axis=1)


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("speed", [0.3, 1.3, 1.8])
def test_heights_on_stairs_change_smoothly(speed, down):
    position = climb(speed, 5.2 / speed, down)
    raised = np.array([lift(position, row) for row in range(len(position))])
    assert (raised[:, 1] == 0.0).all()
    assert raised[:, 0].min() >= 0.0
    assert raised[:, 0].max() <= 1.3 * RISE
    drawn = position[:, 0, 2] + raised[:, 0]
    inner = slice(30, -30)  # at the ends of a recording nobody knows what was before or comes
    change = np.abs(np.diff(drawn[inner]))
    # About one step over twice what is seen around; where the riser is, frames tell but roughly.
    assert change.max() < 2.5 * RISE * speed * DT / (2 * AROUND) + 0.01
    assert np.abs(np.diff(position[inner, 0, 2])).max() == pytest.approx(RISE)


def test_slopes_curbs_and_who_stands_are_drawn_as_recorded():
    x = np.arange(0.0, 4.0, DT)
    ramp = np.column_stack([x, 0 * x, 0.9 * x])
    curb = np.column_stack([x, 0 * x, np.where(x > 2.0, 0.015, 0.0)])
    stands = np.tile([1.0, 2.0, 3.0], (len(x), 1))
    position = np.stack([ramp, curb, stands], axis=1)
    assert all((lift(position, row) == 0.0).all() for row in range(0, len(x), 7))


def test_who_rides_on_a_lift_is_drawn_on_it():
    """One rides, one walks about in it, and one stands beside it: none climbs a step."""
    parts = {"floor": box((0, 0, -0.2), (5, 4, 0)), "lift": box((5, 1, -0.2), (7, 3, 0))}
    scene = Scene.from_mesh(
        parts, roles=dict.fromkeys(parts, "ground"), bounds=((0, 0, -1), (8, 4, 9))
    )
    keys = [KeyFrame(0), KeyFrame(1), KeyFrame(4, (0, 0, 4.2)), KeyFrame(5, (0, 0, 4.2))]
    scene = scene.with_motions([MotionDescription("lift", keys, carries=True)])
    time = np.arange(0.0, 5.0, DT)
    height = np.interp(time, [1.0, 4.0], [0.0, 4.2])
    rides = np.column_stack([0 * time + 6.0, 0 * time + 2.0, height])
    walks = rides + np.column_stack([0.2 * np.sin(time), 0 * time, 0 * time])
    position = np.stack([rides, walks, np.tile([4.0, 2.0, 0.0], (len(time), 1))], axis=1)
    clocks = scene.parts[scene.moving[0]].motion.untold(time)[:, None]
    carried = risen(scene, position, clocks)
    rows = range(20, len(time), 5)
    assert not any(lift(position, row, carried).any() for row in rows)
    assert max(lift(position, row)[0] for row in rows) > 1.0, "as if it climbed"
