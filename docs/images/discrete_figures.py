#!/usr/bin/env python3
"""Draws docs/images/discrete-figures.svg: Figures 1 and 2 of [ASMLL20], discrete motions beside the exact ones.

usage: python3 docs/images/discrete_figures.py build/release/bin/herglotz        needs matplotlib
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "discrete", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})
GAMMA, H, Q0, Q1 = -0.05, 0.5, 1.0, 2.0


def run(program, model, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.csv"
        subprocess.run([program, "simulate", model, "--out", str(file), *options], check=True, capture_output=True)
        rows = list(csv.DictReader(file.open(encoding="utf-8")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def exact_velocity(spring):
    """v(0) of the motion with q(0) = Q0 and q(H) = Q1: the exact retraction."""
    if not spring:
        return (Q1 - Q0) * GAMMA / math.expm1(GAMMA * H)
    a = GAMMA / 2
    w = math.sqrt(1 - a * a)
    return a * Q0 + (Q1 * math.exp(-a * H) - Q0 * math.cos(w * H)) * w / math.sin(w * H)


def drawn(found, column):
    """The values of a column as they are plotted: logarithms of energies."""
    return [math.log(e) for e in found[column]] if column == "energy" else found[column]


def main():
    program = sys.argv[1]
    figure, axes = plt.subplots(2, 3, figsize=(10, 5), constrained_layout=True)
    for row, (model, continuous, title, spring) in zip(axes, (
            ("discrete-free-particle", "free-particle", "free particle", False),
            ("discrete-oscillator", "damped-oscillator", "damped oscillator", True))):
        discrete = run(program, model)
        exact = run(program, continuous, "--method", "reference", "--tolerance", "1e-12", "--t-end", str(discrete["t"][-1]),
                    "--set", f"q={Q0}", "--set", f"v={exact_velocity(spring)}", "--set", f"gamma={GAMMA}")
        for plot, column in zip(row, ("q", "z", "energy")):
            plot.plot(discrete["t"], drawn(discrete, column), ".-", lw=1, markersize=4, label="discrete")
            plot.plot(exact["t"], drawn(exact, column), "--", color="black", lw=1, label="exact")
            plot.set(xlabel="t", ylabel="log H" if column == "energy" else column)
        row[0].set_title(title)
    axes[0][0].legend(frameon=False)
    figure.savefig(pathlib.Path(__file__).with_name("discrete-figures.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
