# SPDX-License-Identifier: GPL-3.0-or-later
# The width of a % conversion.
print("%*d" % (10**10, 1))
