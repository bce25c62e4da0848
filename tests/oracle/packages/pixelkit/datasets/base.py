# SPDX-License-Identifier: GPL-3.0-or-later
# What every data set has: pictures by number, and a text that tells its size and its transforms.
import os
import os.path
import pathlib
from typing import Any, Callable, ClassVar, Generic, List, Optional, Tuple, TypeVar, Union

import torch
import torch.utils.data as data

T_co = TypeVar("T_co", covariant=True)


class PictureSet(data.Dataset[Tuple[torch.Tensor, int]]):
    _indent: ClassVar[int] = 4

    def __init__(self, root: Union[str, pathlib.Path, None] = None, transform: Optional[Callable] = None) -> None:
        if isinstance(root, (str, pathlib.Path)):
            root = os.path.expanduser(root)
        self.root = root
        self.transform = transform

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def __repr__(self) -> str:
        body = [f"{len(self)} pictures"]
        if self.root is not None:
            body.append(f"in {self.root}")
        body += self.extra_repr().splitlines()
        return "\n".join([type(self).__name__] + [" " * self._indent + line for line in body])

    def extra_repr(self) -> str:
        return "" if self.transform is None else f"transform: {self.transform}"


class PictureFolder(PictureSet):
    endings = (".raw", ".bytes")

    def __init__(self, root, transform=None):
        super().__init__(root, transform)
        self.files: List[str] = sorted(f for f in os.listdir(self.root) if f.lower().endswith(self.endings))

    def __getitem__(self, index):
        from pixelkit.io import from_bytes

        with open(os.path.join(self.root, self.files[index]), "rb") as stream:
            picture = from_bytes(stream.read())
        return picture if self.transform is None else self.transform(picture)

    def __len__(self):
        return len(self.files)


class Shapes(PictureSet):
    kind = "disc"

    def __init__(self, count: int = 4, size: int = 8, transform: Optional[Callable] = None) -> None:
        super().__init__(None, transform)
        self.count, self.size = count, size

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int):
        if not 0 <= index < self.count:
            raise IndexError(index)
        line = torch.arange(self.size) - self.size / 2
        if self.kind == "disc":
            picture = (line[:, None] ** 2 + line**2 < (index + 2) ** 2).float()
        elif self.kind == "square":
            picture = ((line.abs()[:, None] < index + 2) & (line.abs() < index + 2)).float()
        else:
            picture = (torch.arange(self.size) % (index + 2) == 0).float().expand(self.size, -1)
        picture = picture[None]
        return picture if self.transform is None else self.transform(picture), index


class Cached(data.Dataset, Generic[T_co]):
    def __init__(self, inner: "data.Dataset[T_co]") -> None:
        self.inner = inner
        self.kept: dict = {}

    def __getitem__(self, index: int) -> T_co:
        if index not in self.kept:
            self.kept[index] = self.inner[index]
        return self.kept[index]
