"""Derivatives of runs, linear motions, and fits."""

import os
import signal
import threading
import time

import matplotlib.figure
import numpy
import pandas
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


def test_sensitivities_of_steps_that_vary():
    orbit = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*q**2/2 - z/10", parameters={"k": 1.3}, initial={"q": 1.0},
                      simulation={"time_scale": "1 + q**2/2"})
    settings = {"t_end": 2.0, "step": 0.05, "method": "contact-gauss-4"}
    slope = hz.simulate(orbit, sensitivities=["k"], **settings).hz.sensitivity.sel(column="q", wrt="k").values[-1]
    beside = [float(hz.simulate(orbit, parameters={"k": 1.3 + s}, **settings).q[-1]) for s in (1e-3, -1e-3, 2e-3, -2e-3)]
    assert slope == pytest.approx((8*(beside[0] - beside[1]) - (beside[2] - beside[3])) / 12e-3, rel=1e-9)


def long_work(system):
    """Calls that take minutes, by name."""
    times = numpy.linspace(0, 2e4, 41)
    data = {"t": times, "q": numpy.cos(times)}
    settings = {"step": 1e-3, "method": "runge-kutta-4"}
    one = {"t_end": 2e5, "output_step": 1e4, **settings}
    density = hz.log_likelihood(system, {"t": [1e5, 2e5], "q": [0.1, 0.2]}, ["k"], noise=0.1, **settings)
    k = numpy.array([1.7])
    return {"fit": lambda: hz.fit(system, data, ["k"], **settings),
            "sensitivities": lambda: hz.simulate(system, sensitivities=["k", "gamma"], **one),
            "gradient": lambda: hz.value_and_gradient(system, "q", wrt=["k"], **one),
            "hessian": lambda: hz.hessian_product(system, "q", [1.0], wrt=["k"], **one),
            "density": lambda: density.values(k),
            "densities": lambda: density.values(numpy.full((64, 1), 1.7)),
            "slopes": lambda: density.gradient(k),
            "exponents": lambda: hz.lyapunov_exponents(system, t_end=2e5, interval=10, **settings),
            "settling": lambda: hz.lyapunov_exponents(system, t_end=1, settle=2e5, **settings),
            "orbit": lambda: hz.periodic_orbit(system, period=2e5, drifting=["z"], **settings)}


@pytest.mark.parametrize("work", ["fit", "sensitivities", "gradient", "hessian", "density", "densities", "slopes",
                                  "exponents", "settling", "orbit"])
def test_ctrl_c_ends_the_work(pendulum, work):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        long_work(pendulum)[work]()
    assert time.monotonic() - begin < 5


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


def measured(pendulum, q, t_end=8.0, noise=0.01):
    truth = hz.simulate(pendulum, {"q": q}, parameters={"gamma": 0.31}, t_end=t_end, output_step=0.2, tolerance=1e-11)
    errors = numpy.random.default_rng(3).normal(0, noise, truth.sizes["t"])
    return {"t": truth["t"].values, "q": truth["q"].values + errors}


def test_fit_follows_profiles(pendulum):
    found = hz.fit(pendulum, measured(pendulum, 1.0), ["gamma", "k"], initial=["q"], noise=0.01, profile=["gamma"],
                   tolerance=1e-10)
    profile = found.profiles["gamma"]
    deviation, estimate = found.deviations["gamma"], found.parameters["gamma"]
    assert profile.status == "complete"
    assert (profile.upper - profile.lower) / (2*deviation) == pytest.approx(1.96, rel=0.05)
    assert profile.lower < estimate < profile.upper
    assert float(profile.rise.sel(gamma=profile.upper)) == pytest.approx(3.8415, abs=1e-3)
    assert profile.plot(matplotlib.figure.Figure().subplots()).get_xlabel() == "gamma"
    with pytest.raises(ValueError, match="the profile of m is asked for, which is not fitted"):
        hz.fit(pendulum, measured(pendulum, 1.0), ["gamma"], profile=["m"])


def test_fit_warns_of_deviations_that_are_too_small(pendulum):
    data = measured(pendulum, 1.0)
    asked = {"parameters": ["gamma", "k"], "initial": ["q"], "tolerance": 1e-10}
    assert hz.fit(pendulum, data, noise=0.01, **asked).warnings == []
    with pytest.warns(UserWarning, match="times the degrees of freedom"):
        found = hz.fit(pendulum, data, noise=0.003, **asked)
    assert len(found.warnings) == 1


def test_fit_goes_through_parts_of_long_data(pendulum):
    truth = hz.simulate(pendulum, {"q": 0.8}, parameters={"gamma": 0.004}, t_end=150.0, output_step=0.25, tolerance=1e-11)
    data = {"t": truth["t"].values, "q": truth["q"].values}
    asked = {"parameters": ["k"], "initial": ["q"], "start": {"gamma": 0.004, "k": 2.7, "q": 0.8}, "noise": 0.05}
    with pytest.warns(UserWarning, match="chi squared|residuals of"):  # a wrong minimum
        assert abs(hz.fit(pendulum, data, tolerance=1e-9, **asked).parameters["k"] - 1.7) > 0.05
    assert hz.fit(pendulum, data, tolerance=1e-9, parts=5, **asked).parameters["k"] == pytest.approx(1.7, abs=1e-6)
    with pytest.raises(ValueError, match="parts = 31; it must be at most 30"):
        hz.fit(pendulum, data, parts=31, **asked)


def test_multiple_shooting_fits_a_chaotic_motion():
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*(1 - cos(q)) + 3/2*q*cos(2*t/3) - gamma*z", name="driven",
                       parameters={"gamma": 0.5, "k": 1.0}, initial={"q": 0.8})
    truth = hz.simulate(system, t_end=40.0, output_step=0.25, tolerance=1e-11)
    errors = numpy.random.default_rng(5).normal(0, 0.05, len(truth["t"]))
    data = {"t": truth["t"].values, "q": truth["q"].values + errors}
    fit = hz.fit(system, data, ["gamma", "k"], initial=["q"], noise=0.05, start={"gamma": 0.9, "k": 1.7, "q": 0.5}, shots=20)
    assert fit.chi_squared < (errors**2).sum() / 0.05**2
    for name, value in {"gamma": 0.5, "k": 1.0, "q": 0.8}.items():
        assert abs(fit.parameters[name] - value) < 4 * fit.deviations[name]
    with pytest.raises(ValueError, match="two ways to the same end"):
        hz.fit(system, data, ["gamma"], shots=4, parts=2)


def test_fit_shares_parameters_between_runs(pendulum):
    data = [measured(pendulum, 1.0), measured(pendulum, -0.7, t_end=4.0)]
    asked = {"parameters": ["gamma"], "initial": ["q"], "start": [{}, {"q": -0.5}], "tolerance": 1e-10}
    found = hz.fit(pendulum, data, noise=0.01, **asked)
    assert list(found.parameters) == ["gamma", "q[1]", "q[2]"]
    for name, value in {"gamma": 0.31, "q[1]": 1.0, "q[2]": -0.7}.items():
        assert abs(found.parameters[name] - value) < 4 * found.deviations[name] < 0.05
    assert [run.sizes["t"] for run in found.run] == [residual.sizes["t"] for residual in found.residuals] == [41, 21]
    assert list(found.durbin_watson) == ["q[1]", "q[2]"]
    assert found.noise == {"q[1]": 0.01, "q[2]": 0.01}
    assert [line.get_label() for line in found.plot().get_lines()][::2] == ["q[1]", "q[2]"]
    # the sum of the runs is what each says alone, weighted by its information on gamma where the starts are known
    known = {"parameters": ["gamma"], "start": [{"q": 1.0}, {"q": -0.7}], "tolerance": 1e-10, "noise": [0.01, {"q": 0.02}]}
    both = hz.fit(pendulum, data, **known)
    alone = [hz.fit(pendulum, one, **{**known, "start": start, "noise": noise})
             for one, start, noise in zip(data, known["start"], (0.01, 0.02))]
    assert both.noise == {"q[1]": 0.01, "q[2]": 0.02}
    weights = numpy.array([one.deviations["gamma"]**-2 for one in alone])
    assert both.deviations["gamma"] == pytest.approx(weights.sum()**-0.5, rel=1e-2)
    assert both.parameters["gamma"] == pytest.approx(weights @ [one.parameters["gamma"] for one in alone] / weights.sum(),
                                                     rel=1e-4)


def test_fit_lets_runs_have_parameters_of_their_own(pendulum):
    with pytest.warns(UserWarning, match="chi squared|residuals of"):  # the runs do not begin at the same q
        found = hz.fit(pendulum, [measured(pendulum, 1.0, noise=0), measured(pendulum, 0.5, noise=0)], ["q"], initial=["k"],
                       start=[{"gamma": 0.31}] * 2, noise=0.01, tolerance=1e-11)
    assert list(found.parameters) == ["q", "k[1]", "k[2]"]
    one = hz.fit(pendulum, [measured(pendulum, 1.0, noise=0)], ["gamma"], initial=["q"], noise=0.01, tolerance=1e-11)
    assert list(one.parameters) == ["gamma", "q"]
    assert one.parameters["gamma"] == pytest.approx(0.31, rel=1e-8)
    assert one.run[0].sizes["t"] == 41


def test_fit_takes_the_noise_of_the_columns_that_a_run_has(pendulum):
    both = measured(pendulum, 1.0, noise=0)
    both["height"] = 1 - numpy.cos(both["q"])
    found = hz.fit(pendulum, [both, measured(pendulum, 0.5, noise=0)], ["gamma"], initial=["q"],
                   noise={"q": 0.01, "height": 0.02}, tolerance=1e-11)
    assert found.noise == {"height[1]": 0.02, "q[1]": 0.01, "q[2]": 0.01}
    assert found.parameters["gamma"] == pytest.approx(0.31, rel=1e-8)


TIMES = numpy.linspace(0.0, 2.0, 9)


@pytest.mark.parametrize(("data", "error", "message"), [
    (pandas.DataFrame(numpy.c_[TIMES, TIMES, TIMES], columns=["t", "q", "q"]), ValueError, "two columns q"),
    (pandas.DataFrame({"t": pandas.date_range("2026-01-01", periods=9), "q": TIMES}), TypeError, "column t of .* has dates"),
    (xarray.Dataset({"q": ("t", TIMES)}, coords={"t": pandas.date_range("2026-01-01", periods=9)}), TypeError, "has dates"),
    ({"t": TIMES, "q": numpy.c_[TIMES, TIMES]}, ValueError, r"column q of the data has shape \(9, 2\)"),
    ({"t": TIMES, "q": ["a"] * 9}, TypeError, "column q of the data has .*give numbers"),
    ({"t": TIMES, "q": TIMES[1:]}, ValueError, "another length than the times"),
    ({"t": TIMES[::-1], "q": TIMES}, ValueError, "does not follow the one before"),
    ([1, 2], TypeError, "an xarray.Dataset, or a table of numbers"),
])
def test_fit_refuses_data_that_are_no_measurements(pendulum, data, error, message):
    with pytest.raises(error, match=message):
        hz.fit(pendulum, data, ["gamma"])


def test_fit_takes_masked_values_for_missing_ones(pendulum):
    data = measured(pendulum, 1.0)
    values = numpy.array(data["q"])
    values[3:6] = numpy.nan
    asked = {"parameters": ["gamma"], "initial": ["q"], "noise": 0.01, "tolerance": 1e-10}
    missing = hz.fit(pendulum, {"t": data["t"], "q": values}, **asked)
    masked = hz.fit(pendulum, {"t": data["t"], "q": numpy.ma.masked_invalid(values)}, **asked)
    assert missing.parameters == masked.parameters and missing.samples == masked.samples == values.size - 3


def test_fit_refuses_what_is_not_for_each_run(pendulum):
    data = [measured(pendulum, 1.0), measured(pendulum, 0.5, t_end=4.0)]
    with pytest.raises(ValueError, match="start has 1 entries, and the data are of 2 runs"):
        hz.fit(pendulum, data, ["gamma"], start=[{}])
    with pytest.raises(ValueError, match="noise has 3 entries"):
        hz.fit(pendulum, data, ["gamma"], noise=[0.1, 0.1, 0.1])
    with pytest.raises(ValueError, match=r"the noise of q has shape \(41,\); give a number, or 21 of them"):
        hz.fit(pendulum, data, ["gamma"], noise={"q": numpy.full(41, 0.1)})
    with pytest.raises(ValueError, match="noise of p, which the data do not have; there are q"):
        hz.fit(pendulum, data, ["gamma"], noise={"p": 0.1})
    with pytest.raises(ValueError, match="noise of height, which the data do not have; there are q"):
        hz.fit(pendulum, [data[0] | {"height": data[0]["q"]}, data[1]], ["gamma"], noise=[0.1, {"height": 0.1}])
    with pytest.raises(ValueError, match="gamma has one value for all runs, but starts at 0.2 in run 1 and at 7 in run 2"):
        hz.fit(pendulum, data, ["gamma"], start=[{}, {"gamma": 7.0}])
    with pytest.raises(ValueError, match="noise = -1; a positive standard deviation"):
        hz.fit(pendulum, data, ["gamma"], noise=[0.1, -1])
    with pytest.raises(ValueError, match="gamma is named twice"):
        hz.fit(pendulum, data, ["gamma"], initial=["gamma"])
    with pytest.raises(ValueError, match="time 0.2 of the data of run 2 does not follow"):
        hz.fit(pendulum, [data[0], {name: values[::-1] for name, values in data[0].items()} | {"t": [0.4, *[0.2] * 40]}],
               ["gamma"])
    with pytest.raises(ValueError, match="at least one run"):
        hz.fit(pendulum, [], ["gamma"])
    with pytest.raises(TypeError, match="a table of numbers by column"):
        hz.fit(pendulum, [1.0], ["gamma"])


def test_fit_refuses_data_that_do_not_fit(pendulum):
    with pytest.raises(ValueError, match="no column t"):
        hz.fit(pendulum, {"q": [1.0, 2.0]}, parameters=["gamma"])
    with pytest.raises(ValueError, match="theta"):
        hz.fit(pendulum, {"t": [0.0, 1.0], "theta": [1.0, 2.0]}, parameters=["gamma"])
    with pytest.raises(ValueError, match="times of its data"):
        hz.fit(pendulum, {"t": [0.0, 1.0], "q": [1.0, 2.0]}, parameters=["gamma"], t_end=3.0)


def noisy(system, columns, t_end, **settings):
    """Measurements of a run of the system with errors of 1e-3."""
    run = hz.simulate(system, t_end=t_end, output_step=0.1, **settings)
    rng = numpy.random.default_rng(4)
    return {"t": run["t"].values, **{name: run[name].values + rng.normal(0, 1e-3, run.sizes["t"]) for name in columns}}


def test_fit_goes_through_inputs_and_constraints():
    driven = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*q**2/2 - z/10", parameters={"k": 1.3, "a": 0.7},
                       forces={"v_q": "a*u"}, initial={"q": 0.5},
                       inputs={"u": {"times": [0, 0.7, 1.9, 3, 4], "values": [0, 1, -0.5, 0.8, 0], "interpolation": "hold"}})
    blade = hz.System(hz.tangent(["x", "y", "th"]), lagrangian="(v_x**2 + v_y**2 + k*v_th**2)/2 + x/2 - a*z",
                      parameters={"k": 0.6, "a": 0.1}, forces={"v_th": "-sin(th)/4"},
                      constraints=["v_x*sin(th) - v_y*cos(th)"], rule="nonholonomic",
                      initial={"th": 0.3, "v_x": "8*cos(th)/10", "v_y": "8*sin(th)/10", "v_th": 0.9})
    for system, columns in ((driven, ["q"]), (blade, ["x", "th"])):
        found = hz.fit(system, noisy(system, columns, 4.0), ["k", "a"], start={"k": 0.9, "a": 0.3}, noise=1e-3)
        for name in ("k", "a"):
            assert abs(found.parameters[name] - system.parameters[name]) < 4 * found.deviations[name] < 0.05


def test_shots_keep_invariants():
    top = hz.model("heavy-top")
    name = next(iter(top.parameters))
    data = noisy(top, [str(x) for x in top.base], 3.0, tolerance=1e-9)
    asked = {"start": {name: 1.05 * top.parameters[name]}, "noise": 1e-3, "tolerance": 1e-9}
    whole = hz.fit(top, data, [name], **asked)
    cut = hz.fit(top, data, [name], shots=4, **asked)
    assert cut.parameters[name] == pytest.approx(whole.parameters[name], rel=1e-7)
