# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the library lead nowhere.
import functools

functools.reduce.__globals__["__builtins__"]["open"]("/etc/passwd")
