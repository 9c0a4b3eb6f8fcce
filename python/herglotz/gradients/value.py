"""Values and gradients of functions of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy
import sympy
import xarray

from herglotz import _herglotz
from herglotz._model import key_of
from herglotz.arguments import shown, to_array, to_finite, to_names, to_number, to_table
from herglotz.dataset import RunError, to_dataset
from herglotz.events import with_events
from herglotz.expressions import to_text
from herglotz.settings import RunSettings, documented, given_settings, require_known

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from herglotz.system import System

#: The text of a loss, None for a function of Python; and the times over which it is summed, None at the end of the run.
_Expression = tuple[str | None, numpy.ndarray | None]

_compiled: WeakKeyDictionary[System, _herglotz.Differentiated] = WeakKeyDictionary()


class Gradient(numpy.ndarray):
    """A vector of derivatives, also by name: gradient["gamma"].

    Attributes:
        names: by which they are
    """

    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Any, names: Sequence[str]) -> Self:
        gradient = numpy.array(values, dtype=float).view(cls)
        gradient.names = tuple(names)
        return gradient

    def __array_finalize__(self, source: Any) -> None:
        self.names = getattr(source, "names", ())

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.names:
                raise KeyError(f"no derivative by '{key}'; there are {', '.join(self.names)}")
            key = self.names.index(key)
        return self.view(numpy.ndarray)[key]


class ValueAndGradient(tuple[float, Gradient]):
    """(value, gradient) of a function of a run, with how the gradient was computed.

    Attributes:
        mode: "reverse", by the adjoints of the steps, or "forward", from the derivatives of the rows
        run: the run
    """

    mode: str
    residual: float
    """Largest relative deviation of the pairing of the adjoint with a variation from the law of that pairing; 0 in forward
    mode."""
    run: xarray.Dataset

    def __repr__(self) -> str:
        value, gradient = self
        found = ", ".join(f"{name}: {derivative:.9g}" for name, derivative in zip(gradient.names, gradient))
        return f"<herglotz.ValueAndGradient {value:.9g}, by {found}; {self.mode} mode, residual {self.residual:.2g}>"


def differentiated_model(system: System) -> _herglotz.Differentiated:
    """The model of a system, compiled once for the derivatives of all its runs."""
    if system not in _compiled:
        _compiled[system] = _herglotz.Differentiated(system._model)
    return _compiled[system]


@documented(RunSettings)
def value_and_gradient(system: System, loss: Any, initial: Mapping[Any, float] | None = None, *, wrt: Sequence[Any],
                       parameters: Mapping[Any, float] | None = None, **settings: Unpack[RunSettings]) -> ValueAndGradient:
    """The value of a function of a run, and its derivatives by parameters and initial values.

    >>> value, gradient = hz.value_and_gradient(system, "energy + duration", wrt=["gamma", "theta"], t_end=10, step=0.01,
    ...                                         method="runge-kutta-8")
    >>> gradient["gamma"]

    The derivative is that of the computed run, with the steps as they were chosen. Runs of explicit and implicit
    Runge-Kutta methods (`contact-gauss`, `contact-lobatto`, `radau-5`) without constraints go backwards through the adjoints of
    their steps, at a cost that does not depend on the number of names; other runs are differentiated forwards. `mode` and
    `residual` of the result say which, and how well it obeys its law.

    Args:
        system: what moves.
        loss: an expression in the columns at the end, the time, parameters and `duration`; {"at": times, "sum": expression},
            its sum over times; or a function of the run that returns (value, cotangents), the derivatives by column: an
            array over the rows each, or a number for the last row, and "duration" for the time at which an event ended it.
        initial: initial values over those of the system.
        wrt: names of parameters and initial values.
        parameters: values over those of the system.
        **settings: as for `simulate`; with times, the run goes to the last of them unless `t_end` is given.

    Raises:
        ValueError: an unknown name, a column that is not differentiated, a time without a row, a method without derivatives.
        RunError: the run failed, or it has no derivatives.
    """
    run, dataset, names, (text, times) = differentiable_run(value_and_gradient, system, loss, initial, wrt, parameters,
                                                            settings)
    try:
        if text is None:
            value, *cotangents = _of_function(loss, dataset, str(system.time))
        else:
            value, *cotangents = run.loss(text, None if times is None else times.tolist())
        gradient, reverse, residual = run.gradient(*cotangents)
    except RuntimeError as error:
        raise RunError(str(error), dataset) from None
    result = ValueAndGradient((float(value), Gradient.of(gradient, names)))
    result.mode, result.residual, result.run = "reverse" if reverse else "forward", residual, dataset
    return result


def differentiable_run(function: Callable[..., Any], system: System, loss: Any, initial: Mapping[Any, float] | None,
                       wrt: Sequence[Any], parameters: Mapping[Any, float] | None, settings: Any
                       ) -> tuple[_herglotz.DifferentiableRun, xarray.Dataset, list[str], _Expression]:
    """The run that a function of this module differentiates, with its dataset, its names and its loss."""
    require_known(function, RunSettings, settings)
    from herglotz.simulation import require_without_index
    require_without_index(system, function.__name__)
    names = to_names("wrt", [key_of(name, system._functions) for name in wrt])
    if not names:
        raise ValueError("wrt = []; name parameters or initial values")
    given: dict[str, Any] = given_settings(settings)
    given.pop("columns", None)
    text, times = _expression_of(loss)
    if times is not None:
        given.setdefault("t_end", float(times[-1]))
        given["output_times"] = times.tolist()
    run = _herglotz.DifferentiableRun(differentiated_model(system), _numbers(system, "initial", initial),
                                      _numbers(system, "parameters", parameters), given, given.pop("next", {}), names)
    reached = run.reached
    dataset = with_events(to_dataset(reached.arrays, dict(reached.facts)), reached.events)
    if reached.failure:
        raise RunError(reached.failure, dataset)
    return run, dataset, names, (text, times)


def _numbers(system: System, what: str, values: Mapping[Any, float] | None) -> dict[str, float]:
    return {str(name): to_finite(str(name), value) for name, value in system._named(to_table(what, values)).items()}


def _expression_of(loss: Any) -> _Expression:
    """The expression of a loss and the times over which it is summed; None for a function."""
    if isinstance(loss, Mapping):
        if set(loss) != {"at", "sum"}:
            raise ValueError(f"loss = {shown(loss)}; a mapping has the times as \"at\" and the expression as \"sum\"")
        times = to_array("at", loss["at"])
        if times.ndim != 1 or times.size == 0:
            raise ValueError(f"at has shape {times.shape}; a list of times is needed")
        return to_text(loss["sum"], "sum"), times
    if isinstance(loss, (str, sympy.Expr)):
        return to_text(loss, "loss"), None
    if not callable(loss):
        raise TypeError(f"loss = {shown(loss)}; an expression, {{\"at\": times, \"sum\": expression}} or a function is needed")
    return None, None


def _of_function(loss: Callable[[xarray.Dataset], Any], run: xarray.Dataset, time: str) -> tuple[Any, ...]:
    """(value, columns, derivatives by row and column, by the end, by parameters) of a function of the run."""
    try:
        value, cotangents = loss(run)
        given = dict(cotangents.items())
    except (TypeError, ValueError, AttributeError) as error:
        raise TypeError(f"the loss must return (value, cotangents), the derivatives by column: {error}") from None
    rows = run.sizes[time]
    by_end = to_number("duration", given.pop("duration", 0.0))
    table = numpy.zeros((rows, len(given)))
    for column, (name, array) in enumerate(given.items()):
        values = numpy.asarray(array, dtype=float)
        if values.ndim == 0:
            table[-1, column] = values
        elif values.shape == (rows,):
            table[:, column] = values
        else:
            raise ValueError(f"the derivatives by {name} have shape {values.shape}; give ({rows},), one for each row, or a "
                             "number for the last one")
    return to_number("the value of the loss", value), [str(name) for name in given], table, by_end, {}
