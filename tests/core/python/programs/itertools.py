# SPDX-License-Identifier: GPL-3.0-or-later
# itertools.

# --- count_steps_from_a_start
from itertools import count, islice
print(list(islice(count(), 3)), list(islice(count(5, -2), 4)), list(islice(count(0.5, 0.25), 3)))
c = count(10)
print(next(c), next(c), c, repr(count(1, 2)), count(2.5))

# --- cycle_repeats_what_it_saw
from itertools import cycle, islice
print(list(islice(cycle("abc"), 7)))
it = cycle(iter([1]))
print(next(it), next(it), list(cycle([])))
print([a + b for a, b in zip("wxyz", cycle("12"))])

# --- repeat_with_and_without_end
from itertools import repeat, islice
print(list(repeat("x", 3)), list(islice(repeat(0), 2)), list(map(pow, range(4), repeat(2))))
r = repeat(5, 2)
print(r)
next(r)
print(r, repeat([1]), list(repeat(1, -3)))

# --- accumulate_with_function_and_initial
from itertools import accumulate
import operator
print(list(accumulate([1, 2, 3, 4])))
print(list(accumulate([3, 1, 4, 1, 5], max)))
print(list(accumulate([1, 2, 3], operator.mul, initial=10)))
print(list(accumulate([])), list(accumulate([], initial=0)), list(accumulate("abc")))

# --- chain_flattens_one_level
from itertools import chain
print(list(chain([1], (2, 3), "ab", {4: 5}, range(2))))
print(list(chain.from_iterable([[1, [2]], [3]])), list(chain()))
def rows():
    yield [1, 2]
    print("between")
    yield [3]
for x in chain.from_iterable(rows()):
    print(x)

# --- compress_selects_by_truth
from itertools import compress
print(list(compress("ABCDEF", [1, 0, 1, 0, 1, 1])), list(compress("AB", [])), "".join(compress("abc", [0, "", "x"])))

# --- dropwhile_and_takewhile_split_at_first_failure
from itertools import dropwhile, takewhile, filterfalse
data = [1, 4, 6, 3, 8]
small = lambda x: x < 5
print(list(takewhile(small, data)), list(dropwhile(small, data)), list(filterfalse(small, data)))
print(list(filterfalse(None, [0, 1, "", "a"])))
it = iter(data)
print(list(takewhile(small, it)), list(it))

# --- islice_with_start_stop_step
from itertools import islice
print(list(islice("ABCDEFG", 2)), list(islice("ABCDEFG", 2, 4)), list(islice("ABCDEFG", 2, None)))
print(list(islice("ABCDEFG", 0, None, 2)), list(islice("ABCDEFG", 1, 6, 3)), list(islice(range(3), 10)))
it = iter(range(10))
print(list(islice(it, 2)), next(it), list(islice(it, 1, 3)), next(it))

# --- islice_refuses_negative_indices
from itertools import islice
for args in ((-1,), (0, -2), (-1, 3), (0, 3, 0), (0, 3, -1)):
    try:
        islice([1, 2], *args)
    except ValueError as e:
        print(e)

# --- starmap_spreads_tuples
from itertools import starmap
print(list(starmap(pow, [(2, 5), (3, 2), (10, 3)])), list(starmap(lambda *a: len(a), [(), (1,), "ab"])))

# --- zip_longest_fills_the_short_ones
from itertools import zip_longest
print(list(zip_longest("ABCD", "xy", fillvalue="-")), list(zip_longest([1], [], [2, 3])), list(zip_longest()))

# --- pairwise_overlaps
from itertools import pairwise
print(list(pairwise("ABCD")), list(pairwise([1])), list(pairwise([])), [b - a for a, b in pairwise([1, 4, 9])])

# --- groupby_groups_consecutive_items
from itertools import groupby
print([(k, list(g)) for k, g in groupby("AAABBCA")])
print([(k, len(list(g))) for k, g in groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)])
print([k for k, _ in groupby([1, 1, 2, 2, 1])])

# --- groupby_group_is_lost_when_the_next_is_asked
from itertools import groupby
it = groupby("aabb")
k1, g1 = next(it)
print(k1, next(g1))
k2, g2 = next(it)
print(k2, list(g1), list(g2), next(it, "end"))

# --- tee_gives_independent_iterators
from itertools import tee
a, b = tee(iter([1, 2, 3]))
print(next(a), next(a), list(b), list(a))
x, y, z = tee("ab", 3)
print(list(x), list(y), next(z))
print(len(tee([], 0)))

# --- product_like_nested_loops
from itertools import product
print(list(product([1, 2], "ab")), list(product([0, 1], repeat=2)))
print(list(product()), list(product([1], [])), len(list(product(range(3), repeat=3))))

# --- permutations_in_lexicographic_order
from itertools import permutations
print(list(permutations([1, 2, 3])), ["".join(p) for p in permutations("ABC", 2)])
print(list(permutations([1], 2)), list(permutations([])))

# --- combinations_with_and_without_replacement
from itertools import combinations, combinations_with_replacement
print(list(combinations("ABCD", 2)), list(combinations(range(3), 0)), list(combinations([1], 2)))
print(list(combinations_with_replacement("AB", 3)))
try:
    combinations([1], -1)
except ValueError as e:
    print(e)

# --- itertools_objects_are_iterators
import itertools
for it in (itertools.chain([1]), itertools.count(), itertools.cycle([1]), itertools.islice([1], 1), itertools.product([1])):
    print(type(it).__name__, iter(it) is it, hasattr(it, "__next__"))

# --- itertools_are_lazy
from itertools import starmap, takewhile, islice, count
def noisy():
    for i in count():
        print("make", i)
        yield i
print(next(takewhile(lambda x: x < 2, noisy())))
print(list(islice((x * x for x in noisy()), 1, 2)))
