"""Runs and rates in code that JAX compiles: custom calls of XLA, without Python."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy
import pytest

import herglotz as hz
from herglotz.gradients.runs import Runs
from herglotz.gradients.vector_function import VectorFunction

jax.config.update("jax_enable_x64", True)
TIMES = numpy.array([0.5, 1.0, 2.0])
SETTINGS = {"method": "runge-kutta-8", "step": 0.05}
DATA = {"t": TIMES, "theta": numpy.cos(TIMES)}


@pytest.fixture(scope="module")
def pendulum():
    return hz.model("damped-pendulum")


def end_of(system, **settings):
    solve = system.to_jax_solve(TIMES, **{**SETTINGS, **settings})
    return lambda u: solve({"theta": u[0]}, {"gamma": u[1]})["theta"][-1]


def density_of(system, **settings):
    density = hz.log_likelihood(system, DATA, ["gamma"], initial=["theta"], noise=0.1, **{**SETTINGS, **settings}).to_jax()
    return lambda u: density({"theta": u[0], "gamma": u[1]})


def rate_of(system):
    f = system.vector_field().to_jax()
    return lambda u: f(0.1, jnp.array([u[0], u[1], 0.2])) @ jnp.array([0.3, 0.2, 0.1])


U = jnp.array([1.1, 0.3])
MANY = jnp.stack([U, U + 0.1, U + 0.2])


@pytest.mark.parametrize("of", [end_of, density_of, rate_of])
@pytest.mark.parametrize(("transformed", "at", "targets"), [
    (lambda f: f, U, {"values"}),
    (jax.value_and_grad, U, {"values", "adjoint"}),
    (jax.jacfwd, U, {"variation"}),
    (jax.jacrev, U, {"adjoint"}),
    (lambda f: lambda u: jax.jvp(f, (u,), (u,)), U, {"values", "variation"}),
    (jax.vmap, MANY, {"values"}),
    (lambda f: jax.vmap(jax.value_and_grad(f)), MANY, {"values", "adjoint"}),
    (lambda f: jax.vmap(jax.jacfwd(f)), MANY, {"variation"})])
def test_compiled_code_has_no_python(pendulum, of, transformed, at, targets, monkeypatch):
    assert hz.jax_calls() == "xla"
    f = transformed(of(pendulum))
    compiled = jax.jit(f).lower(at).compile()
    text = compiled.as_text()
    assert "callback" not in text
    assert {target for target in ("values", "variation", "adjoint") if f'"herglotz_{target}"' in text} == targets
    expected = f(at)  # what Python calls, outside of jit

    def called(*_):
        raise AssertionError("compiled code has called Python")
    monkeypatch.setattr(VectorFunction, "_called", staticmethod(called))
    for found, value in zip(jax.tree.leaves(compiled(at)), jax.tree.leaves(expected), strict=True):
        numpy.testing.assert_array_equal(found, value)


def test_values_are_the_bits_of_a_run(pendulum):
    solve = pendulum.to_jax_solve(TIMES, **SETTINGS)
    many = jnp.linspace(0.1, 0.5, 40)
    found = jax.jit(jax.vmap(lambda gamma: solve({"theta": 1.1}, {"gamma": gamma})))(many)
    for k in (0, 17, 39):
        run = hz.simulate(pendulum, {"theta": 1.1}, parameters={"gamma": float(many[k])}, t_end=2.0, output_step=0.5, **SETTINGS)
        for name, values in found.items():
            numpy.testing.assert_array_equal(values[k], run[name].sel(t=TIMES, method="nearest"))


def test_small_numbers_are_not_flushed_to_zero():
    f = hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - q**2/2").to_jax_solve([1.0], method="runge-kutta-8", step=0.1)
    found = jax.jit(lambda q: f({"q": q, "v_q": q})["q"])(1e-310)
    assert float(found[0]) == pytest.approx(1e-310*(numpy.cos(1) + numpy.sin(1)), rel=1e-10)


def test_errors_are_sentences(pendulum):
    with pytest.raises(jax.errors.JaxRuntimeError, match="not finite at t = 0"):
        jax.jit(end_of(pendulum))(jnp.array([1.1, -1e300])).block_until_ready()
    with pytest.raises(hz.RunError, match="not finite at t = 0"):
        end_of(pendulum)(jnp.array([1.1, -1e300]))
    with pytest.raises(jax.errors.JaxRuntimeError, match="step"):
        jax.jit(end_of(pendulum, step=-1.0))(U).block_until_ready()
    density = hz.log_likelihood(pendulum, DATA, ["gamma"], **SETTINGS).to_jax()
    with pytest.raises(jax.errors.JaxRuntimeError, match="a standard deviation is -1; a positive one is needed"):
        jax.jit(lambda sigma: density({"gamma": 0.2, "sigma.theta": sigma}))(-1.0).block_until_ready()


@pytest.mark.parametrize("of", [end_of, density_of])
def test_failures_may_be_nan(pendulum, of):
    f = of(pendulum, failures="nan")
    bad = jnp.array([[1.1, -1e300], [jnp.nan, 0.3], U, [1.1, jnp.inf]])
    values, slopes = jax.jit(jax.vmap(jax.value_and_grad(f)))(bad)
    assert jnp.isnan(values).tolist() == [True, True, False, True]
    assert jnp.isnan(slopes).tolist() == [[True, True], [True, True], [False, False], [True, True]]
    value, slope = jax.jit(jax.value_and_grad(f))(U)
    assert value == values[2] and slope.tolist() == slopes[2].tolist()


def test_many_threads_find_the_same_bits(pendulum):
    slow, many = jax.jit(jax.value_and_grad(end_of(pendulum))), jax.jit(jax.vmap(density_of(pendulum)))
    us = [U + 0.01*k for k in range(24)]
    expected = [slow(u) for u in us], [many(jnp.stack([u, 2*u])) for u in us]
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(slow, us)), list(pool.map(lambda u: many(jnp.stack([u, 2*u])), us))
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        numpy.testing.assert_array_equal(one, other)


def test_runs_go_when_nothing_needs_them(pendulum, monkeypatch):
    made, begin = [], Runs.__init__

    def watched(self, *arguments):
        begin(self, *arguments)
        made.append(weakref.ref(self.compiled))
    monkeypatch.setattr(Runs, "__init__", watched)

    def use():
        f = end_of(pendulum)
        jax.jit(jax.value_and_grad(f))(U)
        jax.vmap(jax.jacfwd(f))(MANY)
        return jax.jit(f).lower(U).compile(), f(U)
    compiled = [use() for _ in range(5)]
    gc.collect()
    jax.clear_caches()
    gc.collect()
    assert [reference() is None for reference in made] == [False]*5
    assert all(call(U) == value for call, value in compiled)
    compiled.clear()
    gc.collect()
    assert [reference() is None for reference in made] == [True]*5


@pytest.mark.parametrize(("built", "reason"), [
    (None, "callbacks: herglotz was built where there was no jaxlib"),
    ("99.0.1", "callbacks: herglotz was built with jaxlib 99.0.1, and this is ")])
def test_without_the_header_there_are_callbacks(built, reason):
    program = f"""
import jax
import herglotz as hz
jax.config.update("jax_enable_x64", True)
hz._herglotz.xla_jaxlib = {built!r}
assert hz.jax_calls().startswith({reason!r}), hz.jax_calls()
solve = hz.model("damped-pendulum").to_jax_solve([1.0], method="runge-kutta-8", step=0.05)
f = lambda gamma: solve({{}}, {{"gamma": gamma}})["theta"][0]
call = jax.jit(jax.value_and_grad(f)).lower(0.2).compile()
assert "callback" in call.as_text() and '"herglotz_' not in call.as_text()
found, expected = call(0.2), jax.value_and_grad(f)(0.2)
assert (float(found[0]), float(found[1])) == (float(expected[0]), float(expected[1]))
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("transformed", [lambda f: f, jax.grad, lambda f: lambda u: jax.vmap(f)(jnp.tile(u, (64, 1))).sum()])
def test_ctrl_c_ends_compiled_code(pendulum, transformed):
    handler = signal.getsignal(signal.SIGINT)
    density = hz.log_likelihood(pendulum, {"t": [1e5, 2e5], "theta": [0.1, 0.2]}, ["gamma"], noise=0.1, method="runge-kutta-4",
                                step=1e-3).to_jax()
    f = jax.jit(transformed(lambda u: density({"gamma": u[0]}))).lower(jnp.array([0.2])).compile()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        f(jnp.array([0.2])).block_until_ready()
    assert time.monotonic() - begin < 5
    assert signal.getsignal(signal.SIGINT) == handler
    # The next signal finds the interpreter's handler too.
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
