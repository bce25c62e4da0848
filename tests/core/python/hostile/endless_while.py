# SPDX-License-Identifier: GPL-3.0-or-later
# A loop without end.
while True:
    pass
