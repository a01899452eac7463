import numpy as np

from rmp3d.behaviors.force_log import ForceLog


def test_what_several_groups_ask_for_is_added_up_by_name():
    log = ForceLog(4)
    log.note("seek", np.array([0, 1]), np.array([[1.0, 0, 0], [2, 0, 0]]))
    log.note("seek", np.array([3]), np.array([[3.0, 0, 0]]))
    log.note("flee", np.array([1]), np.array([[0.0, 5, 0]]))
    seek, flee, nobody = log.stacked(["seek", "flee", "wander"])
    np.testing.assert_array_equal(seek[:, 0], [1, 2, 0, 3])
    np.testing.assert_array_equal(flee[1], [0, 5, 0])
    assert not nobody.any()
    assert log.stacked([]).shape == (0, 4, 3)


def test_only_those_are_heard_who_are_listened_to():
    log, rows = ForceLog(4), np.array([1, 2, 3])
    log.listen_to(rows, np.array([2]))
    log.note("seek", rows, np.ones((3, 3)))
    log.listen_to(rows, np.array([1, 3]))
    log.note("flee", rows, np.ones((3, 3)))
    seek, flee = log.stacked(["seek", "flee"])
    assert seek[:, 0].tolist() == [0, 0, 1, 0]
    assert flee[:, 0].tolist() == [0, 1, 0, 1]
