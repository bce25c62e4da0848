# SPDX-License-Identifier: GPL-3.0-or-later
# There is no exec.
exec("x = 1")
