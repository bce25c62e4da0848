# SPDX-License-Identifier: GPL-3.0-or-later
# hash() of a deep tuple.
t = ()
for _ in range(10**6):
    t = (t,)
hash(t)
print(repr(t))
