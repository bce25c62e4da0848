# SPDX-License-Identifier: GPL-3.0-or-later
# iter() with a sentinel that never comes.
for x in iter(int, 1):
    pass
