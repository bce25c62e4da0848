# SPDX-License-Identifier: GPL-3.0-or-later
# Python's posixpath is os.path.

from os.path import *
