#!/usr/bin/env python3
"""Draws docs/images/ieee-118.png: the frequencies of the buses of examples/ieee-118 after a push.

Bus 1 is at the top, and time goes to the right.

usage: python3 docs/images/ieee_118.py build/release/bin/herglotz
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

from space_time_map import picture

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 5.0
ENLARGED = 3


def main():
    model = HERE.parent.parent / "examples" / "ieee-118" / "ieee-118.toml"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.csv"
        subprocess.run([sys.argv[1], "simulate", str(model), "--t-end", "8", "--out", str(file), "--columns", "v",
                        "--output-step", "0.01"], check=True, capture_output=True)
        rows = [[float(x) for x in row[1:]] for row in list(csv.reader(file.open(encoding="utf-8")))[1:]]
    buses = [list(bus) for bus in zip(*rows, strict=True) for _ in range(ENLARGED)]
    (HERE / "ieee-118.png").write_bytes(picture(buses, -LARGEST, LARGEST))


main()
