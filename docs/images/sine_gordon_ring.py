"""Draws docs/images/sine-gordon-ring.png: the space-time map of the model of docs/families.md.

usage: python3 sine_gordon_ring.py path/to/herglotz
"""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile

from space_time_map import picture

HERE = pathlib.Path(__file__).resolve().parent


def main():
    text = (HERE.parent / "families.md").read_text(encoding="utf-8")
    model = re.search(r"```toml\n(.*?)```", text, re.S)[1]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "ring.toml"
        file.write_text(model, encoding="utf-8")
        command = [sys.argv[1], "simulate", str(file), "--out", "-", "--columns", "q[::2]", "--output-every", "15"]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [[float(x) for x in row[1:]] for row in list(csv.reader(out.splitlines()))[1:]]
    low, high = min(map(min, rows)), max(map(max, rows))
    (HERE / "sine-gordon-ring.png").write_bytes(picture(rows[::-1], low, high))


main()
