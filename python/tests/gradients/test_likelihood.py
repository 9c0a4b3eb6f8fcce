"""The likelihood of measurements."""

import math
import pickle

import jax
import jax.numpy as jnp
import numpy
import pytest

import herglotz as hz

jax.config.update("jax_enable_x64", True)
TIMES = numpy.array([0.3, 0.52, 1.0, 2.0, 3.1])
SETTINGS = {"method": "runge-kutta-8", "step": 0.05}


@pytest.fixture(scope="module")
def pendulum():
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*(1 - cos(q)) - gamma*z",
                     parameters={"gamma": 0.2, "k": 1.7}, initial={"q": 1.2})


def measured(shift=0.0):
    q = 0.9*numpy.cos(1.1*TIMES + shift)
    return {"t": TIMES, "q": numpy.where(TIMES == 1.0, numpy.nan, q), "energy": -0.3 - 0.1*TIMES}


def differences(density, u):
    slopes = []
    for k in range(density.size):
        def at(e, k=k):
            v = u.copy()
            v[k] += e
            return density(v)
        e = 1e-3
        slopes.append((8*(at(e) - at(-e)) - at(2*e) + at(-2*e)) / (12*e))
    return slopes


def test_it_is_the_density_of_normal_errors(pendulum):
    density = hz.log_likelihood(pendulum, measured(), ["gamma"], initial=["q"], noise={"q": 0.1, "energy": 0.2}, **SETTINGS)
    assert density.names == ("gamma", "q") and density.samples == 9
    solve = pendulum.to_jax_solve(TIMES, columns=["q", "energy"], **SETTINGS)
    run, data = solve({"q": 1.1}, {"gamma": 0.3}), measured()
    expected = 0.0
    for name, noise in (("q", 0.1), ("energy", 0.2)):
        for value, at in zip(data[name], numpy.asarray(run[name])):
            if not math.isnan(value):
                expected -= (value - at)**2 / (2*noise**2) + math.log(noise*math.sqrt(2*math.pi))
    assert density({"gamma": 0.3, "q": 1.1}) == pytest.approx(expected, rel=1e-12)
    assert density([0.3, 1.1]) == density({"q": 1.1, "gamma": 0.3})


def test_its_gradient_is_that_of_differences(pendulum):
    density = hz.log_likelihood(pendulum, [measured(), measured(0.4)], ["k", "gamma"], initial=["q"], noise=None,
                                start=[{"v_q": 0.1}, {}], **SETTINGS)
    assert density.names == ("k", "gamma", "q[1]", "q[2]", "sigma.q", "sigma.energy")
    u = numpy.array([1.5, 0.25, 1.1, 0.9, 0.3, 0.4])
    value, gradient = density.value_and_gradient(u)
    assert value == density(u)
    assert gradient == pytest.approx(differences(density, u), rel=1e-8)
    assert gradient["sigma.q"] == gradient[4]


def test_its_maximum_is_the_fit(pendulum):
    asked = {"noise": 0.05, "start": {"k": 1.5}}
    with pytest.warns(UserWarning, match="chi squared|residuals of"):  # the data are of no pendulum
        found = hz.fit(pendulum, measured(), ["gamma", "k"], initial=["q"], **asked, **SETTINGS)
    density = hz.log_likelihood(pendulum, measured(), ["gamma", "k"], initial=["q"], noise=0.05, **SETTINGS)
    value, gradient = density.value_and_gradient(found.parameters)
    assert value == pytest.approx(found.log_likelihood, rel=1e-12)
    assert gradient * [found.deviations[name] for name in density.names] == pytest.approx([0, 0, 0], abs=1e-4)


def test_it_is_differentiated_by_jax(pendulum):
    of = hz.log_likelihood(pendulum, measured(), ["gamma"], initial=["q"], noise=0.1, **SETTINGS)
    density = of.to_jax()
    value, gradient = of.value_and_gradient([0.3, 1.1])

    def by_vector(u):
        return density({"gamma": u[0], "q": u[1]})
    u = jnp.array([0.3, 1.1])
    assert float(jax.jit(by_vector)(u)) == value
    assert numpy.asarray(jax.jit(jax.grad(by_vector))(u)) == pytest.approx(numpy.asarray(gradient), rel=1e-12)
    assert numpy.asarray(jax.jacfwd(by_vector)(u)) == pytest.approx(numpy.asarray(gradient), rel=1e-12)
    many = jax.vmap(jax.grad(by_vector))(jnp.stack([u, u + 0.1]))
    assert numpy.asarray(many[0]) == pytest.approx(numpy.asarray(gradient), rel=1e-12)
    values = jax.vmap(by_vector)(jnp.stack([u, u + 0.1]))
    assert float(values[1]) == pytest.approx(of([0.4, 1.2]), rel=1e-12)


def test_a_failure_is_raised_or_nan(pendulum):
    asked = {"noise": None, **SETTINGS}
    with pytest.raises(ValueError, match="a standard deviation is -1; a positive one is needed"):
        hz.log_likelihood(pendulum, {"t": TIMES, "q": TIMES}, ["k"], **asked)([1.0, -1.0])
    density = hz.log_likelihood(pendulum, {"t": TIMES, "q": TIMES}, ["k"], failures="nan", **asked)
    assert math.isnan(density([1.0, -1.0])) and math.isnan(density([math.inf, 1.0]))
    assert numpy.isnan(density.value_and_gradient([math.nan, 1.0])[1]).all()


def test_it_is_pickled(pendulum):
    density = hz.log_likelihood(hz.model("damped-pendulum"), {"t": TIMES, "theta": TIMES}, ["gamma"], noise=0.1, **SETTINGS)
    again = pickle.loads(pickle.dumps(density))
    assert again.names == density.names
    assert again([0.2]) == density([0.2])


def test_bad_input_is_one_sentence(pendulum):
    data = {"t": TIMES, "q": TIMES}
    for asked, message in [({"parameters": ["gama"]}, "unknown name 'gama'; did you mean gamma"),
                           ({}, "no unknown is named"),
                           ({"parameters": ["k", "k"]}, "the unknown k is named twice"),
                           ({"parameters": ["k"], "noise": -1.0}, "a positive standard deviation is needed"),
                           ({"parameters": ["k"], "noise": {"q": -1.0}}, "the noise of q is not positive"),
                           ({"parameters": ["k"], "noise": {"q": [*TIMES[1:], numpy.nan]}}, "the noise of q is not positive"),
                           ({"parameters": ["k"], "failures": "zero"}, "failures = 'zero'"),
                           ({"parameters": ["k"], "t_end": 2.0}, "t_end is given, and a log_likelihood has the times")]:
        with pytest.raises(ValueError, match=message):
            hz.log_likelihood(pendulum, data, **asked)
    with pytest.raises(ValueError, match="no column 'theta' has derivatives"):
        hz.log_likelihood(pendulum, {"t": TIMES, "theta": TIMES}, ["k"])
    with pytest.raises(ValueError, match="the times of the data do not ascend"):
        hz.log_likelihood(pendulum, {"t": TIMES[::-1], "q": TIMES}, ["k"])
    density = hz.log_likelihood(pendulum, data, ["k"], noise=0.1)
    for values, message in [({"g": 1.0}, "'g' is not an unknown"), ({}, "no value of 'k' is given"), ([1.0, 2.0], "shape")]:
        with pytest.raises(ValueError, match=message):
            density(values)
