# SPDX-License-Identifier: GPL-3.0-or-later
# A class that makes a class when it is made.
class Meta(type):
    def __new__(mcls, name, bases, names):
        return mcls.__new__(mcls, name + "x", bases, names)


class A(metaclass=Meta):
    pass
