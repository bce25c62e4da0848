# SPDX-License-Identifier: GPL-3.0-or-later
# What modeling_plain.py is written from by hand. It cannot be imported.
from nowhere import parts

__all__ = ["PlainModel", "PlainHead"]


class PlainModel(parts.Model):
    pass


class PlainHead(parts.Head):
    pass
