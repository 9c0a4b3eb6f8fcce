"""Derivatives of a system's runs for other libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from herglotz.arguments import to_array, to_names
from herglotz.gradients.linear import Linearisable
from herglotz.settings import given_settings

if TYPE_CHECKING:
    import jax
    from numpy.typing import ArrayLike


class Differentiable(Linearisable):
    """What a system is near a state, and near a run."""

    def to_jax_solve(self, times: ArrayLike, *, method: str | None = None, step: float | None = None,
                     tolerance: float | None = None, columns: Sequence[str] | None = None
                     ) -> Callable[..., dict[str, jax.Array]]:
        """solve(initial, parameters) for JAX: the columns of a run at given times, as arrays by name.

        >>> jax.config.update("jax_enable_x64", True)
        >>> solve = system.to_jax_solve([1.0, 2.0], method="runge-kutta-8", step=0.01)
        >>> jax.grad(lambda gamma: solve({"theta": 1.0}, {"gamma": gamma})["theta"][-1])(0.2)

        Works under jit and vmap (runs in lanes), jvp and vjp; first derivatives, by the initial values and parameters that
        are given. They are those of the computed run, as of `value_and_gradient`: vjp goes backwards where that does. JAX
        calls back into Python for each run.

        Args:
            times: in the order of the run, which goes from the start to the last of them.
            method, step, tolerance: as for `simulate`.
            columns: coordinates, velocities or momenta, the action, "energy", momenta of symmetries and observables; by
                default the state and "energy".

        Raises:
            ValueError: times that are none, an unknown column; by `solve` where JAX has 64-bit numbers switched off.
        """
        from herglotz.gradients.jax_solve import jax_solve
        from herglotz.system import System
        assert isinstance(self, System)
        array = to_array("times", times)
        if array.ndim != 1 or array.size == 0:
            raise ValueError(f"times has shape {array.shape}; a list of times is needed")
        settings = given_settings({"method": method, "step": step, "tolerance": tolerance})
        known = [*self.state, "energy", *(f"momentum.{name}" for name in self.symmetries),
                 *(f"dissipated.{name}" for name in self.dissipated), *self.observables]
        asked = [*self.state, "energy"] if columns is None else to_names("columns", list(columns))
        for name in asked:
            if name not in known:
                raise ValueError(f"no column '{name}' has derivatives; there are {', '.join(known)}")
        return jax_solve(self, array, settings, asked)
