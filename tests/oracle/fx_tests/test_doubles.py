# SPDX-License-Identifier: GPL-3.0-or-later
# Tests with mocks, logs, temporary files and captured output; a class whose tests are asynchronous stops none of the others.
import contextlib
import io
import logging
import os
import tempfile
import unittest
from unittest import mock
from unittest.mock import MagicMock, patch

import torch
import torch.nn as nn
from torch.fx import symbolic_trace


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return torch.relu(self.fc(x))


class TestDoubles(unittest.TestCase):
    def setUp(self):
        self.gm = symbolic_trace(Net())

    def test_mock(self):
        seen = MagicMock(return_value=3)
        self.assertEqual(seen(1, a=2), 3)
        seen.assert_called_once_with(1, a=2)

    def test_mock_fails(self):
        MagicMock(name="seen").assert_called_once_with(1)

    def test_patch(self):
        with patch.object(Net, "forward", lambda self, x: x):
            self.assertEqual(Net()(5), 5)
        with mock.patch("torch.fx.GraphModule.recompile") as recompiled:
            self.gm.recompile()
        recompiled.assert_called_once()
        self.assertIn("relu", self.gm.code)

    @patch.object(Net, "forward")
    def test_patched(self, forward):
        Net()(1)
        self.assertEqual(forward.call_count, 1)

    def test_logs(self):
        with self.assertLogs("passes", level="INFO") as caught:
            logging.getLogger("passes.inner").info("a %s", 1)
        self.assertEqual(caught.output, ["INFO:passes.inner:a 1"])
        self.assertEqual(caught.records[0].getMessage(), "a 1")
        with self.assertNoLogs("passes"):
            pass

    def test_no_logs(self):
        with self.assertLogs("passes", level="INFO"):
            logging.getLogger("passes").debug("too low")

    def test_unwanted_logs(self):
        with self.assertNoLogs("passes"):
            logging.getLogger("passes").warning("loud")

    def test_output(self):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            self.gm.graph.print_tabular() if False else print(self.gm.graph)
        self.assertIn("call_module", text.getvalue())

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights.pt")
            torch.save(self.gm.state_dict(), path)
            other = symbolic_trace(Net())
            other.load_state_dict(torch.load(path))
            self.assertTrue(torch.equal(other.fc.weight, self.gm.fc.weight))
            self.gm.to_folder(os.path.join(folder, "exported"))
            self.assertTrue(os.path.exists(os.path.join(folder, "exported", "module.py")))
        self.assertFalse(os.path.exists(path))


class TestAsync(unittest.IsolatedAsyncioTestCase):
    def test_plain(self):
        self.assertEqual(1, 1)


if __name__ == "__main__":
    unittest.main()
