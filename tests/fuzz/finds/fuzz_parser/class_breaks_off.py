class A: x =
y
