"""The plan over synthetic rooms, whose fits can be told by hand."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from rmp3d.behaviors.groups.formation.options import SQUEEZES, make_options, nearest_axes
from rmp3d.behaviors.groups.formation.plan import EXIT_DISTANCE, plan_formations
from rmp3d.planner.paths.corridor import Corridor

SPACING, TIGHTEST, COUNT = 1.2, 0.75, 5


@pytest.fixture
def options():
    return make_options(("line", "arrow"), COUNT, SPACING, TIGHTEST)


def names(plan):
    """Formations in order along the path, without repeats."""
    row = [plan.options[k].formation for k in plan.choice]
    return [name for k, name in enumerate(row) if k == 0 or row[k - 1] != name]


def test_options_are_wide_first_then_squeezed_the_column_last(options):
    ranks = [option.rank for option in options]
    assert ranks == sorted(ranks)
    assert options[0].formation == "line"
    assert options[0].spacing == SPACING
    assert [option.formation for option in options].count("column") == 1
    assert options[-1].formation == "column"
    for option in options:
        assert pdist(option.slots).min() >= TIGHTEST - 1e-9
        assert option.spacing / SPACING in [pytest.approx(share) for share in SQUEEZES]


def test_a_preferred_column_is_the_only_option():
    assert [o.formation for o in make_options(("column", "line"), 4, 1.0, 0.7)] == ["column"]
    assert len(make_options(("line", "line"), 4, 1.0, 0.9)) == 2  # and one squeeze would be 0.85


def test_one_member_needs_no_formation_but_has_one():
    for option in make_options(("line",), 1, 1.0, 0.7):
        np.testing.assert_array_equal(option.slots, [[0, 0, 0]])


def test_with_room_everywhere_the_preferred_one_is_kept(options, ways):
    plan = plan_formations(options, ways.room(30.0, lambda s: 5.0 + 0 * s))
    np.testing.assert_array_equal(plan.choice, 0)


def test_with_no_room_at_all_the_column_is_taken(options, ways):
    plan = plan_formations(options, ways.room(30.0, lambda s: 0.0 * s))
    assert names(plan) == ["column"]


@pytest.mark.parametrize("half", [2.4, 2.1, 1.8, 1.6, 1.3, 1.0, 0.4, 0.0])
def test_in_a_long_even_corridor_the_best_fitting_option_is_used(options, ways, half):
    """Along 60 m the rank decides; half a meter of change cost cannot."""
    plan = plan_formations(options, ways.room(60.0, lambda s: half + 0.0 * s))
    best = next(k for k, option in enumerate(options) if option.half_width <= half + 1e-9)
    assert (plan.choice[len(plan.choice) // 2 :] == best).all()


def narrowing(s):
    """5 m of room, 2 m, a door without any, and 5 m again."""
    return np.select([s < 15, s < 30, s < 34], [5.0, 2.0, 0.0], 5.0)


def test_squeezed_first_then_another_shape_and_back(options, ways):
    plan = plan_formations(options, ways.room(60.0, narrowing))
    assert names(plan) == ["line", "column", "line"]
    used = [plan.options[plan.option_at(s)] for s in (2.0, 22.0, 32.0, 55.0)]
    assert [option.formation for option in used] == ["line", "line", "column", "line"]
    assert used[1].spacing < SPACING, "squeezed in the corridor"
    assert used[1].half_width <= 2.0
    assert used[0].spacing == used[3].spacing == SPACING


def test_no_choice_ever_lacks_room(options, ways):
    rng = np.random.default_rng(0)
    for _ in range(25):
        knots = rng.choice([0.0, 0.3, 1.0, 1.7, 2.2, 4.0], 12)
        room = ways.room(60.0, lambda s, knots=knots: knots[np.minimum(s / 5, 11).astype(int)])
        plan = plan_formations(options, room)
        assert plan.fits[plan.choice, np.arange(len(plan.choice))].all()
        for station, choice in zip(plan.station, plan.choice, strict=True):
            option = plan.options[choice]
            if option.formation == "column":
                continue
            for lag, left, _ in option.slots:
                if station >= lag:
                    free, _ = room.at(np.array([station - lag]))
                    assert abs(left) <= free[0] + 1e-9


def test_the_change_is_made_ahead_of_the_entrance_and_behind_the_exit(options, ways):
    plan = plan_formations(options, ways.room(60.0, narrowing))
    station = plan.station[[plan.options[k].formation == "column" for k in plan.choice]]
    assert station[0] <= 30.0 - 0.9, "by the way that moving inwards takes at 45 degrees"
    assert station[-1] >= 34.0


def test_a_change_for_a_few_steps_is_not_worth_it(options, ways):
    """Between two doors 3 m apart the column is kept."""

    def doors(s):
        return np.where(((s > 20) & (s < 22)) | ((s > 25) & (s < 27)), 0.0, 5.0)

    assert names(plan_formations(options, ways.room(60.0, doors))) == ["line", "column", "line"]


def test_a_formation_does_not_step_over_a_wall(ways):
    """An arrow's slots are never all in a short door, nor those of a line just behind it."""
    options = make_options(("arrow", "line"), COUNT, SPACING, TIGHTEST)
    room = ways.room(40.0, lambda s: np.where((s > 19.8) & (s < 20.2), 0.3, 5.0))
    assert names(plan_formations(options, room)) == ["arrow", "column", "arrow"]
    assert names(plan_formations(options, room, ["line"])) == ["arrow", "column", "line"]


def test_behind_each_passage_the_next_one_is_preferred_and_the_last_stays(ways):
    options = make_options(("arrow", "line", "wedge"), COUNT, SPACING, TIGHTEST)

    def doors(s):
        return np.where((s % 30 > 14) & (s % 30 < 16), 0.0, 5.0)

    plan = plan_formations(options, ways.room(120.0, doors), ["line", "wedge"])
    assert names(plan) == [
        "arrow", "column", "line", "column", "wedge", "column", "wedge", "column", "wedge",
    ]  # fmt: skip


def test_slots_above_and_below_need_room_there(ways):
    """A sphere in a flat slit: the room all round is that of an ellipse of directions."""
    options = make_options(("sphere",), 12, 1.6, 1.2)
    station = np.linspace(0.0, 20.0, 101)
    wide, low = np.full(101, 5.0), np.full(101, 0.5)
    slit = Corridor(station, wide, wide, 0.4, low, low)
    assert names(plan_formations(options, slit)) == ["column by 2"]
    open_ = Corridor(station, wide, wide, 0.4, wide, wide)
    assert names(plan_formations(options, open_)) == ["sphere"]


def test_the_option_at_a_station_holds_from_it_on(options, ways):
    plan = plan_formations(options, ways.room(60.0, narrowing))
    assert plan.option_at(-5.0) == plan.choice[0]
    assert plan.option_at(1e3) == plan.choice[-1]
    for j in range(0, len(plan.station), 17):
        assert plan.option_at(plan.station[j]) == plan.choice[j]


def test_the_plan_as_arrays_has_a_row_per_option_and_station(options, ways):
    plan = plan_formations(options, ways.room(60.0, narrowing))
    arrays = plan.arrays(ways.straight(60.0), 1.0)
    assert arrays["fits"].shape == (len(options), len(plan.station))
    assert arrays["formation"].tolist() == [option.formation.encode() for option in options]
    np.testing.assert_array_equal(arrays["choice"], plan.choice)


def test_a_path_of_no_length_has_a_plan(options, ways):
    plan = plan_formations(options, ways.room(0.0, lambda s: 5.0 + 0.0 * s))
    assert plan.options[plan.option_at(0.0)].formation == "line"


def corridor(s):
    """A yard of 14 m, a corridor with room for two abreast, and the yard again."""
    return np.where((s > 20) & (s < 30), 0.8, 7.0)


@pytest.mark.parametrize("count", [20, 60])
def test_large_groups_walk_in_ranks_in_files_through_the_corridor_and_in_ranks_again(ways, count):
    room = ways.room(70.0, corridor)
    plan = plan_formations(make_options(("line",), count, SPACING, TIGHTEST), room)
    first, *_, last = order = names(plan)
    assert first.startswith("line by ")
    assert "column by 2" in order
    assert last.startswith("line by ")
    inside = plan.options[plan.option_at(26.0)]
    assert inside.width <= 1.6
    assert np.unique(inside.slots[:, 1]).size == 2


def test_ranks_come_before_other_shapes_only_behind_those_asked_for(ways):
    options = make_options(("line", "arrow"), 20, SPACING, TIGHTEST)
    order = list(dict.fromkeys(option.formation for option in options))
    assert order == [
        "line", "arrow", "line by 10", "line by 7", "line by 5", "arrow by 10", "arrow by 7",
        "arrow by 5", "column by 2", "column",
    ]  # fmt: skip
    assert [o.rank for o in options] == sorted(o.rank for o in options)


def test_a_formation_that_there_is_no_room_for_at_the_start_or_goal_costs_a_change(options, ways):
    """For 3 m the second best is not worth a change, unless it saves one."""
    room = ways.room(3.0, lambda s: 5.0 + 0 * s)
    second = np.array([option.formation == "arrow" for option in options])
    assert names(plan_formations(options, room)) == ["line"]
    assert names(plan_formations(options, room, ready=second)) == ["arrow"]
    assert names(plan_formations(options, room, stays=second)) == ["arrow"]


@pytest.mark.parametrize("slope", [1.0, 0.35])
def test_who_comes_in_slowly_changes_farther_ahead(ways, slope):
    options = make_options(("line",), COUNT, SPACING, SPACING)
    room = ways.room(80.0, lambda s: np.where((s > 30) & (s < 34), 0.0, 5.0))
    plan = plan_formations(options, room, slope=slope)
    station = plan.station[[plan.options[k].formation == "column" for k in plan.choice]]
    assert station[0] == pytest.approx(30.0 - 2.0 * SPACING / slope - 0.5, abs=0.5)


@pytest.mark.parametrize("count", [5, 20, 60])
def test_a_deep_formation_begins_when_its_front_is_out_and_fits_when_its_last_are(ways, count):
    """The corridor ends at 30 m: the change and the place where all are out, in closed form."""
    plan = plan_formations(
        make_options(("line",), count, SPACING, TIGHTEST), ways.room(70.0, corridor)
    )
    change = plan.station[np.flatnonzero(np.diff(plan.choice)) + 1]
    begins = change[change > 30.0][0]
    depth = plan.options[plan.option_at(begins)].depth
    assert begins == pytest.approx(30.0 + EXIT_DISTANCE, abs=0.5)
    opens, complete = plan.opening(begins)
    assert opens == pytest.approx(30.0 + depth, abs=0.5)
    assert complete == max(opens, begins)
    row = (plan.choice == plan.option_at(begins)) & (plan.station >= begins)
    fitting = plan.fits[plan.choice, np.arange(len(plan.choice))]
    np.testing.assert_array_equal(fitting[row], plan.station[row] >= opens)
    assert fitting[~row].all()


def test_where_an_option_fits_all_along_it_opens_at_the_start(options, ways):
    plan = plan_formations(options, ways.room(30.0, lambda s: 5.0 + 0 * s))
    assert plan.opening(12.0) == (0.0, 12.0)


@pytest.mark.parametrize(("count", "yard", "forms"), [(4, 8, True), (40, 8, False), (40, 40, True)])
def test_the_more_there_are_the_longer_a_yard_must_be_to_form_up_in(ways, count, yard, forms):
    """Between two corridors for a single file: who is in a deep file comes up late."""

    def corridors(s):
        first, second = (s > 20) & (s < 25), (s > 25 + yard) & (s < 30 + yard)
        return np.where(first | second, 0.0, 7.0)

    options = make_options(("line",), count, SPACING, TIGHTEST)
    plan = plan_formations(options, ways.room(50.0 + yard, corridors))
    between = (plan.station > 25) & (plan.station < 25 + yard)
    used = {plan.options[row].formation for row in plan.choice[between]}
    assert (used != {"column"}) == forms


def test_what_would_be_over_before_its_last_are_in_place_is_skipped(ways):
    """For a few meters there is room for an arrow, but its last fall back by more than those."""
    options = make_options(("line", "arrow"), COUNT, SPACING, SPACING)
    arrow = next(option for option in options if option.formation == "arrow")
    assert arrow.half_width < 1.9
    for length, used in ((0.8 * arrow.depth, False), (12.0, True)):

        def room(s, length=length):
            return np.select([s < 30, s < 30 + length, s < 60], [5.0, 1.9, 0.0], 5.0)

        plan = plan_formations(options, ways.room(90.0, room))
        assert ("arrow" in names(plan)) == used


def test_a_formation_given_up_at_the_goal_is_not_taken_for_the_way_behind_its_entry(options, ways):
    """It is out of the corridor only where the members leave it."""
    room = ways.room(40.0, lambda s: np.where((s > 5) & (s < 26), 0.0, 5.0))
    stays = np.array([option.formation == "column" for option in options])
    for entry, last in ((26.0, "column"), (40.0, "line")):
        assert names(plan_formations(options, room, stays=stays, entry=entry))[-1] == last
    assert names(plan_formations(options, room, stays=~stays, entry=26.0))[-1] == "line"


@pytest.mark.parametrize(("behind", "slope", "last"), [
    (8.0, 0.35, "column"), (8.0, 1.0, "line"), (16.0, 0.35, "line"),
])  # fmt: skip
def test_vehicles_form_no_line_that_is_over_before_they_have_spread_to_it(
    ways, behind, slope, last
):
    """They need 2 spacings / 0.35 = 7 m for it, and the change is 1.5 m behind the exit."""
    options = make_options(("line",), COUNT, SPACING, SPACING)
    room = ways.room(26.0 + behind, lambda s: np.where(s < 26, 0.0, 5.0))
    plan = plan_formations(options, room, slope=slope)
    assert names(plan)[-1] == last
    given_up = np.zeros(len(options), np.bool_)
    plan = plan_formations(options, room, stays=given_up, slope=slope, entry=28.0)
    assert names(plan)[-1] == "column", "they leave it for the goal 2 m behind the exit"


def test_long_bodies_come_as_close_as_their_axes_allow():
    options = make_options(("line", "arrow"), 3, 4.0, 1.2, core=1.5)
    lines = [option for option in options if option.formation == "line"]
    assert min(option.spacing for option in lines) == pytest.approx(1.2)
    for option in options:
        assert nearest_axes(option.slots, 1.5) >= 1.2 - 1e-9
    beside, behind = np.array([[0.0, 0, 0], [0, 2, 0]]), np.array([[0.0, 0, 0], [2, 0, 0]])
    assert nearest_axes(beside, 1.5) == pytest.approx(2.0)
    assert nearest_axes(behind, 1.5) == pytest.approx(0.5)


def test_all_slots_are_asked_in_a_few_calls_and_the_answer_is_that_of_one_by_one(ways, monkeypatch):
    """Of a thousand members, each slot asked alone took half a minute."""
    room = ways.room(60.0, narrowing)
    options = make_options(("line",), 200, SPACING, TIGHTEST)
    calls, usual = [], type(room).admits
    monkeypatch.setattr(type(room), "admits", lambda *given: calls.append(0) or usual(*given))
    fits = plan_formations(options, room).fits
    assert len(calls) < 20 * len(options)
    station = room.station
    for option, found in zip(options[:-1], fits[:-1], strict=True):
        alone = np.ones(len(station), bool)
        for lag, left, up in option.slots:
            on = station >= lag
            side = np.full(on.sum(), left)
            alone[on] &= usual(room, station[on] - lag, side, np.full(on.sum(), up))
        assert (alone == found).all()
