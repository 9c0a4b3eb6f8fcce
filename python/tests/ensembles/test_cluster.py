"""Ensembles on many machines: shards, and the workers of Dask. Each file equals that of one machine byte for byte."""

import os
import pathlib
import signal
import subprocess
import sys

import numpy
import pytest
import xarray

import herglotz as hz

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

# A cluster that is killed warns of sockets and of tasks that were under way.
pytestmark = pytest.mark.filterwarnings("ignore")

# 64 blocks of 77 members.
GRID = {"parameters": {"gamma": numpy.linspace(0.1, 0.3, 11)}, "initial": {"theta": hz.normal(1.0, 0.5)}, "samples": 448,
        "t_end": 2, "step": 0.02, "method": "runge-kutta-4", "columns": ["theta", "energy"]}


def pendulum():
    return hz.model("damped-pendulum")


def sweep(file, **more):
    return hz.sweep(pendulum(), **GRID, file=file, **more)


def content(file):
    return pathlib.Path(file).read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What one machine makes."""
    file = tmp_path_factory.mktemp("whole") / "whole.h5"
    sweep(file)
    return content(file)


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        yield client


def test_shards_make_the_file_of_one_machine(tmp_path, whole):
    file = tmp_path / "e.h5"
    for part in (2, 0):
        states = sweep(file, shard=(part, 3))
    assert list(states.blocks) == [22, 21, 21] and list(states.done) == [22, 0, 21]
    with pytest.raises(hz.RunError, match="shard 1 of 3 has no journal"):
        hz.merge(file)
    assert hz.merge(file, partial=True).complete == 0
    sweep(file, shard=(1, 3))
    assert hz.merge(file).complete == 1
    assert content(file) == whole
    assert list(sweep(file, shard=(1, 3)).done) == [22, 21, 21]
    assert os.listdir(tmp_path) == ["e.h5"]


@pytest.mark.parametrize(("shard", "sentence"), [((3, 3), r"shard\[0\]"), ((0, 0), r"shard\[1\]"), ((1,), "give")])
def test_shards_that_are_none_are_refused(tmp_path, shard, sentence):
    with pytest.raises(ValueError, match=sentence):
        sweep(tmp_path / "e.h5", shard=shard)


def test_workers_give_the_members_of_one_machine_without_a_file(client):
    found, expected = (hz.sweep(pendulum(), **GRID, **more) for more in ({"client": client}, {}))
    xarray.testing.assert_identical(found, expected)


def test_workers_make_the_file_of_one_machine(tmp_path, client, whole):
    fractions = []
    result = sweep(tmp_path / "e.h5", client=client, progress=fractions.append)
    assert content(tmp_path / "e.h5") == whole and result.complete == 1
    assert fractions == sorted(fractions) and fractions[-1] == 1
    assert sweep(tmp_path / "e.h5", client=client, resume=True).complete == 1


def test_every_choice_reaches_the_workers(tmp_path, client):
    choices = {"parameters": {"gamma": hz.uniform(0.1, 0.2), "g": 9.0}, "initial": {"theta": [0.1, 0.2], "omega": [1.0, 2.0]},
               "zip": [["theta", "omega"]], "samples": 200, "sampling": "sobol", "seed": 5, "keep": "statistics",
               "times": [0.5, 1.0], "t_end": 1, "tolerance": 1e-7}
    hz.sweep(pendulum(), **choices, file=tmp_path / "one.h5")
    hz.sweep(pendulum(), **choices, file=tmp_path / "many.h5", client=client)
    assert content(tmp_path / "one.h5") == content(tmp_path / "many.h5")


def test_a_worker_that_is_killed_loses_nothing(tmp_path, client, whole):
    victims = list(client.run(os.getpid).values())[:1]

    def kill(_):
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)

    assert sweep(tmp_path / "e.h5", client=client, progress=kill).complete == 1
    assert not victims
    assert content(tmp_path / "e.h5") == whole


def test_an_interrupted_client_goes_on(tmp_path, client, whole):
    def interrupt(_):
        raise KeyboardInterrupt

    reached = sweep(tmp_path / "e.h5", client=client, progress=interrupt)
    assert reached.complete == 0 and (reached.failure == "").all() and numpy.isfinite(reached.theta).any()
    assert (tmp_path / "e.h5.journal").exists()
    assert sweep(tmp_path / "e.h5", client=client, resume=True).complete == 1
    assert content(tmp_path / "e.h5") == whole


CLUSTER = """
import sys
from distributed import LocalCluster
cluster = LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp")
print(cluster.scheduler_address, flush=True)
sys.stdin.read()
"""


def test_a_lost_scheduler_leaves_the_journal(tmp_path, client, whole):
    other = subprocess.Popen([sys.executable, "-c", CLUSTER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        with dask.config.set({"distributed.comm.timeouts.connect": "1s"}), \
                distributed.Client(other.stdout.readline().strip()) as lost, \
                pytest.raises(ConnectionError, match="resume=True goes on"):
            sweep(tmp_path / "e.h5", client=lost, progress=lambda _: other.kill())
    finally:
        other.kill()
        other.communicate()
    assert (tmp_path / "e.h5.journal").exists()
    assert sweep(tmp_path / "e.h5", client=client, resume=True).complete == 1
    assert content(tmp_path / "e.h5") == whole


def test_what_is_no_client_is_refused(tmp_path, client):
    with pytest.raises(TypeError, match=r"give a dask\.distributed\.Client"):
        sweep(tmp_path / "e.h5", client="tcp://localhost")
    with pytest.raises(ValueError, match="both shard and client"):
        sweep(tmp_path / "e.h5", client=client, shard=(0, 2))


def test_runs_go_over_a_dask_array_of_parameters(client):
    system = pendulum()
    times = hz.run(system, t_end=1, step=0.02)["t"]

    def angles(gamma):
        runs = hz.simulate(system, parameters={"gamma": gamma.ravel()}, t_end=1, step=0.02, columns=["theta"])
        return runs.theta.values.reshape(*gamma.shape, -1)

    gamma = xarray.DataArray(numpy.linspace(0.1, 0.5, 8), dims="gamma", name="gamma")
    theta = xarray.apply_ufunc(angles, gamma.chunk(gamma=2), output_core_dims=[["t"]], dask="parallelized",
                               output_dtypes=[float], dask_gufunc_kwargs={"output_sizes": {"t": times.size}})
    expected = hz.simulate(system, parameters={"gamma": gamma.values}, t_end=1, step=0.02, columns=["theta"])
    assert (theta.compute().values == expected.theta.values).all()
