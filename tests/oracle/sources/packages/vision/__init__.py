# SPDX-License-Identifier: GPL-3.0-or-later
# A package whose names come from its files.

from .classifier import Classifier
from .layers import ConvBlock

__all__ = ["Classifier", "ConvBlock", "VERSION"]
VERSION = "1.0"
