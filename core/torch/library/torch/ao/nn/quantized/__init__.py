# SPDX-License-Identifier: GPL-3.0-or-later
# Modules that compute with quantized tensors.
from . import dynamic, functional
from .modules import *
from .modules import MaxPool2d
