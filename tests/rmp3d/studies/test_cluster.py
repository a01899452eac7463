"""Runs on the workers of a Dask scheduler give the same bytes; what is out of reach is said."""

import hashlib

import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.studies import cluster, design_of, run_study

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own


@pytest.fixture(scope="module")
def scheduler():
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as local:
        yield local.scheduler_address


def test_a_cluster_gives_the_same_bytes(scheduler, short_study, short_table, tmp_path):
    found = run_study(design_of(short_table, "study"), tmp_path, scheduler=scheduler)
    assert found.rows == short_study.rows
    assert found.new == 2
    for name in ("table.csv", *(f"runs/{row['run']}/run.rmp3d" for row in found.rows)):
        own, other = ((each / name).read_bytes() for each in (tmp_path, short_study.folder))
        assert hashlib.sha256(own).digest() == hashlib.sha256(other).digest(), name


def test_other_programs_and_files_are_refused(scheduler, monkeypatch, tmp_path):
    with cluster.Cluster(scheduler) as workers:
        with pytest.raises(InputError, match="is not there"):
            workers.check({str(tmp_path / "scene.obj"): "00"})
        monkeypatch.setattr(cluster, "found_here", lambda files: cluster.Found("vm", "00", {}))
        with pytest.raises(InputError, match="another version"):
            workers.check({})


def test_a_scheduler_out_of_reach_is_said(short_table, monkeypatch, tmp_path):
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(InputError, match="out of reach"):
        run_study(design_of(short_table, "study"), tmp_path, scheduler="tcp://127.0.0.1:9")
