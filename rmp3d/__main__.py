"""``rmp3d`` and ``python -m rmp3d``: the first lines that run.

Loading the command line takes some hundredths of a second. Until then Ctrl-C has nothing to clean
up and ends the process at once; Python would print where it was. So nothing is loaded before Ctrl-C
is: not even `signal`, which takes as long as all that Python does before.
"""

import atexit
import gc
import os
import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process; return its exit code."""
    try:
        import _signal  # type: ignore[import-not-found]  # built in, and there already

        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
            _signal.signal(_signal.SIGINT, _leave)
    except KeyboardInterrupt:
        _leave()
    from rmp3d.cli import main as run_command_line
    from rmp3d.terminal.streams import prepare_streams

    prepare_streams()
    # Python looks for cycles among all objects of the libraries as it ends: 0.4 s of `inspect`.
    atexit.register(gc.freeze)
    return run_command_line()


def _leave(*_: object) -> None:
    try:
        os.write(2, b"rmp3d: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
