"""Between SymPy and the grammar of model files, without loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias

import numpy
import sympy
from sympy.printing.str import StrPrinter

from .arguments import require_unicode, shown

Expression: TypeAlias = str | int | float | sympy.Expr

_FUNCTIONS = {
    "exp": sympy.exp, "log": sympy.log, "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "asin": sympy.asin,
    "acos": sympy.acos, "atan": sympy.atan, "atan2": sympy.atan2, "sinh": sympy.sinh, "cosh": sympy.cosh,
    "tanh": sympy.tanh, "sqrt": sympy.sqrt,
}
_NAMES = {cls: name for name, cls in _FUNCTIONS.items() if isinstance(cls, type)} | {
    sympy.Abs: "abs", sympy.sign: "sign", sympy.floor: "floor",
}
_REWRITTEN = (sympy.Max, sympy.Min, sympy.Heaviside, sympy.Piecewise)  # printed by functions of model files
_OPERATIONS = {name: function for name, function in _FUNCTIONS.items() if name != "sqrt"} | {
    "add": sympy.Add, "mul": sympy.Mul, "pow": sympy.Pow, "abs": sympy.Abs, "sign": sympy.sign,
    "floor": sympy.floor,
}
_KNOWN = (sympy.Symbol, sympy.Add, sympy.Mul, sympy.Pow, sympy.Rational, sympy.Float, type(sympy.pi), type(sympy.E),
          sympy.UnevaluatedExpr, *_NAMES, *_REWRITTEN)


class UnsupportedFunction(ValueError):
    """A SymPy object that has no counterpart in model files; the message names it."""


class _ModelPrinter(StrPrinter):
    """SymPy expressions in the grammar of model files."""

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if isinstance(expr, sympy.Basic) and not isinstance(expr, _KNOWN):
            self._refuse(expr)
        return super()._print(expr, **kwargs)

    def _print_Function(self, expr: Any) -> str:
        return f"{_NAMES[type(expr)]}({', '.join(self._print(argument) for argument in expr.args)})"

    def _print_Abs(self, expr: Any) -> str:
        return f"abs({self._print(expr.args[0])})"

    def _print_Max(self, expr: Any) -> str:
        return self._nested("max", sorted(expr.args, key=sympy.default_sort_key))

    def _print_Min(self, expr: Any) -> str:
        return self._nested("min", sorted(expr.args, key=sympy.default_sort_key))

    def _nested(self, name: str, arguments: Sequence[Any]) -> str:
        """A function of several arguments by that of two."""
        text = self._print(arguments[-1])
        for argument in reversed(arguments[:-1]):
            text = f"{name}({self._print(argument)}, {text})"
        return text

    def _print_Heaviside(self, expr: Any) -> str:
        x, at_zero = self._print(expr.args[0]), self._print(expr.args[1])
        return f"if({x} > 0, 1, if({x} < 0, 0, {at_zero}))"

    def _print_Piecewise(self, expr: Any) -> str:
        *branches, (last, always) = expr.args
        if always != sympy.true:
            raise UnsupportedFunction(f"{shown(expr)} has no value where no condition holds; end it with (value, True)")
        text = self._print(last)
        for value, condition in reversed(branches):
            text = f"if({self._condition(condition)}, {self._print(value)}, {text})"
        return text

    def _condition(self, condition: Any) -> str:
        if isinstance(condition, (sympy.And, sympy.Or)):
            word = " and " if isinstance(condition, sympy.And) else " or "
            parts = sorted(condition.args, key=sympy.default_sort_key)
            return f"({word.join(self._condition(part) for part in parts)})"
        if isinstance(condition, sympy.Not):
            return f"not {self._condition(condition.args[0])}"
        if not isinstance(condition, (sympy.Gt, sympy.Ge, sympy.Lt, sympy.Le)):
            raise UnsupportedFunction(f"the condition {shown(condition)} is not available; compare by <, <=, > or >=")
        return f"{self._print(condition.lhs)} {condition.rel_op} {self._print(condition.rhs)}"

    def _print_ExpBase(self, expr: Any) -> str:
        return f"exp({self._print(expr.args[0])})"

    def _print_Exp1(self, expr: Any) -> str:
        return "exp(1)"

    def _print_Float(self, expr: Any) -> str:
        number = float(expr)
        exact = math.isfinite(number) and sympy.Rational(number) == sympy.Rational(expr)
        return repr(number) if exact else sympy.sstr(expr, full_prec=True)

    def _print_Symbol(self, expr: Any) -> str:
        if not expr.name.isidentifier():
            raise UnsupportedFunction(f"the symbol '{expr.name}' is not a name in a model; rename it")
        return expr.name

    _print_Dummy = _print_Symbol

    def _refuse(self, expr: Any) -> NoReturn:
        known = f"available are {', '.join(sorted(_NAMES.values()))}, sqrt, Max, Min, Heaviside and Piecewise"
        if expr is sympy.I:
            raise UnsupportedFunction(f"complex numbers (ImaginaryUnit) are not available; {known}")
        if expr.is_number and expr.has(sympy.nan, sympy.oo, -sympy.oo, sympy.zoo):
            raise UnsupportedFunction(f"{expr} ({type(expr).__name__}) is not a finite number; give one")
        raise UnsupportedFunction(f"the SymPy function {type(expr).__name__} in {shown(expr)} is not available; {known}")


def is_expression(value: Any) -> bool:
    """Returns whether an initial value is given by a string or by a SymPy expression with names."""
    return isinstance(value, str) or (isinstance(value, sympy.Expr) and bool(value.free_symbols))


def to_text(expression: Any, what: str = "the expression") -> str:
    """The expression in the grammar of model files; `what` is what errors call it.

    Raises TypeError for what is not an expression, UnsupportedFunction naming what model files do not have.
    """
    if isinstance(expression, str):
        return require_unicode(what, str(expression))
    try:
        if not isinstance(expression, (bool, numpy.bool_, Mapping)):
            value = sympy.sympify(expression, strict=True)
            if isinstance(value, sympy.Basic):
                return _ModelPrinter().doprint(value)
    except sympy.SympifyError:
        pass
    except UnsupportedFunction as error:
        raise UnsupportedFunction(f"{what}: {error}") from None
    raise TypeError(f"{what}: a SymPy expression, a string or a number is needed, not {shown(expression)}")


def _selected(a: sympy.Expr, b: sympy.Expr, above: sympy.Expr, otherwise: sympy.Expr) -> sympy.Expr:
    """`above` where a > b, else `otherwise`."""
    if {a, b} == {above, otherwise}:
        return sympy.Max(a, b) if above == a else sympy.Min(a, b)
    return sympy.Piecewise((above, a > b), (otherwise, True))


_OPERATIONS["select"] = _selected


def from_nodes(nodes: Sequence[tuple[str, Any, tuple[int, ...]]], symbols: Mapping[str, sympy.Symbol]) -> list[sympy.Expr]:
    """The SymPy form of every node (operation, value, operands) that the library lists, operands first.

    Names become the given symbols. Each node is built once, so that the work grows with the number of nodes.
    """
    built: list[sympy.Expr] = []
    for operation, value, operands in nodes:
        if operation == "rational":
            built.append(sympy.Rational(*value))
        elif operation == "real":
            built.append(_exact(value))
        elif operation == "table":
            built.append(_input(value, built[operands[0]], int(built[operands[2]])))
        elif operation == "symbol":
            built.append(symbols.get(value) or sympy.Symbol(value))
        else:
            built.append(_OPERATIONS[operation](*(built[place] for place in operands)))
    return built


def _input(name: str, time: sympy.Expr, order: int) -> sympy.Expr:
    """An input of the model, or its derivative of that order, at a time."""
    function = sympy.Function(name)
    if order == 0:
        return function(time)
    if time.is_Symbol:
        return sympy.Derivative(function(time), (time, order))
    place = sympy.Dummy("t")
    return sympy.Subs(sympy.Derivative(function(place), (place, order)), place, time)


def _exact(value: float) -> sympy.Expr:
    """The number, as q pi^k with a short fraction q where the library made a decimal of that."""
    return _power_of_pi(value) or sympy.Float(value)


_POWERS_OF_PI = [Fraction(k, 2) for k in (2, -2, 4, -4, 1, -1, 3, -3, 6, -6, 8, -8)]


def _power_of_pi(value: float) -> sympy.Expr | None:
    for power in _POWERS_OF_PI:
        unit = math.pi ** float(power)
        fraction = Fraction(value / unit).limit_denominator(1000)
        short = 0 < abs(fraction.numerator * fraction.denominator) <= 10**5
        if short and abs(float(fraction) * unit - value) <= 4e-16 * abs(value):  # a rounding or two
            return sympy.Rational(fraction) * sympy.pi ** sympy.Rational(power)
    return None


def symbols_in(*expressions: object) -> dict[str, sympy.Symbol]:
    """The symbols of SymPy expressions by name; a name that stands for two of them is an error."""
    found: dict[str, sympy.Symbol] = {}
    for expression in expressions:
        if isinstance(expression, Mapping):
            nested = symbols_in(*expression.values())
        elif isinstance(expression, (list, tuple, sympy.MatrixBase)):
            nested = symbols_in(*expression)
        elif isinstance(expression, sympy.Basic):
            nested = {symbol.name: symbol for symbol in sorted(expression.free_symbols, key=str)}
        else:
            continue
        for name, symbol in nested.items():
            if found.setdefault(name, symbol) != symbol:
                raise ValueError(f"the name '{name}' stands for two different SymPy symbols; use one of them")
    return found
