# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test has one of the labels of tests/CMakeLists.txt, only quick ones are labelled `foreign`, too, and a quick one waits for no
fixture.

    check_labels.py CTEST BUILD
"""

import json
import subprocess
import sys

LABELS = {"quick", "oracle", "gui", "fuzz", "sources"}


def faults(tests):
    for test in tests:
        properties = {entry["name"]: entry["value"] for entry in test["properties"]}
        labels = properties.get("LABELS", [])
        if set(labels) - {"foreign"} not in [{label} for label in LABELS] or "foreign" in labels and "quick" not in labels:
            yield f"{test['name']} has the labels {labels}, and should have one of {sorted(LABELS)}"
        if "quick" in labels and "FIXTURES_REQUIRED" in properties:
            yield f"{test['name']} is quick, but waits for {properties['FIXTURES_REQUIRED']}"


if __name__ == "__main__":
    listed = subprocess.run([sys.argv[1], "--test-dir", sys.argv[2], "--show-only=json-v1"], check=True, capture_output=True)
    found = list(faults(json.loads(listed.stdout)["tests"]))
    sys.exit("\n".join(found) if found else 0)
