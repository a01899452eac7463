"""One short run of the study of mixed groups on slopes."""

import pytest

from benchmarks.mixed import is_good, run_one


@pytest.mark.slow
def test_walkers_animals_vehicles_and_flyers_on_ramps_touch_nothing():
    row = run_one(("crossing", 0, 8.0))
    assert row["error"] is None
    assert row["members"] == 12
    assert is_good(row), row["findings"]
    assert row["clearance_scene"] > 0.0
