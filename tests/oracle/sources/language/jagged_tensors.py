# SPDX-License-Identifier: GPL-3.0-or-later
# Nested tensors of layout torch.jagged: in functions that are wrapped, and of what is known.
# case: {"expr": "pooled", "inputs": "torch.arange(18.0).reshape(6, 3), torch.tensor([0, 2, 6])"}
# case: {"expr": "padded", "inputs": "torch.arange(18.0).reshape(6, 3), torch.tensor([0, 2, 6])"}
# case: {"expr": "known", "inputs": "torch.ones(3)"}
# case: {"expr": "parts", "inputs": "torch.ones(3)"}
# case: {"expr": "counted", "inputs": "torch.ones(3)"}
# case: {"expr": "computed", "inputs": "torch.ones(3)"}
# case: {"expr": "compared", "inputs": "torch.ones(3)"}
# case: {"expr": "by_functions", "inputs": "torch.ones(3)"}
# case: {"expr": "by_operators", "inputs": "torch.ones(3)"}
# case: {"expr": "normalized", "inputs": "torch.ones(3)"}
# case: {"expr": "reshaped", "inputs": "torch.ones(3)"}
# case: {"expr": "reduced", "inputs": "torch.ones(3)"}
# case: {"expr": "refused", "inputs": "torch.ones(3)"}
# case: {"expr": "inside", "fails": "error"}
# case: {"expr": "without", "fails": "error"}
import torch


def mean_of(values, offsets):
    return torch.nested.nested_tensor_from_jagged(values, offsets).mean(1)


def pad(values, offsets):
    nested = torch.nested.nested_tensor_from_jagged(values, offsets)
    return torch.nested.to_padded_tensor(nested * 2 + 1, 0.5)


torch.fx.wrap("mean_of")
torch.fx.wrap("pad")


def pooled(values, offsets):
    return mean_of(values, offsets) + 1


def padded(values, offsets):
    return pad(values, offsets).sum(-1)


def made():
    return torch.nested.nested_tensor([torch.arange(6.0).reshape(2, 3), torch.ones(4, 3)], layout=torch.jagged)


def known(x):
    nested = made()
    return x + nested.values(), nested.offsets(), nested.to_padded_tensor(0.0)


def parts(x):
    return [x + part for part in made().unbind()]


def counted(x):
    nested = made()
    return x, nested.dim(), nested.size(0), len(nested), nested.is_nested, nested.numel(), str(nested.layout)


def computed(x):
    nested = made()
    return x * nested.sum(), (nested.relu() - nested / 2).values(), nested.softmax(-1).values(), nested.sum(1), (nested * torch.ones(1, 1, 3)).values()


def compared(x):
    nested = made()
    masks = [nested == nested, nested == 1, nested != 1, nested != nested * 2, 1 == nested, nested == torch.ones(3), nested.eq(1), torch.ne(nested, nested)]
    known = {nested: "itself"}
    return [x * mask.values() for mask in masks], nested == None, nested != None, nested == "text", known[nested], nested in [nested]  # noqa: E711


def by_functions(x):
    nested = made()
    found = [torch.add(nested, 1), torch.add(nested, nested, alpha=2), torch.add(torch.ones(3), nested), nested.mul(2), nested.sub(nested), nested.div(2),
             torch.div(nested, 2, rounding_mode="floor"), nested.pow(2), torch.maximum(nested, nested * 0 + 2), nested.lt(2), nested.isnan()]
    return [x * each.values() for each in found]


def by_operators(x):
    nested = made()
    found = [nested % 2, 2 ** nested, (nested > 1) & (nested < 3), (nested > 1) | (nested == 0), ~(nested > 1), nested @ torch.ones(3, 2),
             torch.matmul(nested, torch.eye(3))]
    alias = nested
    nested += 1
    nested *= 2
    return [each.values() for each in found], x * alias.values(), x * nested[0], x * nested[-1]


def normalized(x):
    nested = made()
    found = [torch.nn.functional.layer_norm(nested, (3,)), torch.nn.functional.layer_norm(nested, [3], torch.arange(3.0), torch.ones(3), 0.1), nested.log_softmax(-1),
             torch.nn.functional.log_softmax(nested, dim=2), torch.nn.functional.softmax(nested, dim=-1)]
    return [x * each.values() for each in found]


def reshaped(x):
    nested = made()
    found = [nested.unsqueeze(-1), torch.unsqueeze(nested, 2), nested.unsqueeze(-1).transpose(2, 3), nested.unsqueeze(-1).squeeze(-1), *nested.chunk(3, -1),
             *torch.chunk(nested, 2, dim=2)]
    return x, [each.values() for each in found]


def reduced(x):
    nested = made()
    return x, nested.amax(1), nested.amin(1, keepdim=True), torch.amax(nested, -1).values(), nested.amax(dim=2, keepdim=True).values(), nested.amax()


def refused(x):
    nested, names = made(), []
    for call in (lambda: bool(nested), lambda: nested == torch.nested.nested_tensor([torch.ones(4, 3), torch.ones(2, 3)], layout=torch.jagged),
                 lambda: nested.log_softmax(1), lambda: nested.unsqueeze(0), lambda: nested + None, lambda: nested @ torch.ones(4, 2), lambda: nested.amax(0),
                 lambda: nested.unsqueeze(9)):
        try:
            call()
            names.append("none")
        except Exception as error:
            names.append(type(error).__name__)
    return x, names


def inside(values, offsets):
    return torch.nested.nested_tensor_from_jagged(values, offsets)


def without(values, offsets):
    return torch.nested.as_nested_tensor(values, layout=torch.jagged)
