"""Draws docs/images/MODEL.png for models of the gallery with an index: the space-time map of q, time upwards.

usage: python3 damped_waves.py path/to/herglotz
"""

import csv
import pathlib
import subprocess
import sys

from space_time_map import picture

HERE = pathlib.Path(__file__).resolve().parent
MODELS = {"piano-string": ["--t-end", "6", "--output-every", "2"], "kelvin-voigt-bar": ["--output-step", "0.0125"]}


def main():
    for model, options in MODELS.items():
        command = [sys.argv[1], "simulate", model, "--out", "-", "--columns", "q[:]", *options]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows = [[float(x) for x in row[1:]] for row in list(csv.reader(out.splitlines()))[1:]]
        most = max(abs(x) for row in rows for x in row)
        (HERE / f"{model}.png").write_bytes(picture(rows[::-1], -most, most))


main()
