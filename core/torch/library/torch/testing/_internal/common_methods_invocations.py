# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's database of operators belongs to its Python: tests over it find none here.
op_db = []
