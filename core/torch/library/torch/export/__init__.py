# SPDX-License-Identifier: GPL-3.0-or-later
# torch.export: the program that a .pt2 holds, as a pass sees it. To export one is PyTorch's.
from torch._outside import outside

from .exported_program import ExportedProgram
from .graph_signature import ExportBackwardSignature, ExportGraphSignature

__getattr__ = outside(__name__)
