"""Second derivatives of functions of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy
import xarray

from herglotz._model import key_of
from herglotz.arguments import to_array, to_finite, to_table
from herglotz.dataset import RunError
from herglotz.gradients.value import Gradient, differentiable_run
from herglotz.settings import RunSettings, documented

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from herglotz.system import System


class HessianProduct(Gradient):
    """A Hessian times a vector, also by name: product["gamma"].

    Attributes:
        error: estimate of the largest error of an entry, beside the size of the entry
    """

    error: float


@documented(RunSettings)
def hessian_product(system: System, loss: Any, direction: Any, initial: Mapping[Any, float] | None = None, *,
                    wrt: Sequence[Any], parameters: Mapping[Any, float] | None = None, **settings: Unpack[RunSettings]
                    ) -> HessianProduct:
    """The second derivatives of a function of a run, times a vector: what `hessp` of SciPy's minimisers asks for.

    >>> hz.hessian_product(system, "energy", {"gamma": 1.0}, wrt=["gamma", "theta"], t_end=10, step=0.01, method="runge-kutta-8")

    They are central differences of order 8 of gradients (`value_and_gradient`), which are exact for the computed runs: in steps
    of one size, some twelve digits are right. Adaptive runs choose their steps anew, so that their tolerance limits how many are
    right; `error` of the result says so.

    Args:
        system: what moves.
        loss: an expression in the columns at the end, the time, parameters and `duration`, or {"at": times, "sum": expression}.
        direction: the vector, an entry for each of `wrt`; or its entries by name, where those left out are 0.
        initial: initial values over those of the system.
        wrt: names of parameters and initial values.
        parameters: values over those of the system.
        **settings: as for `value_and_gradient`.

    Raises:
        ValueError: as `value_and_gradient`, and for a direction of another length or with other names.
        RunError: the run failed, or its second derivatives are not accurate to 1e-4.
    """
    run, dataset, names, (text, times) = differentiable_run(hessian_product, system, loss, initial, wrt, parameters, settings)
    return _product(run, dataset, names, text, times, _entries(system, direction, names))


@documented(RunSettings)
def hessian(system: System, loss: Any, initial: Mapping[Any, float] | None = None, *, wrt: Sequence[Any],
            parameters: Mapping[Any, float] | None = None, **settings: Unpack[RunSettings]) -> xarray.DataArray:
    """The matrix of second derivatives of a function of a run, over `wrt` and `with`.

    >>> hz.hessian(system, "energy", wrt=["gamma", "theta"], t_end=10, step=0.01, method="runge-kutta-8").sel(wrt="gamma")

    Each row is a `hessian_product`. The matrix is symmetric but for their errors: that is a proof of it, and what is returned is
    the symmetric part. Its attributes are `error`, the largest of those of the rows, and `asymmetry`, the largest difference of
    two entries that must be equal, beside their size and the geometric mean of the diagonal entries of their names.

    Args:
        system, loss, initial, wrt, parameters, **settings: as for `hessian_product`.

    Raises:
        ValueError, RunError: as `hessian_product`.
    """
    run, dataset, names, (text, times) = differentiable_run(hessian, system, loss, initial, wrt, parameters, settings)
    rows = [_product(run, dataset, names, text, times, unit) for unit in numpy.eye(len(names)).tolist()]
    matrix = numpy.array(rows)
    sizes = numpy.sqrt(numpy.abs(numpy.outer(numpy.diag(matrix), numpy.diag(matrix))))
    sizes = numpy.maximum(sizes, numpy.maximum(abs(matrix), abs(matrix.T)))
    asymmetry = numpy.divide(abs(matrix - matrix.T), sizes, out=numpy.zeros_like(matrix), where=sizes > 0).max()
    return xarray.DataArray((matrix + matrix.T) / 2, dims=("wrt", "with"), coords={"wrt": names, "with": names},
                            attrs={"error": max(row.error for row in rows), "asymmetry": float(asymmetry)})


def _entries(system: System, direction: Any, names: Sequence[str]) -> list[float]:
    if isinstance(direction, Mapping):
        given = {key_of(name, system._functions): to_finite(str(name), value)
                 for name, value in to_table("direction", direction).items()}
        if unknown := set(given) - set(names):
            raise ValueError(f"the direction has {', '.join(sorted(unknown))}, which wrt lacks; it has {', '.join(names)}")
        return [given.get(name, 0.0) for name in names]
    entries = to_array("direction", direction)
    if entries.shape != (len(names),):
        raise ValueError(f"direction has shape {entries.shape}; ({len(names)},) is needed, an entry for each of wrt")
    return [to_finite("direction", entry) for entry in entries.tolist()]


def _product(run: Any, dataset: xarray.Dataset, names: Sequence[str], text: str | None, times: numpy.ndarray | None,
             direction: list[float]) -> HessianProduct:
    if text is None:
        raise TypeError('second derivatives need a loss that is an expression, or {"at": times, "sum": expression}')
    try:
        values, error = run.hessian_product(text, None if times is None else times.tolist(), direction)
    except RuntimeError as failed:
        raise RunError(str(failed), dataset) from None
    product = HessianProduct.of(values, names)
    product.error = error
    return product
