# SPDX-License-Identifier: GPL-3.0-or-later
# The parts of torch.nn.functional; functional.py beside this folder puts them together.
# Each part sets __name__ after its imports, so that its functions say torch.nn.functional is their module.
