"""How pip builds RMP3D: with setuptools, and with what it needs to compile its kernels for a wheel.

Kernels are compiled by running commands of RMP3D, so a build needs all that RMP3D needs. An
editable installation compiles none, and needs setuptools only.
"""

import os
import tomllib
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 (the functions that pip calls)


def get_requires_for_build_wheel(config_settings=None):
    """Return what pip installs beside setuptools before it builds a wheel."""
    needed = build_meta.get_requires_for_build_wheel(config_settings)
    if os.environ.get("RMP3D_KERNELS") == "0":
        return needed
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*needed, *project["dependencies"]]
