"""Model files as tables: what a system is given, written in their grammar."""

from __future__ import annotations

import numbers
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

import numpy
import sympy
import tomli_w

from . import _herglotz
from ._herglotz import ModelError
from ._model import key_of
from .algebroids import Algebroid
from .arguments import shown, to_count, to_list, to_number, to_string, to_table
from .dynamic import Functions, name_of, named, plain, time_of
from .expressions import Expression, is_expression, symbols_in, to_text
from .settings import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Document = dict[str, Any]
Symbols = Mapping[str, sympy.Symbol]

_ORDER = {name: place for place, name in enumerate(("model", "algebroid", "parameters", "inputs", "definitions", "dynamics",
                                                     "constraints", "control", "cost", "boundary", "symmetries", "dissipated",
                                                     "observables", "friction", "sampled", "events", "impacts", "initial",
                                                     "guess", "mesh",
                                                     "discrete", "simulation", "latex", "units"))}
_RULES = ("nonholonomic", "vakonomic")
_PROBLEM = ("control", "cost", "boundary", "guess", "mesh")  # tables of boundary values and control
_SYMBOLIC = ("lagrangian", "hamiltonian", "forces", "constraints", "symmetries", "dissipated", "observables", "events",
             "impacts", "friction", "sampled", "definitions", "simulation", *_PROBLEM)  # arguments with expressions
_EXCLUSIVE = {"step": "tolerance", "tolerance": "step", "output_every": "output_step", "output_step": "output_every"}


class Writer:
    """Writes values with the names of the model; some coordinates may be functions of time."""

    def __init__(self, functions: Functions, fibre: Sequence[str]):
        self._functions = functions
        self._fibre = tuple(fibre)

    def key(self, name: Any) -> str:
        """The name in the model."""
        return key_of(name, self._functions)

    def expression(self, what: str, value: Any) -> str:
        return to_text(plain(value, self._functions), what)

    def expressions(self, what: str, table: Any) -> dict[str, str]:
        return {self.key(name): self.expression(f"{what}[{str(name)!r}]", value)
                for name, value in to_table(what, table).items()}

    def numbers(self, what: str, table: Any) -> dict[str, float]:
        return {self.key(name): to_number(name, value) for name, value in to_table(what, table).items()}

    def texts(self, what: str, table: Any) -> dict[str, str]:
        return {self.key(name): to_string(f"{what}[{str(name)!r}]", value) for name, value in to_table(what, table).items()}

    def starts(self, what: str, table: Any) -> dict[str, float | str]:
        """Numbers, and expressions in parameters and in other initial values."""
        return {self.key(name): self.expression(f"{what}[{str(name)!r}]", value) if is_expression(value)
                else to_number(name, value) for name, value in to_table(what, table).items()}

    def section(self, what: str, section: Any) -> list[str]:
        """The components of a section in the order of the fibre; `what` is what errors call it."""
        if isinstance(section, Mapping):
            given = {self.key(key): value for key, value in section.items()}
            unknown = given.keys() - set(self._fibre)
            if unknown:
                raise ModelError(f"{what}: unknown fibre coordinate '{min(unknown)}'; known are "
                                 f"{', '.join(self._fibre)}")
            components = [given.get(key, 0) for key in self._fibre]
        elif isinstance(section, (Sequence, sympy.MatrixBase)) and not isinstance(section, (str, bytes)):
            components = list(section)
        else:
            raise TypeError(f"{what} is {shown(section)}, where a component for each of "
                            f"{', '.join(self._fibre)} is needed")
        return [self.expression(what, component) for component in components]

    def sections(self, what: str, table: Any) -> dict[str, list[str]]:
        return {to_string(f"a name in {what}", name): self.section(f"symmetry '{name}'", section)
                for name, section in to_table(what, table).items()}

    def events(self, what: str, table: Any) -> dict[str, Any]:
        return {to_string(f"a name in {what}", name): self._event(f"{what}[{name!r}]", event) if isinstance(event, Mapping)
                else self.expression(f"{what}[{name!r}]", event) for name, event in to_table(what, table).items()}

    def _event(self, what: str, event: Mapping[str, Any]) -> dict[str, Any]:
        written = self.options(what, {key: value for key, value in event.items() if key != "set"}, "at")
        return {**written, "set": self.tree(f"{what}['set']", event["set"])} if "set" in event else written

    def inputs(self, what: str, table: Any) -> dict[str, Any]:
        """Functions of time as tables: files, or times and values, which may be arrays; values may be a function too."""
        written: dict[str, Any] = {}
        for name, given in to_table(what, table).items():
            entry = f"{what}[{str(name)!r}]"
            points = dict(to_table(entry, given))
            if "times" in points:
                points["times"] = _column(f"{entry}['times']", points["times"])
            if callable(points.get("values")):
                if "times" not in points:
                    raise ModelError(f"{entry}: values are a function, and no times are given at which it is taken")
                points["values"] = [points["values"](time) for time in points["times"]]
            if "values" in points:
                points["values"] = _column(f"{entry}['values']", points["values"])
            written[self.key(name)] = {str(key): _plain(entry, value) for key, value in points.items()}
        return written

    def options(self, what: str, table: Any, expression: str) -> dict[str, Any]:
        """A table of plain values and of tables of expressions, as discrete forces are, of which one is an expression."""
        written: dict[str, Any] = {}
        for key, value in to_table(what, table).items():
            name = str(key)
            entry = f"{what}[{name!r}]"
            if name == expression:
                written[name] = self.expression(entry, value)
            else:
                written[name] = self.tree(entry, value) if isinstance(value, Mapping) else _plain(entry, value)
        return written

    def tree(self, what: str, value: Any) -> Any:
        """A table of a problem as TOML holds it: names, expressions, numbers and lists of these, at any depth."""
        if isinstance(value, Mapping):
            return {self.key(key): self.tree(f"{what}[{str(key)!r}]", entry) for key, entry in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.tree(what, entry) for entry in value]
        if isinstance(value, sympy.Basic) and not isinstance(value, sympy.Number):
            return self.expression(what, value)
        return _plain(what, value)


def document_of(algebroid: Algebroid, given: Mapping[str, Any]) -> tuple[str, Symbols, Functions]:
    """The text of a model, its SymPy symbols by name, and the symbols that stand for functions of time."""
    if not isinstance(algebroid, Algebroid):
        raise TypeError(f"algebroid = {shown(algebroid)}; an algebroid is needed, such as hz.tangent(\"q\")")
    action, time = name_of(_name("action", given["action"])), str(_name("time", given["time"]))
    functions = _functions(algebroid, action, time, [given[key] for key in ("action", *_SYMBOLIC)])
    kinematic = "kinematics" in to_table("control", given.get("control"))  # then these stand in place of dynamics
    dynamics = {} if kinematic else {"action": action, "time": time}
    document: Document = {"model": {}, "algebroid": dict(algebroid.table), "dynamics": dynamics}
    change(document, given, Writer(functions, algebroid.fibre), removes=False)
    symbols = symbols_of(given, functions, algebroid.symbols)
    return tomli_w.dumps(_in_order(document)), symbols, functions


def _plain_keys(value: Any) -> Any:
    """The value with the Greek letters in its keys as the library reads them."""
    if isinstance(value, dict):
        return {_herglotz.with_plain_greek(key): _plain_keys(entry) for key, entry in value.items()}
    return [_plain_keys(entry) for entry in value] if isinstance(value, list) else value


class Changes(TypedDict, total=False):
    """The parts that `System.replace` changes: the arguments of `System`, but the algebroid and the names of action and time."""

    name: str
    title: str
    lagrangian: Expression
    hamiltonian: Expression
    parameters: Mapping[Any, float | None]
    definitions: Mapping[Any, Expression | None]
    inputs: Mapping[Any, Mapping[str, Any] | None]
    forces: Mapping[Any, Expression | None]
    rule: str
    constraints: Expression | sympy.Eq | Sequence[Expression | sympy.Eq]
    symmetries: Mapping[str, Sequence[Expression] | Mapping[Any, Expression] | None]
    dissipated: Mapping[str, Expression | None]
    observables: Mapping[str, Expression | None]
    events: Mapping[str, Expression | Mapping[str, Any] | None]
    impacts: Mapping[str, Mapping[str, Any] | None]
    friction: Mapping[str, Mapping[str, Any] | None]
    sampled: Mapping[Any, Mapping[str, Any] | None]
    initial: Mapping[Any, Expression | None]
    simulation: Mapping[str, Any]
    discrete: Mapping[str, Any]
    latex: Mapping[Any, str | None]
    units: Mapping[Any, str | None]
    next: Mapping[Any, float | None]
    control: Mapping[str, Any]
    cost: Mapping[str, Any]
    boundary: Mapping[str, Any]
    guess: Mapping[Any, Any]
    mesh: Mapping[str, Any]


def changed(text: str, changes: Mapping[str, Any], functions: Functions, fibre: Sequence[str], gone: Sequence[str]) -> str:
    """The text of a model after changes, without the initial values that are `gone`."""
    document: Document = _plain_keys(tomllib.loads(_herglotz.with_quoted_keys(text)))
    for name in gone:
        document.get("initial", {}).pop(name, None)
    change(document, changes, Writer(functions, fibre), removes=True)
    return tomli_w.dumps(_in_order(document))


def with_families(text: str, values: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of a model with an index, whose tables have other values, as q[i], in place of all that they say of a family."""
    document: Document = _plain_keys(tomllib.loads(_herglotz.with_quoted_keys(text)))
    for name, families in values.items():
        table = document.setdefault(name, {})
        for family, value in families.items():
            stem = family.split("[")[0]
            kept = {key: other for key, other in table.items() if key.split("[")[0] != stem or key == family}
            table.clear()
            table.update({**kept, family: value})
    return tomli_w.dumps(_in_order(document))


def guess_file(text: str) -> str | None:
    """The file that [guess] of a model names; None where it has expressions, or is missing."""
    guess = tomllib.loads(_herglotz.with_quoted_keys(text)).get("guess", {})
    return guess.get("file") if set(guess) == {"file"} else None


def symbols_of(given: Mapping[str, Any], functions: Functions, symbols: Symbols) -> dict[str, sympy.Symbol]:
    """The symbols in expressions and names that are given, and those there are, by name."""
    expressions = [plain(given.get(key), functions) for key in _SYMBOLIC]
    return symbols_in(*expressions, list(given.get("parameters") or {}), symbols)


def change(document: Document, given: Mapping[str, Any], writer: Writer, *, removes: bool) -> None:
    """Puts what is given, and not None, into the document: entries of tables one by one; None `removes` one."""
    def merge(name: str, write: Callable[[str, Mapping[Any, Any]], Document], into: Document = document) -> None:
        changes = to_table(name, given.get(name))
        if not changes:
            return
        table = into.setdefault(name, {})
        for key, value in write(name, {k: v for k, v in changes.items() if v is not None or not removes}).items():
            table.pop(_EXCLUSIVE.get(key) if name == "simulation" else None, None)
            table[key] = value
        for key in [key for key, value in changes.items() if value is None and removes]:
            table.pop(writer.key(key), None)

    for key in ("name", "title"):
        if given.get(key) is not None:
            document["model"][key] = to_string(key, given[key])
    for key, other in (("lagrangian", "hamiltonian"), ("hamiltonian", "lagrangian")):
        if given.get(key) is not None:
            dynamics = document.setdefault("dynamics", {})
            dynamics.pop(other, None)
            dynamics[key] = writer.expression(key, given[key])
    merge("forces", writer.expressions, document.setdefault("dynamics", {}))
    merge("parameters", writer.numbers)
    merge("inputs", writer.inputs)
    merge("definitions", writer.expressions)
    _change_constraints(document, given, writer)
    merge("symmetries", writer.sections)
    merge("dissipated", writer.expressions)
    merge("observables", writer.expressions)
    merge("events", writer.events)
    merge("impacts", writer.tree)
    merge("friction", writer.tree)
    merge("sampled", writer.tree)
    merge("initial", writer.starts)
    if to_table("next", given.get("next")):
        merge("next", writer.numbers, document.setdefault("initial", {}))
    merge("discrete", lambda name, table: writer.options(name, table, "lagrangian"))
    merge("simulation", lambda name, table: writer.options(name, table, "time_scale"))
    merge("latex", writer.texts)
    merge("units", writer.texts)
    for name in _PROBLEM:
        merge(name, writer.tree)


def _change_constraints(document: Document, given: Mapping[str, Any], writer: Writer) -> None:
    if given.get("constraints") is not None:
        equations = [writer.expression("constraints", one) for one in vanishing(given["constraints"])]
        if equations:
            document.setdefault("constraints", {"rule": "nonholonomic"})["equations"] = equations
        else:
            document.pop("constraints", None)
    if given.get("rule") is not None:
        rule = to_string("rule", given["rule"])
        if rule not in _RULES:
            raise ValueError(f"rule = {shown(rule)}; {did_you_mean(rule, _RULES)}")
        if "constraints" in document:
            document["constraints"]["rule"] = rule


def vanishing(constraints: Any) -> list[Any]:
    """The expressions that vanish where the constraints hold; those are expressions or SymPy's Eq, one or several."""
    single = isinstance(constraints, (str, sympy.Basic))
    listed = [constraints] if single else to_list("constraints", constraints, "expressions, and a rule beside it,")
    return [one.lhs - one.rhs if isinstance(one, sympy.Eq) else one for one in listed]


def _plain(what: str, value: Any) -> Any:
    """The value as TOML holds it: numbers of NumPy and SymPy as those of Python."""
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(f"{what}[{str(key)!r}]", entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(what, entry) for entry in value]
    if isinstance(value, numpy.bool_):
        return bool(value)
    if isinstance(value, (numbers.Integral, sympy.Integer)):
        return to_count(what, value, least=-(2**63))
    try:
        return to_number(what, value)
    except TypeError:
        raise TypeError(f"{what} = {shown(value)}; a string, a number, True or False is needed") from None


def _column(what: str, values: Any) -> list[float]:
    """A list of numbers from an array or a sequence."""
    if isinstance(values, numpy.ndarray):
        if values.ndim != 1:
            raise TypeError(f"{what} has the shape {values.shape}; one dimension is needed")
        values = values.tolist()
    return [to_number(what, value) for value in to_list(what, values, "numbers")]


def _in_order(document: Document) -> Document:
    """Tables in the order of model files, without empty ones."""
    return {key: document[key] for key in sorted(document, key=lambda key: _ORDER.get(key, len(_ORDER))) if document[key]}


def _name(what: str, value: Any) -> Any:
    if not isinstance(value, (str, sympy.Basic)):
        raise TypeError(f"{what} = {shown(value)}; a name is needed, a string or a SymPy symbol")
    return value


def _functions(algebroid: Algebroid, action: str, time: str, expressions: Sequence[Any]) -> Functions:
    t = time_of(algebroid.functions)
    if t is None:
        return {}
    if t.name != time:
        raise ModelError(f"coordinates are functions of {t}, and the time of the model is {time}; give time=\"{t}\"")
    return {**algebroid.functions, **named(expressions, [action, *(f"p_{name}" for name in algebroid.fibre)], t)}
