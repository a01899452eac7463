"""A study of two short runs, done once."""

import pytest

from rmp3d import extensions
from rmp3d.studies import design_of, run_study

TABLE = {
    "name": "short",
    "scenario": "plain",
    "seeds": 1,
    "axes": {"groups.0.members": [1, 2]},
    "set": {"simulation.duration": 0.3},
}


@pytest.fixture(scope="session")
def short_table():
    """The table of the study."""
    return TABLE


@pytest.fixture(scope="session")
def short_study(tmp_path_factory):
    """What came of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extensions, "_loaded", [])
        return run_study(design_of(TABLE, "study"), tmp_path_factory.mktemp("study"), processes=1)


@pytest.fixture(autouse=True)
def no_extensions():
    """Forget what other tests have loaded: runs are named by it, too."""
    with pytest.MonkeyPatch.context() as patch:  # some tests undo what is patched in the usual one
        patch.setattr(extensions, "_loaded", [])
        yield
