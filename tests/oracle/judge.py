"""Runs the program on a model, and compares its rows with those of the oracle."""

from __future__ import annotations

import csv
import math
import pathlib
import random
import subprocess
from typing import NamedTuple

from model import Model, names_of, toml
from motion import Motion

ADAPTIVE = {"reference": 1e-9, "taylor": 1e-9, "stiff": 1e-5, "radau-5": 1e-7}
FIXED = {
    "runge-kutta-4": 4,
    "runge-kutta-8": 8,
    "contact-gauss-2": 2,
    "contact-gauss-4": 4,
    "contact-gauss-6": 6,
    "contact-gauss-8": 8,
    "contact-gauss-10": 10,
    "contact-gauss-12": 12,
    "contact-lobatto-2": 2,
    "contact-lobatto-4": 4,
    "contact-lobatto-6": 6,
    "contact-lobatto-8": 8,
    "contact-galerkin-2": 2,
    "contact-galerkin-4": 4,
    "contact-galerkin-6": 6,
    "contact-galerkin-8": 8,
    "contact-splitting-2": 2,
    "contact-splitting-4": 4,
    "contact-splitting-6": 6,
    "contact-splitting-8": 8,
    "contact-energy-2": 2,
    "contact-energy-4": 4,
    "moreau-2": 2,
    "lie-hph-2": 2,
    "lie-hph-4": 4,
    "lie-hph-cayley-2": 2,
    "lie-hph-cayley-4": 4,
    "contact-rattle-2": 2,
    "contact-rattle-4": 4,
    "contact-dla-2": 2,
    "contact-dla-4": 4,
}
FLOOR = 2e-11  # errors below it are round-off of the two computations


class Verdict(NamedTuple):
    fault: str  # empty if the program and the oracle agree
    refused: bool = False


class Program:
    def __init__(self, binary: str, folder: pathlib.Path):
        self.binary, self.folder, self.runs = binary, folder, 0

    def write(self, model: Model) -> pathlib.Path:
        path = self.folder / "model.toml"
        path.write_text(toml(model))
        return path

    def simulate(self, path: pathlib.Path, *options: str) -> tuple[int, str, list[dict[str, float]]]:
        out = self.folder / "run.csv"
        out.unlink(missing_ok=True)
        self.runs += 1
        try:
            done = subprocess.run(
                [self.binary, "simulate", str(path), "--out", str(out), *options], capture_output=True, text=True, timeout=60
            )
        except subprocess.TimeoutExpired:
            return -1, "no end within a minute", []
        if done.returncode != 0:
            return done.returncode, done.stderr.strip(), []
        with out.open() as lines:
            return 0, "", [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def scale_of(wanted: list[dict[str, float]], name: str) -> float:
    return max(1.0, *(abs(row[name]) for row in wanted))


def difference(wanted: list[dict[str, float]], got: list[dict[str, float]]) -> tuple[float, str]:
    """The largest difference, relative to values above 1, and where it is."""
    if len(wanted) != len(got):
        return math.inf, f"{len(got)} rows for {len(wanted)}"
    if list(wanted[0]) != list(got[0]):
        return math.inf, f"columns {list(got[0])} for {list(wanted[0])}"
    worst, place = 0.0, ""
    for name in wanted[0]:
        if name.endswith("_residual") or name.startswith("momentum_residual."):
            scale = 1.0
        else:
            scale = scale_of(wanted, name)
        for k, (a, b) in enumerate(zip(wanted, got)):
            error = abs(a[name] - b[name]) / scale
            if not error <= worst:  # also not a number
                worst, place = (error if error == error else math.inf), f"{name} of row {k}: {b[name]!r} for {a[name]!r}"
    return worst, place


def must_take(method: str, model: Model, motion: Motion) -> bool:
    """Whether the documentation promises that the method takes the model; where it promises nothing a refusal is fair."""
    constrained = bool(model["equations"])
    if method in ("reference", "stiff", "radau-5") or method.startswith(("contact-gauss", "runge-kutta")):
        return True
    if method == "taylor":
        return False  # accelerations that cannot be eliminated without exchanging rows are refused
    if method.startswith(("contact-lobatto", "contact-energy", "moreau")):
        return not constrained
    if model["hamiltonian"]:
        return False
    kind = model["algebroid"]["kind"]
    if method.startswith("contact-galerkin"):
        return kind == "tangent" and not constrained
    integrable = kind in ("tangent", "hamel", "lie-algebra", "action", "atiyah", "product")
    if method in ("lie-hph-2", "lie-hph-4"):
        return integrable and not constrained
    if method.startswith("contact-rattle"):
        return integrable and all(motion.holonomic) and not motion.vakonomic
    if method.startswith("contact-dla"):
        return integrable and not motion.vakonomic
    return False


def judge_adaptive(
    program: Program, path: pathlib.Path, method: str, model: Model, motion: Motion, wanted: list[dict[str, float]]
) -> Verdict:
    tolerance = "1e-9" if method in ("stiff", "radau-5") else "1e-12"
    status, message, got = program.simulate(path, "--method", method, "--tolerance", tolerance)
    if status == 2 and not must_take(method, model, motion):
        return Verdict("", True)
    if status != 0:
        return Verdict(f"{method}: exit {status}: {message}")
    error, place = difference(wanted, got)
    return Verdict(f"{method}: off by {error:.1e}: {place}" if not error <= ADAPTIVE[method] else "")


def judge_fixed(
    program: Program, path: pathlib.Path, method: str, model: Model, motion: Motion, wanted: list[dict[str, float]]
) -> Verdict:
    """Halves the step until the error falls as the order promises, or is round-off; three times at most."""
    order = FIXED[method]
    span = abs(model["t_end"] - model["t"])
    steps = {2: 64, 4: 32, 6: 16, 8: 12, 10: 8, 12: 8}[order]
    errors: list[float] = []
    places: list[str] = []
    for attempt in range(4):
        status, message, got = program.simulate(path, "--method", method, "--step", repr(span / (steps << attempt)))
        if status == 2 and not must_take(method, model, motion):
            return Verdict("", True)
        if status != 0:
            return Verdict(f"{method}: exit {status}: {message}")
        # The balance laws of a method have its order too, relative to terms that may be far below 1.
        error, place = difference(wanted, got)
        errors.append(error)
        places.append(place)
        if error == math.inf:
            break
        if error <= FLOOR:
            return Verdict("")
        if attempt and errors[-2] / errors[-1] >= 2 ** (order - 0.6):
            return Verdict("")
    shown = ", ".join(f"{error:.1e}" for error in errors)
    return Verdict(f"{method}: errors {shown} of halved steps are not those of order {order}: {places[-1]}")


def methods_for(model: Model, motion: Motion, chooser: random.Random, count: int) -> list[str]:
    """`reference`, and some others that say something about this model."""
    wanted = [m for m in [*ADAPTIVE, *FIXED] if m != "reference" and must_take(m, model, motion)]
    maybe = ["taylor", "lie-hph-cayley-2", "lie-hph-cayley-4"]
    if names_of(model["algebroid"])[0] and not model["equations"]:
        maybe += ["contact-splitting-2", "contact-splitting-4", "contact-splitting-6", "contact-splitting-8"]
    return ["reference", *chooser.sample(sorted(set(wanted + maybe)), count)]


def judge(program: Program, method: str, model: Model, motion: Motion, wanted: list[dict[str, float]]) -> Verdict:
    path = program.write(model)
    return (judge_adaptive if method in ADAPTIVE else judge_fixed)(program, path, method, model, motion, wanted)
