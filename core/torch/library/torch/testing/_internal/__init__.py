# SPDX-License-Identifier: GPL-3.0-or-later
# What tests of PyTorch's own import.
