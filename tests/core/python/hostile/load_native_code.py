# SPDX-License-Identifier: GPL-3.0-or-later
# There is no ctypes.
import ctypes

ctypes.CDLL(None).abort()
