# SPDX-License-Identifier: GPL-3.0-or-later
# What check_nn_modules.py compares beyond PyTorch's module database: constructions with a call, wrong calls, small scripts.

CASES = [
]

ERRORS = [
]

SCRIPTS = [
]
