"""Compiled functions of a system, for SciPy, NumPy and JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _herglotz
from ._model import CompiledModel
from .arguments import shown, to_array, to_finite, to_number, to_string, to_table

if TYPE_CHECKING:
    import jax

Vector = NDArray[numpy.float64]


class VectorField:
    """The motion as du/dt = f(t, u), compiled, with u = (x, w, z) in the order of `names` (and nu if vakonomic).

    >>> f = system.vector_field({"gamma": 0.2})
    >>> scipy.integrate.solve_ivp(f, (0, 10), u0, jac=f.jacobian, vectorized=True)

    A state has shape (N,); several have (N, k), as SciPy's `vectorized` passes them. If the accelerations are not
    determined, the rates are NaN.
    """

    def __init__(self, system: CompiledModel, parameters: Mapping[Any, float] | None = None):
        self._made_of = (_of_system(system), _values(parameters))
        self._functions = _herglotz.Functions(system._model, self._made_of[1])
        self._symmetries = system._model.symmetries
        carried = self._functions.equation if system.rule == "vakonomic" else ()
        self.names = system.state + tuple(system._model.multipliers[k] for k in carried)

    def __reduce__(self) -> tuple[Any, ...]:
        return VectorField, self._made_of

    def __repr__(self) -> str:
        return f"<herglotz.VectorField of {self._made_of[0]._model.name}: {', '.join(self.names)}>"

    def __call__(self, t: float, u: ArrayLike) -> Vector:
        return self._functions.rates(to_number("t", t), _array(u))

    def jacobian(self, t: float, u: ArrayLike) -> Vector:
        """df/du (N, N)."""
        return self._functions.jacobian(to_number("t", t), _array(u))

    def to_jax(self) -> Callable[..., jax.Array]:
        """f(t, u) for JAX: under jit and vmap, differentiated by the compiled Jacobian, and a vector field for diffrax.

        >>> jax.config.update("jax_enable_x64", True)
        >>> f = system.vector_field().to_jax()
        >>> diffrax.diffeqsolve(diffrax.ODETerm(f), diffrax.Dopri8(), 0, 10, 0.01, u0)

        A third argument, which diffrax passes, must be None: parameters are those of this vector field. Derivatives are
        first ones, forward and reverse; that in t is a central difference of order 4. Compiled code calls it without
        Python where `jax_calls` says "xla". Raises ValueError where JAX has 64-bit numbers switched off.
        """
        from .jax_function import jax_function
        return jax_function(self._functions)

    def energy(self, t: float, u: ArrayLike) -> Vector:
        """The Herglotz energy E = p_a y^a - L."""
        return self._functions.laws(to_number("t", t), _array(u))[1]

    def dissipation_rate(self, t: float, u: ArrayLike) -> Vector:
        """dL/dz."""
        return self._functions.laws(to_number("t", t), _array(u))[0]

    def momentum(self, name: str, t: float, u: ArrayLike) -> Vector:
        """J_s = p_a s^a of the symmetry of that name."""
        if to_string("name", name) not in self._symmetries:
            raise ValueError(f"no symmetry '{name}'; there are {', '.join(self._symmetries) or 'none'}")
        return self._functions.laws(to_number("t", t), _array(u))[2 + self._symmetries.index(name)]

    def momenta(self, t: float, u: ArrayLike) -> Vector:
        """p = dL/dy (r)."""
        return self._functions.momenta(to_number("t", t), _array(u))

    def multipliers(self, t: float, u: ArrayLike) -> Vector:
        """lambda (nu for a vakonomic system) of the independent constraints, in the order of the model (m)."""
        return self._functions.multipliers(to_number("t", t), _array(u))


class StepMap:
    """One step of a fixed-step method as a map of the state: what a discrete dynamical system is.

    Steps of a singular Lagrangian are moved onto its final constraint set, as those of a run are; its parameters are
    those of the model.

    >>> step = system.step_map("contact-gauss-4", 0.1)
    >>> u1 = step(0.0, u0)
    """

    def __init__(self, system: CompiledModel, method: str, step: float, parameters: Mapping[Any, float] | None = None):
        self.step = to_finite("step", step)
        self._made_of = (_of_system(system), to_string("method", method), self.step, _values(parameters))
        self._map = _herglotz.StepMap(system._model, self._made_of[3], method, self.step)

    def __reduce__(self) -> tuple[Any, ...]:
        return StepMap, self._made_of

    def __repr__(self) -> str:
        return f"<herglotz.StepMap of {self._made_of[0]._model.name}: {self._made_of[1]}, step {self.step}>"

    def __call__(self, t: float, u: ArrayLike) -> Vector:
        return self._map.step(to_number("t", t), _array(u))[0]

    def factor(self, t: float, u: ArrayLike) -> float:
        """The conformal factor of the step: what it multiplies dissipated momenta by, close to exp(int L_z)."""
        return self._map.step(to_number("t", t), _array(u))[1]


def _values(parameters: Mapping[Any, float] | None) -> dict[str, float]:
    return {str(name): to_number(name, value) for name, value in to_table("parameters", parameters).items()}


def _array(u: ArrayLike) -> Vector:
    known = type(u) is numpy.ndarray and u.dtype == numpy.float64
    return numpy.asarray(u if known else to_array("u", u), order="C")


def _of_system(system: CompiledModel) -> CompiledModel:
    if not isinstance(system, CompiledModel):
        raise TypeError(f"system = {shown(system)}; a herglotz.System is needed")
    return system
