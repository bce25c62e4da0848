# SPDX-License-Identifier: GPL-3.0-or-later
# There is no ctypes.
import ctypes

int(ctypes.CDLL(None).abort())
