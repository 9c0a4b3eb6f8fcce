"""Messages if a library is missing to which a function gives runs."""

import sys

import pytest

import herglotz as hz


@pytest.mark.parametrize(("package", "called"), [("torch", "PyTorch"), ("pytensor", "PyTensor"), ("casadi", "CasADi"),
                                                 ("jax", "JAX")])
def test_a_missing_library_is_one_sentence(package, called, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"to_{package}_solve needs {called}; pip install {package}"):
        getattr(hz.model("damped-pendulum"), f"to_{package}_solve")([1.0])


@pytest.mark.parametrize(("package", "called"), [("pytensor", "PyTensor"), ("jax", "JAX")])
def test_so_it_is_where_a_likelihood_is_given(package, called, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    density = hz.log_likelihood(hz.model("damped-pendulum"), {"t": [1.0], "theta": [0.5]}, ["gamma"])
    with pytest.raises(ImportError, match=f"to_{package} needs {called}; pip install {package}"):
        getattr(density, f"to_{package}")()


def test_so_it_is_where_calls_are_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match="jax_calls needs JAX; pip install jax"):
        hz.jax_calls()
