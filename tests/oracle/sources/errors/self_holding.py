# SPDX-License-Identifier: GPL-3.0-or-later
# Lists and dicts that hold themselves, as arguments and as results.
# case: {"expr": "returned_list", "fails": "error", "ours": "RecursionError: maximum recursion depth exceeded"}
# case: {"expr": "returned_dict", "fails": "error", "ours": "RecursionError: maximum recursion depth exceeded"}
# case: {"expr": "argument", "fails": "error"}
# case: {"expr": "of_tuple", "fails": "error", "ours": "RecursionError: maximum recursion depth exceeded"}
# case: {"expr": "keyword", "fails": "error", "ours": "RecursionError: maximum recursion depth exceeded"}
# case: {"expr": "data", "fails": "error"}
# case: {"expr": "data_of_one", "fails": "error"}
# case: {"expr": "leaves", "fails": "error", "ours": "RecursionError: maximum recursion depth exceeded"}

import torch


def returned_list(x):
    a = [x]
    a.append(a)
    return a


def returned_dict(x):
    d = {}
    d["d"] = (x, d)
    return d


def argument(x):
    a = [x, x]
    a[1] = a
    return torch.cat(a)


def of_tuple(x):
    t = ([x],)
    t[0].append(t)
    return x.expand(t)


def keyword(x):
    a = [1]
    a.append(a)
    return torch.sum(x, dim=a)


def data(x):
    a = []
    a.append(a)
    return x + torch.tensor(a)


def data_of_one(x):
    a = [1.0]
    a.append(a)
    return x + torch.tensor(a)


def leaves(x):
    a = [x]
    a.append(a)
    return torch.utils._pytree.tree_leaves(a)
