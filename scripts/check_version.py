#!/usr/bin/env python3
"""Checks that every file that names the version names that of CMakeLists.txt, and the headings of the changelog.

usage: scripts/check_version.py [--write]        --write: brings the other files to the version of CMakeLists.txt
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = {  # the text around the version, which is the second group
    "pyproject.toml": r'(?m)(^version = ")([^"]+)',
    "CITATION.cff": r"(?m)(^version: )(\S+)",
    "codemeta.json": r'("version": ")([^"]+)',
    "src/report/web/package.json": r'("version": ")([^"]+)',
    "packaging/conda/meta.yaml": r'(set version = ")([^"]+)',
    "packaging/vcpkg/vcpkg.json": r'("version": ")([^"]+)',
}
HEADINGS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def main():
    version = re.search(r"project\(herglotz VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    offences = []
    for name, pattern in PLACES.items():
        path = ROOT / name
        text = path.read_text()
        found = re.search(pattern, text)
        if found is None:
            offences.append(f"{name}: no version")
        elif found.group(2) != version:
            if "--write" in sys.argv[1:]:
                path.write_text(text[: found.start(2)] + version + text[found.end(2) :])
            else:
                offences.append(f"{name}: version {found.group(2)} for {version}: run scripts/check_version.py --write")
    changes = (ROOT / "CHANGELOG.md").read_text()
    if not re.search(rf"(?m)^## \[?(Unreleased|{re.escape(version)})\b", changes):
        offences.append(f"CHANGELOG.md: no section for {version} nor Unreleased")
    others = set(re.findall(r"(?m)^### (.+)$", changes)) - HEADINGS
    offences += [f"CHANGELOG.md: '{heading}' is none of {', '.join(sorted(HEADINGS))}" for heading in sorted(others)]
    print("\n".join(offences) or f"version {version} everywhere")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
