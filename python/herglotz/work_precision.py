"""The cost of accuracy: errors and wall times of methods over steps and tolerances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import xarray

from ._herglotz import methods as all_methods
from .arguments import to_array, to_count, to_names
from .dataset import RunError
from .simulation import require_system, run
from .system import System

_TOLERANCE = 1e-13  # of the reference, and about the smallest that double precision resolves
_NO_ROWS_BETWEEN = 2**31


def work_precision(system: System, methods: Sequence[str], *, steps: Sequence[float] = (),
                   tolerances: Sequence[float] = (), initial: Mapping[Any, float] | None = None,
                   parameters: Mapping[Any, float] | None = None, t_end: float | None = None,
                   reference: Mapping[str, Any] | xarray.Dataset | None = None, repeat: int = 3) -> xarray.Dataset:
    """Errors at t_end, and what they cost, of every fixed-step method at every step and adaptive one at every tolerance.

    Args:
        system: what moves.
        methods: names from `herglotz.methods()`.
        steps: of every fixed-step method.
        tolerances: of every adaptive method.
        initial: initial values by name, as in `simulate`, but numbers.
        parameters: values by name, in the same way.
        t_end: where errors are measured.
        reference: what errors are measured against: the settings of a run, by default method "reference" with tolerance
            1e-13, or a dataset whose last row is at t_end, as `simulate` returns.
        repeat: the number of runs, after one that compiles; the wall time is the shortest of theirs.

    Returns:
        Over (integrator, setting) `error`, the largest difference of a position, velocity (momentum) or the action from the
        reference; `wall_seconds`; `steps`; and the coordinates `step` and `tolerance`, one of which is NaN. A run that
        fails has NaN for its error and time, and its sentence in `failure`. The attribute `reference` states what errors
        are measured against; `reference_error` is how much that changes at ten times its tolerance or twice its step,
        and smaller errors mean nothing (NaN for a dataset).

    Raises:
        ValueError: an unknown method, no setting for one, or a method that refuses the model.
    """
    require_system(system)
    repeat = to_count("repeat", repeat, 1, 10**6)
    methods = to_names("methods", methods)
    values = {"step": to_array("steps", steps).ravel(), "tolerance": to_array("tolerances", tolerances).ravel()}
    chosen = [_method(name) for name in methods]
    settings = [_settings(method, values) for method in chosen]
    common: dict[str, Any] = {"initial": initial, "parameters": parameters, "t_end": t_end, "output_every": _NO_ROWS_BETWEEN}
    exact, told, uncertain = _reference(system, reference, common)
    shape = (len(methods), max(map(len, settings), default=0))
    table = {name: numpy.full(shape, numpy.nan) for name in ("error", "wall_seconds", "steps", "step", "tolerance")}
    failures = numpy.full(shape, "", dtype=object)
    for i, (method, those) in enumerate(zip(chosen, settings)):
        for j, setting in enumerate(those):
            at = (i, j)
            for name, value in setting.items():
                table[name][at] = value
            try:
                first = run(system, method=method["name"], **setting, **common)
                again = [run(system, method=method["name"], **setting, **common) for _ in range(repeat)]
            except RunError as failed:
                failures[at] = str(failed)
                continue
            table["error"][at] = _distance(_end(system, first), exact)
            table["wall_seconds"][at] = min(one.facts["wall_seconds"] for one in again)
            table["steps"][at] = first.facts["steps"]
    dimensions = ("integrator", "setting")  # xarray takes `method` for something else
    labels = {"error": "error at the end", "wall_seconds": "wall time in seconds", "steps": "steps", "step": "step",
              "tolerance": "tolerance"}
    variables = {name: (dimensions, values, {"long_name": labels[name]}) for name, values in table.items()}
    return xarray.Dataset({**variables, "failure": (dimensions, failures.astype(str))},
                          {"integrator": list(methods), "order": ("integrator", [method["order"] for method in chosen])},
                          {"model": system.name, "reference": told, "reference_error": uncertain}
                          ).set_coords(["step", "tolerance"])


def _method(name: str) -> dict[str, Any]:
    for method in all_methods():
        if method["name"] == name:
            return dict(method)
    raise ValueError(f"unknown method '{name}'; herglotz.methods() lists those there are")


def _settings(method: Mapping[str, Any], values: Mapping[str, numpy.ndarray]) -> list[dict[str, Any]]:
    kind = "tolerance" if method["adaptive"] else "step"
    if values[kind].size == 0:
        raise ValueError(f"method {method['name']} needs {kind}s, and none are given")
    return [{kind: value} for value in values[kind].tolist()]


def _reference(system: System, reference: Mapping[str, Any] | xarray.Dataset | None,
               common: Mapping[str, Any]) -> tuple[numpy.ndarray, str, float]:
    """The state at t_end, what it comes from, and how much it changes at a coarser setting."""
    if isinstance(reference, xarray.Dataset):
        told = f"a given run: {reference.attrs.get('method', 'of unknown method')}"
        return _end(system, {name: reference[name].values for name in system.state}), told, numpy.nan
    settings = dict(reference or {"method": "reference", "tolerance": _TOLERANCE})
    fine = run(system, **{**common, **settings})
    end = _end(system, fine)
    kind, factor = ("step", 2.0) if fine.facts["step"] else ("tolerance", 10.0)
    value = fine.facts[kind]
    coarse = run(system, **{**common, **settings, kind: factor * value})
    return end, f"{fine.facts['method']}, {kind} {value:g}", _distance(_end(system, coarse), end)


def _end(system: System, columns: Mapping[str, numpy.ndarray]) -> numpy.ndarray:
    return numpy.array([columns[name][-1] for name in system.state])


def _distance(a: numpy.ndarray, b: numpy.ndarray) -> float:
    return float(abs(a - b).max())
