# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints where the time of packaging/test.sh went: its phases, the tests by label, and the ten slowest tests.

    test_times.py BUILD PHASE=SECONDS...

Reads tests.xml and sanitized.xml of the build folder, as `ctest --output-junit` writes them; either may be missing.
"""

import collections
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

SLOWEST = 10


def seconds_of(path):
    """Seconds by the name of the test."""
    if not path.exists():
        return {}
    cases = xml.etree.ElementTree.parse(path).iter("testcase")
    return {case.get("name"): float(case.get("time")) for case in cases}


def labels_of(build):
    """The labels by the name of the test."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True)
    tests = json.loads(listed.stdout)["tests"] if listed.returncode == 0 else []
    return {test["name"]: next((each["value"] for each in test["properties"] if each["name"] == "LABELS"), [""]) for test in tests}


def table(title, rows):
    if rows:
        print(f"\n{title}")
        for name, seconds in rows:
            print(f"  {seconds:8.0f} s  {name}")


def main(build, *phases):
    phases = [(name, float(seconds)) for name, seconds in (phase.rsplit("=", 1) for phase in phases)]
    tests, sanitized = seconds_of(build / "tests.xml"), seconds_of(build / "sanitized.xml")
    table("Phases", [*phases, ("all", sum(seconds for _, seconds in phases))])
    labels, sums = labels_of(build), collections.Counter()
    for name, seconds in tests.items():
        sums[labels.get(name, [""])[0]] += seconds
    counts = collections.Counter(labels.get(name, [""])[0] for name in tests)
    rows = [(f"{label}, {counts[label]} tests", seconds) for label, seconds in sums.most_common()]
    if sanitized:
        rows.append((f"under the sanitizer, {len(sanitized)} tests", sum(sanitized.values())))
    table("Tests, the sum of their times", rows)
    table("Slowest tests", collections.Counter(tests).most_common(SLOWEST))
    print()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
