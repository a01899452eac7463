"""How long this process has been there."""

import os
import time
from pathlib import Path

LONGEST_START = 60.0
"""An age [s] beyond which the system's word is doubted, as under some emulated kernels."""


def seconds_since_start() -> float:
    """Return how long ago [s] the process began.

    Linux tells (`proc(5)`, the field ``starttime``); elsewhere it is the processor time used so
    far, which is about as long while a program starts.
    """
    used = time.process_time()
    try:
        fields = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace")
        # The second field is the program's name, in brackets, and may hold anything.
        ticks = int(fields.rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return used
    return age if used <= age + 0.1 and age < LONGEST_START else used
