"""Compiled right-hand sides under the transformations of JAX."""

import jax
import jax.numpy as jnp
import numpy
import pytest

import herglotz as hz

jax.config.update("jax_enable_x64", True)
DRIVEN = hz.System(hz.tangent("q", "v"), "v^2/2 - q^4/4 - gamma*z + q*sin(3*t)", parameters={"gamma": 0.1})


@pytest.fixture(params=["kepler-drag", "heavy-top", "chaplygin-sleigh"])
def field(request):
    return hz.model(request.param).vector_field()


def state(field):
    return numpy.linspace(0.3, 0.9, len(field.names))


def test_values_are_those_of_the_field(field):
    f, u = field.to_jax(), state(field)
    assert (numpy.asarray(f(0.1, u)) == field(0.1, u)).all()
    assert (numpy.asarray(jax.jit(f)(0.1, u)) == field(0.1, u)).all()


def test_derivatives_are_the_compiled_jacobian(field):
    f, u = field.to_jax(), state(field)
    J = field.jacobian(0.1, u)
    w = numpy.cos(numpy.arange(len(u)))
    value, rate = jax.jit(lambda u, w: jax.jvp(lambda u: f(0.1, u), (u,), (w,)))(u, w)
    assert (numpy.asarray(value) == field(0.1, u)).all()
    numpy.testing.assert_allclose(rate, J @ w, rtol=1e-14)
    numpy.testing.assert_allclose(jax.jacrev(lambda u: f(0.1, u))(u), J, rtol=1e-14)
    numpy.testing.assert_allclose(jax.grad(lambda u: f(0.1, u) @ w)(u), w @ J, rtol=1e-13, atol=1e-13)


def test_many_states_and_times_are_mapped(field):
    f = field.to_jax()
    states = numpy.random.default_rng(3).uniform(0.3, 0.9, size=(4, len(field.names)))
    times = numpy.linspace(0, 1, 4)
    both = jax.jit(jax.vmap(f))(times, states)
    inner = jax.vmap(jax.vmap(f, (None, 0)), (0, None))(times, states)
    slopes = jax.vmap(jax.jacfwd(f, argnums=1))(times, states)
    for k in range(4):
        assert (numpy.asarray(both[k]) == field(times[k], states[k])).all()
        assert (numpy.asarray(inner[1, k]) == field(times[1], states[k])).all()
        numpy.testing.assert_allclose(slopes[k], field.jacobian(times[k], states[k]), rtol=1e-14)


def test_time_is_differentiated():
    f = DRIVEN.vector_field().to_jax()
    u = jnp.array([0.3, 0.4, 0.5])
    rate = jax.jit(jax.jacfwd(f))(0.7, u)
    numpy.testing.assert_allclose(rate[:2], [0.0, 3 * numpy.cos(2.1)], atol=1e-10)
    numpy.testing.assert_allclose(rate[2], 0.3 * 3 * numpy.cos(2.1), rtol=1e-9)


def test_a_derivative_in_time_that_is_not_there_does_no_harm():
    # sqrt(t) has no derivative in time at 0, and rates before 0 are not defined
    f = hz.System(hz.tangent("q", "v"), "v^2/2 - q^2/2 + q*sqrt(t)").vector_field().to_jax()
    u = jnp.array([0.3, 0.4, 0.5])
    field = jax.jit(lambda u: f(0.0, u))
    assert jnp.isfinite(jax.jvp(field, (u,), (u,))[1]).all() and jnp.isfinite(jax.jacrev(field)(u)).all()
    assert jnp.isnan(jax.jacfwd(f)(0.0, u)[1])


def test_second_derivatives_are_not_there(field):
    with pytest.raises(NotImplementedError, match="a vector field has first derivatives only"):
        jax.hessian(lambda u: field.to_jax()(0.0, u)[0])(state(field))


def test_diffrax_reaches_the_same_end_and_its_gradient_is_the_sensitivity():
    import diffrax

    system = hz.model("damped-pendulum")
    f = system.vector_field().to_jax()
    u0 = numpy.array([system.initial.get(name, 0.0) for name in system.state])

    @jax.jit
    def end(u):
        return diffrax.diffeqsolve(diffrax.ODETerm(f), diffrax.Dopri8(), 0.0, 2.0, None, u,
                                   stepsize_controller=diffrax.PIDController(rtol=1e-11, atol=1e-12)).ys[-1]

    def ours(u):
        run = hz.simulate(system, dict(zip(system.state, u)), t_end=2.0, tolerance=1e-13)
        return numpy.array([float(run[name][-1]) for name in system.state])

    numpy.testing.assert_allclose(end(u0), ours(u0), rtol=1e-9)
    gradient = jax.jit(jax.grad(lambda u: end(u)[0]))(u0)
    h = 1e-4
    differences = [(ours(u0 + h * e) - ours(u0 - h * e))[0] / (2 * h) for e in numpy.eye(3)]
    numpy.testing.assert_allclose(gradient, differences, rtol=1e-6, atol=1e-8)


def test_arrays_of_jax_are_states(field):
    u = state(field)
    assert (field(0.1, jnp.asarray(u)) == field(0.1, u)).all()
    assert (field.jacobian(jnp.asarray(0.1), jnp.asarray(u)) == field.jacobian(0.1, u)).all()


def test_what_does_not_fit_is_one_sentence():
    f = DRIVEN.vector_field().to_jax()
    with pytest.raises(ValueError, match=r"shape \(3,\) is needed, not \(2,\)"):
        f(0.0, jnp.zeros(2))
    with pytest.raises(ValueError, match="args must be None"):
        f(0.0, jnp.zeros(3), 1.0)
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(ValueError, match="jax_enable_x64"):
            f(0.0, numpy.zeros(3))
    finally:
        jax.config.update("jax_enable_x64", True)
