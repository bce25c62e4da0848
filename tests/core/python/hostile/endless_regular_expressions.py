# SPDX-License-Identifier: GPL-3.0-or-later
# One that takes a little, again and again.
import re

pattern = re.compile(r"(x+x+)+[yz]")
while True:
    try:
        pattern.search("x" * 20)
    except Exception:
        pass
