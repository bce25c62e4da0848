# SPDX-License-Identifier: GPL-3.0-or-later
# What watches values and rounds them for training; models are converted in PyTorch itself.
from .observer import *
from .fake_quantize import *
from .qconfig import *
from .stubs import *
