"""Runs as operations of PyTensor, and NUTS of PyMC on them."""

import pickle

import numpy
import pymc
import pytensor
import pytensor.tensor as pt
import pytest
from conftest import NOISE
from pytensor.graph.replace import vectorize_graph

import herglotz as hz

TIMES = [0.0, 0.5, 1.0, 2.0]


@pytest.fixture(params=["runge-kutta-4", "contact-gauss-4", "taylor"])
def solve(request, pendulum):
    return pendulum.to_pytensor_solve(TIMES, method=request.param, step=0.05, columns=["q", "energy"])


@pytest.fixture
def given():
    return pt.dscalars("q", "gamma")


def test_values_are_those_of_the_run(solve, given, pendulum):
    found = pytensor.function(given, solve({"q": given[0]}, {"gamma": given[1]}))(1.1, 0.3)
    run = hz.simulate(pendulum, {"q": 1.1}, parameters={"gamma": 0.3}, method="reference", t_end=2.0, output_step=0.5)
    for name in ("q", "energy"):
        numpy.testing.assert_allclose(found[name], run[name].values[[0, 1, 2, 4]], rtol=1e-5)


def test_derivatives_are_those_of_the_run(solve, given):
    u = [numpy.array(1.1), numpy.array(0.3)]
    pytensor.gradient.verify_grad(lambda q, gamma: solve({"q": q}, {"gamma": gamma})["energy"] +
                                  solve({"q": q}, {"gamma": gamma})["q"], u, rng=numpy.random.default_rng(1))
    q = solve({"q": given[0]}, {"gamma": given[1]})["q"]
    jacobian = pytensor.function(given, pytensor.gradient.jacobian(q, given))(*u)
    along = pytensor.function(given, pytensor.gradient.Rop(q, given, [pt.constant(0.4), pt.constant(-0.7)]))(*u)
    numpy.testing.assert_allclose(along, 0.4 * jacobian[0] - 0.7 * jacobian[1], rtol=1e-12, atol=1e-14)


def test_graphs_are_vectorised_and_pickled(solve, given):
    q, gamma = given
    end = solve({"q": q}, {"gamma": gamma})["q"][-1]
    one = pytensor.function(given, [end, pytensor.grad(end, gamma)])
    qs = pt.dvector("qs")
    ends = vectorize_graph(end, {q: qs})
    many = pytensor.function([qs, gamma], [ends, pytensor.grad(ends.sum(), gamma)])([1.1, 0.7], 0.3)
    singles = [one(value, 0.3) for value in (1.1, 0.7)]
    numpy.testing.assert_array_equal(many[0], [value for value, _ in singles])
    assert many[1] == pytest.approx(sum(slope for _, slope in singles), rel=1e-13)
    numpy.testing.assert_array_equal(pickle.loads(pickle.dumps(one))(1.1, 0.3), singles[0])


def test_nuts_samples_what_a_fit_estimates(pendulum, times, measured, fitted):
    solve = pendulum.to_pytensor_solve(times, method="runge-kutta-8", step=0.125, columns=["q"], failures="nan")
    with pymc.Model():
        gamma, q = pymc.HalfNormal("gamma", 1.0), pymc.Normal("q", 1.0, 1.0)
        pymc.Normal("measured", solve({"q": q}, {"gamma": gamma})["q"], NOISE, observed=measured)
        trace = pymc.sample(500, tune=500, chains=2, cores=1, random_seed=3, progressbar=False)
    assert int(trace.sample_stats["diverging"].sum()) == 0
    for name in ("gamma", "q"):
        draws = trace.posterior[name].values.ravel()
        assert abs(draws.mean() - fitted.parameters[name]) < 0.3 * fitted.deviations[name]
        assert draws.std() == pytest.approx(fitted.deviations[name], rel=0.2)


def test_the_likelihood_is_an_operation(pendulum, times, measured):
    density = hz.log_likelihood(pendulum, {"t": times, "q": measured}, ["gamma"], initial=["q"], noise=NOISE,
                                method="runge-kutta-8", step=0.125, failures="nan")
    logarithm = density.to_pytensor()
    gamma, q = pt.dscalars("gamma", "q")
    value = logarithm({"q": q, "gamma": gamma})
    found = pytensor.function([gamma, q], [value, *pytensor.grad(value, [gamma, q])])(0.3, 1.2)
    numpy.testing.assert_allclose(found, [density([0.3, 1.2]), *density.value_and_gradient([0.3, 1.2])[1]], rtol=1e-13)
    pytensor.gradient.verify_grad(lambda gamma, q: logarithm({"gamma": gamma, "q": q}),
                                  [numpy.array(0.3), numpy.array(1.2)], rng=numpy.random.default_rng(1))
    gammas = pt.dvector("gammas")
    many = pytensor.function([gammas, q], vectorize_graph(value, {gamma: gammas}))([0.3, 0.4], 1.2)
    numpy.testing.assert_allclose(many, [density([0.3, 1.2]), density([0.4, 1.2])], rtol=1e-13)


def test_a_run_that_fails_is_an_error_or_nan(pendulum, given):
    _, gamma = given
    with pytest.raises(hz.RunError, match="not finite"):
        pendulum.to_pytensor_solve(TIMES)({}, {"gamma": gamma})["q"].eval({gamma: -1e300})
    q = pendulum.to_pytensor_solve(TIMES, failures="nan")({}, {"gamma": gamma})["q"]
    both = pytensor.function([gamma], [q[-1], pytensor.grad(q[-1], gamma)])
    assert numpy.isfinite(both(0.3)).all()
    assert numpy.isnan(both(-1e300)).all()
    assert numpy.isnan(both(numpy.inf)).all()


def test_what_does_not_fit_is_one_sentence(solve, given, pendulum):
    q, _ = given
    with pytest.raises(TypeError, match="'q' is of float32; runs have 64-bit numbers, give float64"):
        solve({"q": pt.fscalar()})
    with pytest.raises(ValueError, match="'q' has 1 dimensions; a number is needed"):
        solve({"q": pt.dvector()})
    with pytest.raises(ValueError, match="unknown initial value 'p'"):
        solve({"p": q})
    with pytest.raises(pytensor.gradient.NullTypeGradError, match="first derivatives only"):
        pytensor.grad(pytensor.grad(solve({"q": q})["q"][-1], q), q)
    stiff = pendulum.to_pytensor_solve(TIMES, method="stiff")({"q": q})["q"][-1]
    with pytest.raises(ValueError, match="method stiff is not differentiated"):
        pytensor.grad(stiff, q).eval({q: 1.0})
