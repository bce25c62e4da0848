# SPDX-License-Identifier: GPL-3.0-or-later
"""README's table of formats and the packages' MIME types are those of the program.  check_formats.py FXSCOPE ROOT"""

import json
import os
import pathlib
import re
import subprocess
import sys


def listed(program):
    # Without plugins of the user's own.
    environment = {**os.environ, "FXSCOPE_PLUGIN_PATH": "", "XDG_DATA_HOME": "/nowhere"}
    done = subprocess.run([program, "formats", "--json"], env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def faults(formats, root):
    table = (root / "README.md").read_text().partition("\n| format | read | written |\n|---|---|---|\n")[2].partition("\n\n")[0]
    written = [[cell.strip() for cell in line.replace("`", "").strip("|").split("|")] for line in table.splitlines()]
    expected = [[row["name"] + (f" ({row['about']})" if row["about"] else ""), row["reads"], row["writes"]] for row in formats]
    for row in expected:
        if row not in written:
            yield f"README.md: its table of formats lacks | {' | '.join(row)} |"
    for row in written:
        if row not in expected:
            yield f"README.md: fxscope formats does not say | {' | '.join(row)} |"
    endings = {ending for row in formats for ending in row["endings"]}
    for pattern in re.findall(r'glob pattern="\*([^"]+)"', (root / "packaging/share/fxscope-mime.xml").read_text()):
        if pattern not in endings:
            yield f"fxscope-mime.xml: no format has the ending {pattern}"


if __name__ == "__main__":
    found = list(faults(listed(sys.argv[1]), pathlib.Path(sys.argv[2])))
    sys.exit("\n".join(found) if found else 0)
