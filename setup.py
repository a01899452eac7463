"""What pyproject.toml cannot say: a wheel with compiled kernels.

``RMP3D_KERNELS=0`` makes one without them, for every system.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

WITH_KERNELS = os.environ.get("RMP3D_KERNELS") != "0" and platform.machine() in ("x86_64", "AMD64")
LONGEST = 900  # seconds
WITHOUT = "RMP3D: kernels could not be compiled now. They will be when they are first used."


class BuildWithKernels(build_py):
    """Copy the package, then compile the kernels into the copy."""

    def run(self):
        """Build."""
        super().run()
        if not WITH_KERNELS or self.editable_mode:
            return
        root = Path(self.build_lib).resolve()
        command = [sys.executable, "-m", "rmp3d.kernels", root / "rmp3d/geometry/kernels"]
        folders = [str(root), *filter(None, [os.environ.get("PYTHONPATH")])]  # pip's comes with it
        variables = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(folders),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        try:
            subprocess.run(command, cwd=root, env=variables, check=True, timeout=LONGEST)
        except (OSError, subprocess.SubprocessError) as error:
            self.warn(f"{WITHOUT} {error}")


class ForOnePython(Distribution):
    """Kernels are for one version of Python and one system; without them the wheel is for all."""

    def has_ext_modules(self):
        """Return whether the wheel is for one Python only."""
        return WITH_KERNELS


setup(cmdclass={"build_py": BuildWithKernels}, distclass=ForOnePython)
