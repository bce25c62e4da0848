# SPDX-License-Identifier: GPL-3.0-or-later
# A text of a million million characters.
x = "a" * 10**12
