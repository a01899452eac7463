import pytest

from rmp3d.viewer.panel.head import PHASES, phase_words


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != "paused"])
def test_a_run_that_stands_is_paused_and_nothing_else_is(phase):
    assert phase_words(phase, stands=False) == PHASES[phase]
    stands = phase_words(phase, stands=True)
    assert (stands[0] == "paused") == (phase == "running")
