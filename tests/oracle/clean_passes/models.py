# SPDX-License-Identifier: GPL-3.0-or-later
# Models that passes are applied to, each in evaluation mode with its arguments by name; the same numbers for the same name.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Shared(nn.Module):
    """One layer, twice: with the same normalisation behind it, or with another."""

    def __init__(self, other):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1)
        self.bn = nn.BatchNorm2d(3)
        self.bn2 = nn.BatchNorm2d(3) if other else self.bn

    def forward(self, x):
        return self.bn2(self.conv(torch.relu(self.bn(self.conv(x)))))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)
        self.b.weight = self.a.weight
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.bn(self.a(x)) + self.b(x)


class ReadTwice(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv1d(2, 4, 3, padding=1), nn.BatchNorm1d(4)

    def forward(self, x):
        y = self.conv(x)
        return self.bn(y) + y


class WeightRead(nn.Module):
    """A weight that the graph reads beside the module that has it."""

    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2)

    def forward(self, x):
        return self.bn(self.conv(x)) + self.conv.weight.sum()


class Functions(nn.Module):
    def __init__(self, shared=False):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 2, 3, 3))
        self.back = nn.Parameter(torch.randn(4, 2, 2, 2))
        self.lin = nn.Parameter(torch.randn(3, 2))
        self.bias = nn.Parameter(torch.randn(3))
        self.norms = nn.ModuleList([nn.BatchNorm2d(4), nn.BatchNorm2d(2), nn.BatchNorm1d(3)])
        self.shared = shared

    def norm(self, index, x):
        n = self.norms[index]
        return F.batch_norm(x, n.running_mean, n.running_var, n.weight, n.bias, False, 0.1, n.eps)

    def forward(self, x):
        y = self.norm(0, F.conv2d(x, self.w, padding=1))
        if self.shared:
            y = y + F.conv2d(x, self.w, padding=1)
        z = self.norm(1, F.conv_transpose2d(y, self.back))
        return self.norm(2, F.linear(z.mean((2, 3)), self.lin, self.bias))


class Branches(nn.Module):
    """Blocks with += in place, dropout, a branch that is computed twice, constants."""

    def __init__(self, width, depth, seed):
        super().__init__()
        # Drawn by arithmetic, so that whoever evaluates this draws the same.
        drawn = [(seed * 7919 + place * 104729) % 997 for place in range(8 * depth + 1)]
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, padding=1, bias=drawn.pop() % 2 == 0), nn.BatchNorm2d(width))
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=drawn.pop() % 2 == 0, groups=(1, width)[drawn.pop() % 2]),
                          nn.BatchNorm2d(width, affine=drawn.pop() % 3 > 0), (nn.ReLU(), nn.GELU(), nn.ReLU(inplace=True))[drawn.pop() % 3],
                          nn.Dropout(0.3)) for _ in range(depth))
        self.kinds = [drawn.pop() % 4 for _ in range(depth)]
        self.scale = nn.Parameter(torch.randn(1, width, 1, 1))
        self.register_buffer("offset", torch.randn(width))
        self.head = nn.Linear(width, 4)
        self.last = nn.BatchNorm1d(4)

    def forward(self, x):
        torch.neg(x) # which nobody reads
        x = self.stem(x)
        for block, kind in zip(self.blocks, self.kinds):
            y = block(x)
            if kind == 0:
                y += x
            elif kind == 1:
                y = y * (self.scale.exp() + 1) + x * (self.scale.exp() + 1)
            elif kind == 2:
                y = F.dropout(torch.relu(y), 0.2, self.training) - self.offset.view(1, -1, 1, 1)
            x = y
        return self.last(self.head(x.mean((2, 3))))


class Operators(nn.Module):
    """Operators, functions and methods that do the same."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3, 4))

    def forward(self, x):
        y = torch.add(x, 1) * torch.mul(x, self.w) - torch.sub(x, 2)
        y = y.add(x).relu().permute(1, 0).reshape(4, -1).transpose(0, 1)
        y = torch.where(torch.ge(y, x), y, x.mul(2)) + F.softmax(y, 1) + torch.flatten(y, 1)
        return torch.cat([y, y.clamp(min=0)], 1).sum(1), F.gelu(y).view(-1), y.max(1)[0]


class Products(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 3))
        self.v = nn.Parameter(torch.randn(3, 3))

    def forward(self, x, y):
        a, b = torch.matmul(x, self.w), torch.matmul(torch.relu(y) + 1, self.w)
        c = torch.matmul(a, self.v)
        d = torch.matmul(c, self.v) # which depends on the product before
        return (torch.matmul(y * 2, self.w) + b).tanh(), torch.sigmoid(a + 1) - d


class Layers(nn.Module):
    """One of many classes of torch.nn, over what they take."""

    def __init__(self):
        super().__init__()
        self.images = nn.ModuleList([
            nn.GroupNorm(2, 4), nn.LeakyReLU(0.2), nn.MaxPool2d(2, 1), nn.Hardswish(), nn.AvgPool2d(2, 1), nn.ELU(inplace=True), nn.PReLU(),
            nn.ZeroPad2d(1), nn.Dropout2d(), nn.InstanceNorm2d(4), nn.LocalResponseNorm(2), nn.AdaptiveAvgPool2d(3), nn.ReflectionPad2d(1),
            nn.Upsample(scale_factor=2.0), nn.PixelUnshuffle(2), nn.Softmax(1), nn.SiLU(), nn.AdaptiveMaxPool2d(2), nn.Identity(), nn.Flatten()])
        self.rows = nn.ModuleList([
            nn.Linear(64, 8), nn.LayerNorm(8), nn.GELU(), nn.RMSNorm(8), nn.Hardtanh(), nn.Softplus(), nn.GLU(), nn.LogSoftmax(1), nn.Tanh(),
            nn.Sigmoid(), nn.Mish(), nn.CELU(), nn.SELU(), nn.Threshold(0.1, 0.2), nn.Unflatten(1, (2, 2)), nn.Softsign(), nn.ReLU6()])

    def forward(self, x):
        for layer in self.images:
            x = layer(x)
        for layer in self.rows:
            x = layer(x)
        return x


def sequence(*layers):
    return nn.Sequential(*layers)


def without_statistics():
    return sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4, track_running_stats=False), nn.ReLU())


def image(size=8, channels=3):
    return {"input": torch.randn(2, channels, size, size)}


MODELS = {
    "conv1d": lambda: (sequence(nn.Conv1d(2, 4, 3), nn.BatchNorm1d(4), nn.ReLU()), {"input": torch.randn(2, 2, 9)}),
    "conv2d": lambda: (sequence(nn.Conv2d(3, 4, 3, stride=2, dilation=2, padding_mode="reflect", padding=2), nn.BatchNorm2d(4)), image()),
    "conv3d": lambda: (sequence(nn.Conv3d(1, 2, 2, bias=False), nn.BatchNorm3d(2)), {"input": torch.randn(1, 1, 4, 4, 4)}),
    "linear": lambda: (sequence(nn.Linear(5, 3), nn.BatchNorm1d(3), nn.Linear(3, 2, bias=False), nn.BatchNorm1d(2)), {"input": torch.randn(4, 5)}),
    "not_affine": lambda: (sequence(nn.Conv2d(3, 4, 1, bias=False), nn.BatchNorm2d(4, affine=False)), image()),
    "transposed": lambda: (sequence(nn.ConvTranspose1d(4, 6, 3, groups=2), nn.BatchNorm1d(6), nn.ConvTranspose1d(6, 2, 3), nn.BatchNorm1d(2)),
                           {"input": torch.randn(2, 4, 5)}),
    "transposed2d": lambda: (sequence(nn.ConvTranspose2d(3, 4, 3, stride=2, bias=False), nn.BatchNorm2d(4)), image(4)),
    "transposed3d": lambda: (sequence(nn.ConvTranspose3d(2, 4, 2, groups=2), nn.BatchNorm3d(4)), {"input": torch.randn(1, 2, 3, 3, 3)}),
    "shared": lambda: (Shared(False), {"x": torch.randn(2, 3, 6, 6)}),
    "shared_otherwise": lambda: (Shared(True), {"x": torch.randn(2, 3, 6, 6)}),
    "tied": lambda: (Tied(), {"x": torch.randn(3, 4)}),
    "read_twice": lambda: (ReadTwice(), {"x": torch.randn(2, 2, 6)}),
    "weight_read": lambda: (WeightRead(), {"x": torch.randn(2, 2, 3, 3)}),
    "functions": lambda: (Functions(), {"x": torch.randn(2, 2, 5, 5)}),
    "functions_shared": lambda: (Functions(True), {"x": torch.randn(2, 2, 5, 5)}),
    "wide_linear": lambda: (sequence(nn.Linear(5, 3), nn.BatchNorm1d(3)), {"input": torch.randn(4, 3, 5)}),
    "one_feature": lambda: (sequence(nn.Linear(5, 3), nn.BatchNorm1d(1)), {"input": torch.randn(4, 1, 5)}),
    "without_statistics": lambda: (without_statistics(), image()),
    "partly_training": lambda: (sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Conv2d(4, 4, 3), nn.BatchNorm2d(4)), image()),
    "double": lambda: (sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)).double(), {"input": torch.randn(2, 3, 5, 5, dtype=torch.double)}),
    "frozen": lambda: (sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)).requires_grad_(False), image()),
    "operators": lambda: (Operators(), {"x": torch.randn(3, 4)}),
    "products": lambda: (Products(), {"x": torch.randn(2, 4), "y": torch.randn(5, 4)}),
    "layers": lambda: (Layers(), {"x": torch.randn(2, 4, 6, 6)}),
    "after_an_input": lambda: (sequence(nn.BatchNorm2d(3), nn.ReLU(), nn.Conv2d(3, 2, 1)), image()),
    **{f"branches{seed}": lambda seed=seed: (Branches(4 + 2 * (seed % 3), 2 + seed % 5, seed), {"x": torch.randn(2, 3, 6, 6)}) for seed in range(5)},
}

TRAINED = ("conv1d", "linear", "functions", "tied", "without_statistics", "branches0", "branches1", "branches2", "branches3") # in training mode, too
DYNAMIC = {"products": ("x", "y"), "branches3": ("x",)} # inputs whose first size the exported graph leaves open
TRAINING = {"partly_training": ["1"]} # modules that are in training mode


def built(name):
    """The module, with numbers that are no round ones, and its arguments."""
    torch.manual_seed(len(name) * 1000 + ord(name[0]) * 10 + ord(name[-1]))
    module, args = MODELS[name]()
    for part in module.modules():
        if isinstance(part, nn.modules.batchnorm._BatchNorm) and part.running_mean is not None:
            nn.init.normal_(part.running_mean)
            nn.init.uniform_(part.running_var, 0.5, 2)
            if part.affine:
                nn.init.normal_(part.weight)
                nn.init.normal_(part.bias)
    module.eval()
    for path in TRAINING.get(name, ()):
        module.get_submodule(path).train()
    return module, args


def build(name):
    return built(name)[0]
