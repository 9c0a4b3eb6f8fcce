#!/usr/bin/env python3
"""Draws docs/images/skate-rules.svg: the skate on an incline under both rules, from the same start.

usage: python3 docs/images/skate_rules.py build/release/bin/herglotz        needs matplotlib
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

matplotlib.rcParams.update({"svg.hashsalt": "skate", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})
T = 12


def run(program, model, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.csv"
        subprocess.run([program, "simulate", model, "--t-end", str(T), "--step", "0.005", "--out", str(file), *options],
                       check=True, capture_output=True)
        rows = list(csv.DictReader(file.open(encoding="utf-8")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def draw_path(axes, found, colour, label, **style):
    axes.plot(found["y"], found["x"], color=colour, label=label, **style)
    for k in range(len(found["t"])):
        if abs(found["t"][k] - round(found["t"][k])) < 1e-9 and style.get("lw", 1) > 1:
            c, s = 0.09 * math.cos(found["th"][k]), 0.09 * math.sin(found["th"][k])
            axes.plot([found["y"][k] - s, found["y"][k] + s], [found["x"][k] - c, found["x"][k] + c], color=colour, lw=3,
                      solid_capstyle="round")


def main():
    program = sys.argv[1]
    free = run(program, "skate-nonholonomic")
    critical = run(program, "skate-vakonomic")
    figure, (plane, gap) = plt.subplots(1, 2, figsize=(8.4, 3.6), width_ratios=(1.45, 1), layout="constrained")
    for nu in ("-0.3", "0.3"):
        draw_path(plane, run(program, "skate-vakonomic", "--set", f"nu1={nu}"), "#e3b0a0",
                  "vakonomic, other nu1(0)" if nu == "0.3" else None, lw=0.9)
    draw_path(plane, critical, "#c2410c", "vakonomic, nu1(0) = 0", lw=1.6)
    draw_path(plane, free, "#1d4ed8", "nonholonomic", lw=1.6)
    plane.plot(free["y"][0], free["x"][0], "o", color="black", ms=5)
    plane.invert_yaxis()
    plane.set_aspect("equal")
    plane.set(xlabel="y (across the slope)", ylabel="x (down the slope)", title="Paths, t = 0 to 12; a blade per unit of time")
    plane.legend(frameon=False, loc="lower right", fontsize=8)
    apart = [math.hypot(a - c, b - d) for a, b, c, d in zip(free["x"], free["y"], critical["x"], critical["y"])]
    times = [(t, a) for t, a in zip(free["t"], apart) if t > 0.04]
    gap.loglog(*zip(*times), color="black", lw=1.4, label="distance of the two skates")
    gap.loglog([0.05, 0.5], [0.12555 * t**3 for t in (0.05, 0.5)], ":", color="grey", label="$0.126\\, t^3$")
    gap.set(xlabel="t", title="How far they are apart")
    gap.legend(frameon=False, loc="lower right", fontsize=8)
    figure.savefig(pathlib.Path(__file__).with_name("skate-rules.svg"), metadata={"Date": None})
    for t in (0.1, 0.5, 1, 2, 5, 10, 12):
        k = min(range(len(apart)), key=lambda i: abs(free["t"][i] - t))
        print(f"t = {free['t'][k]:g}: {apart[k]:.6g} apart, nu1 = {critical['nu1'][k]:.4g}, lambda1 = {free['lambda1'][k]:.4g}")


if __name__ == "__main__":
    main()
