# Tests that only limits end, and one after them that runs as if nothing had been.
import unittest


class TestLimits(unittest.TestCase):
    def test_a_loop(self):  # -> ERROR too many steps
        while True:
            pass

    def test_a_loop_that_catches_all(self):  # -> ERROR
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

    def test_bytes(self):  # -> ERROR
        held = []
        while True:
            held.append("x" * 10_000_000)

    def test_depth(self):  # -> ok
        def deeper(n):
            return deeper(n + 1)

        with self.assertRaises(RecursionError):
            deeper(0)

    def test_files(self):  # -> ERROR
        open("/etc/passwd").read()

    def test_processes(self):  # -> ERROR
        import subprocess
        subprocess.run(["true"])

    def test_z_after_all_of_them(self):  # -> ok
        self.assertEqual(sum(range(1000)), 499500)
