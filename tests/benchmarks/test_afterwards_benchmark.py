"""The study of life at the goal: its measure, and its page."""

import argparse

from benchmarks.afterwards import ACTIVITIES, Job, _named, _report


def test_people_who_wander_on_a_plain_go_at_about_cruise_speed():
    job = Job("pedestrian", "plain", "wander", 0, 3.0)
    row = _named(job)
    assert row["findings"] == 0
    assert 0.5 < row["least"] <= row["share"] <= 1.2
    options = argparse.Namespace(seeds=1, seconds=3.0)
    page = "\n".join(_report(options, [row], {"one": job, "other": job}))
    assert "stopped after 1 of 2 runs" in page
    assert page.count(" / ") == 2  # the words, and one cell
    assert page.splitlines()[-1].count("|") == len(ACTIVITIES) + 3
