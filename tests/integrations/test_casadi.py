"""Runs as functions of CasADi."""

import gc

import casadi
import numpy
import pytest

import herglotz as hz

TIMES = [0.0, 0.5, 1.0, 2.0]
QUIET = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}


@pytest.fixture(params=["runge-kutta-4", "contact-gauss-4", "taylor"])
def solve(request, pendulum):
    return pendulum.to_casadi_solve(TIMES, method=request.param, step=0.05, columns=["q", "energy"])


@pytest.fixture
def u():
    return casadi.MX.sym("u", 2)


def columns(solve, u):
    return casadi.vertcat(*solve({"q": u[0]}, {"gamma": u[1]}).values())


def test_values_are_those_of_the_run(solve, u, pendulum):
    found = casadi.Function("f", [u], [columns(solve, u)])([1.1, 0.3])
    run = hz.simulate(pendulum, {"q": 1.1}, parameters={"gamma": 0.3}, method="reference", t_end=2.0, output_step=0.5)
    exact = numpy.concatenate([run[name].values[[0, 1, 2, 4]] for name in ("q", "energy")])
    numpy.testing.assert_allclose(found.full()[:, 0], exact, rtol=1e-5)
    numbers = solve({"q": 1.1}, {"gamma": 0.3})
    numpy.testing.assert_array_equal(casadi.vertcat(*numbers.values()), found)


def test_derivatives_are_those_of_the_run(solve, u):
    f = casadi.Function("f", [u], [columns(solve, u)])
    w, c = casadi.DM([0.4, -0.7]), casadi.DM(numpy.cos(numpy.arange(8)))
    parts = [casadi.jacobian(columns(solve, u), u), casadi.jtimes(columns(solve, u), u, w),
             casadi.jtimes(columns(solve, u), u, c, True)]
    jacobian, along, back = casadi.Function("parts", [u], parts)([1.1, 0.3])
    numpy.testing.assert_allclose(along, jacobian @ w, rtol=1e-13, atol=1e-14)
    numpy.testing.assert_allclose(back, jacobian.T @ c, rtol=1e-12)
    for k, e in enumerate(1e-3 * numpy.eye(2)):
        at = numpy.array([1.1, 0.3])
        beside = (8 * (f(at + e) - f(at - e)) - (f(at + 2*e) - f(at - 2*e))) / 12e-3
        numpy.testing.assert_allclose(jacobian[:, k], beside, rtol=1e-8, atol=1e-9)


def test_functions_outlive_what_made_them(pendulum, u):
    solve = pendulum.to_casadi_solve(TIMES, method="runge-kutta-4", step=0.05, columns=["q"])
    slope = casadi.Function("slope", [u], [casadi.gradient(columns(solve, u)[-1], u)])
    before = slope([1.1, 0.3])
    del solve
    gc.collect()
    numpy.testing.assert_array_equal(slope([1.1, 0.3]), before)


def test_ipopt_finds_what_a_fit_finds(pendulum, times, measured, fitted, u):
    solve = pendulum.to_casadi_solve(times, method="reference", columns=["q"])
    misfit = casadi.sumsqr(columns(solve, u) - measured)
    ipopt = casadi.nlpsol("fit", "ipopt", {"x": u, "f": misfit},
                          {**QUIET, "ipopt.hessian_approximation": "limited-memory", "ipopt.tol": 1e-10})
    found = ipopt(x0=[1.2, 0.2], lbx=[-3.0, 0.0], ubx=[3.0, 1.0])["x"]
    numpy.testing.assert_allclose(found.full()[:, 0], [fitted.parameters["q"], fitted.parameters["gamma"]], rtol=1e-6)


def test_a_run_that_fails_is_an_error_or_nan(pendulum, u):
    solve = pendulum.to_casadi_solve(TIMES, columns=["q"])
    with pytest.raises(RuntimeError, match="not finite"):
        casadi.Function("f", [u], [columns(solve, u)])([1.0, -1e300])
    with pytest.raises(hz.RunError, match="not finite"):
        solve({"q": 1.0}, {"gamma": -1e300})
    solve = pendulum.to_casadi_solve(TIMES, columns=["q"], failures="nan")
    both = casadi.Function("f", [u], [columns(solve, u), casadi.gradient(columns(solve, u)[-1], u)])
    assert all(numpy.isnan(part.full()).all() for part in both([1.0, -1e300]))


def test_what_does_not_fit_is_one_sentence(solve, u, pendulum):
    with pytest.raises(TypeError, match="'q' is an SX"):
        solve({"q": casadi.SX.sym("q")})
    with pytest.raises(ValueError, match=r"'q' has shape \(2, 1\); a number is needed"):
        solve({"q": u})
    with pytest.raises(ValueError, match="unknown parameter 'gama'; did you mean gamma"):
        solve({}, {"gama": 1.0})
    with pytest.raises(RuntimeError, match="Derivatives cannot be calculated for adj1_herglotz_run"):
        casadi.nlpsol("no_hessian", "ipopt", {"x": u, "f": columns(solve, u)[-1]}, QUIET)
    stiff = pendulum.to_casadi_solve(TIMES, method="stiff", columns=["q"])
    slope = casadi.Function("slope", [u], [casadi.gradient(columns(stiff, u)[-1], u)])
    with pytest.raises(RuntimeError, match="method stiff is not differentiated"):
        slope([1.0, 0.3])
