from typing import
a = 1
