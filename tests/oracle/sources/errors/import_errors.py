# SPDX-License-Identifier: GPL-3.0-or-later
# A function that needs what is not there; an import alone stops nothing here.
# case: {"expr": "forward", "fails": "error", "ours": "NotImplementedError: not supported: side.something; import_errors.py imports side, which is not evaluated here"}


def forward(x):
    import side; return side.something(x)
