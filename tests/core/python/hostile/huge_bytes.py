# SPDX-License-Identifier: GPL-3.0-or-later
# bytes of a huge count.
bytes(10**13)
