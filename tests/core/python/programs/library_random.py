# SPDX-License-Identifier: GPL-3.0-or-later
# random, whose numbers are those of CPython for a seed.

# --- random_floats_and_bits
import random
for seed in (0, 1, -5, 42, 2**32, 2**70 + 3, True, "text", "", b"bytes", bytearray(b"a"), 0.5, -2.75, 1e300):
    random.seed(seed)
    print(seed, random.random(), random.getrandbits(5), random.getrandbits(32), random.getrandbits(70), random.randint(1, 6), random.getrandbits(0))
random.seed("é", 1)
print(random.random())
random.seed(b"ab", version=1)
print(random.random())
for bad in (lambda: random.seed([1]), lambda: random.getrandbits(-1), lambda: random.getrandbits(1.5)):
    try:
        bad()
    except (TypeError, ValueError) as error:
        print(error)

# --- random_long_runs
import random
r = random.Random(7)
print(sum(r.random() for _ in range(2000)), r.random(), r.randbytes(5), r.randbytes(0))

# --- random_ranges
import random
random.seed(3)
print([random.randrange(10) for _ in range(10)], [random.randrange(5, 50, 7) for _ in range(8)], [random.randrange(10, 0, -3) for _ in range(5)], random.randrange(10**30), random.randint(-5, -5))
for bad in (lambda: random.randrange(0), lambda: random.randrange(5, 5), lambda: random.randrange(1, 5, 0), lambda: random.randrange(5, 1, 2), lambda: random.randint(2, 1), lambda: random.randrange("a"), lambda: random.randrange(3.0), lambda: random.randrange(2.5), lambda: random.randrange(1, 9.5), lambda: random.randrange(1, 9, 2.5)):
    try:
        print(bad())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

# --- random_choices
import random
random.seed(11)
print([random.choice("abcdef") for _ in range(8)], random.choices("abc", k=6), random.choices([1, 2, 3], [10, 1, 1], k=8), random.choices("xyz", cum_weights=[1, 2, 10], k=5), random.choices(range(100), k=0))
for bad in (lambda: random.choice([]), lambda: random.choices("ab", [1]), lambda: random.choices("ab", [0, 0]), lambda: random.choices("ab", 2), lambda: random.choices("ab", [1, 2], cum_weights=[1, 2]), lambda: random.choices([])):
    try:
        print(bad())
    except (TypeError, ValueError, IndexError) as error:
        print(type(error).__name__, error)

# --- random_shuffle_and_sample
import random
random.seed(5)
items = list(range(12))
random.shuffle(items)
print(items, random.sample(range(10), 4), random.sample(range(10**6), 6), random.sample("abc", 3), random.sample(range(100), 0), random.sample(range(40), 30), random.sample(["r", "b"], counts=[4, 2], k=5))
for bad in (lambda: random.sample({1, 2}, 1), lambda: random.sample([1], 2), lambda: random.sample([1], -1), lambda: random.sample(["a"], 1, counts=[1, 2]), lambda: random.sample(["a"], 1, counts=[0])):
    try:
        print(bad())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)

# --- random_distributions
import random
random.seed(9)
for _ in range(4):
    print(random.uniform(-1, 3), random.gauss(0, 1), random.gauss(5.0, 0.1), random.normalvariate(1, 2), random.expovariate(0.5), random.triangular(), random.triangular(1, 5, 2), random.triangular(2, 2))
    print(random.betavariate(2, 3), random.betavariate(0.5, 0.5), random.gammavariate(1, 2), random.gammavariate(0.3, 1), random.gammavariate(9, 1), random.lognormvariate(0, 1), random.paretovariate(3), random.weibullvariate(1, 2), random.vonmisesvariate(0, 4), random.vonmisesvariate(1, 0))
print(random.gauss(), random.normalvariate())

# --- random_objects_and_states
import random
a, b = random.Random(1), random.Random(1)
print(a.random() == b.random(), a.random())
state = a.getstate()
print(state[0], len(state[1]), state[1][:3], state[1][-1], state[2])
first = [a.random(), a.gauss(0, 1)]
a.setstate(state)
print(first == [a.random(), a.gauss(0, 1)], a.gauss(0, 1))
class Own(random.Random):
    def dice(self):
        return self.randint(1, 6)
print([Own(4).dice() for _ in range(3)], isinstance(a, random.Random))
random.seed(1)
kept = random.getstate()
x = random.random()
random.setstate(kept)
print(x == random.random(), x)
import copy
c = copy.copy(a)
print(c.random() == a.random())
