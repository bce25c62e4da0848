# SPDX-License-Identifier: GPL-3.0-or-later
# isinstance() that never answers.
class Meta(type):
    def __instancecheck__(cls, value):
        return isinstance(value, cls)


class A(metaclass=Meta):
    pass


isinstance(3, A)
