# SPDX-License-Identifier: GPL-3.0-or-later
# A zoo of backbones: `create(name)` makes one, `listed(pattern)` says which there are.
from .config import fused as fused
from .config import scripting as scripting
from .config import set_fused, use_fused
from .layers import make_act, make_norm
from .models import *
from ._factory import create, split_name
from ._features import FeatureTracer, feature_graph
from ._registry import has_model, listed, models_in

__version__ = "1.3.0.dev7"
