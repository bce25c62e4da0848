# SPDX-License-Identifier: GPL-3.0-or-later
# A join with a long separator.
",".join(["x" * 10**6] * 10**6)
