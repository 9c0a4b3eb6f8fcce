"""Coordinates as functions of time, as sympy.physics.mechanics writes them: q(t) and Derivative(q(t), t)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from ._herglotz import ModelError

Functions = Mapping[sympy.Basic, sympy.Symbol]

_SIGNS = ("positive", "negative", "nonpositive", "nonnegative", "nonzero")


def name_of(name: Any) -> str:
    """The name in model files of a string, a symbol, q(t), or Derivative(q(t), t), which is v_q."""
    if isinstance(name, sympy.Derivative) and isinstance(name.expr, AppliedUndef) and name.derivative_count == 1:
        return f"v_{name.expr.func.__name__}"
    return name.func.__name__ if isinstance(name, AppliedUndef) else str(name)


def functions_in(names: Sequence[Any], velocities: Sequence[str] = ()) -> dict[sympy.Basic, sympy.Symbol]:
    """The symbols that stand for those of the names that are functions of time, and for their velocities if given."""
    found: dict[sympy.Basic, sympy.Symbol] = {}
    for k, name in enumerate(names):
        if isinstance(name, (AppliedUndef, sympy.Derivative)):
            signs = {sign: True for sign in _SIGNS if getattr(name, f"is_{sign}")}
            found[name] = sympy.Symbol(name_of(name), real=True, **signs)
        if isinstance(name, AppliedUndef):
            if len(name.args) != 1 or not isinstance(name.args[0], sympy.Symbol):
                raise ModelError(f"the coordinate {name} is not a function of time alone")
            if velocities:
                found[sympy.Derivative(name, name.args[0])] = sympy.Symbol(velocities[k], real=True)
    return found


def time_of(functions: Functions) -> sympy.Symbol | None:
    """Returns the time that functions depend on, or None if there are no functions."""
    times = sorted({t for function in functions for t in function.free_symbols}, key=str)
    if len(times) > 1:
        raise ModelError(f"coordinates depend on {' and '.join(map(str, times))}; one time is needed")
    return times[0] if times else None


def plain(value: Any, functions: Functions) -> Any:
    """The value, or every expression in it, with symbols in place of functions of time.

    Raises ModelError for a derivative that no state holds: a second one, or one of the action.
    """
    if isinstance(value, Mapping):
        return {key: plain(entry, functions) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry, functions) for entry in value]
    if not functions or not isinstance(value, (sympy.Basic, sympy.MatrixBase)):
        return value
    compound = {d: d.doit() for d in value.atoms(sympy.Derivative) if not isinstance(d.expr, AppliedUndef)}
    value = value.xreplace(compound)
    for derivative in sorted(value.atoms(sympy.Derivative), key=str):
        if derivative not in functions and derivative.expr in functions:
            raise ModelError(f"the derivative {derivative} is not in the state; a model depends on positions, velocities, "
                             f"the action and time, here {_listed(functions)}")
    return value.xreplace(dict(functions))


def named(expressions: Iterable[Any], names: Iterable[str], time: sympy.Symbol) -> dict[sympy.Basic, sympy.Symbol]:
    """The functions of time with one of these names in any of the expressions."""
    wanted, found = set(names), {}
    for expression in expressions:
        if isinstance(expression, Mapping):
            found.update(named(expression.values(), wanted, time))
        elif isinstance(expression, (list, tuple)):
            found.update(named(expression, wanted, time))
        elif isinstance(expression, (sympy.Basic, sympy.MatrixBase)):
            found.update(functions_in([function for function in expression.atoms(AppliedUndef)
                                       if function.args == (time,) and function.func.__name__ in wanted]))
    return found


def _listed(functions: Functions) -> str:
    return ", ".join(sorted(map(str, functions)))
