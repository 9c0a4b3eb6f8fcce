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


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(ValueError):
        hz.simulate(hz.model("kepler-drag"), {"x": [1.0, 2.0], "y": [0.0, 1.0, 2.0]}, t_end=1, step=0.1)
    with pytest.raises(ValueError, match=r"'x' has shape \(2, 2\)"):
        hz.simulate(hz.model("kepler-drag"), {"x": [[1.0, 2.0], [1.0, 2.0]]}, t_end=1, step=0.1)
