# SPDX-License-Identifier: GPL-3.0-or-later
# repr() that asks for its own repr.
class A:
    def __repr__(self):
        return f"<{self!r}>"


print(A())
