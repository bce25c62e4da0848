# SPDX-License-Identifier: GPL-3.0-or-later
# Text has no steps of its own.
while True:
    try:
        exec("while True: pass")
    except BaseException:
        pass
