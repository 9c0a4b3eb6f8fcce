#!/usr/bin/env python3
"""Counts the tests of a JUnit file: prints `PASSED FAILED SKIPPED`, then one line for each reason to skip with its tests.

usage: scripts/junit.py FILE [FOLDER]        exits 1 if the file holds no test

A test NAME of the file that is a program with tests of its own counts as those of FOLDER/NAME.xml. If it failed although none of
them did, it is one more failure.
"""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

REASON = re.compile(r"(?:Skipped\n|: Skipped\s*\n)([^\n]+)")  # what GTEST_SKIP() said
SHOWN = 6  # names per reason


def reason_of(case, skip):
    """Why a test was skipped: what GTEST_SKIP() or a test that exits with 77 printed, or pytest's message."""
    printed = case.findtext("system-out") or ""
    message = skip.get("message") or "no reason given"
    if said := REASON.search(printed) or re.match(r"[^\n]+:\d+\n([^\n]+)", message):
        return said.group(1).strip()
    return (printed.strip().splitlines() or [message])[-1] if "SKIP_RETURN_CODE" in message else message


def has_failed(case):
    return case.find("failure") is not None or case.find("error") is not None


def cases_of(path):
    return list(ElementTree.parse(path).iter("testcase"))


def opened(case, folder):
    """The tests that a test consists of: itself, or those that its program listed."""
    try:
        inner = cases_of(folder / f"{case.get('name')}.xml")
    except (OSError, ElementTree.ParseError):
        return [case]
    return [*inner, case] if has_failed(case) and not any(map(has_failed, inner)) else inner


def main():
    try:
        cases = cases_of(sys.argv[1])
    except (OSError, ElementTree.ParseError) as error:
        print(error, file=sys.stderr)
        return 1
    if len(sys.argv) > 2:
        cases = [inner for case in cases for inner in opened(case, pathlib.Path(sys.argv[2]))]
    passed = failed = 0
    skipped = collections.defaultdict(list)
    for case in cases:
        skip = case.find("skipped")
        idle = skip is not None or case.get("status") in ("notrun", "disabled")
        if has_failed(case):
            failed += 1
        elif idle:
            skipped[reason_of(case, skip if skip is not None else case)].append(case.get("name"))
        else:
            passed += 1
    print(passed, failed, sum(map(len, skipped.values())))
    for reason, names in sorted(skipped.items()):
        rest = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        print(f"skip  {reason}: {', '.join(names[:SHOWN])}{rest}")
    return 0 if cases else 1


if __name__ == "__main__":
    sys.exit(main())
