# SPDX-License-Identifier: GPL-3.0-or-later
# What model source uses of torch.fx: wrap, and the mark for arguments that stay placeholders.


class PHBase:
    def __repr__(self):
        return 'PH'


PH = PHBase()


class PHWithMeta(PHBase):
    def __init__(self, ph_key=None):
        self.ph_key = ph_key


def wrap(fn_or_name):
    return _fx_wrap(fn_or_name)


def has_side_effect(fn):
    return fn
