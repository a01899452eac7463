"""Maps of density, speed and flow for reports."""

from dataclasses import replace

from rmp3d.models import load_character
from rmp3d.viewer.plots.crowd_charts import FEWEST, crowd_charts


def test_a_crowd_has_three_maps_and_they_are_the_same_every_time(make):
    playback = make(members=FEWEST, seconds=2.0)
    chart = crowd_charts(playback)
    assert chart.startswith("<svg")
    assert chart.count("<image") >= 3
    assert crowd_charts(playback) == chart


def test_few_members_and_flyers_are_no_crowd_on_the_ground(make):
    assert crowd_charts(make(members=FEWEST - 1, seconds=1.0)) == ""
    many = make(members=FEWEST, seconds=1.0)
    assert crowd_charts(replace(many, characters=(load_character("drone"),))) == ""
