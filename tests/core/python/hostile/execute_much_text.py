# SPDX-License-Identifier: GPL-3.0-or-later
# A text whose tree would fill the memory.
exec("x = 1\n" * 10**8)
