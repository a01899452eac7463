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
