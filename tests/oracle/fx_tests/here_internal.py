# What PyTorch's own tests import, which needs more than torch where Python runs it.
import unittest

import torch
from torch.testing._internal.common_device_type import dtypes, instantiate_device_type_tests, onlyCPU, ops
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_utils import TestCase, instantiate_parametrized_tests, parametrize, run_tests, subtest
from torch.testing._internal.jit_utils import JitTestCase


class TestEqual(JitTestCase):
    def test_tensors(self):  # -> ok
        self.assertEqual(torch.ones(2), torch.ones(2) + 1e-8)
        self.assertEqual({"a": [torch.ones(2), 1]}, {"a": [torch.ones(2), 1.0]})
        self.assertEqual(torch.tensor(3), 3)
        self.assertEqual([1, 2], (1, 2))
        self.assertEqual(float("nan"), float("nan"))
        self.assertNotEqual(torch.ones(2), torch.zeros(2))
        self.assertEqual("text", "text")
        self.assertEqual({1, 2}, {2, 1})
        self.assertEqual(torch.ones(1, dtype=torch.int), torch.ones(1), exact_dtype=False)

    def test_other_values(self):  # -> FAIL Greatest absolute difference: 1.0
        self.assertEqual(torch.ones(2), torch.zeros(2))

    def test_other_dtypes(self):  # -> FAIL The values for attribute 'dtype' do not match
        self.assertEqual(torch.ones(2), torch.ones(2, dtype=torch.double))

    def test_other_texts(self):  # -> FAIL here_internal.py", line 30, in test_other_texts
        self.assertEqual("a", "b")


class TestMany(TestCase):
    @parametrize("size", [1, 2])
    @parametrize("name", [subtest("a", name="first"), "b"])
    def test_sizes(self, size, name):
        self.assertTrue(size and name)

    def test_made(self):  # -> ok
        self.assertEqual(sorted(name for name in dir(self) if name.startswith("test_sizes")),
                         ["test_sizes_first_size_1", "test_sizes_first_size_2", "test_sizes_name_b_size_1", "test_sizes_name_b_size_2"])


class TestDevice(TestCase):
    @onlyCPU
    @dtypes(torch.float, torch.int)
    def test_ones(self, device, dtype):
        self.assertEqual(torch.ones(1, device=device, dtype=dtype).dtype, dtype)

    @ops(op_db)
    def test_operators(self, device, dtype, op):
        self.fail()

    def test_device_type(self, device):
        self.assertEqual(device, self.device_type)


instantiate_parametrized_tests(TestMany)
instantiate_device_type_tests(TestDevice, globals())


class TestNames(TestCase):
    def test_names(self):  # -> ok
        self.assertFalse("TestDevice" in globals())
        self.assertEqual(sorted(name for name in vars(TestDeviceCPU) if name.startswith("test") and getattr(TestDeviceCPU, name)),
                         ["test_device_type_cpu", "test_ones_cpu_float32", "test_ones_cpu_int32"])


if __name__ == "__main__":
    run_tests()
