# SPDX-License-Identifier: GPL-3.0-or-later
# GraphTransformObserver: runs a pass, and notes which nodes it made, removed and replaced. PyTorch also draws the graph before and
# after into files; here nothing is written.
from torch.fx import Graph, Node
from torch.fx.graph_module import GraphModule

__all__ = ['GraphTransformObserver']


class GraphTransformObserver:
    __pass_count = 0

    def __init__(self, gm, passname, subsystem=None, log_url=None):
        self.gm = gm
        self.passname = passname
        self.subsystem = subsystem
        self.log_url = log_url
        self.active = log_url is not None
        if not self.active:
            return
        self.erased_nodes = set()
        self.created_nodes = set()
        self.name_to_node = {}
        self.copied_gms = []  # copies of gm that the pass makes, which have the hooks as well
        self._node_creation_hook = self.get_node_creation_hook()
        self._node_erase_hook = self.get_node_erase_hook()
        self._node_replace_hook = self.get_node_replace_hook()
        self._deepcopy_hook = self.get_deepcopy_hook()
        GraphTransformObserver.__pass_count += 1

    @classmethod
    def get_current_pass_count(cls):
        return cls.__pass_count

    def apply_gm_pass(self, pass_fn):
        with self:
            return None if self._check_disable_pass() else pass_fn(self.gm)

    def apply_graph_pass(self, pass_fn):
        with self:
            return None if self._check_disable_pass() else pass_fn(self.gm.graph)

    def _check_disable_pass(self):
        # No pass is switched off, but PyTorch takes one without a name for one that is.
        return self.passname == ''

    def __enter__(self):
        if not self.active:
            return self
        self.gm._register_create_node_hook(self._node_creation_hook)
        self.gm._register_erase_node_hook(self._node_erase_hook)
        self.gm._register_replace_node_hook(self._node_replace_hook)
        self.gm._register_deepcopy_hook(self._deepcopy_hook)
        self.erased_nodes.clear()
        self.created_nodes.clear()
        self.name_to_node.clear()
        self.copied_gms.clear()
        self.name_to_node.update((node.name, node) for node in self.gm.graph.nodes)
        return self

    def __exit__(self, type, value, tb):
        if not self.active:
            return
        for gm in self.copied_gms + [self.gm]:
            gm._unregister_create_node_hook(self._node_creation_hook)
            gm._unregister_erase_node_hook(self._node_erase_hook)
            gm._unregister_replace_node_hook(self._node_replace_hook)
            gm._unregister_deepcopy_hook(self._deepcopy_hook)

    # The hooks are functions of their own: a method would bring the observer into each copy of the graph.

    def get_node_creation_hook(self):
        def on_node_creation(node):
            from torch.fx.traceback import NodeSource, NodeSourceAction
            self.created_nodes.add(node.name)
            self.name_to_node[node.name] = node
            source = NodeSource(None, self.passname, NodeSourceAction.CREATE)
            node.meta.setdefault('from_node', []).append(source)

        return on_node_creation

    def get_node_erase_hook(self):
        def on_node_erase(node):
            self.erased_nodes.add(node.name)
            self.name_to_node.pop(node.name, None)

        return on_node_erase

    def get_node_replace_hook(self):
        def on_node_replace(old, new, user):
            from torch.fx.traceback import NodeSource, NodeSourceAction
            new_node = self.name_to_node.get(new, None)
            if not new_node:
                return
            if not isinstance(new_node, Node):
                raise AssertionError(f'Expected Node, got {type(new_node)}')
            sources = new_node.meta.get('from_node', [])
            # This is called for each user of the old node, and noted once.
            if any(source.name == old.name for source in sources):
                return
            action = [NodeSourceAction.REPLACE]
            if new_node.name in self.created_nodes:
                action.append(NodeSourceAction.CREATE)
            # What was noted when the pass made the node is in the new note.
            created = [NodeSourceAction.CREATE]
            kept = [source for source in sources if source.pass_name != self.passname or source.action != created]
            new_node.meta['from_node'] = kept + [NodeSource(old, self.passname, action)]

        return on_node_replace

    def get_deepcopy_hook(self):
        def on_deepcopy(gm):
            self.copied_gms.append(gm)

        return on_deepcopy
