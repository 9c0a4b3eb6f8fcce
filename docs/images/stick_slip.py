#!/usr/bin/env python3
"""Draws docs/images/stick-slip.svg: the block of docs/friction.md, its friction, and the powers of its energy law.

usage: python3 docs/images/stick_slip.py build/release/bin/herglotz        needs matplotlib
"""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "belt", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})


def run(program):
    page = pathlib.Path(__file__).parent.with_name("friction.md").read_text(encoding="utf-8")
    model = re.search(r"```toml\n(.*?)```", page, re.DOTALL).group(1)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.toml"
        file.write_text(model, encoding="utf-8")
        subprocess.run([program, "simulate", file, "--out", file.with_suffix(".csv")], check=True, capture_output=True)
        rows = list(csv.DictReader(file.with_suffix(".csv").open(encoding="utf-8")))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def main():
    found = run(sys.argv[1])
    figure, (place, force, energy) = plt.subplots(1, 3, figsize=(8.4, 2.6), layout="constrained")
    place.plot(found["t"], found["q"], color="#1d4ed8", lw=1.4)
    place.set(xlabel="t", title="Position of the block")
    force.plot(found["t"], found["friction.belt"], color="#c2410c", lw=1.4)
    for limit in (0.8, 0.5):
        force.axhline(limit, color="grey", lw=0.8, ls=":")
    force.set(xlabel="t", title="Force of friction")
    energy.plot(found["t"], found["mechanical_energy"], color="#1d4ed8", lw=1.4, label="energy")
    energy.plot(found["t"], found["power.belt"], color="#c2410c", lw=1.2, label="power.belt")
    energy.legend(frameon=False, fontsize=8, loc="lower center", ncols=2)
    energy.set(xlabel="t", title="Energy, power of friction", ylim=(-0.19, 0.18))
    figure.savefig(pathlib.Path(__file__).with_name("stick-slip.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
