# SPDX-License-Identifier: GPL-3.0-or-later
"""Every source is as clang-format-14 writes it. Names those that are not, and the command that mends them.  check_format.py ROOT"""

import pathlib
import shutil
import subprocess
import sys

FORMATTER = "clang-format-14"  # of Debian 12; others format otherwise


def main(root):
    if not shutil.which(FORMATTER):
        sys.exit(f"{FORMATTER} is missing: apt-get install {FORMATTER}")
    files = sorted(path.relative_to(root) for top in ("app", "core", "plugins", "tests", "widgets") for path in (root / top).rglob("*")
                   if path.suffix in (".h", ".cpp"))
    done = subprocess.run([FORMATTER, "--dry-run", "-Werror", "--ferror-limit=1", *files], cwd=root, stderr=subprocess.PIPE, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "[-Wclang-format-violations]" in line})
    if wrong:
        print("\n".join(wrong), f"{len(wrong)} of {len(files)} sources are not as {FORMATTER} writes them; this mends them:", sep="\n")
        sys.exit(f"    {FORMATTER} -i {' '.join(wrong)}")
    sys.exit(done.stderr if done.returncode else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
