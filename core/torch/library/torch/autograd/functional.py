# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd.functional: gradients of functions, which do not run here.
from .._removed import refused_gradient

hessian = refused_gradient('torch.autograd.functional.hessian')
hvp = refused_gradient('torch.autograd.functional.hvp')
jacobian = refused_gradient('torch.autograd.functional.jacobian')
jvp = refused_gradient('torch.autograd.functional.jvp')
vhp = refused_gradient('torch.autograd.functional.vhp')
vjp = refused_gradient('torch.autograd.functional.vjp')
