# SPDX-License-Identifier: GPL-3.0-or-later
# functorch: the older name of torch.func.
from torch.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap
