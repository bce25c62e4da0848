# SPDX-License-Identifier: GPL-3.0-or-later
# CapabilityBasedPartitioner: the nodes that a backend supports, gathered into as few groups as can be called one after
# the other, and fused into a submodule each.
import logging
from collections import defaultdict

from torch.fx.node import _get_qualified_name
from torch.fx.passes.operator_support import OperatorSupportBase
from torch.fx.passes.utils.fuser_utils import fuse_by_partitions

logger = logging.getLogger(__name__)
logger.setLevel(logging.WARNING)

_GETITEM = '_operator.getitem'


class Partition:
    def __init__(self, id=None, nodes=None, node_orders=None):
        self.id = id
        self.nodes = {}
        if nodes is None:
            return
        nodes = list(nodes)
        orders = [None] * len(nodes) if node_orders is None else list(node_orders)
        if len(nodes) != len(orders):
            raise AssertionError('nodes and node_orders must have the same length')
        self.nodes = dict(zip(nodes, orders))

    def __repr__(self):
        return str(self.nodes)

    def add_node(self, node, node_order=None):
        self.nodes[node] = node_order

    def remove_node(self, node):
        del self.nodes[node]

    def size(self):
        return len(self.nodes)


class _DependencyViewer:
    """For each node, all that depend on it."""

    def __init__(self, graph_module):
        self.downstreams = defaultdict(set)
        for node in reversed(graph_module.graph.nodes):
            below = self.downstreams[node]
            for user in node.users:
                below.add(user)
                below.update(self.downstreams[user])

    def downstreams_of(self, node):
        return self.downstreams[node]


def _is_call_of(node, names):
    return node.op == 'call_function' and _get_qualified_name(node.target) in names


class _Growth:
    """The partitions while they grow, from the end of the graph to its begin."""

    def __init__(self, viewer):
        self.viewer = viewer
        self.partitions = {}
        self.place = {}  # of each node, the id of its partition
        self.first = {}  # of each partition, by which the oldest are merged first
        self.users = {}
        self.reaches = defaultdict(set)  # ids of the partitions that depend on one
        self._count = 0

    def _with_downstreams(self, node):
        yield node
        yield from self.viewer.downstreams_of(node)

    def _reached_from(self, nodes, own):
        found = set()
        for node in nodes:
            for below in self._with_downstreams(node):
                id = self.place.get(below)
                if id is not None:
                    found.add(id)
                    found |= self.reaches[id]
        return found.difference(own)

    def begin(self, node, order):
        id = self._count
        self._count += 1
        self.first[id] = id
        self.place[node] = id
        self.partitions[id] = Partition(id=id, nodes=[node], node_orders=[order])
        self.users[id] = set(node.users)
        self.reaches[id] |= self._reached_from(node.users, (id,))
        return id

    def oldest_first(self):
        return sorted(self.first, key=lambda id: self.first[id])

    def _comes_back(self, users, one, other):
        """Whether a value that leaves the two would be needed again in them."""
        inside = self.partitions[one].nodes, self.partitions[other].nodes
        for user in users:
            for below in self._with_downstreams(user):
                if below in inside[0] or below in inside[1]:
                    return True
                id = self.place.get(below)
                if id is not None and (one in self.reaches[id] or other in self.reaches[id]):
                    return True
        return False

    def merge(self, one, other):
        """The id of both together, or that of the one where the other must stay apart."""
        nodes, more = self.partitions[one].nodes, self.partitions[other].nodes
        users = (self.users[one] | self.users[other]).difference(more, nodes)
        if self._comes_back(users, one, other):
            return one
        kept, gone = (other, one) if len(nodes) < len(more) else (one, other)
        removed = self.partitions.pop(gone)
        self.partitions[kept].nodes.update(removed.nodes)
        for node in removed.nodes:
            self.place[node] = kept
        self.first[kept] = min(self.first[kept], self.first.pop(gone))
        del self.users[gone]
        self.users[kept] = users
        reached = self.reaches[kept] | self.reaches.pop(gone)
        self.reaches[kept] = (reached | self._reached_from(users, (kept, gone))) - {kept, gone}
        return kept

    def move(self, node, id):
        """To the partition of the id, which may be None or new."""
        if node in self.place:
            self.partitions[self.place[node]].remove_node(node)
        if id is None:
            del self.place[node]
            return
        if id not in self.partitions:
            raise AssertionError('node_order is required for new partitions')
        self.place[node] = id
        self.partitions[id].add_node(node)


class CapabilityBasedPartitioner:
    def __init__(self, graph_module, operator_support, allows_single_node_partition=False, non_compute_ops=None,
                 allowed_single_node_partition_ops=None, skip_horizontal_fusion=False):
        self.graph_module = graph_module
        self.operator_support = operator_support
        self.allows_single_node_partition = allows_single_node_partition
        self.non_compute_ops = [] if non_compute_ops is None else non_compute_ops
        self.allowed_single_node_partition_ops = ([] if allowed_single_node_partition_ops is None
                                                  else allowed_single_node_partition_ops)
        self.skip_horizontal_fusion = skip_horizontal_fusion
        self.dependency_viewer = _DependencyViewer(graph_module)

    def _is_node_supported(self, node):
        return self.operator_support.is_node_supported(dict(self.graph_module.named_modules()), node)

    def propose_partitions(self):
        growth = _Growth(self.dependency_viewer)
        for order, node in enumerate(reversed(self.graph_module.graph.nodes)):
            fresh = None
            if self._is_node_supported(node) and node not in growth.place:
                fresh = growth.begin(node, order)
            candidates = self._candidates(growth, node, fresh)
            if candidates:
                id = candidates[0]
                for other in candidates[1:]:
                    id = growth.merge(id, other)
        for partition in growth.partitions.values():
            partition.nodes = dict(sorted(partition.nodes.items(), key=lambda item: item[1], reverse=True))
        self._move_getitems(growth)
        if not self.allows_single_node_partition:
            for id in [id for id, partition in growth.partitions.items() if self._computes_once(partition)]:
                del growth.partitions[id]
        return [partition for partition in growth.partitions.values() if partition.size() > 0]

    def _candidates(self, growth, node, fresh):
        """Ids of the partitions to merge: the new one first, then those of its users, or all others."""
        found = {} if fresh is None else {fresh: None}
        if not self.skip_horizontal_fusion:
            found.update(dict.fromkeys(growth.oldest_first()))
        elif fresh is not None:
            found.update({growth.place[user]: None for user in node.users if user in growth.place})
        return list(found)

    def _move_getitems(self, growth):
        """Items of a tuple go where the tuple is made."""
        moves = True
        while moves:
            moves = {}
            for node in self.graph_module.graph.nodes:
                if all(_is_call_of(user, (_GETITEM,)) for user in node.users):
                    id = growth.place.get(node)
                    moves.update({user: id for user in node.users if growth.place.get(user) != id})
            for node, id in moves.items():
                growth.move(node, id)

    def _computes_once(self, partition):
        free = {'torch.ops.aten.view', _GETITEM, *self.non_compute_ops}
        count = 0
        for node in partition.nodes:
            if node.op == 'call_function':
                if not callable(node.target):
                    raise AssertionError(f'Expected callable target, got {type(node.target)}')
                name = _get_qualified_name(node.target)
                count += (name not in free) + (name in self.allowed_single_node_partition_ops)
        return count <= 1

    def fuse_partitions(self, partitions, prefix='fused_'):
        return fuse_by_partitions(self.graph_module, [partition.nodes for partition in partitions], prefix=prefix)

    def remove_bookend_non_compute_ops(self, partitions):
        names = set(self.non_compute_ops)
        known = {}

        def is_open(node, partition, removed, direction):
            """Whether only nodes that compute nothing are between the node and that border of the partition."""
            if node.op == 'placeholder' or node not in partition.nodes or node in removed:
                return True
            if (node, direction) not in known:
                following = getattr(node, direction)
                known[node, direction] = _is_call_of(node, names) and all(
                    is_open(one, partition, removed, direction) for one in following)
            return known[node, direction]

        for partition in partitions:
            removed = set()
            for node in partition.nodes:
                if _is_call_of(node, names) and (is_open(node, partition, removed, 'all_input_nodes')
                                                 or is_open(node, partition, removed, 'users')):
                    removed.add(node)
            for node in removed:
                del partition.nodes[node]

    def partition_and_fuse(self, prefix='fused_'):
        return self.fuse_partitions(self.propose_partitions(), prefix=prefix)
