"""A compiled model with its symbols: what systems, their functions and their geometry share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy

from . import _herglotz
from .arguments import shown
from .dynamic import Functions
from .expressions import from_nodes


class CompiledModel:
    """The compiled form of a model file, and the SymPy symbols that stand for its names."""

    def __init__(self, text: str, file: str, symbols: Mapping[str, sympy.Symbol], functions: Functions):
        self._file = file
        self._functions = functions
        self._model = _herglotz.Model(text, file)
        model = self._model
        names = [*model.base, *model.fibre, *model.momenta, model.action, model.time, *model.multipliers,
                 *model.parameters, "energy", *model.controls]
        if model.controls:
            names += [model.cost_action, "hamiltonian"]
        self._symbols = {name: symbols.get(name, sympy.Symbol(name, real=True)) for name in names}

    @property
    def text(self) -> str:
        """The model file of this system."""
        return self._model.text

    @property
    def symbols(self) -> Mapping[str, sympy.Symbol]:
        """Every symbol of the system by name."""
        return dict(self._symbols)

    @property
    def base(self) -> tuple[sympy.Symbol, ...]:
        """The coordinates x^i of the base."""
        return tuple(self._symbols[name] for name in self._model.base)

    @property
    def fibre(self) -> tuple[sympy.Symbol, ...]:
        """The coordinates y^a of the fibre, velocities along the frame e_a [ASC25, Sec. 2]."""
        return tuple(self._symbols[name] for name in self._model.fibre)

    @property
    def momenta(self) -> tuple[sympy.Symbol, ...]:
        """The momenta p_a = dL/dy^a, the Legendre map [GG08, Sec. 3]."""
        return tuple(self._symbols[name] for name in self._model.momenta)

    @property
    def action(self) -> sympy.Symbol:
        """The action z, with dz/dt = L [ASC25, Eq. 6]."""
        return self._symbols[self._model.action]

    @property
    def time(self) -> sympy.Symbol:
        """The time t."""
        return self._symbols[self._model.time]

    @property
    def parameters(self) -> dict[str, float]:
        """The values of parameters by name."""
        return self._model.parameters

    @property
    def state(self) -> tuple[str, ...]:
        """Names of the state (x, w, z), in the order of vectors; `vector_field().names` has vakonomic multipliers, too."""
        w = self._model.momenta if self._model.hamiltonian else self._model.fibre
        return (*self._model.base, *w, self._model.action)

    @property
    def rule(self) -> str:
        """Rule by which constraints act: none, nonholonomic or vakonomic [GG08, Def. 2; LLMR21, Secs. 4-5].

        >>> hz.model("chaplygin-sleigh").rule                        # "nonholonomic"
        """
        return self._model.rule

    @property
    def anchor(self) -> sympy.Matrix:
        """The (left) anchor rho^i_a (n x r): dx/dt = rho y [GG08, Sec. 2; ASC25, Sec. 2]."""
        return sympy.Matrix(len(self.base), len(self.fibre), self._expression("anchor"))

    @property
    def right_anchor(self) -> sympy.Matrix:
        """The right anchor sigma^i_a (n x r), that of variations; rho itself on skew algebroids [GG08, Sec. 2]."""
        return sympy.Matrix(len(self.base), len(self.fibre), self._expression("right_anchor"))

    @property
    def structure(self) -> sympy.NDimArray:
        """c^k_ij (r x r x r), indices k, i, j: [e_i, e_j] = c^k_ij e_k [GG08, Sec. 2; ASC25, Sec. 2]."""
        r = len(self.fibre)
        return sympy.ImmutableDenseNDimArray(self._expression("structure"), (r, r, r))

    def _named(self, values: Mapping[Any, Any]) -> Mapping[Any, Any]:
        """The values by names in the model, where functions of time name some."""
        return {key_of(name, self._functions): value for name, value in values.items()}

    def _expression(self, what: str) -> Any:
        nodes, expressions = self._model.expressions()
        built = from_nodes(nodes, self._symbols)
        return _mapped(expressions[what], built.__getitem__)


def key_of(name: Any, functions: Functions) -> str:
    """The name in the model of what the user called by a string, a symbol or a function of time."""
    if not isinstance(name, (str, sympy.Basic)):
        raise TypeError(f"{shown(name)} is given as a name; names are strings or SymPy symbols")
    written = name if type(name) is str else str(functions.get(name, name))
    return written if written.isascii() else _herglotz.with_plain_greek(written)


def _mapped(value: Any, convert: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {key: _mapped(entry, convert) for key, entry in value.items()}
    if isinstance(value, list):
        return [_mapped(entry, convert) for entry in value]
    return convert(value)
