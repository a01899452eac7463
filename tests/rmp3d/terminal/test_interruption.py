import subprocess
import sys

import pytest

LOSES_IT = """
import signal, time, weakref
from rmp3d.terminal.interruption import CatchingEveryInterrupt

class Thing:
    pass

def dying(_):
    signal.raise_signal(signal.SIGINT)

thing = Thing()
watched = weakref.ref(thing, dying)
try:
    {guard}
        del thing
        until = time.monotonic() + {seconds}
        while time.monotonic() < until:
            time.sleep(0.01)  # in one long sleep an interrupt from a thread would wait for its end
    print("went on")
except KeyboardInterrupt:
    print("heeded")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guard", "seconds", "said"),
    # The interrupt ends the waiting; that there is none can only be seen from what comes then.
    [("with CatchingEveryInterrupt():", 300.0, "heeded"), ("if True:", 0.5, "went on")],
)
def test_an_interrupt_that_python_ignores_is_raised_again(guard, seconds, said):
    code = LOSES_IT.format(guard=guard, seconds=seconds)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == said


CUTS_A_LIBRARY = """
import signal
from rmp3d.terminal.interruption import CatchingEveryInterrupt

class Half:
    def __del__(self):
        raise ReferenceError("weakly-referenced object no longer exists")

with CatchingEveryInterrupt(own_process=True):
    {before}
    half = Half()
    del half
"""


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("pass", True),
        ("try: signal.raise_signal(signal.SIGTERM)\n    except KeyboardInterrupt: pass", False),
    ],
)
def test_a_library_that_was_cut_in_two_by_the_end_says_nothing(before, says):
    """Numba's compiler did so in the campaign: a traceback before the word "terminated"."""
    code = CUTS_A_LIBRARY.format(before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ("ReferenceError" in done.stderr) is says
