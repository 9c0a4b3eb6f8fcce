"""Second derivatives of functions of runs."""

import numpy
import pytest
import scipy.optimize

import herglotz as hz

TIMES = numpy.linspace(0.5, 6.0, 12)
STEPS = {"method": "runge-kutta-8", "step": 0.05}


@pytest.fixture(scope="module")
def pendulum():
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*(1 - cos(q)) - gamma*z", name="pendulum",
                     parameters={"gamma": 0.2, "k": 1.7}, initial={"q": 1.2})


def test_hessian_is_the_derivative_of_gradients(pendulum):
    loss = {"at": TIMES, "sum": "(q - cos(13*t/10))^2 + k*gamma"}
    names = ["gamma", "k", "q"]
    found = hz.hessian(pendulum, loss, wrt=names, **STEPS)
    assert found.dims == ("wrt", "with") and found.attrs["error"] < 1e-8 and found.attrs["asymmetry"] < 1e-8
    for name, at in (("gamma", 0.2), ("k", 1.7)):
        beside = [hz.value_and_gradient(pendulum, loss, wrt=names, parameters={name: at + s}, **STEPS)[1]
                  for s in (1e-3, -1e-3, 2e-3, -2e-3)]
        expected = (8 * (beside[0] - beside[1]) - (beside[2] - beside[3])) / 12e-3
        assert found.sel(wrt=name).values == pytest.approx(numpy.asarray(expected), rel=1e-8, abs=1e-8)
    product = hz.hessian_product(pendulum, loss, {"k": 1.0}, wrt=names, **STEPS)
    assert numpy.asarray(product) == pytest.approx(found.sel({"with": "k"}).values, rel=1e-9)
    assert product["q"] == product[2] and product.error < 1e-8
    assert numpy.asarray(hz.hessian_product(pendulum, loss, [0, 2, 0], wrt=names, **STEPS)) == pytest.approx(2 * product)


def test_steps_of_newton_reach_a_minimum(pendulum):
    loss = {"at": TIMES, "sum": "(q - exp(-t/5)*cos(1.1*t))^2"}
    asked = {"wrt": ["gamma", "k"], **STEPS}

    def of(u):
        return {"gamma": float(u[0]), "k": float(u[1])}

    found = scipy.optimize.minimize(lambda u: tuple(hz.value_and_gradient(pendulum, loss, parameters=of(u), **asked)), [0.3, 1.5],
                                    jac=True, method="trust-ncg", options={"gtol": 1e-7},
                                    hessp=lambda u, p: hz.hessian_product(pendulum, loss, p, parameters=of(u), **asked))
    assert found.success and found.nit < 12
    assert abs(hz.value_and_gradient(pendulum, loss, parameters=of(found.x), **asked)[1]).max() < 1e-7


def test_a_function_of_python_has_no_second_derivatives(pendulum):
    with pytest.raises(TypeError, match="second derivatives need a loss that is an expression"):
        hz.hessian(pendulum, lambda run: (float(run["q"][-1]), {"q": 1.0}), wrt=["k"], t_end=6, **STEPS)


def test_adaptive_runs_say_how_many_digits_are_right(pendulum):
    fine = hz.hessian_product(pendulum, "energy", {"gamma": 1.0}, wrt=["gamma", "q"], t_end=5, **STEPS)
    found = hz.hessian_product(pendulum, "energy", {"gamma": 1.0}, wrt=["gamma", "q"], t_end=5, method="reference",
                               tolerance=1e-10)
    assert numpy.asarray(found) == pytest.approx(numpy.asarray(fine), rel=1e-6)
    assert fine.error < found.error < 1e-5


@pytest.mark.parametrize(("direction", "match"), [
    ([1.0], r"direction has shape \(1,\); \(2,\) is needed"), ({"v": 1.0}, "the direction has v, which wrt lacks"),
    ([1.0, float("nan")], "'direction' is nan"),
])
def test_directions_that_are_none_are_refused(pendulum, direction, match):
    with pytest.raises(ValueError, match=match):
        hz.hessian_product(pendulum, "energy", direction, wrt=["gamma", "k"], t_end=1, **STEPS)
