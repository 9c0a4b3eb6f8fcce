"""Derived equations as SymPy, LaTeX and text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy

from .expressions import with_pi


class Equations:
    """Sections of equations, left = right. Shown typeset in a notebook.

    >>> equations.sections["Equations of motion"]      # {left: right} in SymPy
    >>> print(equations.text)
    """

    def __init__(self, printed: Callable[[str], str], symbols: Mapping[str, sympy.Symbol]):
        self._printed = printed
        self._symbols = symbols

    @property
    def text(self) -> str:
        return self._printed("text")

    @property
    def latex(self) -> str:
        return self._printed("latex")

    @property
    def sections(self) -> dict[str, dict[sympy.Expr, sympy.Expr]]:
        """Every section as {left: right}, with named subexpressions of the model put in."""
        names: dict[str, Any] = {}
        exec(self._printed("sympy"), names)  # our own printer's program
        given = {sympy.Symbol(name): symbol for name, symbol in self._symbols.items()}
        return {title: {left.xreplace(given): with_pi(sympy.sympify(right)).xreplace(given)
                        for left, right in section.items()} for title, section in names["equations"].items()}

    def __getitem__(self, title: str) -> dict[sympy.Expr, sympy.Expr]:
        sections = self.sections
        if title not in sections:
            raise KeyError(f"no section '{title}'; there are {', '.join(sections)}")
        return sections[title]

    def _repr_latex_(self) -> str:
        return self.latex

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<herglotz.Equations: {', '.join(self.sections)}>"
