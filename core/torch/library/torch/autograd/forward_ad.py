# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd.forward_ad: gradients along the way, which do not run here.
from .._removed import refused_gradient

dual_level = refused_gradient('torch.autograd.forward_ad.dual_level')
enter_dual_level = refused_gradient('torch.autograd.forward_ad.enter_dual_level')
exit_dual_level = refused_gradient('torch.autograd.forward_ad.exit_dual_level')
make_dual = refused_gradient('torch.autograd.forward_ad.make_dual')
unpack_dual = refused_gradient('torch.autograd.forward_ad.unpack_dual')
