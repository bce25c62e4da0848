# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers around modules and parameters.
from . import rnn
