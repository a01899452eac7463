"""The age of this process."""

import os
import time
from pathlib import Path

LONGEST_START = 60.0
"""A larger age [s] from the system is not believed: some emulated kernels report a wrong one."""


def seconds_since_start() -> float:
    """Return how long ago [s] the process began.

    Linux reports it (`proc(5)`, field ``starttime``). On other systems this is the processor time
    used so far, which is nearly the same while a program starts.
    """
    used = time.process_time()
    try:
        fields = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace")
        # The second field, in brackets, is the program's name: any characters may be in it.
        ticks = int(fields.rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return used
    return age if used <= age + 0.1 and age < LONGEST_START else used
