"""What pyproject.toml cannot say: a wheel with compiled kernels, if ``RMP3D_KERNELS=1``."""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

WITH_KERNELS = os.environ.get("RMP3D_KERNELS") == "1"


class BuildWithKernels(build_py):
    """Copy the package, then compile the kernels into the copy."""

    def run(self):
        """Build."""
        super().run()
        if WITH_KERNELS and not self.editable_mode:
            root = Path(self.build_lib).resolve()
            command = [sys.executable, "-m", "rmp3d.kernels", root / "rmp3d/geometry/kernels"]
            variables = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
            subprocess.run(command, cwd=root, env=variables, check=True)


class ForOnePython(Distribution):
    """Kernels are for one version of Python and one system; without them the wheel is for all."""

    def has_ext_modules(self):
        """Return whether the wheel is for one Python only."""
        return WITH_KERNELS


setup(cmdclass={"build_py": BuildWithKernels}, distclass=ForOnePython)
