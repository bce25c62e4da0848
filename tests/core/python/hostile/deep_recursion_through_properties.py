# SPDX-License-Identifier: GPL-3.0-or-later
# A property that reads itself.
class A:
    @property
    def x(self):
        return self.x


A().x
