"""Problems of control over a grid of values, in one process and on the workers of Dask."""

import os
import pathlib
import signal
import time

import numpy
import pytest
import xarray

import herglotz as hz

# A mass is moved over a distance as fast as bounds allow: the time is 2 sqrt(distance) from rest.
MASS = """
[model]
name = "mass"
[algebroid]
kind = "tangent"
base = ["x", "v"]
fibre = ["dx", "dv"]
[parameters]
goal = 1
power = 1
[control]
controls = ["u"]
kinematics = { dx = "v", dv = "power*u" }
bounds = { u = [-1, 1] }
[cost]
running = "1"
[boundary]
duration = "free"
final = { x = "goal", v = 0 }
[mesh]
intervals = 8
"""
GOALS = [0.25, 1.0, 2.25, 4.0]
GRID = {"goal": GOALS, "power": [1.0, 4.0]}


def facts(grid):
    return grid.drop_vars("solution")


@pytest.fixture(scope="module")
def expected():
    return hz.solve(MASS, **GRID)


def test_a_grid_has_a_solution_for_each_problem(expected):
    times = 2*numpy.sqrt(numpy.array(GOALS)[:, None]/numpy.array([1.0, 4.0]))
    assert expected.cost.dims == ("goal", "power") and list(expected.goal) == GOALS
    numpy.testing.assert_allclose(expected.cost, times, rtol=1e-9)
    assert (expected.status == "solved").all() and (expected.reason == "").all() and expected.complete == 1
    one = expected.solution.sel(goal=2.25, power=4).item()
    assert isinstance(one, hz.Solution) and one.cost == expected.cost.sel(goal=2.25, power=4)
    assert one.cost == hz.solve(MASS, goal=2.25, power=4).cost
    assert (expected["certificate.defect"] < 1e-10).all()


def test_values_that_are_no_arrays_are_the_same_for_all(expected):
    row = hz.solve(MASS, goal=numpy.array(GOALS), power=4)
    assert row.cost.dims == ("goal",) and row.attrs["power"] == 4
    assert (row.cost.values == expected.cost.sel(power=4).values).all()


def test_what_has_no_solution_says_why():
    bad = MASS.replace('duration = "free"', "duration = 1")
    grid = hz.solve(bad, goal=[0.1, 10.0], tolerance=1e-6)
    assert list(grid.status) == ["solved", grid.status.values[1]] and grid.status.values[1] != "solved"
    assert grid.reason.values[0] == "" and "mass" in grid.reason.values[1]
    assert isinstance(grid.solution.values[1], hz.Solution)


def test_a_folder_goes_on_where_it_was_interrupted(tmp_path, expected):
    def interrupt(fraction):
        if fraction >= 3/8:
            raise KeyboardInterrupt

    folder = tmp_path/"grid"
    reached = hz.solve(MASS, **GRID, folder=folder, progress=interrupt)
    assert reached.complete == 0 and (reached.reason == "not started").sum() == 5
    assert list(reached.solution.values.ravel()[3:]) == [None]*5 and numpy.isnan(reached.cost.values.ravel()[3:]).all()
    with pytest.raises(ValueError, match="resume=True goes on"):
        hz.solve(MASS, **GRID, folder=folder)
    with pytest.raises(ValueError, match="begun otherwise"):
        hz.solve(MASS, **{**GRID, "goal": [1.0]}, folder=folder, resume=True)
    fractions = []
    whole = hz.solve(MASS, **GRID, folder=folder, resume=True, progress=fractions.append)
    assert fractions == [4/8, 5/8, 6/8, 7/8, 1]
    xarray.testing.assert_identical(facts(whole), facts(expected))
    again = hz.solve(MASS, **GRID, folder=folder, resume=True)
    xarray.testing.assert_identical(facts(again), facts(expected))
    assert hz.open_solution(folder/"0.h5").cost == expected.cost.values[0, 0]


def test_settings_may_be_numbers_of_numpy(tmp_path):
    numbers = {"intervals": numpy.int64(8), "tolerance": numpy.float32(1e-6), "power": numpy.int32(1)}
    first = hz.solve(MASS, **numbers, goal=numpy.arange(1, 3), folder=tmp_path/"grid")
    plain = {"intervals": 8, "tolerance": float(numpy.float32(1e-6)), "goal": [1.0, 2.0], "power": 1.0}
    again = hz.solve(MASS, **plain, folder=tmp_path/"grid", resume=True)
    xarray.testing.assert_identical(facts(again), facts(first))
    with pytest.raises(TypeError, match="intervals = .*; a whole number is needed"):
        hz.solve(MASS, goal=[1.0], intervals=numpy.array([8]), folder=tmp_path/"other")
    with pytest.raises(ValueError, match="tolerance = .*; a positive number is needed"):
        hz.solve(MASS, goal=[1.0], tolerance=-1, folder=tmp_path/"other")
    assert not (tmp_path/"other").exists()


def test_a_folder_belongs_to_the_numbers_of_a_guess(tmp_path):
    guess = hz.solve(MASS)
    guess.save(tmp_path/"guess.h5")
    first = hz.solve(MASS, goal=[1.0, 2.0], guess=guess, folder=tmp_path/"grid")
    time.sleep(1.1)  # HDF5 files tell the second in which they were written
    for same in (guess, hz.solve(MASS), tmp_path/"guess.h5", hz.open_solution(tmp_path/"guess.h5")):
        again = hz.solve(MASS, goal=[1.0, 2.0], guess=same, folder=tmp_path/"grid", resume=True)
        xarray.testing.assert_identical(facts(again), facts(first))
    for other in (hz.solve(MASS, goal=1.5), {"x": "s"}, None):
        with pytest.raises(ValueError, match="begun otherwise"):
            hz.solve(MASS, goal=[1.0, 2.0], guess=other, folder=tmp_path/"grid", resume=True)


@pytest.mark.parametrize("ending", [".h5", ".csv"])
def test_a_folder_belongs_to_the_content_of_the_guess_that_the_model_names(tmp_path, ending):
    hz.solve(MASS).save(tmp_path/f"start{ending}")
    (tmp_path/"mass.toml").write_text(f'{MASS}[guess]\nfile = "start{ending}"\n', encoding="utf-8")
    first = hz.solve(tmp_path/"mass.toml", goal=[1.0, 2.0], folder=tmp_path/"grid")
    assert (first.status == "solved").all()
    again = hz.solve(tmp_path/"mass.toml", goal=[1.0, 2.0], folder=tmp_path/"grid", resume=True)
    xarray.testing.assert_identical(facts(again), facts(first))
    hz.solve(MASS, goal=1.5).save(tmp_path/f"start{ending}")
    with pytest.raises(ValueError, match="begun otherwise"):
        hz.solve(tmp_path/"mass.toml", goal=[1.0, 2.0], folder=tmp_path/"grid", resume=True)


@pytest.mark.parametrize(("given", "sentence"), [
    ({"goal": [[1.0]]}, "in a row"), ({"goal": []}, "in a row"), ({"goal": [1, numpy.nan]}, "not finite"),
    ({"goal": [1.0], "resume": True}, "goes with a folder"), ({"goal": 1.0, "folder": "x"}, "give an array"),
    ({"goal": [1.0], "guess": "start.csv"}, "guess of a grid")])
def test_bad_grids_are_refused(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        hz.solve(MASS, **given)


def test_a_folder_of_others_is_left_alone(tmp_path):
    (tmp_path/"thesis.txt").write_text("all of it", encoding="utf-8")
    with pytest.raises(ValueError, match="holds other files"):
        hz.solve(MASS, goal=[1.0], folder=tmp_path)


def test_names_that_the_problem_lacks_are_reasons():
    grid = hz.solve(MASS, distance=[1.0])
    assert "distance" in grid.reason.item() and grid.solution.item() is None and grid.status.item() == ""


class TestOnWorkers:
    distributed = pytest.importorskip("distributed")
    pytestmark = pytest.mark.filterwarnings("ignore")  # a cluster that is killed warns of sockets

    @pytest.fixture(scope="class")
    def client(self):
        with self.distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
                self.distributed.Client(cluster) as client:
            yield client

    def test_workers_give_the_solutions_of_one_process(self, client, expected):
        guess = hz.solve(MASS)
        found = hz.solve(MASS, **GRID, client=client)
        xarray.testing.assert_identical(facts(found), facts(expected))
        for here, there in zip(expected.solution.values.ravel(), found.solution.values.ravel()):
            assert {name: column.values.tobytes() for name, column in here.variables.items()} == \
                   {name: column.values.tobytes() for name, column in there.variables.items()}
        near = [hz.solve(MASS, goal=[1.1], guess=guess, **more) for more in ({}, {"client": client})]
        xarray.testing.assert_identical(*(facts(one) for one in near))

    def test_a_worker_that_is_killed_loses_nothing(self, tmp_path, client, expected):
        victims = list(client.run(os.getpid).values())[:1]

        def kill(_):
            while victims:
                os.kill(victims.pop(), signal.SIGKILL)

        found = hz.solve(MASS, **GRID, folder=tmp_path/"grid", client=client, progress=kill)
        assert not victims
        xarray.testing.assert_identical(facts(found), facts(expected))

    def test_an_interrupted_client_goes_on(self, tmp_path, client, expected):
        def interrupt(_):
            raise KeyboardInterrupt

        reached = hz.solve(MASS, **GRID, folder=tmp_path/"grid", client=client, progress=interrupt)
        assert reached.complete == 0 and (reached.reason == "").sum() == 1
        assert not list(pathlib.Path(tmp_path/"grid").glob("*.part"))
        whole = hz.solve(MASS, **GRID, folder=tmp_path/"grid", client=client, resume=True)
        xarray.testing.assert_identical(facts(whole), facts(expected))

    def test_what_is_no_client_is_refused(self):
        with pytest.raises(TypeError, match=r"give a dask\.distributed\.Client"):
            hz.solve(MASS, goal=[1.0], client="tcp://localhost")
