"""Run a module as ``python -m`` does, but end on Ctrl-C with its exit code and no traceback."""

import runpy
import sys

from rmp3d.terminal.interruption import CatchingEveryInterrupt


def main() -> int:
    """Run the module that the command line names, with the words behind it."""
    del sys.argv[0]
    ending = CatchingEveryInterrupt(own_process=True)
    try:
        with ending:
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    except BaseException:
        if ending.came is None:
            raise
    return 0 if ending.came is None else ending.came.code


if __name__ == "__main__":
    sys.exit(main())
