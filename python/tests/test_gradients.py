"""Derivatives of runs, linear motions, and fits."""

import numpy
import pytest
import xarray

import herglotz as hz


@pytest.fixture(scope="module")
def pendulum():
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*(1 - cos(q)) - gamma*z", name="pendulum",
                     parameters={"gamma": 0.2, "k": 1.7}, initial={"q": 1.2}, observables={"height": "1 - cos(q)"},
                     events={"down": "q"})


def test_sensitivities_are_derivatives_of_the_run(pendulum):
    settings = {"t_end": 3.0, "step": 0.05, "method": "runge-kutta-4"}
    run = hz.simulate(pendulum, sensitivities=["gamma", "q"], **settings)
    found = run.hz.sensitivity
    assert found.dims == ("t", "column", "wrt")
    beside = [hz.simulate(pendulum, parameters={"gamma": 0.2 + s}, **settings) for s in (1e-3, -1e-3, 2e-3, -2e-3)]
    for column in ("q", "v_q", "z", "energy", "height"):
        up, down, far_up, far_down = (run[column].values[-1] for run in beside)
        expected = (8 * (up - down) - (far_up - far_down)) / 12e-3
        assert found.sel(column=column, wrt="gamma").values[-1] == pytest.approx(expected, rel=1e-9)
    assert found.sel(column="q", wrt="q").values[0] == 1
    assert "d.t.d.gamma" in run.hz.events


def test_sensitivities_are_refused_where_there_are_none(pendulum):
    with pytest.raises(ValueError, match="no derivatives"):
        _ = hz.simulate(pendulum, t_end=1.0).hz.sensitivity
    with pytest.raises(ValueError, match="gamma"):
        hz.simulate(pendulum, t_end=1.0, sensitivities=["gama"])
    with pytest.raises(ValueError, match="one run"):
        hz.simulate(pendulum, {"q": [1.0, 1.1]}, t_end=1.0, sensitivities=["gamma"])


def test_linearisation_of_the_pendulum(pendulum):
    down = pendulum.linearise({"q": 0.3}, equilibrium=True, inputs=["gamma"], outputs=["height"])
    assert down.stability == "asymptotically stable"
    assert numpy.allclose(down.A, [[0, 1, 0], [-1.7, -0.2, 0], [0, 0, -0.2]], atol=1e-9)
    assert numpy.allclose(sorted(abs(down.poles)), [0.2, numpy.sqrt(1.7), numpy.sqrt(1.7)])
    assert down.C.dims == ("output", "state")
    assert pendulum.linearise({"q": 3.0}, equilibrium=True).stability == "unstable"


def test_fit_finds_what_made_the_data(pendulum):
    truth = hz.simulate(pendulum, {"q": 1.0}, parameters={"gamma": 0.31}, t_end=8.0, output_step=0.2, tolerance=1e-11)
    rng = numpy.random.default_rng(3)
    noisy = truth["q"].values + rng.normal(0, 0.01, truth.sizes["t"])
    data = xarray.Dataset({"q": ("t", noisy)}, coords={"t": truth["t"].values})
    data["q"][5] = numpy.nan
    found = hz.fit(pendulum, data, parameters=["gamma", "k"], initial=["q"], bounds={"gamma": (0, None)}, tolerance=1e-10)
    for name, value in {"gamma": 0.31, "k": 1.7, "q": 1.0}.items():
        assert abs(found.parameters[name] - value) < 4 * found.deviations[name] < 0.1
    assert found.identifiable
    assert found.samples == truth.sizes["t"] - 1
    assert found.noise["q"] == pytest.approx(0.01, rel=0.4)
    assert numpy.isnan(found.residuals["q"].values[5])
    assert found.covariance.sel({"unknown": "k", "with": "k"}) == pytest.approx(found.deviations["k"]**2)


def test_fit_refuses_data_that_do_not_fit(pendulum):
    with pytest.raises(ValueError, match="no column t"):
        hz.fit(pendulum, {"q": [1.0, 2.0]}, parameters=["gamma"])
    with pytest.raises(ValueError, match="theta"):
        hz.fit(pendulum, {"t": [0.0, 1.0], "theta": [1.0, 2.0]}, parameters=["gamma"])
    with pytest.raises(ValueError, match="times of its data"):
        hz.fit(pendulum, {"t": [0.0, 1.0], "q": [1.0, 2.0]}, parameters=["gamma"], t_end=3.0)
