# SPDX-License-Identifier: GPL-3.0-or-later
# A power of a power.
print(10 ** 10 ** 10)
