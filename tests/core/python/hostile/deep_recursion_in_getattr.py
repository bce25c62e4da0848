# SPDX-License-Identifier: GPL-3.0-or-later
# __getattr__ that reads what is missing.
class A:
    def __getattr__(self, name):
        return self.other


A().x
