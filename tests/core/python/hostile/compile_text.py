# SPDX-License-Identifier: GPL-3.0-or-later
# Text that is nested deeper than a tree may be.
compile("(" * 100_000 + ")" * 100_000, "name", "eval")
