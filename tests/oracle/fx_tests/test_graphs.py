# What tests of torch.fx ask of graphs, tracers and functions.
import operator
import unittest

import torch
import torch.fx
import torch.nn.functional as F
import torch.utils._pytree as pytree
from torch.fx.annotate import annotate
from torch.fx.experimental.rewriter import RewritingTracer
from torch.fx.tensor_type import Dyn, TensorType


def text(graph):
    return [(node.op, str(node.name), node._pretty_print_target(node.target), str(node.args), str(node.kwargs)) for node in graph.nodes]


class TestTypes(unittest.TestCase):
    def test_an_annotation_is_the_object_itself(self):
        wanted = TensorType((1, 2, 3, Dyn))

        class Net(torch.nn.Module):
            def forward(self, x: wanted, y: Dyn):
                return torch.add(x, y)

        first, second, *_ = torch.fx.symbolic_trace(Net()).graph.nodes
        self.assertIs(first.type, wanted)
        self.assertIs(second.type, Dyn)

    def test_code_of_a_tensor_type(self):
        class Net(torch.nn.Module):
            def forward(self, x: TensorType((1, 2, Dyn)), y: Dyn):
                return torch.add(x, y)

        gm = torch.fx.symbolic_trace(Net())
        self.assertIn("x : torch.fx.tensor_type.TensorType[_1,_2,torch.fx.tensor_type._DynType], y : torch.fx.tensor_type._DynType", gm.code)
        self.assertEqual(gm(torch.ones(2), torch.ones(2)).tolist(), [2.0, 2.0])

    def test_annotate(self):
        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.add(annotate(x, TensorType((1, Dyn))), 1)

        node = next(iter(torch.fx.symbolic_trace(Net()).graph.nodes))
        self.assertEqual(node.type, TensorType((1, Dyn)))

    def test_set(self):
        graph = torch.fx.Graph()
        x = graph.placeholder("x", type_expr=int)
        self.assertIs(x.type, int)
        x.type = kind = TensorType((2, 3))
        self.assertIs(x.type, kind)
        x.type = None
        self.assertIsNone(x.type)


class TestReplacing(unittest.TestCase):
    def graph(self):
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        pair = graph.call_function(torch.split, (x, 1))
        first = graph.call_function(operator.getitem, (pair, 0))
        graph.output({"pair": pair, "first": first})
        return graph, x, pair

    def test_by_a_tuple(self):
        graph, x, pair = self.graph()
        changed = pair.replace_all_uses_with((x, x))
        self.assertEqual([node.op for node in changed], ["call_function", "output"])
        self.assertEqual(str(graph.output_node().args), "({'pair': (x, x), 'first': getitem},)")
        self.assertEqual(len(pair.users), 0)

    def test_by_a_constant(self):
        graph, x, pair = self.graph()
        pair.replace_all_uses_with([1, 2], delete_user_cb=lambda user: user.op == "output")
        self.assertEqual(str(graph.output_node().args), "({'pair': [1, 2], 'first': getitem},)")
        self.assertEqual(len(pair.users), 1)


class TestRewritingTracer(unittest.TestCase):
    def traced(self, module):
        return RewritingTracer().trace(module)

    def test_assert(self):
        class Net(torch.nn.Module):
            def forward(self, x, y):
                assert x.shape == y.shape, "shapes differ"
                assert x.sum() > 0
                return x + y

        graph = self.traced(Net())
        self.assertEqual([node.target for node in graph.nodes].count(torch._assert), 2)
        gm = torch.fx.GraphModule(Net(), graph)
        torch.testing.assert_close(gm(torch.ones(2), torch.ones(2)), torch.full((2,), 2.0))
        with self.assertRaisesRegex(AssertionError, "shapes differ"):
            gm(torch.ones(2), torch.ones(3))

    def test_assert_of_a_function(self):
        def check(x):
            assert x.any(), f"{1 + 1}"
            return x

        self.assertEqual(text(self.traced(check))[2][3], "(any_1, '2')")

    def test_annotated_assignment(self):
        class Net(torch.nn.Module):
            def forward(self, x):
                y: TensorType((1, Dyn)) = x + 1
                return y

        _, add, _ = self.traced(Net()).nodes
        self.assertEqual(add.type, TensorType((1, Dyn)))

    def test_weights(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(3))
                self.relu = torch.nn.ReLU()

            def forward(self, x):
                assert x.dim() == 1
                return self.relu(x * self.weight)

        net = Net()
        gm = torch.fx.GraphModule(net, self.traced(net))
        self.assertIn("torch._assert", gm.code)
        torch.testing.assert_close(gm(torch.ones(3)), torch.ones(3))


class TestValues(unittest.TestCase):
    def test_immutable_values_in_pytrees(self):
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        node = graph.call_function(torch.cat, ([x, [x, x]],), {"dim": {"a": 0}})
        leaves, spec = pytree.tree_flatten(node.args[0])
        self.assertEqual(leaves, [x, x, x])
        self.assertIs(type(pytree.tree_unflatten([1, 2, 3], spec)), type(node.args[0]))
        self.assertEqual(pytree.tree_unflatten([1, 2, 3], spec), [1, [2, 3]])
        leaves, spec = pytree.tree_flatten(node.kwargs)
        self.assertEqual((leaves, pytree.tree_unflatten([5], spec)), ([0], {"dim": {"a": 5}}))

    def test_classes_that_are_recorded(self):
        class Pair(metaclass=torch.fx.ProxyableClassMeta):
            def __init__(self, left, right):
                self.left, self.right = left, right

            def add(self, other):
                return Pair(self.left + other.left, self.right + other.right)

        def use(x: Pair, y):
            return x.add(Pair(y, y))

        gm = torch.fx.symbolic_trace(use)
        made = gm(Pair(torch.ones(2), torch.zeros(2)), torch.ones(2))
        self.assertEqual((made.left.tolist(), made.right.tolist()), ([2.0, 2.0], [1.0, 1.0]))

    def test_values_that_say_what_they_are(self):
        class Box:
            def __init__(self, x):
                self.x = x

            def __fx_create_arg__(self, tracer):
                return tracer.create_node("call_function", Box, args=(tracer.create_arg(self.x),), kwargs={})

        class Leaf(torch.nn.Module):
            def forward(self, box):
                return box.x + 1

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.leaf = Leaf()

            def forward(self, x):
                return self.leaf(Box(x))

        class LeafTracer(torch.fx.Tracer):
            def is_leaf_module(self, module, name):
                return isinstance(module, Leaf)

        net = Net()
        gm = torch.fx.GraphModule(net, LeafTracer().trace(net))
        self.assertEqual([node.op for node in gm.graph.nodes], ["placeholder", "call_function", "call_module", "output"])
        self.assertEqual(gm(torch.ones(1)).item(), 2.0)

    def test_a_replica(self):
        replica = torch.fx.symbolic_trace(torch.nn.ReLU())._replicate_for_data_parallel()
        self.assertTrue(replica._is_replica)

    def test_a_node_of_a_wrong_target(self):
        with self.assertRaisesRegex(ValueError, "but a Callable is expected"):
            torch.fx.Node(torch.fx.Graph(), "foo", "call_function", "foo", (), {})
        with self.assertRaisesRegex(ValueError, "but a str is expected"):
            torch.fx.Node(torch.fx.Graph(), "foo", "call_module", torch.add, (), {})


class TestFunctions(unittest.TestCase):
    def test_traced_by_themselves(self):
        for function in (F.relu, F.softmax, F.adaptive_avg_pool2d, F.layer_norm, F.cosine_embedding_loss, F.dropout):
            with self.subTest(function=function.__name__):
                graph = torch.fx.symbolic_trace(function).graph
                self.assertIn(function, {node.target for node in graph.nodes})
                self.assertGreater(len(graph.nodes), 2)

    def test_those_that_are_chosen_by_a_flag(self):
        for function in (F.adaptive_max_pool1d, F.max_pool2d, F.fractional_max_pool2d):
            with self.assertRaises(Exception):
                torch.fx.symbolic_trace(function)

    def test_those_in_c(self):
        for function in (F.linear, F.conv2d, torch.add):
            with self.assertRaises(Exception):
                torch.fx.symbolic_trace(function)


if __name__ == "__main__":
    unittest.main()
