# SPDX-License-Identifier: GPL-3.0-or-later
# Models whose costs and sizes are compared with PyTorch's: check_costs.py and check_symbolic.py say how. CASES has for each its
# inputs as sizes, where a letter is a size that may differ.
import torch
from torch import nn
from torch.nn import functional as F


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 8, bias=False))

    def forward(self, x):
        return self.layers(x)


class Bottleneck(nn.Module):
    def __init__(self, width, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width // 4, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width // 4)
        self.conv2 = nn.Conv2d(width // 4, width // 4, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width // 4)
        self.conv3 = nn.Conv2d(width // 4, width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(width)
        self.down = nn.Conv2d(width, width, 1, stride)

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = F.relu(self.bn2(self.conv2(y)))
        return F.relu(self.bn3(self.conv3(y)) + self.down(x))


class ResNet(nn.Module):
    def __init__(self, blocks=2, width=16):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.pool = nn.MaxPool2d(3, 2, 1)
        self.blocks = nn.Sequential(*[Bottleneck(width, 1 + i % 2) for i in range(blocks)])
        self.fc = nn.Linear(width, 10)

    def forward(self, x):
        x = self.blocks(self.pool(F.relu(self.stem(x))))
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class Depthwise(nn.Module):
    def __init__(self):
        super().__init__()
        self.depth = nn.Conv2d(8, 16, 3, padding=1, groups=8)
        self.point = nn.Conv2d(16, 12, 1)
        self.act = nn.Hardswish()

    def forward(self, x):
        return self.point(self.act(self.depth(x)))


class Dilated(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(4, 6, 5, stride=3, dilation=2, padding=1)
        self.second = nn.Conv1d(6, 6, 3, padding='same')

    def forward(self, x):
        return torch.tanh(self.second(self.first(x)))


class Volume(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(2, 4, (3, 3, 1), padding=(1, 1, 0))
        self.pool = nn.AvgPool3d(2)

    def forward(self, x):
        return self.pool(self.conv(x))


class Upward(nn.Module):
    """Transposed convolutions."""

    def __init__(self):
        super().__init__()
        self.first = nn.ConvTranspose2d(8, 6, 4, 2, 1)
        self.second = nn.ConvTranspose2d(6, 4, 3, 2, 1, output_padding=1, groups=2)

    def forward(self, x):
        return torch.sigmoid(self.second(F.leaky_relu(self.first(x))))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv2d(3, 8, 3, padding=1)
        self.two = nn.Conv2d(8, 16, 3, padding=1)
        self.up = nn.ConvTranspose2d(16, 8, 2, 2)
        self.last = nn.Conv2d(16, 2, 1)

    def forward(self, x):
        a = F.relu(self.one(x))
        b = F.relu(self.two(F.max_pool2d(a, 2)))
        return self.last(torch.cat([a, self.up(b)], 1))


class Attention(nn.Module):
    """By hand."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-2, -1) * 0.35, -1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, c))


class Fused(nn.Module):
    """Attention by PyTorch's function, of which each device has its own kernels."""

    def __init__(self, width=32, heads=4, causal=False):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.q, self.k, self.v = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x, memory):
        q = self.q(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.k(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.v(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        return F.scaled_dot_product_attention(q, k, v, is_causal=self.causal).transpose(1, 2).flatten(2)


class Layer(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Encoder(nn.Module):
    def __init__(self, layers=2, width=32):
        super().__init__()
        self.embed = nn.Embedding(100, width)
        self.layers = nn.ModuleList(Layer(width) for _ in range(layers))
        self.head = nn.Linear(width, 100)

    def forward(self, ids):
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


class Products(nn.Module):
    def forward(self, a, b, c):
        d = torch.mm(a, b)
        e = torch.addmm(c, a, b, alpha=2)
        return d + e, torch.matmul(a, b[:, 0]), torch.einsum('ij,jk->ki', a, b)


class Batched(nn.Module):
    def forward(self, a, b):
        c = torch.bmm(a, b)
        return torch.baddbmm(c, a, b), torch.matmul(a.unsqueeze(1), b.unsqueeze(0)), c.sum(-1)


class Bilinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Bilinear(6, 5, 4)

    def forward(self, x, y):
        return self.mix(x, y)


class Recommender(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 16), nn.SELU(), nn.Linear(16, 16), nn.SELU(), nn.Dropout(0.8),
                                    nn.Linear(16, 64), nn.SELU())

    def forward(self, x):
        return self.layers(x)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(8, 12)

    def forward(self, x, h, c):
        h, c = self.cell(x, (h, c))
        return self.cell(x, (h, c))


class Views(nn.Module):
    """Nothing is copied, and hardly anything computed."""

    def forward(self, x):
        y = x.transpose(1, 2).unsqueeze(0).expand(2, -1, -1, -1)
        return y[0, :, ::2], x.view(-1, 6), torch.flatten(x, 1)


class Writes(nn.Module):
    def forward(self, x):
        y = torch.relu(x)
        y.add_(1).mul_(2)
        y.narrow(1, 0, 1).fill_(0)
        return y


class Patches(nn.Module):
    def __init__(self, patch=4, width=24):
        super().__init__()
        self.embed = nn.Conv2d(3, width, patch, patch)
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Linear(width, width)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        return (x + self.mix(self.norm(x))).mean(1)


class Shuffle(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 16, 3, padding=1, groups=2)

    def forward(self, x):
        return F.pixel_shuffle(self.conv(F.interpolate(x, scale_factor=2)), 2)


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.group, self.instance = nn.GroupNorm(2, 8), nn.InstanceNorm2d(8, affine=True)
        self.conv = nn.Conv2d(8, 8, 3)

    def forward(self, x):
        return F.normalize(self.conv(F.pad(self.instance(self.group(x)), (1, 1, 1, 1), 'reflect')), dim=1)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.mix = nn.Linear(16, 16)

    def forward(self, ids):
        return F.log_softmax(F.linear(self.mix(self.embed(ids)), self.embed.weight), -1)


class Squeeze(nn.Module):
    """A gate for each channel."""

    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Conv2d(8, 2, 1), nn.Conv2d(2, 8, 1)
        self.conv = nn.Conv2d(8, 8, 3, padding=1, padding_mode='circular')

    def forward(self, x):
        y = self.conv(x)
        return y * torch.sigmoid(self.up(F.silu(self.down(y.mean((2, 3), keepdim=True)))))


class Nothing(nn.Module):
    def forward(self, x):
        return x


CASES = {
    'mlp': (Mlp, {'x': 'N,16'}),
    'mlp_3d': (Mlp, {'x': 'N,T,16'}),
    'resnet': (ResNet, {'x': 'N,3,H,W'}),
    'depthwise': (Depthwise, {'x': 'N,8,H,W'}),
    'dilated': (Dilated, {'x': 'N,4,L'}),
    'volume': (Volume, {'x': 'N,2,D,H,W'}),
    'upward': (Upward, {'x': 'N,8,H,W'}),
    'unet': (UNet, {'x': 'N,3,H,W'}),
    'attention': (Attention, {'x': 'N,T,32'}),
    'fused': (Fused, {'x': 'N,T,32', 'memory': 'N,S,32'}),
    'encoder': (Encoder, {'ids': 'N,T:int64'}),
    'products': (Products, {'a': 'M,K', 'b': 'K,N', 'c': 'M,N'}),
    'batched': (Batched, {'a': 'B,M,8', 'b': 'B,8,N'}),
    'bilinear': (Bilinear, {'x': 'N,6', 'y': 'N,5'}),
    'recommender': (Recommender, {'x': 'N,64'}),
    'recurrent': (Recurrent, {'x': 'N,8', 'h': 'N,12', 'c': 'N,12'}),
    'views': (Views, {'x': 'N,T,6'}),
    'writes': (Writes, {'x': 'N,T'}),
    'patches': (Patches, {'x': 'N,3,H,W'}),
    'shuffle': (Shuffle, {'x': 'N,4,H,W'}),
    'norms': (Norms, {'x': 'N,8,H,W'}),
    'tied': (Tied, {'ids': 'N,T:int64'}),
    'squeeze': (Squeeze, {'x': 'N,8,H,W'}),
    'nothing': (Nothing, {'x': 'N,3'}),
    'causal': (lambda: Fused(causal=True), {'x': 'N,T,32', 'memory': 'N,T,32'}),
    'deep': (lambda: ResNet(4, 32), {'x': 'N,3,H,W'}),
}
EXAMPLE = {'N': 2, 'H': 32, 'W': 48, 'T': 12, 'S': 20, 'L': 40, 'D': 6, 'M': 10, 'K': 14, 'B': 3}
SOURCE = {'causal': 'Fused(causal=True)', 'deep': 'ResNet(4, 32)'}


def sizes(text):
    """The sizes of an input as they are written, and its dtype."""
    text, _, dtype = text.partition(':')
    return [int(size) if size.isdigit() else size for size in text.split(',')], getattr(torch, dtype or 'float32')


def example(inputs):
    out = []
    for text in inputs.values():
        shape, dtype = sizes(text)
        shape = [EXAMPLE.get(size, size) for size in shape]
        out.append(torch.zeros(shape, dtype=dtype))
    return tuple(out)
