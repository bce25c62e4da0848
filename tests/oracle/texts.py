# SPDX-License-Identifier: GPL-3.0-or-later
"""What torch.fx prints of a graph, without the addresses of objects, which differ from run to run."""

import contextlib
import io
import re

import tabulate


def _without_addresses(rows, **options):
    return _tabulate([[re.sub(r" at 0x[0-9a-f]+", "", str(cell)) for cell in row] for row in rows], **options)


_tabulate, tabulate.tabulate = tabulate.tabulate, _without_addresses


def table(graph):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        graph.print_tabular()
    return text.getvalue()
