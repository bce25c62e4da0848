# SPDX-License-Identifier: GPL-3.0-or-later
# A generator without end, consumed.
def forever():
    while True:
        yield 1


list(forever())
