# SPDX-License-Identifier: GPL-3.0-or-later
# Layers that are trained with their weights rounded as quantization will round them.
from . import dynamic
from .modules import *
