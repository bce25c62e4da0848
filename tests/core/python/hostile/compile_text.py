# SPDX-License-Identifier: GPL-3.0-or-later
# There is no compile.
compile("x = 1", "name", "exec")
