#!/usr/bin/env python3
"""Draws docs/images/woodpecker.svg: fall, limit cycle and energy of the woodpecker toy of the gallery.

usage: python3 docs/images/woodpecker.py build/release/bin/herglotz        needs matplotlib
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "woodpecker", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})
CONTACTS = ("beak", "lower", "upper")


def run(program):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.csv"
        subprocess.run([program, "simulate", "woodpecker", "--t-end", "0.6", "--output-every", "20", "--out", file], check=True,
                       capture_output=True)
        rows = list(csv.DictReader(file.open(encoding="utf-8")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def main():
    found = run(sys.argv[1])
    figure, (fall, cycle, energy) = plt.subplots(1, 3, figsize=(10.4, 2.9), layout="constrained")
    fall.plot(found["t"], [1000 * y for y in found["y"]], color="#1d4ed8", lw=1.4)
    fall.set(xlabel="t / s", title="Height of the sleeve / mm")
    cycle.plot(found["psi"], found["vpsi"], color="#1d4ed8", lw=0.9)
    cycle.set(xlabel="angle of the bird", title="Its angular velocity / (rad/s)")
    energy.plot(found["t"], [1000 * e for e in found["energy"]], color="#1d4ed8", lw=1.4, label="energy")
    work = [-1000 * sum(found[f"work.{name}"][k] for name in CONTACTS) for k in range(len(found["t"]))]
    loss = [1000 * sum(found[f"loss.{name}"][k] for name in CONTACTS) for k in range(len(found["t"]))]
    energy.plot(found["t"], work, color="#c2410c", lw=1.4, label="friction took")
    energy.plot(found["t"], loss, color="#15803d", lw=1.4, label="normal forces took")
    total = [1000 * e + done + lost for e, done, lost in zip(found["energy"], work, loss)]
    energy.plot(found["t"], total, color="black", lw=0.9, ls="--", label="sum")
    energy.legend(frameon=False, fontsize=8, loc="lower left")
    energy.set(xlabel="t / s", title="Energy / mJ")
    figure.savefig(pathlib.Path(__file__).with_name("woodpecker.svg"), metadata={"Date": None})
    print(f"largest defect of the sum: {max(abs(value - total[0]) for value in total):.3g} mJ")


if __name__ == "__main__":
    main()
