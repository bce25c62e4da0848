# SPDX-License-Identifier: GPL-3.0-or-later
# The % operator of str and bytes.

# --- percent_with_all_conversions
print("%d %i %s %r %a %f %e %g %x %X %o %c %c %%" % (5, -6, "s", "r", "é", 1.5, 12345.678, 1e-5, 255, 255, 8, "c", 65))
print("%5d|%-5d|%05d|%+d|% d|%5.1f|%-8.3f|%08.2f|%.0f|%5s|%-5s|%.2s|%#x|%#o|%*d|%.*f" % (1, 2, 3, 4, 5, 6.66, 7.7, 8.888, 2.5, "a", "b", "cde", 255, 8, 4, 9, 2, 3.14159))

# --- percent_with_mapping_and_single_values
print("%(a)s-%(b)03d" % {"a": "x", "b": 7}, "%s" % 5, "%s" % (5,), "%s" % [1, 2], "%s %s" % ("a", (1, 2)), "%s" % None, "%r" % ((1,),), "%d%%" % 50, "no" % (), "plain" % [], "%s" % {"k": 1})
print("%d" % 3.99, "%d" % True, "%s" % 1.0, "%.3s" % "abcdef", "%5r" % "a", "%x" % 10**20, "%i" % -10**20, "%g" % 100000, "%g" % 1000000, "%.2e" % 0)

# --- percent_errors
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
attempt(lambda: "%d" % "a")
attempt(lambda: "%s %s" % "a")
attempt(lambda: "%s" % (1, 2))
attempt(lambda: "%(k)s" % {})
attempt(lambda: "%(k)s" % 5)
attempt(lambda: "%z" % 1)
attempt(lambda: "%" % 1)
attempt(lambda: "%c" % "ab")
attempt(lambda: "%x" % 1.5)
attempt(lambda: "%f" % "a")
attempt(lambda: "a" % 1)
attempt(lambda: "%c" % -1)

# --- percent_formats_objects_by_str_and_repr
class A:
    def __str__(self): return "S"
    def __repr__(self): return "R"
print("%s %r %s" % (A(), A(), [A()]), "%-4s|" % A(), "%10.1f|%s" % (2, A()))
