# SPDX-License-Identifier: GPL-3.0-or-later
# torch.jit.annotations: names for annotations.
from typing import Any, Dict, List, Optional, Tuple, Union

from torch import Tensor
