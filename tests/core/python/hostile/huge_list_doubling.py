# SPDX-License-Identifier: GPL-3.0-or-later
# A list that doubles.
x = [0]
while True:
    x += x
