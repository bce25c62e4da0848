# SPDX-License-Identifier: GPL-3.0-or-later
# Each place of a text grows.
import re

print(len(re.sub("", "x" * 100_000, "a" * 100_000)))
