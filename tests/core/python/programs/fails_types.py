# SPDX-License-Identifier: GPL-3.0-or-later
# Operands and arguments of wrong types.

# --- fails_operand_add_int_str
1 + "a"

# --- fails_operand_add_str_int
"a" + 1

# --- fails_operand_add_none
None + 1

# --- fails_operand_add_list_tuple
[1] + (2,)

# --- fails_operand_sub_lists
[1] - [1]

# --- fails_operand_mul_lists
[1] * [2]

# --- fails_operand_mul_str_float
"a" * 1.5

# --- fails_operand_matmul_lists
[[1]] @ [[2]]

# --- fails_operand_div_str
"a" / 2

# --- fails_operand_pow_str
"a" ** 2

# --- fails_operand_shift_float
1.0 << 2

# --- fails_operand_and_float
1.5 & 1

# --- fails_operand_neg_str
-"a"

# --- fails_operand_invert_float
~1.5

# --- fails_operand_instances
class V: pass
V() + V()

# --- fails_operand_augmented
x = 1
x += "a"

# --- fails_operand_dict_add
{} + {}

# --- fails_compare_int_str
1 < "a"

# --- fails_compare_none
None > 1

# --- fails_compare_instances
class A: pass
A() <= A()

# --- fails_compare_complex
1j < 2j

# --- fails_compare_dicts
{} < {}

# --- fails_sort_mixed
sorted([3, "a", 1])

# --- fails_not_iterable_int
for x in 5: pass

# --- fails_not_iterable_none
a, b = None

# --- fails_not_iterable_instance
class A: pass
list(A())

# --- fails_not_iterable_in
3 in 5

# --- fails_not_iterator
next([1])

# --- fails_not_subscriptable_int
(5)[0]

# --- fails_not_subscriptable_none
None["a"]

# --- fails_not_subscriptable_function
def f(): pass
f[0]

# --- fails_not_subscriptable_set
{1, 2}[0]

# --- fails_not_subscriptable_class
class A: pass
A[int]

# --- fails_no_item_assignment_tuple
t = (1,)
t[0] = 2

# --- fails_no_item_assignment_str
s = "a"
s[0] = "b"

# --- fails_no_item_deletion_tuple
t = (1,)
del t[0]

# --- fails_list_index_str
[1]["0"]

# --- fails_list_index_float
[1][1.0]

# --- fails_unhashable_list_key
{[1]: 2}

# --- fails_unhashable_dict_in_set
{{"a": 1}}

# --- fails_unhashable_lookup
d = {}
d[[1, 2]]

# --- fails_unhashable_eq_class
class A:
    def __eq__(self, o): return True
hash(A())

# --- fails_no_len
len(5)

# --- fails_int_of_list
int([1])

# --- fails_float_of_none
float(None)

# --- fails_range_float
range(2.5)

# --- fails_join_ints
",".join([1, 2])

# --- fails_isinstance_second
isinstance(1, 5)

# --- fails_sum_of_strings
sum(["a", "b"])

# --- fails_context_manager_missing
with 5 as f: pass

# --- fails_raise_not_exception
raise "text"

# --- fails_bool_returns_int
class A:
    def __bool__(self): return 2
if A(): pass

# --- fails_repr_returns_int
class A:
    def __repr__(self): return 1
print(A())

# --- fails_index_interpretation
"ab"[None]

# --- fails_map_not_callable
list(map(3, [1]))

# --- fails_dict_of_int
dict(5)

# --- fails_mro_conflict
class A: pass
class B(A): pass
class C(A, B): pass

# --- fails_duplicate_base
class A: pass
class B(A, A): pass

# --- fails_metaclass_conflict
class M1(type): pass
class M2(type): pass
class A(metaclass=M1): pass
class B(metaclass=M2): pass
class C(A, B): pass

# --- fails_abstract_one_method
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def forward(self): ...
A()

# --- fails_abstract_two_methods
from abc import ABC, abstractmethod
class A(ABC):
    @abstractmethod
    def forward(self): ...
    @abstractmethod
    def backward(self): ...
class B(A): pass
B()

# --- fails_super_without_class
def f(self): super().g()
f(1)

# --- fails_generator_send_before_start
def g(): yield 1
g().send(5)

# --- fails_generator_not_subscriptable
(x for x in [1])[0]

# --- fails_descriptor_str_method_on_int
str.upper(5)

# --- fails_list_append_unbound
list.append(5, 1)
