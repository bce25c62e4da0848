# SPDX-License-Identifier: GPL-3.0-or-later
# Python's reserved words.

kwlist = ("False None True and as assert async await break class continue def del elif else except finally for from "
          "global if import in is lambda nonlocal not or pass raise return try while with yield").split()
softkwlist = ["_", "case", "match"]


def iskeyword(text):
    return text in kwlist
