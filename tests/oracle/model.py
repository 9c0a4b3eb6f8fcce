"""A model as plain data, and its text as a model file.

A model is a dictionary of texts and numbers, so that it can be made smaller piece by piece:

    algebroid    table of the kind            parameters, definitions   {name: text}
    terms        summands of L or H           forces                    {fibre: [terms]}
    hamiltonian  whether `terms` are of H     rule, equations           [[terms] of each constraint]
    action, time names                        symmetries, observables   {name: [texts]}, {name: text}
    start        {name: float}                t, t_end                  floats
"""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

FUNCTIONS = {
    name: getattr(sp, name)
    for name in ["sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"]
} | {"abs": sp.Abs, "pi": sp.pi}
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)")

Model = dict[str, Any]


class Reader:
    """Makes SymPy expressions of texts in the grammar of model files, decimal numbers exactly."""

    def __init__(self, model: Model):
        self.names: dict[str, Any] = dict(FUNCTIONS)
        table = model["algebroid"]
        self.base, self.fibre = names_of(table)
        momenta = ["p_" + name for name in self.fibre]
        for name in [*self.base, *self.fibre, *momenta, model["action"], model["time"]]:
            self.names[name] = sp.Symbol(name, real=True)
        self.names.update((name, sp.Rational(text)) for name, text in model["parameters"].items())
        for name, text in model["definitions"].items():
            self.names[name] = self(text)

    def __call__(self, text: str) -> sp.Expr:
        code = NUMBER.sub(r"Number('\1')", text.replace("^", "**"))
        value = eval(code, {"__builtins__": {}, "Number": sp.Rational}, self.names)  # the text is of this program
        return sp.sympify(value)

    def total(self, terms: list[str]) -> sp.Expr:
        return sum((self(text) for text in terms), sp.S.Zero)


def names_of(table: dict[str, Any]) -> tuple[list[str], list[str]]:
    if table["kind"] == "product":
        parts = [names_of(factor) for factor in table["factors"]]
        return [n for base, _ in parts for n in base], [n for _, fibre in parts for n in fibre]
    return list(table["base"]), list(table["fibre"])


def total(terms: list[str]) -> str:
    return " + ".join(f"({text})" if text.startswith("-") else text for text in terms) or "0"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return "{ " + ", ".join(f'"{key}" = {_value(entry)}' for key, entry in value.items()) + " }"


def _table(name: str, entries: dict[str, Any]) -> list[str]:
    return ["", f"[{name}]", *(f'"{key}" = {_value(value)}' for key, value in entries.items())] if entries else []


def toml(model: Model) -> str:
    table = dict(model["algebroid"])
    brackets = table.pop("brackets", None)
    dynamics: dict[str, Any] = {
        "hamiltonian" if model["hamiltonian"] else "lagrangian": total(model["terms"]),
        "action": model["action"],
        "time": model["time"],
    }
    forces = {name: total(terms) for name, terms in model["forces"].items() if terms}
    if forces:
        dynamics["forces"] = forces
    lines = ["[model]", f'name = "{model["name"]}"', *_table("algebroid", table)]
    if brackets:
        lines += _table("algebroid.brackets", brackets)
    lines += _table("parameters", {name: float(text) for name, text in model["parameters"].items()})
    lines += _table("definitions", model["definitions"])
    lines += _table("dynamics", dynamics)
    if model["equations"]:
        lines += _table("constraints", {"rule": model["rule"], "equations": [total(e) for e in model["equations"]]})
    lines += _table("symmetries", model["symmetries"])
    lines += _table("observables", model["observables"])
    lines += _table("initial", dict(model["start"]) | {model["time"]: model["t"]})
    lines += _table("simulation", {"t_end": model["t_end"], "output_step": output_step(model)})
    return "\n".join(lines) + "\n"


ROWS = 4  # stored after the start


def output_step(model: Model) -> float:
    return abs(model["t_end"] - model["t"]) / ROWS
