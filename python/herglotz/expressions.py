"""Between SymPy and the grammar of model files, without loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, Union

import sympy
from sympy.printing.str import StrPrinter

Expression = Union[str, int, float, sympy.Expr]

_FUNCTIONS = {
    "exp": sympy.exp, "log": sympy.log, "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "asin": sympy.asin,
    "acos": sympy.acos, "atan": sympy.atan, "atan2": sympy.atan2, "sinh": sympy.sinh, "cosh": sympy.cosh,
    "tanh": sympy.tanh, "sqrt": sympy.sqrt,
}
_NAMES = {cls: name for name, cls in _FUNCTIONS.items() if isinstance(cls, type)} | {sympy.Abs: "abs"}


class UnsupportedFunction(ValueError):
    """A SymPy object that has no counterpart in model files; the message names it."""


class _ModelPrinter(StrPrinter):
    """SymPy expressions in the grammar of model files."""

    def _print_Function(self, expr: Any) -> str:
        name = _NAMES.get(type(expr))
        if name is None:
            self._refuse(expr)
        return f"{name}({', '.join(self._print(argument) for argument in expr.args)})"

    def _print_Abs(self, expr: Any) -> str:
        return f"abs({self._print(expr.args[0])})"

    def _print_ExpBase(self, expr: Any) -> str:
        return f"exp({self._print(expr.args[0])})"

    def _print_Exp1(self, expr: Any) -> str:
        return "exp(1)"

    def _print_Float(self, expr: Any) -> str:
        return repr(float(expr))

    def _print_Symbol(self, expr: Any) -> str:
        if not expr.name.isidentifier():
            raise UnsupportedFunction(f"the symbol '{expr.name}' is no name in a model; rename it")
        return expr.name

    _print_Dummy = _print_Symbol

    def _refuse(self, expr: Any) -> NoReturn:
        raise UnsupportedFunction(
            f"the SymPy function {type(expr).__name__} in {expr} is not available; "
            f"available are {', '.join(sorted(_NAMES.values()))} and sqrt")

    def emptyPrinter(self, expr: Any) -> str:
        self._refuse(expr)


for _cls in ("Derivative", "Integral", "Piecewise", "MatrixBase", "Relational", "ImaginaryUnit", "Infinity",
             "NegativeInfinity", "NaN", "ComplexInfinity", "Sum", "Product", "Subs", "Order"):
    setattr(_ModelPrinter, f"_print_{_cls}", _ModelPrinter._refuse)


def to_text(expression: Expression) -> str:
    """The expression in the grammar of model files. Raises UnsupportedFunction naming what it does not have."""
    if isinstance(expression, str):
        return expression
    return _ModelPrinter().doprint(sympy.sympify(expression))


def to_sympy(text: str, symbols: Mapping[str, sympy.Symbol]) -> sympy.Expr:
    """The SymPy form of what the library printed for SymPy; names become the given symbols."""
    names = dict(_FUNCTIONS, Abs=sympy.Abs, Rational=sympy.Rational, Piecewise=sympy.Piecewise, pi=sympy.pi,
                 sign=sympy.sign)
    return sympy.sympify(eval(text, {"__builtins__": {}}, names | dict(symbols)))  # noqa: S307: our own printer's text


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
