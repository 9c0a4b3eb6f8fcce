#!/usr/bin/env python3
"""Draws docs/images/bouncing-ball.svg: height and energy of the ball of docs/impacts.md.

usage: python3 docs/images/bouncing_ball.py build/release/bin/herglotz        needs matplotlib
"""

import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "ball", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})


def run(program):
    page = pathlib.Path(__file__).parent.with_name("impacts.md").read_text(encoding="utf-8")
    model = re.search(r"```toml\n(.*?)```", page, re.DOTALL).group(1)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.toml"
        file.write_text(model, encoding="utf-8")
        subprocess.run([program, "simulate", file, "--out", file.with_suffix(".csv")], check=True, capture_output=True)
        rows = list(csv.DictReader(file.with_suffix(".csv").open(encoding="utf-8")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def main():
    found = run(sys.argv[1])
    figure, (height, energy) = plt.subplots(1, 2, figsize=(8.4, 2.8), layout="constrained")
    height.plot(found["t"], found["q"], color="#1d4ed8", lw=1.4)
    zeno = math.sqrt(2 / 9.81) * 9
    height.axvline(zeno, color="grey", lw=0.8, ls=":")
    height.text(zeno, 0.9, " $t_0(1+e)/(1-e)$", color="grey", fontsize=8)
    height.set(xlabel="t", title="Height of the ball")
    energy.plot(found["t"], found["energy"], color="#1d4ed8", lw=1.4, label="energy")
    energy.plot(found["t"], found["loss.floor"], color="#c2410c", lw=1.4, label="loss.floor")
    total = [a + b for a, b in zip(found["energy"], found["loss.floor"])]
    energy.plot(found["t"], total, color="black", lw=0.9, ls="--", label="sum")
    energy.legend(frameon=False, fontsize=8, loc="center right")
    energy.set(xlabel="t", title="Its energy, and what the impacts took")
    figure.savefig(pathlib.Path(__file__).with_name("bouncing-ball.svg"), metadata={"Date": None})
    print(f"largest defect of the sum: {max(abs(value - total[0]) for value in total):.3g}")


if __name__ == "__main__":
    main()
