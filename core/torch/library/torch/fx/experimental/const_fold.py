# SPDX-License-Identifier: GPL-3.0-or-later
# split_const_subgraphs: what a module computes from its own attributes alone is computed once, before its first call.
import operator
import re
import torch.fx
from torch.fx.node import map_arg
from torch.fx.passes.split_module import split_module

__all__ = ['FoldedGraphModule', 'get_unique_attr_name_in_module', 'split_const_subgraphs']


class FoldedGraphModule(torch.fx.GraphModule):
    # `const_subgraph` computes what `graph` then reads from the attribute `fx_const_folded_attrs_name`.
    def __init__(self, root, graph, const_subgraph=None, fx_const_folded_attrs_name=None, device_for_folded_attrs='cuda'):
        super().__init__(root, graph)
        self.const_subgraph_module = None if const_subgraph is None else torch.fx.GraphModule(root, const_subgraph)
        self.has_folding_been_run = False
        self.fx_const_folded_attrs_name = fx_const_folded_attrs_name
        self.device_for_folded_attrs = device_for_folded_attrs

    def __call__(self, *args, **kwargs):
        if not self.has_folding_been_run:
            self.run_folding()
        return super().__call__(*args)

    def run_folding(self):
        if self.const_subgraph_module is None or self.fx_const_folded_attrs_name is None:
            return
        if self.has_folding_been_run:
            raise AssertionError('Folding has already been run')
        self.has_folding_been_run = True

        def parameter(value):
            if isinstance(value, int):
                data = torch.Tensor([value]).to(device=self.device_for_folded_attrs)
                return torch.nn.Parameter(data, requires_grad=False)
            return torch.nn.Parameter(value.detach().clone(), requires_grad=value.requires_grad)

        folded = self.const_subgraph_module()
        if isinstance(folded, tuple):
            folded = torch.nn.ParameterList([parameter(value) for value in folded])
        else:
            folded = parameter(folded)
        setattr(self, self.fx_const_folded_attrs_name, folded)


def _call_of(graph, name):
    for node in graph.nodes:
        if node.op == 'call_module' and node.target == name:
            return node
    return None


def _inline_module(gm, inline_mod_name, run_dce=True):
    inner = dict(gm.named_modules())[inline_mod_name]
    if not isinstance(inner, torch.fx.GraphModule):
        raise AssertionError(f'Expected GraphModule, got {type(inner)}')
    call = _call_of(gm.graph, inline_mod_name)
    if call is None:
        raise AssertionError(f'Could not find call_module node for {inline_mod_name}')
    args, kwargs = call.args, call.kwargs
    copies = {}
    inputs = 0

    def copied(node):
        found = copies[node]
        found.meta = node.meta.copy()
        return found

    for node in inner.graph.nodes:
        if node.op == 'placeholder':
            copies[node] = kwargs[node.name] if node.name in kwargs else args[inputs]
            inputs += 1
        elif node.op == 'output':
            result = map_arg(node.args[0], copied)
            items = []
            if isinstance(result, (list, tuple)):
                # Who takes an item out of the result gets the item itself.
                items = [user for user in call.users if user.op == 'call_function' and user.target is operator.getitem
                         and isinstance(user.args[1], int)]
            call.replace_all_uses_with(result)
            for user in items:
                item = result[user.args[1]]
                user.replace_all_uses_with(item)
                gm.graph.erase_node(user)
                copies[user] = item
        else:
            with gm.graph.inserting_before(call):
                copies[node] = gm.graph.node_copy(node, copied)

    gm.graph.erase_node(call)
    if run_dce:
        gm.graph.eliminate_dead_code()
    return copies


def get_unique_attr_name_in_module(mod_traced, name):
    name = re.sub('[^0-9a-zA-Z_]+', '_', name)
    if name[0].isdigit():
        name = f'_{name}'
    while hasattr(mod_traced, name):
        numbered = re.match(r'(.*)_(\d+)$', name)
        if numbered is None:
            name = name + '_1'
        else:
            name = f'{numbered.group(1)}_{int(numbered.group(2)) + 1}'
    return name


def _calls_impure(module):
    # Whether a graph has calls with side effects; of the graphs that it calls, the first is asked.
    for node in module.graph.nodes:
        if node.op == 'call_function' and node.is_impure():
            return True
        if node.op == 'call_module':
            called = module.get_submodule(node.target)
            if isinstance(called, torch.fx.GraphModule):
                return _calls_impure(called)
    return False


def _constant_nodes(gm, skip):
    found = set()
    for node in gm.graph.nodes:
        if node.op in ('placeholder', 'output'):
            continue
        if node.op != 'get_attr' and not all(source in found for source in node.all_input_nodes):
            continue
        if skip and skip(node):
            continue
        if node.is_impure():
            continue
        if node.op == 'call_module':
            called = gm.get_submodule(node.target)
            if isinstance(called, torch.fx.GraphModule) and _calls_impure(called):
                continue
        found.add(node)
    return found


def _graph_part(split, name):
    part = getattr(split, name)
    if not isinstance(part, torch.fx.GraphModule):
        raise AssertionError(f'Expected GraphModule for {name}, got {type(part)}')
    return part


def _read_attributes(gm, arguments):
    # The inputs of the constant part become reads of the attributes that it was given.
    inputs = [node for node in gm.graph.nodes if node.op == 'placeholder']
    for place, node in enumerate(inputs):
        if place >= len(arguments):
            raise AssertionError(f'Placeholder index {place} out of range for args (len={len(arguments)})')
        source = arguments[place]
        if source.op != 'get_attr':
            raise AssertionError(f'Expected get_attr, got {source.op}')
        with gm.graph.inserting_before(node):
            read = gm.graph.get_attr(source.target)
        read.meta = node.meta.copy()
        node.replace_all_uses_with(read)
        gm.graph.erase_node(node)


def split_const_subgraphs(module, skip_folding_node_fn=None, device_for_folded_attrs='cpu'):
    gm = module if isinstance(module, torch.fx.GraphModule) else torch.fx.symbolic_trace(module)
    constant = _constant_nodes(gm, skip_folding_node_fn)
    if all(node.op == 'get_attr' for node in constant):
        return FoldedGraphModule(gm, gm.graph)

    split = split_module(gm, module, lambda node: 0 if node in constant else 1)
    const_part = _graph_part(split, 'submod_0')
    rest = _graph_part(split, 'submod_1') if hasattr(split, 'submod_1') else None
    # Modules that the parts call are where split_module put them; split becomes who calls them.
    for part in (rest, const_part):
        for node in part.graph.nodes if part is not None else ():
            if node.op == 'call_module':
                setattr(split, node.target, getattr(part, node.target))

    call = _call_of(split.graph, 'submod_0')
    if call is None:
        raise AssertionError('Could not find call_module node for const_gm')
    root = torch.fx.GraphModule(split, const_part.graph)
    _read_attributes(root, call.args)
    several = isinstance(next(node for node in root.graph.nodes if node.op == 'output').args[0], tuple)

    name = get_unique_attr_name_in_module(gm, '_FX_CONST_FOLDED_ATTRS')
    setattr(split, name, torch.nn.ParameterList() if several else torch.nn.Parameter())
    with split.graph.inserting_before(call):
        folded = split.graph.get_attr(name)
    folded.meta = call.meta.copy()
    call.replace_all_uses_with(folded)

    if rest is not None:
        _inline_module(split, 'submod_1')
    split.graph.eliminate_dead_code()
    return FoldedGraphModule(split, split.graph, root.graph, name, device_for_folded_attrs)
