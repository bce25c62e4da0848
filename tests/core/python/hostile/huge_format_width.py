# SPDX-License-Identifier: GPL-3.0-or-later
# The width of a format.
print(f"{1:>{10**11}}")
