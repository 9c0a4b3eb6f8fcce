"""Draws docs/images/sine-gordon-ring.png: the space-time map of the model of docs/families.md.

usage: python3 sine_gordon_ring.py path/to/herglotz
"""

import csv
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
COLOURS = [(24, 28, 66), (38, 98, 140), (98, 168, 160), (232, 224, 170), (214, 120, 62), (120, 20, 40)]


def colour(share):
    place = min(max(share, 0.0), 1.0) * (len(COLOURS) - 1)
    k = min(int(place), len(COLOURS) - 2)
    return bytes(round(a + (b - a) * (place - k)) for a, b in zip(COLOURS[k], COLOURS[k + 1]))


def png(rows):
    """Returns the PNG file of rows of RGB pixels."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", pixels) + part(b"IEND", b"")


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
    pixels = [b"".join(colour((x - low) / (high - low)) for x in row) for row in reversed(rows)]
    (HERE / "sine-gordon-ring.png").write_bytes(png(pixels))


main()
