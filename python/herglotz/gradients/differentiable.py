"""Derivatives of a system's runs for other libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from herglotz.gradients.libraries import module_of
from herglotz.gradients.linear import Linearisable

if TYPE_CHECKING:
    import casadi
    import jax
    import torch
    from numpy.typing import ArrayLike
    from pytensor.tensor import TensorVariable


class Differentiable(Linearisable):
    """Derivatives of a system near a state, and near a run."""

    def to_jax_solve(self, times: ArrayLike, *, method: str | None = None, step: float | None = None,
                     tolerance: float | None = None, columns: Sequence[str] | None = None, failures: str = "raise"
                     ) -> Callable[..., dict[str, jax.Array]]:
        """solve(initial, parameters) for JAX: the columns of a run at given times, as arrays by name.

        >>> jax.config.update("jax_enable_x64", True)
        >>> solve = system.to_jax_solve([1.0, 2.0], method="runge-kutta-8", step=0.01)
        >>> jax.grad(lambda gamma: solve({"theta": 1.0}, {"gamma": gamma})["theta"][-1])(0.2)

        Works under jit and vmap (runs in lanes), jvp and vjp; first derivatives, by the initial values and parameters that
        are given. They are those of the computed run, as of `value_and_gradient`: vjp goes backwards where that does.
        Compiled code makes runs without Python where `jax_calls` says "xla".

        Args:
            times: in the order of the run, which goes from the start to the last of them.
            method, step, tolerance: as for `simulate`.
            columns: coordinates, velocities or momenta, the action, "energy", momenta of symmetries and observables; by
                default the state and "energy".
            failures: "raise", or "nan" where a run that fails has values and derivatives that are NaN: samplers refuse such
                a point and go on.

        Raises:
            ValueError: no list of times, or an unknown column; by `solve` an unknown name, and where JAX has 64-bit numbers
                switched off.
        """
        return self._solve("jax", "JAX", times, columns, failures, method=method, step=step, tolerance=tolerance)

    def to_torch_solve(self, times: ArrayLike, *, method: str | None = None, step: float | None = None,
                       tolerance: float | None = None, columns: Sequence[str] | None = None, failures: str = "raise"
                       ) -> Callable[..., dict[str, torch.Tensor]]:
        """solve(initial, parameters) for PyTorch: the columns of a run at given times, as tensors by name.

        >>> solve = system.to_torch_solve([1.0, 2.0], method="runge-kutta-8", step=0.01)
        >>> gamma = torch.tensor(0.2, dtype=torch.float64, requires_grad=True)
        >>> solve({"theta": 1.0}, {"gamma": gamma})["theta"][-1].backward()

        Initial values and parameters are numbers or tensors of torch.float64 on the processor. Tensors whose shapes go
        together are those of many runs, in lanes; a column is then of that shape and over the times. Derivatives are first ones,
        forwards and backwards, and those of the computed run; also under torch.func (grad, vjp, jvp, vmap).

        Args:
            times, method, step, tolerance, columns, failures: as for `to_jax_solve`.

        Raises:
            ImportError: PyTorch is missing.
            ValueError: no list of times, or an unknown column; by `solve` an unknown name, or shapes that do not go together.
            TypeError: by `solve`: a tensor that is not of torch.float64.
        """
        return self._solve("torch", "PyTorch", times, columns, failures, method=method, step=step, tolerance=tolerance)

    def to_pytensor_solve(self, times: ArrayLike, *, method: str | None = None, step: float | None = None,
                          tolerance: float | None = None, columns: Sequence[str] | None = None, failures: str = "raise"
                          ) -> Callable[..., dict[str, TensorVariable]]:
        """solve(initial, parameters) for PyTensor, and so for PyMC: the columns of a run at given times, as vectors by name.

        >>> solve = system.to_pytensor_solve(times, method="runge-kutta-8", step=0.01, failures="nan")
        >>> with pymc.Model():
        ...     gamma = pymc.HalfNormal("gamma", 1.0)
        ...     theta = solve({"theta": 1.0}, {"gamma": gamma})["theta"]
        ...     pymc.Normal("measured", theta, 0.01, observed=measured)
        ...     trace = pymc.sample()

        Initial values and parameters are numbers or scalar variables of float64. Derivatives are first ones, forwards and
        backwards (`pytensor.grad`, PyMC's NUTS), and those of the computed run.

        Args:
            times, method, step, tolerance, columns, failures: as for `to_jax_solve`.

        Raises:
            ImportError: PyTensor is missing.
            ValueError: no list of times, or an unknown column; by `solve` an unknown name, or a variable that is not a scalar.
            TypeError: by `solve`: a variable that is not of float64.
        """
        return self._solve("pytensor", "PyTensor", times, columns, failures, method=method, step=step, tolerance=tolerance)

    def to_casadi_solve(self, times: ArrayLike, *, method: str | None = None, step: float | None = None,
                        tolerance: float | None = None, columns: Sequence[str] | None = None, failures: str = "raise"
                        ) -> Callable[..., dict[str, casadi.MX]]:
        """solve(initial, parameters) for CasADi: the columns of a run at given times, as column vectors by name.

        >>> solve = system.to_casadi_solve([1.0, 2.0], method="runge-kutta-8", step=0.01)
        >>> gamma = casadi.MX.sym("gamma")
        >>> end = solve({"theta": 1.0}, {"gamma": gamma})["theta"][-1]
        >>> slope = casadi.Function("slope", [gamma], [casadi.gradient(end, gamma)])

        Initial values and parameters are numbers, DM or scalar MX. Derivatives are first ones, forwards and backwards, and
        those of the computed run; solvers that ask for second ones have to estimate them (`hessian_approximation`).

        Args:
            times, method, step, tolerance, columns, failures: as for `to_jax_solve`.

        Raises:
            ImportError: CasADi is missing.
            ValueError: no list of times, or an unknown column; by `solve` an unknown name, or an MX that is not a scalar.
            TypeError: by `solve`: an SX.
        """
        return self._solve("casadi", "CasADi", times, columns, failures, method=method, step=step, tolerance=tolerance)

    def _solve(self, package: str, called: str, times: Any, columns: Sequence[str] | None, failures: str,
               **settings: Any) -> Callable[..., dict[str, Any]]:
        from herglotz.gradients.runs import NamedRuns
        from herglotz.system import System
        assert isinstance(self, System)
        named = NamedRuns(self, times, columns, failures, settings)
        module = module_of(package, called, f"to_{package}_solve")
        return getattr(module, f"{package}_solve")(named)
