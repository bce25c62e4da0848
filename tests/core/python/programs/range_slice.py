# SPDX-License-Identifier: GPL-3.0-or-later
# range and slice.

# --- range_is_a_sequence
r = range(2, 20, 3)
print(r, list(r), len(r), r[1], r[-1], r[1:3], r[::-1], 5 in r, 6 in r, r.index(8), r.count(5), r.start, r.stop, r.step, list(reversed(r)), range(0) == range(2, 1), range(0, 3, 2) == range(0, 4, 2))
print(range(5), range(10, 0, -3), list(range(10, 0, -3)), range(3) == [0, 1, 2], bool(range(0)), hash(range(3)) == hash(range(0, 3, 1)), sum(range(101)), max(range(3)), range(10**12)[10**11], len(range(-5, 5)), 2.0 in range(3), "a" in range(3))

# --- range_errors
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: range(1.5))
attempt(lambda: range("3"))
attempt(lambda: range(1, 2, 0))
attempt(lambda: range())
attempt(lambda: range(1, 2, 3, 4))
attempt(lambda: range(3)[5])
attempt(lambda: range(3).index(9))
attempt(lambda: range(3) + [1])
attempt(lambda: range(3).append(1))
attempt(lambda: setattr(range(3), "start", 1))

# --- slice_objects
s = slice(1, 10, 2)
print(s, s.start, s.stop, s.step, s.indices(5), slice(3), slice(None, None, -1).indices(4), slice(-3, None).indices(10), slice(1, 2) == slice(1, 2), [0, 1, 2, 3][slice(1, 3)], "abcdef"[slice(None, None, 2)])

# --- slices_reach_getitem_as_written
class A:
    def __getitem__(self, k): return k
    def __setitem__(self, k, v): print("set", k, v)
    def __delitem__(self, k): print("del", k)
a = A()
print(a[1], a[1:2], a[:], a[::2], a[1, 2], a[1:2, ...], a[..., None], a[(1,)], a[:, 0, ::-1], a[None], a["k"], a[-1:], a[()], a[1:2,], a[*[1, 2], 3])
a[0:1] = 5
del a[1:], a["k"]

# --- slices_with_negative_and_far_bounds
l = list(range(6))
for s in (slice(-2, None), slice(None, -2), slice(-100, 100), slice(4, 1), slice(4, 1, -1), slice(None, None, -2), slice(-1, -4, -1), slice(2, 2), slice(100, None), slice(None, 100, 3)):
    print(s.start, s.stop, s.step, l[s], "abcdef"[s], tuple(l)[s], range(6)[s])
