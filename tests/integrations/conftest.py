"""What the tests of runs in other libraries share: a damped pendulum, and measurements of it."""

import numpy
import pytest

import herglotz as hz

NOISE = 0.02


@pytest.fixture(scope="session")
def pendulum():
    return hz.System(hz.tangent("q"), lagrangian="v_q**2/2 - k*(1 - cos(q)) - gamma*z",
                     parameters={"gamma": 0.2, "k": 1.7}, initial={"q": 1.2})


@pytest.fixture(scope="session")
def times():
    return numpy.arange(1, 61) / 8


@pytest.fixture(scope="session")
def measured(pendulum, times):
    """The angle from q = 1.3 with gamma = 0.3, with normal errors."""
    run = hz.simulate(pendulum, {"q": 1.3}, parameters={"gamma": 0.3}, method="reference", t_end=times[-1], output_step=1/8)
    return run["q"].values[1:] + NOISE * numpy.random.default_rng(5).standard_normal(times.size)


@pytest.fixture(scope="session")
def fitted(pendulum, times, measured):
    return hz.fit(pendulum, {"t": times, "q": measured}, ["gamma"], initial=["q"], noise=NOISE, method="reference")
