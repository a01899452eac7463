"""Mental variables against their closed forms."""

import numpy as np
import pytest

from rmp3d.behaviors.action.mind import MentalVariable, Mind, Trigger
from rmp3d.geometry.errors import InputError

KNOWN = ("wolf.seen", "fear", "hunger")


def mind_of(variables, triggers=(), count=3, seed=0):
    return Mind(variables, triggers, KNOWN, count, np.random.default_rng(seed))


def run(mind, seen, steps, dt=0.1, first=0):
    """Step with ``seen(time)`` (n,) and return the values of each step."""
    history = []
    for step in range(first, first + steps):
        time = (step + 1) * dt
        values = {"wolf.seen": np.asarray(seen(time), float), **mind.values}
        mind.step(values, time, dt)
        history.append({name: value.copy() for name, value in mind.values.items()})
    return history


def test_a_mental_timer_makes_hungry_at_its_rate_and_stops_at_the_limit():
    mind = mind_of({"hunger": MentalVariable(0.2, 0.5, 0.0, 1.0)})
    history = run(mind, lambda time: np.zeros(3), 20)
    for step, values in enumerate(history):
        expected = min(1.0, 0.2 + 0.5 * 0.1 * (step + 1))
        np.testing.assert_allclose(values["hunger"], expected, atol=1e-12)


@pytest.mark.parametrize("dt", [0.1, 0.05])
def test_a_rate_trigger_acts_while_it_holds_whatever_the_time_step(dt):
    mind = mind_of({"fear": MentalVariable(rate=-0.1)}, [Trigger("fear", "wolf.seen", rate=0.6)])
    run(mind, lambda time: [1, 0, time <= 0.5 + 1e-9], round(1.0 / dt), dt)
    np.testing.assert_allclose(mind.values["fear"], [0.5, 0.0, 0.2], atol=1e-9)


def test_a_set_trigger_acts_only_when_it_begins_to_hold():
    mind = mind_of({"fear": MentalVariable(rate=-0.5)}, [Trigger("fear", "wolf.seen", set=1.0)])
    history = run(mind, lambda time: [1, time > 0.35, 0], 10)
    np.testing.assert_allclose(history[0]["fear"], [1.0, 0, 0])
    np.testing.assert_allclose(history[3]["fear"], [0.85, 1.0, 0], atol=1e-12)
    np.testing.assert_allclose(history[9]["fear"], [0.55, 0.7, 0], atol=1e-12)


def test_an_add_trigger_with_a_timer_acts_again_and_again_while_it_holds():
    trigger = Trigger("fear", "wolf.seen", add=0.1, every=0.3)
    mind = mind_of({"fear": MentalVariable()}, [trigger])
    history = run(mind, lambda time: [1, time < 0.35, 0], 10)
    found = np.array([values["fear"] for values in history])
    steps = np.arange(10)
    np.testing.assert_allclose(found[:, 0], 0.1 * (1 + steps // 3), atol=1e-12)
    np.testing.assert_allclose(found[-1, 1:], [0.1, 0.0])


def test_members_begin_at_values_of_their_own_within_the_spread():
    mind = mind_of({"hunger": MentalVariable(0.3, spread=0.5)}, count=200)
    values = mind.values["hunger"]
    assert values.min() >= 0.3
    assert values.max() <= 0.8
    assert np.ptp(values) > 0.4
    again = mind_of({"hunger": MentalVariable(0.3, spread=0.5)}, count=200)
    np.testing.assert_array_equal(again.values["hunger"], values)


def test_a_variable_is_set_by_hand_within_its_limits():
    mind = mind_of({"hunger": MentalVariable()})
    mind.set("hunger", 5.0, np.array([1]))
    assert mind.values["hunger"].tolist() == [0.0, 1.0, 0.0]
    with pytest.raises(InputError, match="no mental variable named `huger`; did you mean `hunger`"):
        mind.set("huger", 1.0, np.array([0]))


@pytest.mark.parametrize(
    ("make_it", "said"),
    [
        (lambda: MentalVariable(start=2.0), "`start` 2.0 must be"),
        (lambda: MentalVariable(spread=-1.0), "`spread`"),
        (lambda: Trigger("fear", "wolf.seen"), "needs `rate`, `add` or `set`"),
        (lambda: Trigger("fear", "wolf.seen", add=1.0, every=-1.0), "`every`"),
        (lambda: mind_of({}, [Trigger("fear", "true", set=1.0)]), "no mental variable `fear`"),
        (
            lambda: mind_of({"fear": MentalVariable()}, [Trigger("fear", "wolf.sen", set=1.0)]),
            r"`triggers\[0\].when`",
        ),
    ],
)
def test_what_cannot_be_is_refused(make_it, said):
    with pytest.raises(InputError, match=said):
        make_it()
