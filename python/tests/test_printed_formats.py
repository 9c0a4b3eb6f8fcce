"""Random models in every printed format: C that compiles, SymPy that evaluates, LaTeX that is typeset, and one value in all.

Model number k is that of tests/oracle/draw.py. HERGLOTZ_PRINTED_MODELS=1000 draws that many.
"""

import ctypes
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys

import numpy
import pytest
import sympy

import herglotz as hz

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))

from draw import draw  # noqa: E402
from model import toml  # noqa: E402

COUNT = int(os.environ.get("HERGLOTZ_PRINTED_MODELS", "40"))
FUNCTIONS = {name: getattr(math, name) for name in
             ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "pi")} | {
    "abs": abs, "floor": math.floor, "max": max, "min": min, "sign": lambda x: int(x > 0) - int(x < 0),
    "chosen": lambda holds, above, below: above if holds else below}


class Sample:
    """A model, a point on its constraints, and what the compiled functions say there."""

    def __init__(self, number):
        self.number = number
        self.system = hz.System.from_text(toml(draw(number)), f"random-{number}.toml")
        self.equations = self.system.equations()
        self.field = self.system.vector_field()
        self.t = 0.4
        self.names = [*self.field.names]
        pen = random.Random(number)
        self.u = self._on_constraints(numpy.array([pen.uniform(-0.8, 0.8) for _ in self.names]))
        self.known = self._known()

    def _constants(self):
        return {str(name): value for name, value in self.system._model.parameters.items()} | {self.system._model.time: self.t}

    def _on_constraints(self, u):
        """Newton's steps of least length."""
        titles = [title for title in self.equations if title.startswith("Constraints")]
        if not titles:
            return u
        constants = self._constants()
        rows = sympy.Matrix(self.equations[titles[0]].keys())
        for part in reversed(self.equations._derived[1].items()):
            rows = rows.subs(*part)
        used = {symbol.name: symbol for symbol in rows.free_symbols}
        symbols = [used.get(name, sympy.Symbol(name)) for name in [*self.names, *constants]]
        values = sympy.lambdify(symbols, rows, "numpy")
        slopes = sympy.lambdify(symbols, rows.jacobian(symbols[:len(u)]), "numpy")
        for _ in range(50):
            here = [*u, *constants.values()]
            defect = numpy.array(values(*here), dtype=float).ravel()
            if max(abs(defect)) < 1e-13:
                return u
            u = u - numpy.linalg.lstsq(numpy.array(slopes(*here), dtype=float), defect, rcond=None)[0]
        return u * math.nan

    def _known(self):
        """Every symbol of the printed equations by its name in SymPy, from compiled functions."""
        system, field, t, u = self.system, self.field, self.t, self.u
        model = system._model
        known = self._constants() | dict(zip(self.names, u))
        rates = field(t, u)
        known |= {f"{name}_dot": rate for name, rate in zip(self.names, rates)}
        if system.rule == "nonholonomic":
            known |= dict(zip(model.multipliers, field.multipliers(t, u)))
        if not model.hamiltonian:
            known |= dict(zip(model.momenta, field.momenta(t, u)))
        known[f"L_{model.action}"] = float(field.dissipation_rate(t, u))

        def laws(s):
            at = u + s * rates
            return {"energy": float(field.energy(t + s, at))} | {
                f"J_{name}": float(field.momentum(name, t + s, at)) for name in model.symmetries}

        step = 1e-3
        around = [laws(s) for s in (-2 * step, -step, step, 2 * step)]
        for name, value in laws(0.0).items():
            before2, before, after, after2 = (values[name] for values in around)
            known[name] = value
            known[f"{name}_dot"] = (before2 - 8 * before + 8 * after - after2) / (12 * step)
        return known

    @property
    def is_regular(self):
        return all(math.isfinite(value) and abs(value) < 1e3 for value in self.known.values())

    def faults(self, title, left, right, what):
        loose = title == "Balance laws"  # whose rates are differences
        largest = max(1.0, abs(left), *map(abs, self.known.values()))
        near = abs(left - right) <= (1e-6 if loose else 1e-9) * largest
        return [] if near else [f"model {self.number}, {what}, {title}: {left} = {right}"]


@pytest.fixture(scope="module")
def samples():
    drawn = [Sample(number) for number in range(COUNT)]
    regular = [sample for sample in drawn if sample.is_regular]
    assert len(regular) > 0.8 * COUNT
    return regular


def test_sympy_objects_have_the_values_of_the_kernels(samples):
    faults = []
    for sample in samples:
        rows = [(title, *row) for title, section in sample.equations.items() for row in section.items()]
        for (title, *_), left, right in zip(rows, *_values(sample, [row[1] for row in rows], [row[2] for row in rows])):
            faults += sample.faults(title, left, right, "SymPy")
    assert not faults


def _values(sample, *lists):
    """Lists of SymPy expressions as numbers."""
    known = dict(sample.known)
    definitions = dict(sample.equations._derived[1])
    if "Velocities" in sample.equations:
        definitions |= dict(sample.equations["Velocities"].rows)
    for symbol, value in definitions.items():
        known[symbol.name], = _numbers([value], known)
    return [_numbers(values, known) for values in lists]


def _numbers(expressions, known):
    symbols = sorted(set().union(*(expression.free_symbols for expression in expressions)), key=str)
    return sympy.lambdify(symbols, expressions, "math")(*(known[symbol.name] for symbol in symbols))


def test_sympy_programs_have_the_same_equations(samples):
    faults = []
    for sample in samples:
        program = {}
        exec(compile(sample.system._model.printed("motion", "sympy"), f"random-{sample.number}.py", "exec"), program)  # noqa: S102
        assert list(program["equations"]) == list(sample.equations)
        printed = [(title, sympy.sympify(right)) for title, rows in program["equations"].items() for _, right in rows]
        wanted = [right for section in sample.equations.values() for right in section.values()]
        assert len(printed) == len(wanted)
        for (title, _), *values in zip(printed, *_values(sample, [right for _, right in printed], wanted)):
            faults += sample.faults(title, *values, "program")
    assert not faults


def test_text_has_the_values_of_the_kernels(samples):
    faults = []
    compared = 0
    for sample in samples:
        for title, left, right in _text_values(sample):
            compared += 1
            faults += sample.faults(title, left, right, "text")
    assert not faults
    assert compared > 8 * len(samples)


def _text_values(sample):
    model = sample.system._model
    named = {f"d({name})/dt": f"{name}_dot" for name in [*sample.names, "energy"]} | {f"dL/d{model.action}": f"L_{model.action}"}
    for name in model.symmetries:
        named |= {f"d(J({name}))/dt": f"J_{name}_dot", f"J({name})": f"J_{name}"}
    sections = {}
    for block in sample.equations.text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if len(lines) > 2 and set(lines[1]) == {"-"}:
            sections[lines[0]] = [line.split(" = ") for line in lines[2:]]
    values = FUNCTIONS | sample.known

    def value(text):
        for written in sorted(named, key=len, reverse=True):
            text = text.replace(written, named[written])
        return float(eval(re.sub(r"\bif\(", "chosen(", text).replace("^", "**"), {"__builtins__": {}}, values))  # noqa: S307

    for title in ("Definitions", "Where", "Velocities"):
        for name, text in sections.get(title, []):
            values[name.strip()] = value(text)
    for title, rows in sections.items():
        for left, right in rows:
            yield title, value(left), value(right)


def test_c_compiles_without_warnings_and_has_the_values_of_the_kernels(samples, tmp_path):
    texts = [sample.system._model.printed("motion", "c") for sample in samples]
    numbered = [re.sub(r"^void (\w+)\(", f"void printed_{k}(", text, flags=re.MULTILINE) for k, text in enumerate(texts)]
    (tmp_path / "all.c").write_text("\n".join(numbered))
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-o",
                    "all.so", "all.c", "-lm"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "all.so"))
    faults = []
    compared = 0
    for k, (sample, text) in enumerate(zip(samples, texts)):
        names = {array: re.findall(rf"/\* {array}\[\d+\] = (\w+) \*/", text) for array in "up"}
        outputs = re.findall(r"/\* out\[(\d+)(?:\.\.(\d+))?\] = (.*) \*/", text)
        size = 1 + max(int(last or first) for first, last, _ in outputs)
        arrays = [(ctypes.c_double * max(1, len(names[array])))(*(sample.known[name] for name in names[array])) for array in "up"]
        out = (ctypes.c_double * size)()
        library[f"printed_{k}"](*arrays, out)
        for first, _, what in outputs:
            rate = re.fullmatch(r"d\((\w+)\)/dt", what)
            name = f"{rate[1]}_dot" if rate else what.removeprefix("multiplier ")
            if name in sample.known:
                compared += 1
                faults += sample.faults("C", out[int(first)], sample.known[name], what)
    assert not faults
    assert compared > 3 * len(samples)


KATEX = """
const katex = require(process.argv[1]);
for (const text of JSON.parse(require("fs").readFileSync(0, "utf8"))) {
  try {
    katex.renderToString(text, { displayMode: true, throwOnError: true, strict: "error", trust: false });
  } catch (fault) {
    console.log(fault.message + " in " + text);
  }
}
"""


def test_latex_is_taken_by_katex_and_has_no_factor_behind_a_function(samples):
    texts = [sample.equations.latex for sample in samples]
    found = [path for pattern in ("build/release", "build/*")
             for path in sorted(ROOT.glob(pattern + "/report-web/node_modules/katex"))]
    assert found, "KaTeX comes with the build of the report: cmake --build build/release"
    said = subprocess.run(["node", "-e", KATEX, str(found[0])], input=json.dumps(texts), capture_output=True, text=True,
                          check=True)
    assert said.stdout == ""
    bare = re.compile(r"\\(?:sin|cos|tan|ln|arcsin|arccos|arctan|sinh|cosh|tanh)(?:\^\{\d+\})? "
                      r"(?:\\\w+|\w)(?:_\{[^{}]*\})?(?P<rest> [^&]{0,12})")
    behind = re.compile(r"$|[-+=]|\\(sin|cos|tan|ln|arc|\\|quad)")
    for text in texts:
        for match in bare.finditer(text):
            assert behind.match(match["rest"].strip()), match[0]
