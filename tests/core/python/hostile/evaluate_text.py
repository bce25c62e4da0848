# SPDX-License-Identifier: GPL-3.0-or-later
# There is no eval.
eval("1 + 1")
