"""Draws docs/images/piano-string.png: the space-time map of the gallery's piano string, time upwards.

usage: python3 piano_string.py path/to/herglotz
"""

import csv
import pathlib
import subprocess
import sys

from space_time_map import picture

HERE = pathlib.Path(__file__).resolve().parent


def main():
    command = [sys.argv[1], "simulate", "piano-string", "--t-end", "6", "--out", "-", "--columns", "q[:]",
               "--output-every", "2"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [[float(x) for x in row[1:]] for row in list(csv.reader(out.splitlines()))[1:]]
    most = max(abs(x) for row in rows for x in row)
    (HERE / "piano-string.png").write_bytes(picture(rows[::-1], -most, most))


main()
