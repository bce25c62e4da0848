# SPDX-License-Identifier: GPL-3.0-or-later
# finally starts the loop again.
def f():
    while True:
        try:
            raise ValueError
        finally:
            continue


f()
