# SPDX-License-Identifier: GPL-3.0-or-later
# vim: set fileencoding=cp1252 :
# A source in Windows' encoding, which its second line names.
# case: {"expr": "texts", "inputs": "torch.ones(2)"}


def texts(x):
    return x, "10 € – “quoted”", "Ž", len("…")
