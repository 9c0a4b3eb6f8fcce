"""Values and gradients of functions of runs, against differences of the same runs and against SciPy."""

import numpy
import pytest
import scipy.optimize

import herglotz as hz

TIMES = numpy.linspace(0.3, 2.9, 6)
SETTINGS = {"method": "runge-kutta-4", "step": 0.05, "t_end": 3.0}


@pytest.fixture(scope="module")
def pendulum():
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*(1 - cos(q)) - gamma*z", name="pendulum",
                     parameters={"gamma": 0.2, "k": 1.7}, initial={"q": 1.2, "v_q": 0.4}, symmetries={"turn": [1]})


def difference(of, name, at):
    """Central difference of order 4 of a function of one value."""
    e = 1e-3
    return (8 * (of({name: at + e}) - of({name: at - e})) - (of({name: at + 2 * e}) - of({name: at - 2 * e}))) / (12 * e)


def check(system, loss, settings):
    _, gradient = found = hz.value_and_gradient(system, loss, wrt=["gamma", "k", "q"], **settings)
    for name, at in {"gamma": 0.2, "k": 1.7}.items():
        beside = difference(lambda p: hz.value_and_gradient(system, loss, wrt=["q"], parameters=p, **settings)[0], name, at)
        assert gradient[name] == pytest.approx(beside, rel=1e-8)
    beside = difference(lambda start: hz.value_and_gradient(system, loss, start, wrt=["q"], **settings)[0], "q", 1.2)
    assert gradient["q"] == pytest.approx(beside, rel=1e-8)
    assert numpy.array_equal(numpy.asarray(gradient), [gradient["gamma"], gradient["k"], gradient["q"]])
    return found


def test_of_an_expression_at_the_end(pendulum):
    found = check(pendulum, "energy^2 + k*cos(q)*momentum.turn", SETTINGS)
    assert found.mode == "reverse"
    assert 0 < found.residual < 1e-13
    run = hz.simulate(pendulum, **SETTINGS).isel(t=-1)
    assert found[0] == pytest.approx(float(run.energy**2 + 1.7*numpy.cos(run.q)*run.v_q), rel=1e-14)


def test_of_a_sum_over_times(pendulum):
    settings = {"method": "reference", "tolerance": 1e-12}
    found = check(pendulum, {"at": TIMES, "sum": "(q - sin(t))^2"}, settings)
    assert found.run.t.values[-1] == TIMES[-1]
    assert found.mode == "reverse"


def test_of_a_function_of_the_run(pendulum):
    def loss(run):
        return float((run.q**2).sum() + run.energy[-1]), {"q": 2*run.q.values, "energy": 1.0}
    assert check(pendulum, loss, SETTINGS).mode == "reverse"
    found = check(pendulum, loss, {**SETTINGS, "method": "contact-gauss-4"})
    assert found.mode == "reverse" and found.residual < 1e-13
    found = check(pendulum, loss, {**SETTINGS, "method": "contact-splitting-4"})
    assert (found.mode, found.residual) == ("forward", 0)


def test_of_the_time_of_the_event_that_ends_the_run():
    # q = cos(t) reaches c at arccos(c), and starts from a: t = arccos(c/a).
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - q**2/2", parameters={"c": 0.3}, initial={"q": 1.0},
                       events={"there": {"at": "q - c", "stop": True}})
    value, gradient = hz.value_and_gradient(system, "duration", wrt=["c", "q"], method="reference", tolerance=1e-13, t_end=9)
    assert value == pytest.approx(numpy.arccos(0.3), rel=1e-11)
    slope = 1/numpy.sqrt(1 - 0.3**2)
    assert numpy.allclose(gradient, [-slope, 0.3*slope], rtol=1e-10)


def test_serves_optimisers_of_scipy():
    # q = q0 cos(1.3 t) for k = 1.69
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*q**2/2", parameters={"k": 1.5}, initial={"q": 0.8})
    found = scipy.optimize.minimize(
        lambda u: tuple(hz.value_and_gradient(system, {"at": TIMES, "sum": "(q - cos(13*t/10))^2"}, {"q": u[1]},
                                              parameters={"k": u[0]}, wrt=["k", "q"], method="reference", tolerance=1e-11)),
        [1.5, 0.8], jac=True, method="BFGS", options={"gtol": 1e-9})
    assert numpy.allclose(found.x, [1.69, 1.0], atol=1e-8)


def test_least_squares_takes_the_derivatives_of_a_run(pendulum):
    def run(u):
        return hz.simulate(pendulum, parameters={"gamma": u[0], "k": u[1]}, sensitivities=["gamma", "k"], t_end=3,
                           output_step=0.1, method="contact-gauss-4", step=0.05)
    measured = run([0.31, 1.5]).q
    found = scipy.optimize.least_squares(lambda u: run(u).q - measured, [0.2, 1.7],
                                         jac=lambda u: run(u).hz.sensitivity.sel(column="q").values)
    assert numpy.allclose(found.x, [0.31, 1.5], atol=1e-8)


def test_names_what_is_wrong(pendulum):
    def refused(loss, **settings):
        with pytest.raises((ValueError, TypeError)) as error:
            hz.value_and_gradient(pendulum, loss, **{"wrt": ["gamma"], **SETTINGS, **settings})
        return str(error.value)
    assert "loss:1:5: unknown name 'energi'" in refused("q + energi")
    assert "name parameters" in refused("q", wrt=[])
    assert "gamma" in refused("q", wrt=["gama"])
    assert "energy_residual is not differentiated" in refused("energy_residual")
    assert '"at"' in refused({"times": [1.0], "sum": "q"})
    assert "an expression" in refused(3)
    assert "cotangents" in refused(lambda run: 3.0)
    assert "one for each row" in refused(lambda run: (1.0, {"q": [1.0, 2.0]}))
    with pytest.raises(KeyError, match="gamma"):
        hz.value_and_gradient(pendulum, "q", wrt=["gamma"], **SETTINGS)[1]["k"]


def test_goes_backwards_through_resets():
    system = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - q", parameters={"e": 0.8}, initial={"q": 1.0},
                       events={"floor": {"at": "q", "direction": "falling", "set": {"v_q": "-e*v_q"}}})
    found = hz.value_and_gradient(system, "q", wrt=["e", "q"], method="reference", tolerance=1e-12, t_end=2.0)
    # It falls from q for sqrt(2 q), and rises again with the velocity e sqrt(2 q).
    fall = numpy.sqrt(2.0)
    assert found.mode == "reverse" and found.residual < 1e-12
    assert found[1]["e"] == pytest.approx(fall*(2 - fall), abs=1e-10)
    assert found[1]["q"] == pytest.approx(0.8*(2/fall - 2) + (2 - fall)/fall, abs=1e-10)
    with pytest.raises(ValueError, match="resets or impacts"):
        hz.value_and_gradient(system, "q", wrt=["e"], method="contact-splitting-2", step=0.01, t_end=2.0)
