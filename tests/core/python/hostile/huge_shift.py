# SPDX-License-Identifier: GPL-3.0-or-later
# A shift by a thousand million bits.
print(1 << 10**9)
