# SPDX-License-Identifier: GPL-3.0-or-later
# All networks, and the functions that find one by its name.
from .branchy import *
from .mobile import *
from .patchformer import *
from .resnet import *
from .routed import *
from . import segment
from .registry import build, builder_of, checkpoint_of, names
