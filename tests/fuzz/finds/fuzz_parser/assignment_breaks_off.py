x =
y = 1
