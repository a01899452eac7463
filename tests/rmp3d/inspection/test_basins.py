import numpy as np

from rmp3d.inspection.basins import basins


def _in_a_row(openness):
    openness = np.array(openness)
    sites = np.arange(len(openness))
    return basins(np.column_stack([sites[:-1], sites[1:]]), openness > 0.0, openness)


def test_two_open_places_with_a_narrow_one_between_meet_there():
    basin, meetings = _in_a_row([1.0, 3.0, 1.0, 0.4, 0.7, 2.0, 1.0])
    assert basin.tolist() == [0, 0, 0, 0, 1, 1, 1] or basin.tolist() == [0, 0, 0, 1, 1, 1, 1]
    assert meetings == [(0, 1)]


def test_places_that_are_joined_by_more_than_a_door_are_one():
    basin, meetings = _in_a_row([1.5, 3.0, 1.4, 2.0, 1.4])
    assert basin.tolist() == [0] * 5
    assert meetings == []


def test_a_place_that_is_hardly_wider_than_the_way_to_it_is_no_basin():
    basin, meetings = _in_a_row([1.0, 3.0, 1.0, 0.9, 1.1, 1.0])
    assert basin.tolist() == [0] * 6
    assert meetings == []


def test_sites_out_of_reach_part_basins_and_have_none():
    basin, meetings = _in_a_row([1.0, 2.0, 0.0, 1.0])
    assert basin.tolist() == [0, 0, -1, 1]
    assert meetings == []


def test_no_site_has_no_basin():
    basin, meetings = basins(np.zeros((0, 2), np.intp), np.zeros(0, bool), np.zeros(0))
    assert basin.shape == (0,)
    assert meetings == []
