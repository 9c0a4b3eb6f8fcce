"""Random models: every kind of algebroid, Lagrangian or Hamiltonian, with forces, constraints, the action and time anywhere.

Model number k is drawn from the seed k, so that a number is all that is needed to see it again.
"""

from __future__ import annotations

import random
from typing import Any

from model import Model, names_of

KINDS = ["tangent"] * 5 + ["hamel"] * 2 + ["lie-algebra"] * 2 + ["action"] * 2 + ["atiyah"] * 2 + ["product"] * 2 + ["custom"] * 3
# Representations whose generators -A x are a right action (docs/algebroids.md: "mind the sign").
LINEAR_ACTIONS = {
    "so3": [["0", "{2}", "-{1}"], ["-{2}", "0", "{0}"], ["{1}", "-{0}", "0"]],
    "se2": [["{1}", "-{0}"], ["-1", "0"], ["0", "-1"]],
    "sl2": [["-{0}", "{1}"], ["-{1}", "0"], ["0", "-{0}"]],
    "heisenberg": [["-{1}", "0"], ["0", "-1"], ["-1", "0"]],
}


class Pen:
    """Draws texts of expressions in the names that it was given."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.parameters: dict[str, str] = {}

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, options: Any) -> Any:
        return self.random.choice(list(options))

    def number(self, low: float = 0.2, high: float = 1.5) -> str:
        value = self.random.uniform(low, high)
        kind = self.random.random()
        if kind < 0.15 and len(self.parameters) < 4:
            name = self.pick(["gamma", "kappa", "mu", "beta", "A1", "k_1", "ell", "E0"])
            return (
                name
                if self.parameters.setdefault(name, f"{value:.2f}") and low <= float(self.parameters[name]) <= high
                else f"{value:.1f}"
            )
        if kind < 0.35:
            bottom = self.pick([3, 5, 7, 8])
            return f"{max(1, round(value * bottom))}/{bottom}"
        if kind < 0.4:
            return f"{value:.3e}"
        return f"{value:.2f}"

    def small(self) -> str:
        return self.number(0.05, 0.3)

    def sign(self) -> str:
        return self.pick(["", "-"])

    def smooth(self, name: str) -> str:
        """A function of one name that is smooth and moderate everywhere."""
        a = self.number(0.4, 1.3)
        if self.chance(0.15) and name in self.followers:
            other = self.pick(self.followers)
            return self.pick(
                [
                    f"atan2({name}, 2 + {other}^2)",
                    f"{name}*{other}/(3 + {other}^2)",
                    f"sin({name} - {other})",
                    f"log(2 + {name}^2 + {other}^2)",
                    f"sqrt(1 + ({name} + {other})^2)",
                ]
            )
        return self.pick(
            [
                f"sin({a}*{name})",
                f"cos({name})",
                f"exp({name}/4)",
                f"1/(1 + {name}^2/5)",
                f"sqrt(1 + {name}^2)",
                f"tanh({name})",
                f"log(2 + {name}^2)",
                f"atan({name})",
                f"{name}^2/4",
                f"-{name}^2/5",
                f"asin(tanh({name})/2)",
                f"acos(sin({name})/3)",
                f"tan({name}/8)",
                f"sinh({name}/2)",
                f"cosh({name}/3)",
                f"abs(2 + {name}^2)",
                f"(1 + {name}^2)^(-2/3)",
                f"2^({name}/3)",
                f"sin({name})^2",
                f"{name}/(2 + cos({name}))",
                f"(2 + sin({name}))^({a})",
                f"{name}^3/8",
                f"exp(-{name}^2/6)*{a}",
                f"-2^-2*{name}",
                f"{name}*pi/7",
                f"(1 - {name}/9)**2",
                f"cos({name}*{name}/3 - {a})",
            ]
        )

    followers: list[str] = []


def _algebroid(pen: Pen, kind: str, letter: str = "") -> dict[str, Any]:
    def names(stem: str, count: int) -> list[str]:
        return [f"{letter}{stem}{i + 1}" for i in range(count)]

    def entry(base: list[str], zero: float) -> str:
        if pen.chance(zero):
            return "0"
        return f"{pen.sign()}{pen.small()}*{pen.smooth(pen.pick(base))}" if base else pen.sign() + pen.number()

    if kind == "tangent":
        n = pen.pick([1, 2, 2, 3])
        return {"kind": kind, "base": names("x", n), "fibre": names("v", n)}
    if kind == "hamel":
        n = pen.pick([2, 2, 3])
        base = names("x", n)
        frame = [[f"1 + {pen.small()}*sin({pen.pick(base)})" if a == i else entry(base, 0.5) for i in range(n)] for a in range(n)]
        return {"kind": kind, "base": base, "fibre": names("u", n), "frame": frame}
    if kind == "lie-algebra":
        group = pen.pick(["so3", "se2", "su2", "sl2", "heisenberg", "abelian", "brackets"])
        size = 2 if group == "abelian" else 3
        table: dict[str, Any] = {"kind": kind, "base": [], "fibre": names("w", size)}
        return table | (_scaled_brackets(pen, table["fibre"]) if group == "brackets" else {"group": group})
    if kind == "action":
        group = pen.pick(LINEAR_ACTIONS)
        rows = LINEAR_ACTIONS[group]
        base = names("x", len(rows[0]))
        return {
            "kind": kind,
            "base": base,
            "fibre": names("w", 3),
            "group": group,
            "generators": [[text.format(*base) for text in row] for row in rows],
        }
    if kind == "atiyah":
        n = pen.pick([1, 2])
        group, d = pen.pick([("so3", 3), ("abelian", 1), ("abelian", 2), ("heisenberg", 3), ("se2", 3)])
        base = names("x", n)
        return {
            "kind": kind,
            "base": base,
            "fibre": names("v", n) + names("w", d),
            "group": group,
            "connection": [[entry(base, 0.4) for _ in range(d)] for _ in range(n)],
        }
    if kind == "product":
        first, second = pen.random.sample(["tangent", "lie-algebra", "hamel", "action"], 2)
        return {"kind": kind, "factors": [_algebroid(pen, first, "a"), _algebroid(pen, second, "b")]}
    n, r = pen.pick([(0, 2), (1, 2), (2, 2), (2, 3), (2, 1), (3, 2), (1, 1)])
    base, fibre = names("x", n), names("y", r)
    table = {"kind": "custom", "base": base, "fibre": fibre, "anchor": [[entry(base, 0.2) for _ in base] for _ in fibre]}
    skew = pen.chance(0.5)
    brackets: dict[str, dict[str, str]] = {}
    for i, a in enumerate(fibre):
        for j, b in enumerate(fibre):
            if (i < j if skew else True) and pen.chance(0.6):
                brackets[f"{a},{b}"] = {name: entry(base, 0.0) for name in fibre if pen.chance(0.6)}
    brackets = {pair: parts for pair, parts in brackets.items() if parts}
    if brackets:
        table["brackets"] = brackets
    if not skew:
        table.setdefault("brackets", {f"{fibre[0]},{fibre[0]}": {fibre[-1]: entry(base, 0.0)}})
        table["skew"] = False
        if n and pen.chance(0.6):
            table["right_anchor"] = [[entry(base, 0.2) for _ in base] for _ in fibre]
    return table


def _scaled_brackets(pen: Pen, fibre: list[str]) -> dict[str, Any]:
    """so(3) or sl(2) in a stretched basis: [e1, e2] = a e3, and cyclic."""
    a, b, c = (pen.sign() + pen.number() for _ in range(3))
    e1, e2, e3 = fibre
    return {"brackets": {f"{e1},{e2}": {e3: a}, f"{e2},{e3}": {e1: b}, f"{e3},{e1}": {e2: c}}}


def _kinetic(pen: Pen, w: list[str], others: list[str], simple: bool) -> list[str]:
    """Convex in `w`: a diagonal that dominates, functions of the other names, and terms that are not quadratic."""

    def factor(strength: str) -> str:
        if simple or pen.chance(0.5) or not others:
            return ""
        name = pen.pick(others)
        return pen.pick([f"*(1 + {strength}*sin({name}))", f"*exp({name}/9)", f"/(1 + {name}^2/9)", f"*(1 + {name}^2/8)"])

    terms = [f"{pen.number(0.5, 1.2)}*{name}^2{factor('1/4')}" for name in w]
    for i, a in enumerate(w):
        for b in w[i + 1 :]:
            if pen.chance(0.4):
                terms.append(f"{pen.sign()}{pen.number(0.05, 0.2)}*{a}*{b}" + ("" if simple else factor("1")))
    if not simple and pen.chance(0.3):
        name = pen.pick(w)
        terms.append(pen.pick([f"{pen.small()}*{name}^4", f"sqrt(1 + {name}^2)", f"cosh({name}/2)", f"exp({name}/3)"]))
    return terms


def _constraint(pen: Pen, base: list[str], w: list[str], model: Model) -> list[str]:
    others = [*base, model["action"], model["time"]]

    def coefficient() -> str:
        return f"*{pen.smooth(pen.pick(others if pen.chance(0.3) else base or others))}" if pen.chance(0.5) else ""

    kind = pen.pick(["linear", "linear", "affine", "nonlinear", "holonomic", "holonomic"])
    if kind == "holonomic" and len(base) > 1:
        terms = [f"{pen.sign()}{pen.number(0.7, 1.3)}*{name}" for name in base]
        terms.append(f"{pen.small()}*{pen.smooth(pen.pick(base))}")
        if pen.chance(0.3):
            terms.append(f"{pen.small()}*sin({pen.pick([model['time'], model['action']])})")
        return [*terms, pen.small()]
    strong = pen.pick(w)
    terms = [f"{pen.number(0.8, 1.5)}*{strong}"] + [
        f"{pen.sign()}{pen.number()}*{name}{coefficient()}" for name in w if name != strong
    ]
    if kind == "affine":
        terms.append(f"{pen.sign()}{pen.small()}*{pen.smooth(pen.pick(others))}")
    if kind == "nonlinear":
        terms.append(f"{pen.small()}*{pen.pick(w)}^2")
        terms.append(pen.sign() + pen.small())
    return terms


def draw(seed: int) -> Model:
    pen = Pen(seed)
    kind = pen.pick(KINDS)
    table = _algebroid(pen, kind)
    base, fibre = names_of(table)
    hamiltonian = pen.chance(0.12)
    w = ["p_" + name for name in fibre] if hamiltonian else fibre
    action, time = ("z", "t") if pen.chance(0.8) else ("S", "tau")
    pen.followers = base
    model: Model = {
        "name": f"random-{seed}",
        "seed": seed,
        "algebroid": table,
        "hamiltonian": hamiltonian,
        "action": action,
        "time": time,
        "rule": "nonholonomic",
        "equations": [],
        "forces": {},
        "definitions": {},
        "observables": {},
        "symmetries": {},
    }
    outer = [*base]
    simple = pen.chance(0.3)
    if not simple and pen.chance(0.4):
        outer.append(action)
    if not simple and pen.chance(0.3):
        outer.append(time)
    terms = _kinetic(pen, w, outer, simple)
    minus = "" if hamiltonian else "-"
    for name in base:
        terms += [f"{minus}{pen.number()}*{pen.smooth(name)}"] if pen.chance(0.7) else [f"{minus}{pen.small()}*{name}^2"]
    if base and pen.chance(0.3):
        model["definitions"]["height"] = f"{pen.number()}*{pen.smooth(pen.pick(base))}"
        if pen.chance(0.5):
            model["definitions"]["twice"] = "height + height^2/4"
            terms.append("twice")
        else:
            terms.append("height")
    if not simple and base and pen.chance(0.4):
        terms.append(f"{pen.small()}*{pen.pick(w)}*{pen.smooth(pen.pick(base))}")
    linear = f"{pen.sign() if hamiltonian else '-'}{pen.number(0.05, 0.6)}*{action}"
    dissipation = pen.pick([[], [linear], [linear], [f"-{pen.small()}*{pen.smooth(action)}", linear]])
    terms += dissipation
    if dissipation and not simple and pen.chance(0.3):
        terms.append(f"{pen.small()}*{action}*{pen.pick([*w, *base])}")
    if pen.chance(0.25):
        terms.append(
            f"{pen.small()}*{pen.smooth(time)}" + (f"*{pen.pick(base if simple or not w else [*base, *w])}" if base else "")
        )
    model["terms"] = terms
    if pen.chance(0.3):
        for name in pen.random.sample(fibre, pen.random.randint(1, len(fibre))):
            model["forces"][name] = [
                f"-{pen.small()}*{pen.pick(w)}",
                f"{pen.small()}*{pen.smooth(pen.pick([*base, *w, action, time]))}",
            ]
    if len(fibre) > 1 and pen.chance(0.45):
        model["equations"] = [_constraint(pen, base, w, model) for _ in range(1 if len(fibre) == 2 or pen.chance(0.7) else 2)]
        if not hamiltonian and pen.chance(0.4):
            model["rule"] = "vakonomic"
    if pen.chance(0.5):
        model["symmetries"]["s"] = [
            pen.pick(["0", "1", pen.number(), *([f"{pen.small()}*{pen.smooth(pen.pick(base))}"] if base else [])])
            for _ in fibre[1:]
        ] + ["1"]
    if pen.chance(0.3):
        model["observables"]["shown"] = f"{pen.smooth(pen.pick([*base, *w, action]))} + {pen.pick(w)}*{pen.number()}"
    model["parameters"] = dict(pen.parameters)
    start = {name: round(pen.random.uniform(-1, 1), 2) for name in [*base, *w]} | {
        action: round(pen.random.uniform(-0.5, 0.5), 2)
    }
    if model["equations"] and model["rule"] == "vakonomic":
        start |= {f"nu{k + 1}": pen.pick([0.0, round(pen.random.uniform(-0.3, 0.3), 2)]) for k in range(len(model["equations"]))}
    model["start"] = start
    model["t"] = pen.pick([0.0, 0.0, 0.0, 0.5, -1.0])
    model["t_end"] = model["t"] + pen.pick([0.5, 1.0, 1.0, 1.5, 2.0, -0.75])
    return model
