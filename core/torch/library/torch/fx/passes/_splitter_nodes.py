# SPDX-License-Identifier: GPL-3.0-or-later
# Which nodes of a graph an accelerator takes, and a record of why; names of splitter_base.py.
import os
from .tools_common import CALLABLE_NODE_OPS, is_node_output_tensor

# PyTorch writes the record into files for the modes 1 to 3; here nothing is written.
ENV_FX_NET_ACC_SPLITTER_TRACKER_MODE = 'FX_NET_ACC_SPLITTER_TRACKER_MODE'
ENV_FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH = 'FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH'
DUMP_PREFIX = os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_DUMP_PATH, '_fx_net_tracker')
TRACKER_MODE = os.environ.get(ENV_FX_NET_ACC_SPLITTER_TRACKER_MODE, '0')


class NodeEvent:
    def __init__(self, source, desc, dep=None):
        self.source = source
        self.desc = desc
        self.dep = dep

    def to_str(self):
        return f"{self.source.name}: {self.desc} {self.dep.name if self.dep else '#'}"


class NodeEventTracker:
    def __init__(self, tracker_mode, dump_prefix):
        self.tracker_mode = tracker_mode
        self.dump_prefix = dump_prefix
        self.events = []
        self.node_events = {}  # the name of a node -> the places of its events
        self.writer = print

    def add(self, node, desc, dep=None):
        self.node_events.setdefault(node.name, []).append(len(self.events))
        self.events.append(NodeEvent(node, desc, dep))

    def _events_of(self, name):
        return [self.events[place] for place in self.node_events.get(name, [])]

    def print_node(self, node_name, recursive=False, tab='', writer=None):
        writer = writer or self.writer
        for event in self._events_of(node_name):
            writer(tab + event.to_str())
            if recursive and event.dep is not None:
                self.print_node(event.dep.name, recursive=True, tab='| ' + tab, writer=writer)

    def to_dict(self):
        return {name: [event.to_str() for event in self._events_of(name)] for name in self.node_events}

    def print_all(self, writer=None):
        writer = writer or self.writer
        for name in self.node_events:
            writer(f'Node: {name}:')
            self.print_node(name, recursive=False, tab='  ', writer=writer)

    def dump(self):
        pass


class FxNetAccNodesFinder:
    # Without allow_non_tensor nothing but tensors may go between the accelerator and the rest.
    def __init__(self, module, operator_support, allow_non_tensor):
        self.module = module
        self.operator_support = operator_support
        self.allow_non_tensor = allow_non_tensor
        self.acc_nodes = set()
        self.tracker = NodeEventTracker(int(TRACKER_MODE), DUMP_PREFIX)

    def reduce_acc_nodes_non_tensor_input_helper(self, cpu_worklist):
        while cpu_worklist:
            node = cpu_worklist.pop(0)
            for user in node.users:
                if user not in self.acc_nodes:
                    continue
                self.acc_nodes.remove(user)
                self.tracker.add(user, 'acc_del|user_of_new_cpu_node', node)
                if not is_node_output_tensor(user):
                    self.tracker.add(user, 'new_cpu_node|non_tensor_output')
                    cpu_worklist.append(user)

    def reduce_acc_nodes_non_tensor_input(self):
        found = []
        for node in self.module.graph.nodes:
            if node.op in CALLABLE_NODE_OPS and node not in self.acc_nodes and not is_node_output_tensor(node):
                self.tracker.add(node, 'new_cpu_node|callable_non_tensor_input')
                found.append(node)
        self.reduce_acc_nodes_non_tensor_input_helper(found)

    def reduce_acc_nodes_non_tensor_output(self):
        while True:
            found = []
            for node in self.acc_nodes:
                outside = None
                if not is_node_output_tensor(node):
                    outside = next((user for user in node.users if user not in self.acc_nodes), None)
                if outside is not None:
                    found.append(node)
                    self.tracker.add(node, 'acc_del|non_tensor_output_with_cpu_user', outside)
            if not found:
                return
            self.acc_nodes.difference_update(found)
            self.reduce_acc_nodes_non_tensor_input_helper(found)

    def __call__(self):
        submodules = dict(self.module.named_modules())
        self.acc_nodes = set()
        for node in self.module.graph.nodes:
            if node.op not in CALLABLE_NODE_OPS:
                self.tracker.add(node, 'init_cpu|not_callable')
            elif not self.operator_support.is_node_supported(submodules, node):
                self.tracker.add(node, 'init_cpu|operator_support')
            else:
                self.tracker.add(node, 'init_acc|callable_and_operator_supported')
                self.acc_nodes.add(node)
        if not self.allow_non_tensor:
            self.reduce_acc_nodes_non_tensor_input()
            self.reduce_acc_nodes_non_tensor_output()
        self.tracker.dump()
        return self.acc_nodes
