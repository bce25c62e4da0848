# SPDX-License-Identifier: GPL-3.0-or-later
# What is put around linear layers: low-rank adapters, casts, scales as buffers, hooks for logging; and layers that are taken out.
# case: lora_linear Net() add_lora --rank 2
# case: lora_named Net() add_lora --rank 1 --only head
# case: lora_rank_zero Net() add_lora --rank 0
# case: freeze_all_but Net() freeze --keep head
# case: prune_layers Net() drop_layers --prefix blocks.1
# case: prune_rows Net() prune_rows --amount 0.5
# case: half_precision Net() cast_linear
# case: scale_buffers Net() add_scales
# case: remove_dropout Net() remove_dropout
# case: share_weights Net() share_weights

import torch
import torch.fx
import torch.nn as nn

INPUTS = (torch.linspace(-1, 1, 8).reshape(2, 4),)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return x + self.drop(torch.tanh(self.fc(x)))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block(), Block()])
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, rank: int, alpha: float = 1.0):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(torch.full((rank, base.in_features), 0.5))
        self.up = nn.Parameter(torch.ones(base.out_features, rank))
        self.scaling = alpha / rank

    def forward(self, x):
        return self.base(x) + (x @ self.down.t() @ self.up.t()) * self.scaling


def add_lora(gm, rank=4, only=""):
    before = sum(p.numel() for p in gm.parameters())
    for node in gm.graph.find_nodes(op="call_module"):
        module = gm.get_submodule(node.target)
        if isinstance(module, nn.Linear) and only in node.target:
            gm.set_submodule(node.target, LoRALinear(module, rank))
    print(gm(INPUTS[0]).shape, sum(p.numel() for p in gm.parameters()) - before)
    inlined = torch.fx.symbolic_trace(gm)
    print(inlined.code)
    return inlined


def freeze(gm, keep=""):
    for name, parameter in gm.named_parameters():
        parameter.requires_grad_(name.startswith(keep))
    print([name for name, parameter in gm.named_parameters() if parameter.requires_grad])
    print(gm(INPUTS[0]).requires_grad, [parameter.is_leaf for parameter in gm.parameters()])


def drop_layers(gm, prefix):
    dropped = [n for n in gm.graph.nodes if n.op == "call_module" and n.target.startswith(prefix)]
    for node in dropped:
        node.replace_all_uses_with(node.args[0])
        gm.graph.erase_node(node)
        gm.delete_submodule(node.target)
    print([str(n) for n in dropped], gm.graph.eliminate_dead_code())
    gm.graph.lint()
    gm.recompile()
    print([name for name, _ in gm.named_modules()])


def prune_rows(gm, amount=0.25):
    with torch.no_grad():
        for name, module in gm.named_modules():
            if isinstance(module, nn.Linear):
                norms = module.weight.norm(dim=1)
                keep = norms.argsort(descending=True)[: int(len(norms) * (1 - amount))].sort().values
                mask = torch.zeros_like(norms).index_fill_(0, keep, 1.0)
                module.weight.mul_(mask[:, None])
                print(name, keep.tolist(), int((module.weight == 0).sum()))


def cast_linear(gm):
    for node in gm.graph.find_nodes(op="call_module"):
        if isinstance(gm.get_submodule(node.target), nn.Linear):
            gm.get_submodule(node.target).to(torch.float64)
            with gm.graph.inserting_before(node):
                node.update_arg(0, gm.graph.call_method("to", (node.args[0], torch.float64)))
            with gm.graph.inserting_after(node):
                back = gm.graph.call_method("to", (node,), {"dtype": torch.float32})
            node.replace_all_uses_with(back, delete_user_cb=lambda user, back=back: user is not back)
    gm.graph.lint()
    gm.recompile()
    print({p.dtype for p in gm.parameters()}, gm(INPUTS[0]).dtype)


def add_scales(gm):
    for index, node in enumerate(gm.graph.find_nodes(op="call_function", target=torch.tanh)):
        gm.register_buffer(f"scale_{index}", torch.tensor(index + 0.5), persistent=index != 1)
        with gm.graph.inserting_after(node):
            scale = gm.graph.get_attr(f"scale_{index}")
        with gm.graph.inserting_after(scale):
            new = gm.graph.call_function(torch.mul, (node, scale))
        for user in list(node.users):
            if user is not new:
                user.replace_input_with(node, new)
    gm.recompile()
    print([n for n, _ in gm.named_buffers()], [key for key in gm.state_dict() if "scale" in key])


def remove_dropout(gm):
    class DropoutRemover(torch.fx.Transformer):
        def call_module(self, target, args, kwargs):
            if isinstance(self.submodules[target], nn.Dropout):
                assert len(args) == 1
                return args[0]
            return super().call_module(target, args, kwargs)

    return DropoutRemover(gm).transform()


def share_weights(gm):
    first = gm.get_submodule("blocks.0.fc")
    for node in gm.graph.find_nodes(op="call_module"):
        if node.target.endswith(".fc"):
            node.target = "blocks.0.fc"
    gm.delete_all_unused_submodules()
    gm.recompile()
    print(sum(1 for _ in gm.parameters()), gm.get_submodule("blocks.0.fc") is first, hasattr(gm.blocks, "1"))
