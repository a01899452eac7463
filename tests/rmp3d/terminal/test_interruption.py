import subprocess
import sys

import pytest

LOSES_IT = """
import signal, time, weakref
from rmp3d.terminal.interruption import catching_every_interrupt

class Thing:
    pass

def dying(_):
    signal.raise_signal(signal.SIGINT)

thing = Thing()
watched = weakref.ref(thing, dying)
try:
    {guard}
        del thing
        time.sleep(0.5)
    print("went on")
except KeyboardInterrupt:
    print("heeded")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guard", "said"), [("with catching_every_interrupt():", "heeded"), ("if True:", "went on")]
)
def test_an_interrupt_that_python_ignores_is_raised_again(guard, said):
    code = LOSES_IT.format(guard=guard)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == said
