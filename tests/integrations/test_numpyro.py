"""NUTS of NumPyro on runs as functions of JAX."""

import jax
import numpy
import numpyro
import pytest
from conftest import NOISE

jax.config.update("jax_enable_x64", True)


def test_nuts_samples_what_a_fit_estimates(pendulum, times, measured, fitted):
    solve = pendulum.to_jax_solve(times, method="runge-kutta-8", step=0.125, columns=["q"], failures="nan")

    def model():
        gamma = numpyro.sample("gamma", numpyro.distributions.HalfNormal(1.0))
        q = numpyro.sample("q", numpyro.distributions.Normal(1.0, 1.0))
        numpyro.sample("measured", numpyro.distributions.Normal(solve({"q": q}, {"gamma": gamma})["q"], NOISE), obs=measured)

    sampler = numpyro.infer.MCMC(numpyro.infer.NUTS(model), num_warmup=500, num_samples=1000, progress_bar=False)
    sampler.run(jax.random.key(3), extra_fields=("diverging",))
    assert int(sampler.get_extra_fields()["diverging"].sum()) == 0
    for name, draws in sampler.get_samples().items():
        assert abs(numpy.mean(draws) - fitted.parameters[name]) < 0.3 * fitted.deviations[name]
        assert numpy.std(draws) == pytest.approx(fitted.deviations[name], rel=0.2)
