# SPDX-License-Identifier: GPL-3.0-or-later
# Text reaches no further than the program that evaluates it.
eval("__import__('os').system('true')")
