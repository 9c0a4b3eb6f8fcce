#!/usr/bin/env python3
"""Counts the tests of a JUnit file: prints `PASSED FAILED SKIPPED`, then one line for each reason to skip with its tests.

usage: scripts/junit.py FILE        exits 1 if the file holds no test
"""

import collections
import re
import sys
import xml.etree.ElementTree as ElementTree

REASON = re.compile(r"(?:Skipped\n|: Skipped\s*\n)([^\n]+)")  # what GTEST_SKIP() said
SHOWN = 6  # names per reason


def reason_of(case, skip):
    """Why a test was skipped: what GTEST_SKIP() or a test that exits with 77 printed, or pytest's message."""
    printed = case.findtext("system-out") or ""
    message = skip.get("message") or "no reason given"
    if said := REASON.search(printed):
        return said.group(1).strip()
    return (printed.strip().splitlines() or [message])[-1] if "SKIP_RETURN_CODE" in message else message


def main():
    try:
        cases = list(ElementTree.parse(sys.argv[1]).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(error, file=sys.stderr)
        return 1
    passed = failed = 0
    skipped = collections.defaultdict(list)
    for case in cases:
        skip = case.find("skipped")
        idle = skip is not None or case.get("status") in ("notrun", "disabled")
        if case.find("failure") is not None or case.find("error") is not None:
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
