# SPDX-License-Identifier: GPL-3.0-or-later
# Recurrent layers and attention that are written out, so that each step can be quantized, are not here.
