"""Systems: what a model file says, from a file, from strings or from SymPy."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, Optional

import sympy
import tomli_w

from . import _herglotz
from .algebroids import Algebroid
from .equations import Equations
from .expressions import Expression, symbols_in, to_sympy, to_text
from .functions import StepMap, VectorField


class System:
    """A mechanical system: an algebroid, a Herglotz Lagrangian (or contact Hamiltonian), forces and constraints.

    Expressions are strings in the grammar of model files, or SymPy expressions; what comes back as SymPy uses the
    symbols that were given. Names that are no coordinate must be in `parameters` or `definitions`. Raises ModelError
    with the sentence that the command line prints.

    `discrete` is the [discrete] table of model files: {"rule": "midpoint"}, or {"lagrangian": L_d} with L_d in <base>0,
    <base>1, <action>0, <time>0 and h; `next` is the second position from which a discrete motion may start.
    """

    def __init__(self, algebroid: Algebroid, lagrangian: Optional[Expression] = None, *,
                 hamiltonian: Optional[Expression] = None, name: str = "system", title: str = "",
                 parameters: Optional[Mapping[Any, float]] = None,
                 definitions: Optional[Mapping[Any, Expression]] = None,
                 forces: Optional[Mapping[Any, Expression]] = None, rule: str = "nonholonomic",
                 constraints: Sequence[Expression] = (), symmetries: Optional[Mapping[str, Sequence[Expression]]] = None,
                 observables: Optional[Mapping[str, Expression]] = None,
                 initial: Optional[Mapping[Any, float]] = None, action: str = "z", time: str = "t",
                 simulation: Optional[Mapping[str, Any]] = None,
                 discrete: Optional[Mapping[str, Any]] = None, next: Optional[Mapping[Any, float]] = None):
        if (lagrangian is None) == (hamiltonian is None):
            raise ValueError("give either a lagrangian or a hamiltonian")
        generator = lagrangian if hamiltonian is None else hamiltonian
        dynamics: dict[str, Any] = {"lagrangian" if hamiltonian is None else "hamiltonian": to_text(generator),
                                    "action": str(action), "time": str(time)}
        if forces:
            dynamics["forces"] = _texts(forces)
        document: dict[str, Any] = {"model": {"name": name, **({"title": title} if title else {})},
                                    "algebroid": dict(algebroid.table)}
        if parameters:
            document["parameters"] = _numbers(parameters)
        if definitions:
            document["definitions"] = _texts(definitions)
        document["dynamics"] = dynamics
        if constraints:
            document["constraints"] = {"rule": rule, "equations": [to_text(equation) for equation in constraints]}
        if symmetries:
            document["symmetries"] = {str(k): [to_text(entry) for entry in section] for k, section in symmetries.items()}
        if observables:
            document["observables"] = _texts(observables)
        if initial:
            document["initial"] = _numbers(initial)
        if next:
            document.setdefault("initial", {})["next"] = _numbers(next)
        if discrete:
            document["discrete"] = {key: to_text(value) if key == "lagrangian" else value
                                    for key, value in discrete.items()}
        if simulation:
            document["simulation"] = dict(simulation)
        symbols = symbols_in(generator, forces or {}, list(constraints), symmetries or {}, observables or {},
                             definitions or {}, list(parameters or {}), algebroid.symbols)
        self._open(tomli_w.dumps(document), name, symbols)

    def _open(self, text: str, file: str, symbols: Mapping[str, sympy.Symbol]) -> None:
        self._model = _herglotz.Model(text, file)
        model = self._model
        names = [*model.base, *model.fibre, *model.momenta, model.action, model.time, *model.multipliers,
                 *model.parameters, "energy"]
        self._symbols = {name: symbols.get(name, sympy.Symbol(name, real=True)) for name in names}

    @classmethod
    def from_text(cls, text: str, file: str = "model.toml") -> System:
        """From the text of a model file; `file` is the name used in errors."""
        system = cls.__new__(cls)
        system._open(text, file, {})
        return system

    @property
    def text(self) -> str:
        """The model file of this system."""
        return self._model.text

    def save(self, file: str | os.PathLike) -> None:
        """Writes the model file, for the command line."""
        pathlib.Path(file).write_text(self.text, encoding="utf-8")

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def title(self) -> str:
        return self._model.title

    @property
    def kind(self) -> str:
        """The kind of algebroid."""
        return self._model.kind

    @property
    def base(self) -> tuple[sympy.Symbol, ...]:
        return tuple(self._symbols[name] for name in self._model.base)

    @property
    def fibre(self) -> tuple[sympy.Symbol, ...]:
        return tuple(self._symbols[name] for name in self._model.fibre)

    @property
    def momenta(self) -> tuple[sympy.Symbol, ...]:
        return tuple(self._symbols[name] for name in self._model.momenta)

    @property
    def action(self) -> sympy.Symbol:
        return self._symbols[self._model.action]

    @property
    def time(self) -> sympy.Symbol:
        return self._symbols[self._model.time]

    @property
    def symbols(self) -> Mapping[str, sympy.Symbol]:
        """Every symbol of the system by name."""
        return dict(self._symbols)

    @property
    def parameters(self) -> dict[str, float]:
        return self._model.parameters

    @property
    def initial(self) -> dict[str, float]:
        return self._model.initial

    @property
    def state(self) -> tuple[str, ...]:
        """Names of the state (x, w, z), in the order of vectors."""
        w = self._model.momenta if self._model.hamiltonian else self._model.fibre
        return (*self._model.base, *w, self._model.action)

    @property
    def lagrangian(self) -> Optional[sympy.Expr]:
        """L, or nothing for a system given by its Hamiltonian."""
        return None if self._model.hamiltonian else self._expression("generator")

    @property
    def hamiltonian(self) -> Optional[sympy.Expr]:
        """H, or nothing for a system given by its Lagrangian."""
        return self._expression("generator") if self._model.hamiltonian else None

    @property
    def forces(self) -> tuple[sympy.Expr, ...]:
        return tuple(self._expression("forces"))

    @property
    def rule(self) -> str:
        """How constraints act: none, nonholonomic or vakonomic."""
        return self._model.rule

    @property
    def constraints(self) -> tuple[sympy.Expr, ...]:
        return tuple(self._expression("constraints"))

    @property
    def symmetries(self) -> dict[str, tuple[sympy.Expr, ...]]:
        return {name: tuple(section) for name, section in self._expression("symmetries").items()}

    @property
    def observables(self) -> dict[str, sympy.Expr]:
        return self._expression("observables")

    @property
    def anchor(self) -> sympy.Matrix:
        """rho^i_a (n x r)."""
        return sympy.Matrix(len(self.base), len(self.fibre), self._expression("anchor"))

    @property
    def right_anchor(self) -> sympy.Matrix:
        """sigma^i_a (n x r)."""
        return sympy.Matrix(len(self.base), len(self.fibre), self._expression("right_anchor"))

    @property
    def structure(self) -> sympy.NDimArray:
        """c^k_ij (r x r x r), indices k, i, j: [e_i, e_j] = c^k_ij e_k."""
        r = len(self.fibre)
        return sympy.ImmutableDenseNDimArray(self._expression("structure"), (r, r, r))

    def equations(self) -> Equations:
        """The equations of motion, momenta, energy and balance laws."""
        return Equations(self._model.derive, self._symbols)

    def discrete_equations(self) -> Equations:
        """The discrete Herglotz equations, Legendre transforms, conformal factor and momentum maps of `discrete`."""
        return Equations(self._model.derive_discrete, self._symbols)

    def geometry(self) -> Equations:
        """Contact and Jacobi geometry: contact form, Reeb field, brackets, projectors."""
        return Equations(self._model.geometry, self._symbols)

    def vector_field(self, parameters: Optional[Mapping[Any, float]] = None) -> VectorField:
        """The compiled right-hand side, with its Jacobian, energy, momenta and multipliers."""
        return VectorField(self, parameters)

    def step_map(self, method: str, step: float, parameters: Optional[Mapping[Any, float]] = None) -> StepMap:
        """One compiled step of a fixed-step method."""
        return StepMap(self, method, step, parameters)

    def _expression(self, what: str) -> Any:
        return _mapped(self._model.expressions("sympy")[what], lambda text: to_sympy(text, self._symbols))

    def _repr_latex_(self) -> str:
        return self.equations()._repr_latex_()

    def __repr__(self) -> str:
        return f"<herglotz.System {self.name}: {self.kind}, base {self._model.base}, fibre {self._model.fibre}>"


def load(file: str | os.PathLike) -> System:
    """The system of a model file. Raises ModelError with file, line and column."""
    return System.from_text(pathlib.Path(file).read_text(encoding="utf-8"), str(file))


def model(name: str) -> System:
    """A system of the gallery, by name."""
    try:
        return System.from_text(_herglotz.gallery_text(name), name)
    except IndexError:
        known = ", ".join(entry[0] for entry in _herglotz.gallery())
        raise ValueError(f"no gallery model '{name}'; there are {known}") from None


def _mapped(value: Any, convert) -> Any:
    if isinstance(value, dict):
        return {key: _mapped(entry, convert) for key, entry in value.items()}
    if isinstance(value, list):
        return [_mapped(entry, convert) for entry in value]
    return convert(value)


def _texts(expressions: Mapping[Any, Expression]) -> dict[str, str]:
    return {str(name): to_text(value) for name, value in expressions.items()}


def _numbers(values: Mapping[Any, float]) -> dict[str, float]:
    return {str(name): float(value) for name, value in values.items()}
