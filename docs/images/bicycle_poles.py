#!/usr/bin/env python3
"""Draws docs/images/bicycle-poles.svg: the poles of the Whipple bicycle by its speed.

usage: python3 docs/images/bicycle_poles.py build/release/bin/herglotz
needs matplotlib
"""

import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

matplotlib.rcParams.update({"svg.hashsalt": "bicycle-poles", "svg.fonttype": "none", "font.size": 9,
                            "axes.spines.top": False, "axes.spines.right": False})


def eigenvalues(program, speed):
    at = f"vphi=0,vx={speed},vrear={speed}/0.3,vfront={speed}/0.35"
    answer = subprocess.run([program, "linearise", "whipple-bicycle", "--at", at, "--format", "json"], check=True,
                            capture_output=True, text=True)
    pairs = json.loads(answer.stdout)["eigenvalues"]
    return [complex(*pair) for pair in pairs if abs(complex(*pair)) > 1e-4]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    figure, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
    for k in range(51):
        speed = k / 5
        for number in eigenvalues(program, speed):
            oscillates = abs(number.imag) > 1e-6
            axes.plot(speed, number.real, ".", markersize=3, color="tab:blue" if oscillates else "black")
            if number.imag > 1e-6:
                axes.plot(speed, number.imag, ".", markersize=3, color="tab:orange")
    axes.axhline(0, color="grey", linewidth=0.6)
    axes.axvspan(4.292, 6.024, color="tab:green", alpha=0.15, linewidth=0)
    axes.text(5.16, 8.2, "rides by itself", ha="center", color="tab:green")
    axes.text(9.9, 5.6, "frequency of the weave", color="tab:orange", ha="right")
    axes.text(8.0, -3.6, "weave", color="tab:blue", ha="right", va="top")
    axes.text(9.9, 0.3, "capsize", ha="right", va="bottom")
    axes.text(3.6, -8.7, "castering", ha="right")
    axes.set(xlabel="speed in m/s", ylabel="poles in 1/s", ylim=(-10, 10), xlim=(0, 10))
    figure.savefig(pathlib.Path(__file__).with_name("bicycle-poles.svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
