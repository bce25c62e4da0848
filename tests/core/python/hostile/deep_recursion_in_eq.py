# SPDX-License-Identifier: GPL-3.0-or-later
# == of two lists that hold each other.
a, b = [], []
a.append(b)
b.append(a)
print(a == b)
