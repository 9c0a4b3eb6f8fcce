"""Runs under the transformations of JAX."""

import jax
import jax.numpy as jnp
import numpy
import pytest

import herglotz as hz

jax.config.update("jax_enable_x64", True)
TIMES = numpy.array([0.0, 0.52, 1.0, 2.0])
PENDULUM = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*(1 - cos(q)) - gamma*z",
                     parameters={"gamma": 0.2, "k": 1.7}, initial={"q": 1.2})


@pytest.fixture(params=["runge-kutta-4", "contact-gauss-4"])
def solve(request):
    return PENDULUM.to_jax_solve(TIMES, method=request.param, step=0.05, columns=["q", "energy"])


def both(solve):
    return lambda u: solve({"q": u[0]}, {"gamma": u[1]})


def stacked(solve):
    return lambda u: jnp.stack(list(both(solve)(u).values()))


def test_values_are_those_of_the_run(solve):
    found = jax.jit(both(solve))(jnp.array([1.1, 0.3]))
    assert set(found) == {"q", "energy"}
    value, _ = hz.value_and_gradient(PENDULUM, "q + energy", {"q": 1.1}, parameters={"gamma": 0.3}, wrt=["k"],
                                     method="runge-kutta-8", step=0.05, t_end=2.0)
    assert float(found["q"][-1] + found["energy"][-1]) == pytest.approx(value, rel=1e-4)
    assert float(found["q"][0]) == 1.1


def test_derivatives_are_those_of_the_run(solve):
    u, f = jnp.array([1.1, 0.3]), stacked(solve)
    forward, reverse = jax.jit(jax.jacfwd(f))(u), jax.jacrev(f)(u)
    numpy.testing.assert_allclose(forward, reverse, rtol=1e-13, atol=1e-14)
    for k, e in enumerate(1e-3*numpy.eye(2)):
        beside = (8*(f(u + e) - f(u - e)) - (f(u + 2*e) - f(u - 2*e)))/12e-3
        numpy.testing.assert_allclose(forward[..., k], beside, rtol=1e-8, atol=1e-9)


def test_the_transpose_is_that_of_the_derivative(solve):
    # <c, J v> = <J^T c, v>
    f = stacked(solve)
    u, v, c = jnp.array([1.1, 0.3]), jnp.array([0.4, -0.7]), jnp.cos(jnp.arange(8.0)).reshape(2, 4)
    along, back = jax.jvp(f, (u,), (v,))[1], jax.vjp(f, u)[1](c)[0]
    assert float(jnp.vdot(c, along)) == pytest.approx(float(jnp.vdot(back, v)), rel=1e-13)


def test_many_are_mapped(solve):
    us = jnp.array([[1.1, 0.3], [0.7, 0.2], [0.2, 0.1]])

    def end(u):
        return both(solve)(u)["q"][-1]

    values, slopes = jax.jit(jax.vmap(jax.value_and_grad(end)))(us)
    for u, value, slope in zip(us, values, slopes):
        assert float(value) == float(end(u))
        numpy.testing.assert_allclose(slope, jax.grad(end)(u), rtol=1e-13)
    assert numpy.allclose(jax.grad(lambda us: jax.vmap(end)(us).sum())(us), slopes)


def test_what_is_not_named_is_as_the_system_has_it(solve):
    assert float(solve()["q"][0]) == 1.2
    assert float(jax.grad(lambda k: solve(parameters={"k": k})["energy"][0])(1.7)) == pytest.approx(1 - numpy.cos(1.2))


def test_what_does_not_fit_is_one_sentence():
    with pytest.raises(ValueError, match="no column 'p'"):
        PENDULUM.to_jax_solve([1.0], columns=["p"])
    with pytest.raises(ValueError, match="list of times"):
        PENDULUM.to_jax_solve([])
    solve = PENDULUM.to_jax_solve([1.0], method="runge-kutta-4", step=0.1)
    with pytest.raises(ValueError, match="vmap"):
        solve({"q": jnp.ones(2)})
    with pytest.raises(NotImplementedError, match="second"):
        jax.hessian(lambda q: solve({"q": q})["q"][0])(1.0)
    with pytest.raises(ValueError, match="unknown parameter 'gama'; did you mean gamma"):
        solve(parameters={"gama": 0.1})
    with pytest.raises(ValueError, match="unknown initial value 'k'; there are q"):
        solve({"k": 0.1})
    with pytest.raises(ValueError, match='failures = 1; "raise" or "nan"'):
        PENDULUM.to_jax_solve([1.0], failures=1)
    with pytest.raises(ValueError, match="columns = "):
        PENDULUM.to_jax_solve([1.0], columns=[])


def test_a_run_that_fails_is_an_error_or_nan():
    def end(gamma, failures):
        return PENDULUM.to_jax_solve(TIMES, method="runge-kutta-4", step=0.05, failures=failures)({}, {"gamma": gamma})["q"][-1]

    with pytest.raises(Exception, match="not finite"):
        end(-1e300, "raise").block_until_ready()
    both = jax.vmap(jax.value_and_grad(lambda gamma: end(gamma, "nan")))
    values, slopes = both(jnp.array([-1e300, jnp.inf, 0.3]))
    assert jnp.isnan(values).tolist() == jnp.isnan(slopes).tolist() == [True, True, False]
    assert values[2] == end(0.3, "raise")


def test_a_derivative_that_is_not_there_is_an_error_or_nan():
    # both balls reach the floor at once, so the order of the impacts is not a smooth function of the start
    balls = hz.System(hz.tangent(["q", "r"], ["v", "w"]), "v^2/2 + w^2/2 - 9.81*(q + r)", initial={"q": 1.0, "r": 1.0},
                      impacts={"left": {"gap": "q", "restitution": "1/2"}, "right": {"gap": "r", "restitution": "1/2"}})

    def end(failures):
        solve = balls.to_jax_solve([0.6], method="reference", columns=["q"], failures=failures)
        return jax.value_and_grad(lambda q: solve({"q": q})["q"][0])

    with pytest.raises(Exception, match="another event change the state at one time"):
        end("raise")(1.0)
    value, slope = end("nan")(1.0)
    assert jnp.isfinite(value) and jnp.isnan(slope)
    assert jnp.isfinite(end("raise")(1.1)[1])
    weights = jnp.array([1.0, 2.0, 3.0])
    solve = balls.to_jax_solve([0.6], method="reference", columns=["q"], failures="nan")
    slopes = jax.grad(lambda q: weights @ jax.vmap(lambda q: solve({"q": q})["q"][0])(q))(jnp.array([jnp.nan, 1.0, 1.1]))
    assert jnp.isnan(slopes).tolist() == [True, True, False]
    assert float(slopes[2]) == pytest.approx(float(3 * end("raise")(1.1)[1]), rel=1e-13)
