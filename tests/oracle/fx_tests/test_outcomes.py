# Each way in which a test can end, and what unittest has around tests.
import unittest

import torch
import torch.fx


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.linear(x)) + 1


def fuse(gm):
    for node in list(gm.graph.nodes):
        if node.target is torch.relu:
            with gm.graph.inserting_after(node):
                new = gm.graph.call_function(torch.nn.functional.relu6, node.args)
            node.replace_all_uses_with(new)
            gm.graph.erase_node(node)
    gm.recompile()
    return gm


class TestOutcomes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = torch.fx.symbolic_trace(Net())

    def setUp(self):
        self.x = torch.ones(2, 4)
        self.addCleanup(lambda: setattr(self, "x", None))

    def test_fuse(self):
        gm = fuse(torch.fx.symbolic_trace(Net()))
        self.assertIn(torch.nn.functional.relu6, {node.target for node in gm.graph.nodes})
        self.assertEqual(gm(self.x).shape, (2, 4))

    def test_fuse_in_subtests(self):
        """Has a line of its own."""
        for number in range(3):
            with self.subTest(number=number):
                self.assertLess(number, 3)

    def test_close(self):
        torch.testing.assert_close(self.module(self.x), self.module(self.x.clone()))

    def test_fails(self):
        self.assertEqual(len(self.module.graph.nodes), 99)

    def test_is_an_error(self):
        self.module.graph.erase_node(next(iter(self.module.graph.nodes)))

    def test_raises(self):
        with self.assertRaisesRegex(RuntimeError, "Tried to erase Node"):
            self.module.graph.erase_node(next(iter(self.module.graph.nodes)))

    @unittest.skip("not today")
    def test_is_skipped(self):
        self.fail()

    def test_skips_itself(self):
        self.skipTest("as it likes")

    @unittest.expectedFailure
    def test_fails_as_expected(self):
        self.assertTrue(False)

    @unittest.expectedFailure
    def test_passes_unexpectedly(self):
        pass


class TestSetUpFails(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise ValueError("no")

    def test_never(self):
        pass


if __name__ == "__main__":
    unittest.main()
