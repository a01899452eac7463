"""What Windows and macOS do not have is not asked for when modules are loaded."""

import subprocess
import sys

WITHOUT = """
import importlib, os, pkgutil, signal, sys, time

for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty"):
    sys.modules[name] = None  # importing it fails
for module, names in (
    (os, "fork killpg sched_getaffinity posix_fallocate getuid fchmod link sysconf nice wait4 "
         "mkfifo O_NOFOLLOW O_NONBLOCK O_CLOEXEC"),
    (signal, "SIGKILL SIGHUP SIGALRM SIGPIPE pthread_kill setitimer alarm"),
    (time, "clock_gettime CLOCK_BOOTTIME"),
):
    for name in names.split():
        vars(module).pop(name, None)

import rmp3d

LACKING = ImportError, AttributeError, NameError
for module in pkgutil.walk_packages(rmp3d.__path__, "rmp3d."):
    if not module.name.endswith("__main__") and not module.name.startswith("rmp3d.viewer."):
        try:
            importlib.import_module(module.name)
        except LACKING as error:
            print(module.name, error)
print("loaded", len([name for name in sys.modules if name.startswith("rmp3d.")]) > 500)
"""


def test_modules_load_without_what_only_posix_has():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("loaded True\n", "")
