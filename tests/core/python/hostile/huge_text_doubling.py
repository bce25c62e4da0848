# SPDX-License-Identifier: GPL-3.0-or-later
# A text that doubles.
s = "a"
while True:
    s = s + s
