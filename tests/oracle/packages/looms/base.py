# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing of this is offered.
from torch import nn


class Configured(
    nn.Module
):
    def __init__(self, config):
        super().__init__()
        self.config = config
