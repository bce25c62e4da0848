# SPDX-License-Identifier: GPL-3.0-or-later
# The parts of torch.nn.functional; functional.py beside this folder puts them together.
# Where a Proxy may still arrive, they call each other by the public name, so that the call can be recorded.
