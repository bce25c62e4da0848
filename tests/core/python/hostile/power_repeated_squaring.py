# SPDX-License-Identifier: GPL-3.0-or-later
# Squares of squares.
x = 3
while True:
    x = x * x
