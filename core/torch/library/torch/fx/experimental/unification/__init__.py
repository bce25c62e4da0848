# SPDX-License-Identifier: GPL-3.0-or-later
# Unification: the values of variables that make two terms equal.
from .core import reify, unify
from .more import unifiable
from .variable import Var, isvar, var, variables, vars
