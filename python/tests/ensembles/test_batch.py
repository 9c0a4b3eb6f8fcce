"""Many runs at once."""

import numpy
import pytest
import xarray

import herglotz as hz


def test_members_equal_single_runs_to_the_bit():
    system = hz.model("damped-pendulum")
    angles = numpy.array([0.5, 1.0, 2.0])
    rates = numpy.array([0.1, 0.2, 0.3])
    first = system.state[0]
    parameter = "gamma"
    batch = hz.simulate(system, {first: angles}, parameters={parameter: rates}, t_end=3, step=0.01)
    assert batch[first].dims == ("member", "t")
    for k in range(3):
        single = hz.simulate(system, {first: angles[k]}, parameters={parameter: rates[k]}, t_end=3, step=0.01)
        for name in single.data_vars:
            assert (batch[name][k].values == single[name].values).all(), name
    assert (batch[parameter] == rates).all()
    assert batch.attrs["complete"] == 1


@pytest.mark.parametrize(("name", "settings"), [
    ("kepler-drag", {"method": "contact-gauss-4", "t_end": 2, "step": 0.01, "output_every": 7}),
    ("kepler-drag", {"tolerance": 1e-9, "t_end": 2, "output_step": 0.25}),
    ("chaplygin-sleigh", {"t_end": 2, "step": 0.02}),
    ("damped-pendulum", {"method": "contact-splitting-4", "t_end": 2, "step": 0.02}),
])
def test_members_of_all_methods_equal_single_runs_to_the_bit(name, settings):
    system = hz.model(name)
    parameter, value = next(iter(system.parameters.items()))
    start, at = next(iter(system.initial.items()))
    spread = numpy.random.default_rng(1)
    values, starts = value + 0.1 * spread.random(50), at + 0.1 * spread.random(50)
    batch = hz.simulate(system, {start: starts}, parameters={parameter: values}, project=True, **settings)
    assert set(batch.failure.values) == {""}
    for k in range(50):
        single = hz.run(system, {start: starts[k]}, parameters={parameter: values[k]}, project=True, **settings)
        for column in single.names("time"):
            assert (batch[column].values == single[column]).all()
        for column in set(single) - set(single.names("time")):
            assert batch[column][k].values.tobytes() == single[column].tobytes(), (k, column)


def test_the_number_of_threads_does_not_change_a_bit():
    system = hz.model("damped-pendulum")
    starts = {system.state[0]: numpy.linspace(-3, 3, 301)}
    one, three = (hz.simulate(system, starts, t_end=2, step=0.02, threads=threads) for threads in (1, 3))
    for name in one.data_vars:
        assert (one[name].values == three[name].values).all(), name
    with pytest.raises(ValueError, match="threads = 0"):
        hz.simulate(system, starts, t_end=2, step=0.02, threads=0)


def test_named_dimensions_are_crossed():
    system = hz.model("damped-pendulum")
    first = system.state[0]
    batch = hz.simulate(system, {first: xarray.DataArray([0.1, 0.2], dims="angle")},
                        parameters={"gamma": xarray.DataArray([0.1, 0.2, 0.3], dims="friction")}, t_end=1, step=0.1)
    assert batch.energy.dims == ("angle", "friction", "t")
    assert batch.energy.shape == (2, 3, 11)


def test_a_member_that_fails_is_recorded_and_the_rest_go_on():
    falling = hz.System(hz.tangent("q", "v"), "v^2/2 + 1/q", initial={"q": 1.0})
    batch = hz.simulate(falling, {"v": numpy.array([2.0, 0.0, 3.0])}, t_end=3, tolerance=1e-9, output_step=0.1)
    assert list(batch.failure.values == "") == [True, False, True]
    assert numpy.isnan(batch.q[1, -1])
    assert not numpy.isnan(batch.q[2]).any()
    assert batch.attrs["complete"] == 0


def test_members_that_cannot_start_are_recorded_and_the_rest_go_on():
    system = hz.model("damped-pendulum")
    first = system.state[0]
    batch = hz.simulate(system, {first: [numpy.nan, 1.0, numpy.inf]}, t_end=1, step=0.1)
    assert list(batch.failure.values == "") == [False, True, False]
    assert numpy.isnan(batch[first][[0, 2]]).all()
    assert (batch[first][1].values == hz.run(system, {first: 1.0}, t_end=1, step=0.1)[first]).all()
    with pytest.raises(ValueError, match="finite"):
        hz.simulate(system, {first: [numpy.nan, numpy.inf]}, t_end=1, step=0.1)


def test_members_stored_at_different_times_are_refused():
    with pytest.raises(ValueError, match="give output_step"):
        hz.simulate(hz.model("kepler-drag"), {"x": [1.0, 1.2, 1.4]}, t_end=3, tolerance=1e-9, method="reference",
                    output_every=1)


def test_progress_ends_what_raises():
    system = hz.model("damped-pendulum")
    seen = []

    def progress(fraction):
        seen.append(fraction)
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        hz.simulate(system, {system.state[0]: numpy.linspace(-3, 3, 20000)}, t_end=100, step=0.001, output_step=100,
                    progress=progress)
    assert len(seen) == 1 and 0 <= seen[0] < 1


def test_an_interrupted_batch_returns_what_it_reached(interrupt):
    system = hz.model("damped-pendulum")
    batch = hz.simulate(system, {system.state[0]: numpy.linspace(-3, 3, 20000)}, t_end=1000, step=0.001,
                        output_step=250, progress=interrupt)
    failures = set(batch.failure.values)
    assert "not started" in failures and batch.attrs["complete"] == 0
    assert all(text in ("", "not started") or text.startswith("stopped by the user at t = ") for text in failures)
    assert numpy.isnan(batch.energy[batch.failure == "not started"]).all()


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="'y' has 3 values along 'member', and 'x' has 2; give each the same number"):
        hz.simulate(hz.model("kepler-drag"), {"x": [1.0, 2.0], "y": [0.0, 1.0, 2.0]}, t_end=1, step=0.1)
    with pytest.raises(ValueError, match=r"'x' has shape \(2, 2\)"):
        hz.simulate(hz.model("kepler-drag"), {"x": [[1.0, 2.0], [1.0, 2.0]]}, t_end=1, step=0.1)


def test_coordinates_of_arrays_are_those_of_the_dataset():
    angles = xarray.DataArray([0.1, 0.2], dims="angle", coords={"angle": ["small", "large"]})
    batch = hz.simulate(hz.model("damped-pendulum"), {"theta": angles}, t_end=1, step=0.1)
    assert (batch.sel(angle="large").theta == batch.theta[1]).all()
    with pytest.raises(ValueError, match="'theta' has the dimension 't', which is a column of runs; rename it"):
        hz.simulate(hz.model("damped-pendulum"), {"theta": xarray.DataArray([0.1, 0.2], dims="t")}, t_end=1, step=0.1)
