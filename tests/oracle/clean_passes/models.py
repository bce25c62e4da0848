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


class Decoder(nn.Module):
    """As GPT-2 has it: a causal mask, one weight for rows and results, and a projection that is cut in three."""

    def __init__(self, vocabulary=20, width=8, heads=2):
        super().__init__()
        self.heads = heads
        self.rows, self.places = nn.Embedding(vocabulary, width), nn.Embedding(6, width)
        self.first, self.second, self.last = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.together, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("mask", torch.tril(torch.ones(6, 6)).bool(), persistent=False)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.rows.weight

    def attend(self, x):
        batch, length, width = x.size()
        q, k, v = self.together(x).split(width, dim=2)
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / (width // self.heads) ** 0.5)
        scores = scores.masked_fill(~self.mask, float("-inf"))
        return self.out((self.drop(torch.softmax(scores, -1)) @ v).transpose(1, 2).reshape(batch, length, width))

    def forward(self, ids):
        x = self.drop(self.rows(ids) + self.places(torch.arange(ids.size(1))))
        x = x + self.attend(self.first(x))
        x = x + self.narrow(torch.nn.functional.gelu(self.wide(self.second(x)), approximate="tanh"))
        return self.head(self.last(x))


class Products3(nn.Module):
    """Attention by products of three dimensions: queries that are scaled first, keys that come as columns, a mask that is added."""

    def __init__(self):
        super().__init__()
        self.queries, self.columns, self.values = nn.Linear(6, 4), nn.Conv1d(6, 4, 1), nn.Linear(6, 3)
        self.shares = sequence(nn.Softmax(dim=2), nn.Dropout(0.2))
        self.register_buffer("mask", torch.randn(1, 5, 5))

    def forward(self, x, y):
        scores = torch.bmm(self.queries(x) * 0.3, self.columns(y.transpose(1, 2))) + self.mask
        low = torch.matmul(x, y.permute(0, 2, 1)) / 2
        low = low.masked_fill(self.mask > 0, -1e4).softmax(dim=-1) @ y
        return torch.bmm(self.shares(scores), self.values(y)), low


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = sequence(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 8))
        self.down = sequence(nn.Conv2d(3, 8, 3, padding=1), nn.GroupNorm(2, 8), nn.SiLU())
        self.middle = sequence(nn.Conv2d(8, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.SiLU())
        self.up = nn.ConvTranspose2d(8, 8, 2, stride=2)
        self.last = nn.Conv2d(16, 3, 3, padding=1)

    def forward(self, x, t):
        down = self.down(x) + self.time(t)[:, :, None, None]
        return self.last(torch.cat([self.up(self.middle(down)), down], dim=1))


class Mobile(nn.Module):
    """Convolutions of one channel each, with a gate over channels."""

    def __init__(self):
        super().__init__()
        self.widen = sequence(nn.Conv2d(3, 12, 1, bias=False), nn.BatchNorm2d(12), nn.Hardswish(inplace=True))
        self.depth = sequence(nn.Conv2d(12, 12, 3, padding=1, groups=12, bias=False), nn.BatchNorm2d(12), nn.ReLU6(inplace=True))
        self.gate = sequence(nn.AdaptiveAvgPool2d(1), nn.Conv2d(12, 4, 1), nn.ReLU(), nn.Conv2d(4, 12, 1), nn.Hardsigmoid())
        self.narrow = sequence(nn.Conv2d(12, 3, 1, bias=False), nn.BatchNorm2d(3))

    def forward(self, x):
        y = self.depth(self.widen(x))
        return self.narrow(y * self.gate(y)).add_(x)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(10, 6, padding_idx=0)
        self.lstm = nn.LSTM(6, 5, num_layers=2, bidirectional=True, batch_first=True)
        self.out = nn.Linear(10, 3)

    def forward(self, ids):
        states, (last, _) = self.lstm(self.rows(ids))
        return torch.log_softmax(self.out(states), -1), last.mean(0)


class Experts(nn.Module):
    """A mixture: each expert sees everything, and the gate weighs the two best."""

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(6, 4)
        self.experts = nn.ModuleList([sequence(nn.Linear(6, 8), nn.GELU(), nn.Linear(8, 6)) for _ in range(4)])

    def forward(self, x):
        weights = self.gate(x)
        best, index = torch.topk(weights, 2, dim=-1)
        shares = torch.zeros_like(weights).scatter(1, index, torch.softmax(best, -1))
        all_of_them = torch.stack([expert(x) for expert in self.experts], dim=1)
        return torch.einsum("be,bed->bd", shares, all_of_them)


class Vision(nn.Module):
    """A picture in patches, a token before them, and PyTorch's own layer of attention."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 8, 4, stride=4)
        self.token, self.places = nn.Parameter(torch.randn(1, 1, 8)), nn.Parameter(torch.randn(1, 5, 8))
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, activation="gelu", batch_first=True, norm_first=True)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], dim=1) + self.places
        return self.head(self.layer(x)[:, 0])


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
    **{f"branches{seed}": lambda seed=seed: (Branches(4 + 2 * (seed % 3), 2 + seed % 5, seed), {"x": torch.randn(2, 3, 6, 6)}) for seed in range(10)},
    "decoder": lambda: (Decoder(), {"ids": torch.randint(0, 20, (2, 6))}),
    "products3": lambda: (Products3(), {"x": torch.randn(2, 5, 6), "y": torch.randn(2, 5, 6)}),
    "unet": lambda: (UNet(), {"x": torch.randn(2, 3, 8, 8), "t": torch.randn(2, 4)}),
    "mobile": lambda: (Mobile(), {"x": torch.randn(2, 3, 6, 6)}),
    "recurrent": lambda: (Recurrent(), {"ids": torch.randint(0, 10, (2, 4))}),
    "experts": lambda: (Experts(), {"x": torch.randn(3, 6)}),
    "vision": lambda: (Vision(), {"x": torch.randn(2, 3, 8, 8)}),
}

TRAINED = ("conv1d", "linear", "functions", "tied", "without_statistics", "branches0", "branches1", "branches2", "branches3") # in training mode, too
DYNAMIC = {"products": ("x", "y"), "branches3": ("x",)} # inputs whose first size the exported graph leaves open
ALIGNED = ("recurrent", "vision") # whose sums depend on where in memory the weights lie
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
