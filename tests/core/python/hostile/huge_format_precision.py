# SPDX-License-Identifier: GPL-3.0-or-later
# The precision of a format.
print(f"{0.1:.{2 * 10**9}f}")
