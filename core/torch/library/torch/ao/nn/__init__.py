# SPDX-License-Identifier: GPL-3.0-or-later
# Modules for models that are quantized, or being trained to be.
from . import intrinsic, qat, quantizable, quantized
