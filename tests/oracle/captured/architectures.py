# SPDX-License-Identifier: GPL-3.0-or-later
# Small ones of well known architectures, for models.py.
import torch
import torch.nn as nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    """A decoder's layer over what an encoder gives: masked attention to itself, then to the other sequence."""

    def __init__(self):
        super().__init__()
        self.own = nn.Linear(8, 24)
        self.query, self.memory = nn.Linear(8, 8), nn.Linear(8, 16)
        self.norms = nn.ModuleList(nn.LayerNorm(8) for _ in range(3))
        self.feed = nn.Sequential(nn.Linear(8, 16), nn.GELU(approximate="tanh"), nn.Linear(16, 8))

    @staticmethod
    def heads(x):
        return x.unflatten(-1, (2, 4)).transpose(1, 2)

    def attend(self, query, key, value, causal=False):
        mixed = F.scaled_dot_product_attention(self.heads(query), self.heads(key), self.heads(value), is_causal=causal)
        return mixed.transpose(1, 2).flatten(2)

    def forward(self, x, encoded):
        query, key, value = self.own(x).chunk(3, -1)
        x = self.norms[0](x + self.attend(query, key, value, causal=True))
        key, value = self.memory(encoded).split(8, dim=-1)
        x = self.norms[1](x + self.attend(self.query(x), key, value))
        return self.norms[2](x + self.feed(x))


class InvertedBottleneck(nn.Module):
    """MobileNet's block with squeeze and excitation."""

    def __init__(self):
        super().__init__()
        self.expand = nn.Sequential(nn.Conv2d(4, 8, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish(inplace=True))
        self.depthwise = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False), nn.BatchNorm2d(8), nn.ReLU6(inplace=True))
        self.squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 2, 1), nn.ReLU(), nn.Conv2d(2, 8, 1), nn.Hardsigmoid())
        self.project = nn.Sequential(nn.Conv2d(8, 4, 1, bias=False), nn.BatchNorm2d(4))

    def forward(self, x):
        y = self.depthwise(self.expand(x))
        return x + self.project(y * self.squeeze(y))


class Recurrence(nn.Module):
    """Layers over a whole sequence, and what they leave."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(7, 3, padding_idx=0)
        self.lstm = nn.LSTM(3, 4, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(8, 2)

    def forward(self, ids):
        sequence, (hidden, _) = self.lstm(self.tokens(ids))
        out, last = self.gru(sequence)
        return out.amax(1), torch.cat([last.flatten(), hidden.flatten()])


class Recommender(nn.Module):
    """DLRM's bags of ids and the products of what they give."""

    def __init__(self):
        super().__init__()
        self.bags = nn.ModuleList(nn.EmbeddingBag(6, 4, mode="sum") for _ in range(2))
        self.dense = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        self.top = nn.Linear(7, 1)
        self.register_buffer("pairs", torch.tril_indices(3, 3, -1), persistent=False)

    def forward(self, numbers, first, second, offsets):
        dense = self.dense(numbers)
        both = torch.stack([dense, self.bags[0](first, offsets), self.bags[1](second, offsets)], 1)
        products = torch.bmm(both, both.mT)
        crossed = products[:, self.pairs[0], self.pairs[1]]
        return torch.sigmoid(self.top(torch.cat([dense, crossed], -1))).squeeze(-1)


class UNetBlock(nn.Module):
    """Of a diffusion model: group norm, a step's embedding that scales and shifts, a way down and up again."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(2, 4), nn.GroupNorm(2, 8)
        self.conv1, self.conv2 = nn.Conv2d(4, 8, 3, padding=1), nn.Conv2d(8, 4, 3, padding=1, padding_mode="circular")
        self.down = nn.Conv2d(4, 4, 3, stride=2, padding=1)
        self.step = nn.Linear(4, 16)
        self.register_buffer("frequencies", torch.exp(-torch.arange(2) * 2.0))

    def forward(self, x, t):
        angles = t[:, None].float() * self.frequencies
        scale, shift = self.step(torch.cat([angles.sin(), angles.cos()], -1))[..., None, None].chunk(2, dim=1)
        y = self.conv1(F.silu(self.norm1(self.down(x))))
        y = torch.addcmul(shift, self.norm2(y), scale + 1)
        return x + F.interpolate(self.conv2(F.silu(y)), scale_factor=2.0, mode="nearest")


class Experts(nn.Module):
    """Each token goes to its two best experts; all weights in one tensor, met by einsum."""

    def __init__(self):
        super().__init__()
        self.router = nn.Linear(4, 3, bias=False)
        self.up, self.down = nn.Parameter(torch.randn(3, 4, 5)), nn.Parameter(torch.randn(3, 5, 4))

    def forward(self, x):
        weights, chosen = torch.softmax(self.router(x), -1).topk(2)
        weights = weights / weights.sum(-1, keepdim=True)
        gates = torch.zeros(2, 3, 3, dtype=x.dtype).scatter(-1, chosen, weights)
        hidden = F.relu(torch.einsum("btd,edh->bteh", x, self.up)).square()
        return torch.einsum("bteh,ehd,bte->btd", hidden, self.down, gates)


class SuperResolution(nn.Module):
    """Pixels are shuffled to a larger picture, and compared with one that was sampled on a grid."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.ReflectionPad2d(1), nn.Conv2d(1, 4, 3), nn.PReLU(4), nn.Conv2d(4, 4, 3, padding=2, dilation=2))
        self.shuffle = nn.PixelShuffle(2)

    def forward(self, x, grid):
        picture = self.shuffle(self.body(x)).clamp(0.0, 1.0)
        coarse = F.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=True)
        return picture, F.smooth_l1_loss(F.pixel_unshuffle(picture, 2).mean(1, keepdim=True), coarse, reduction="none")


class Rotary(nn.Module):
    """A language model's attention: RMSNorm, positions as rotations, keys and values that heads share, a window that was seen."""

    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(8, eps=1e-5)
        self.q, self.kv, self.o = nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False)
        self.register_buffer("angles", torch.outer(torch.arange(3.0), torch.tensor([1.0, 0.1])))

    def rotate(self, x):
        first, second = x[..., ::2], x[..., 1::2]
        cos, sin = self.angles.cos(), self.angles.sin()
        return torch.stack((first * cos - second * sin, first * sin + second * cos), -1).flatten(-2)

    def forward(self, x):
        batch, length, width = x.shape
        y = self.norm(x)
        q = self.rotate(self.q(y).view(batch, length, 2, 4).transpose(1, 2))
        k, v = self.kv(y).view(batch, length, 2, 4).permute(2, 0, 1, 3).unbind(0)
        k, v = (each.unsqueeze(1).expand(-1, 2, -1, -1) for each in (self.rotate(k), v))
        scores = torch.matmul(q, k.transpose(-2, -1)).div(2.0)
        seen = torch.ones_like(scores, dtype=torch.bool).tril()
        mixed = torch.where(seen, scores, float("-inf")).softmax(-1, dtype=torch.float32) @ v
        return x + self.o(mixed.transpose(1, 2).contiguous().view(batch, length, width))


class Autoencoder(nn.Module):
    """Down by convolutions, through what is drawn around a mean, and up by transposed ones."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 2, 3, 2, 1), nn.LeakyReLU(0.2, inplace=True), nn.Flatten(), nn.Linear(8, 4))
        self.widen = nn.Linear(2, 8)
        self.decoder = nn.Sequential(nn.Unflatten(1, (2, 2, 2)), nn.ConvTranspose2d(2, 2, 3, 2, 1, output_padding=1, groups=2),
                                     nn.InstanceNorm2d(2), nn.ELU(), nn.Conv2d(2, 1, 1), nn.LogSigmoid())

    def forward(self, x, noise):
        mean, spread = self.encoder(x).tensor_split(2, dim=1)
        picture = self.decoder(self.widen(mean + noise * (0.5 * spread).exp()))
        return picture, -0.5 * torch.sum(1 + spread - mean.pow(2) - spread.exp())


def drawn(**sizes):
    return {name: torch.randn(*size) for name, size in sizes.items()}


ARCHITECTURES = {
    "cross_attention": lambda: (CrossAttention(), drawn(x=(1, 3, 8), encoded=(1, 2, 8))),
    "inverted_bottleneck": lambda: (InvertedBottleneck(), drawn(x=(2, 4, 4, 4))),
    "recurrence": lambda: (Recurrence(), {"ids": torch.tensor([[1, 2, 0], [3, 6, 4]])}),
    "recommender": lambda: (Recommender(), {**drawn(numbers=(2, 3)), "first": torch.tensor([1, 2, 4]),
                                            "second": torch.tensor([5, 0, 3]), "offsets": torch.tensor([0, 2])}),
    "unet_block": lambda: (UNetBlock(), {**drawn(x=(1, 4, 4, 4)), "t": torch.tensor([3])}),
    "experts": lambda: (Experts(), drawn(x=(2, 3, 4))),
    "super_resolution": lambda: (SuperResolution(), drawn(x=(1, 1, 4, 4), grid=(1, 4, 4, 2))),
    "rotary": lambda: (Rotary(), drawn(x=(1, 3, 8))),
    "autoencoder": lambda: (Autoencoder(), drawn(x=(1, 1, 4, 4), noise=(1, 2))),
}
