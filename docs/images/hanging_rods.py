#!/usr/bin/env python3
"""Draws docs/images/hanging-rods.svg: the chain of the gallery's hanging-rods at some times, and the catenary of rods on
which it comes to rest.

usage: python3 docs/images/hanging_rods.py build/release/bin/herglotz        needs matplotlib and numpy
"""

import csv
import io
import pathlib
import subprocess
import sys

import matplotlib
import numpy

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "rods", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})
TIMES = (0.0, 0.2, 0.4, 40.0)


def rows(program):
    run = subprocess.run([program, "simulate", "hanging-rods", "--out", "-", "--columns", "x[:],y[:]"], check=True,
                         capture_output=True, text=True)
    return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(run.stdout))]


def main():
    run = rows(sys.argv[1])
    count = sum(name.startswith("x[") for name in run[0])
    figure, axes = plt.subplots(figsize=(5.2, 3.0), layout="constrained")
    for time, color in zip(TIMES, ("#93c5fd", "#60a5fa", "#2563eb", "#111827"), strict=True):
        row = min(run, key=lambda one: abs(one["t"] - time))
        x, y = ([row[f"{axis}[{i}]"] for i in range(count)] for axis in "xy")
        axes.plot(x, y, "-o", color=color, ms=3, lw=1, label=f"t = {time:g}")
    slopes = numpy.diff(y) / numpy.diff(x)
    axes.text(0, -0.35, f"at rest each slope is larger than the one before by\n{slopes[1] - slopes[0]:.6f}, "
              f"alike to {numpy.ptp(numpy.diff(slopes)):.0e}", ha="center", color="#111827")
    axes.set(xlabel="x", ylabel="y", aspect="equal")
    axes.legend(frameon=False, loc="upper center", ncols=4)
    figure.savefig(pathlib.Path(__file__).with_name("hanging-rods.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
