# SPDX-License-Identifier: GPL-3.0-or-later
# torch.export: the program that a .pt2 holds, as a pass sees it. To export one is PyTorch's.
from torch._outside import outside

from .graph_signature import ExportBackwardSignature, ExportGraphSignature

_otherwise = outside(__name__)


def __getattr__(name):
    if name == 'ExportedProgram':  # over torch.fx, which programs that trace a model do not load
        from .exported_program import ExportedProgram
        return ExportedProgram
    if name == 'default_decompositions':
        from .decomp_utils import CustomDecompTable
        return CustomDecompTable
    return _otherwise(name)
