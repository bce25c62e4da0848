# SPDX-License-Identifier: GPL-3.0-or-later
# Names, attributes, keys and indices that are not there.

# --- fails_attribute_of_instance
class Foo: pass
Foo().x

# --- fails_attribute_of_class
class Foo: pass
Foo.x

# --- fails_attribute_of_module
import math
math.foo

# --- fails_attribute_of_none
x = None
x.shape

# --- fails_attribute_of_int
(3).shape

# --- fails_attribute_of_list
[1].push(2)

# --- fails_attribute_of_str
"a".uper()

# --- fails_attribute_of_function
def f(): pass
f.weight

# --- fails_attribute_of_dict
{"a": 1}.a

# --- fails_attribute_of_tuple_append
(1, 2).append(3)

# --- fails_attribute_of_super
class A: pass
class B(A):
    def f(self): return super().f()
B().f()

# --- fails_attribute_set_on_int
x = 3
x.y = 1

# --- fails_attribute_set_on_str
"abc".name = 1

# --- fails_attribute_property_without_setter
class A:
    @property
    def p(self): return 1
A().p = 2

# --- fails_attribute_delete_missing
class A: pass
a = A()
del a.x

# --- fails_attribute_slots
class A:
    __slots__ = ("x",)
A().y = 1

# --- fails_attribute_from_getattr_hook
class A:
    def __getattr__(self, n): raise AttributeError(f"A has no {n}; try B")
A().weight

# --- fails_attribute_unset_in_init
class A:
    def __init__(self): print("init")
    def f(self): return self.weight
A().f()

# --- fails_name_undefined
print("before")
undefined_thing

# --- fails_name_in_function
def f(): return missing_name
f()

# --- fails_name_unbound_local
def f():
    print(x)
    x = 1
f()

# --- fails_name_free_variable
def f():
    def g(): return x
    g()
    x = 1
f()

# --- fails_name_deleted
x = 1
del x
x

# --- fails_name_class_scope_from_method
class A:
    size = 3
    def m(self): return size
A().m()

# --- fails_key_str
{"a": 1}["b"]

# --- fails_key_int
{}[0]

# --- fails_key_tuple
{}[1, "a"]

# --- fails_key_pop
{"x": 1}.pop("y")

# --- fails_key_del
d = {}
del d["gone"]

# --- fails_key_set_remove
{1}.remove(7)

# --- fails_key_popitem
{}.popitem()

# --- fails_index_list
[1, 2][2]

# --- fails_index_tuple
(1,)[-2]

# --- fails_index_str
""[0]

# --- fails_index_assignment
l = [1]
l[5] = 2

# --- fails_index_pop_empty
[].pop()

# --- fails_index_pop_range
[1].pop(3)

# --- fails_index_range
range(3)[3]

# --- fails_index_bytes
b"ab"[2]
