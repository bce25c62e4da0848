# SPDX-License-Identifier: GPL-3.0-or-later
# The passes and checkers that torch.fx calls experimental.
