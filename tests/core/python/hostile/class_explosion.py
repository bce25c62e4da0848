# SPDX-License-Identifier: GPL-3.0-or-later
# Classes whose order of bases explodes.
classes = [type("A", (), {})]
while True:
    classes.append(type("A", (classes[-1],), {"x": [0] * 1000}))
