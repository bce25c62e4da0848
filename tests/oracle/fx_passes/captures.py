# SPDX-License-Identifier: GPL-3.0-or-later
# make_fx of models, forwards and with their gradients.
# case: convolutions Empty() convolutions
# case: normalizations Empty() normalizations
# case: pooling Empty() pooling
# case: recurrent Empty() recurrent
# case: attention Empty() attention
# case: activations Empty() activations
# case: losses Empty() losses
# case: embeddings Empty() embeddings
# case: indexing Empty() indexing
# case: shapes Empty() shapes
# case: reductions Empty() reductions
# case: algebra Empty() algebra
# case: in_place Empty() in_place
# case: made_tensors Empty() made_tensors
# case: nested_arguments Empty() nested_arguments
# case: shared_weights Empty() shared_weights
# case: own_gradient Empty() own_gradient
# case: rules Empty() rules
# case: before_autograd Empty() before_autograd
# case: data_read Empty() data_read
# case: gradients_alone Empty() gradients_alone
# case: of_graph_modules Empty() of_graph_modules
# case: functionalized Empty() functionalized
# case: made_inside Empty() made_inside
# case: grad_modes Empty() grad_modes
# case: functional_constants Empty() functional_constants
# case: memory_formats Empty() memory_formats
# case: autocast_regions Empty() autocast_regions

import torch
import torch.fx
import torch.nn as nn
import torch.nn.functional as F
from torch.fx.experimental.proxy_tensor import make_fx


class Empty(nn.Module):
    def forward(self, x):
        return x


INPUTS = (torch.zeros(1),)


def show(graph_module):
    graph_module.graph.lint()
    print(graph_module.code.strip())
    for name, value in list(graph_module.named_parameters()) + list(graph_module.named_buffers()):
        print(name, tuple(value.shape), value.dtype, type(value).__name__)


def forwards(module, *args):
    show(make_fx(module)(*args))


def joint(module, *args):
    parameters = [parameter for parameter in module.parameters() if parameter.requires_grad]

    def step(*args):
        loss = module(*args)
        loss = loss.sum() if isinstance(loss, torch.Tensor) else sum(each.sum() for each in loss)
        return (loss,) + torch.autograd.grad(loss, parameters)

    show(make_fx(step)(*args))


def both(module, *args):
    forwards(module.eval(), *args)
    joint(module.train(), *args)


def convolutions(gm):
    both(nn.Conv2d(3, 4, 3, padding=1), torch.randn(1, 3, 6, 6))
    both(nn.Sequential(nn.Conv1d(2, 4, 3, groups=2, bias=False), nn.ReLU()), torch.randn(1, 2, 8))
    both(nn.Conv3d(1, 2, 2, stride=2, dilation=1), torch.randn(1, 1, 4, 4, 4))
    both(nn.ConvTranspose2d(2, 3, 3, stride=2, output_padding=1), torch.randn(1, 2, 4, 4))
    both(nn.Conv2d(2, 2, 3, padding='same', padding_mode='reflect'), torch.randn(1, 2, 5, 5))


def normalizations(gm):
    both(nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4), nn.ReLU(inplace=True)), torch.randn(2, 3, 4, 4))
    both(nn.LayerNorm((4,)), torch.randn(2, 4))
    both(nn.GroupNorm(2, 4), torch.randn(2, 4, 3))
    both(nn.InstanceNorm1d(3, affine=True), torch.randn(2, 3, 5))
    forwards(nn.LocalResponseNorm(2), torch.randn(1, 4, 3, 3))
    both(nn.RMSNorm(4), torch.randn(2, 4))


class Pools(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        x = x * self.scale
        y = F.max_pool2d(x, 2) + F.avg_pool2d(x, 2)
        return F.adaptive_avg_pool2d(y, 1).flatten(1) + F.adaptive_max_pool2d(y, 1).flatten(1)


def pooling(gm):
    both(Pools(), torch.randn(1, 2, 8, 8))


def recurrent(gm):
    both(nn.LSTMCell(3, 4), torch.randn(2, 3))
    both(nn.GRUCell(3, 4), torch.randn(2, 3))
    both(nn.RNNCell(3, 4), torch.randn(2, 3))
    forwards(nn.GRU(3, 4, batch_first=True), torch.randn(1, 3, 3))
    forwards(nn.RNN(3, 4), torch.randn(2, 1, 3))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (t.view(2, 3, 2, 4).transpose(1, 2) for t in (q, k, v))
        weights = torch.softmax(q @ k.transpose(-2, -1) / 2.0, dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(2, 3, 8))


def attention(gm):
    both(Attention(), torch.randn(2, 3, 8))
    both(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), torch.randn(1, 3, 8))
    joint(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1, norm_first=True), torch.randn(3, 1, 8))


class Activations(nn.Module):
    def __init__(self):
        super().__init__()
        self.prelu = nn.PReLU()
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        x = self.prelu(x * self.scale)
        for function in (F.gelu, F.silu, F.mish, F.elu, F.selu, F.celu, F.softplus, F.hardswish, F.hardsigmoid, F.leaky_relu,
                         F.relu6, F.softsign, F.tanhshrink, torch.sigmoid, torch.tanh, F.logsigmoid):
            x = function(x)
        return F.glu(x, -1) + F.gelu(x, approximate='tanh')[..., :2]


def activations(gm):
    both(Activations(), torch.randn(2, 4))


class Losses(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 3)

    def forward(self, x, target):
        y = self.layer(x)
        other = torch.zeros_like(y)
        return (F.cross_entropy(y, target), F.nll_loss(F.log_softmax(y, -1), target), F.mse_loss(y, other), F.l1_loss(y, other),
                F.smooth_l1_loss(y, other), F.huber_loss(y, other), F.kl_div(y, other.softmax(-1), reduction='batchmean'),
                F.binary_cross_entropy_with_logits(y, other), F.cross_entropy(y, target, label_smoothing=0.1))


def losses(gm):
    both(Losses(), torch.randn(2, 4), torch.tensor([0, 2]))


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(10, 4, padding_idx=0)
        self.places = nn.Embedding(5, 4)

    def forward(self, ids):
        return self.tokens(ids) + self.places(torch.arange(ids.shape[1]))


def embeddings(gm):
    both(Tokens(), torch.tensor([[1, 2, 0], [3, 4, 5]]))
    forwards(nn.EmbeddingBag(6, 3, mode='sum'), torch.tensor([1, 2, 4]), torch.tensor([0, 2]))


def indexing(gm):
    def some(x, index, mask):
        y = x[1:, ::2] + x[..., -1:] + x[None, 0].squeeze(0)
        y = torch.where(mask[:2, :3], y[:2, :3], x.new_zeros(()))
        z = torch.gather(x, 1, index) + x.index_select(1, index[0]) + torch.take_along_dim(x, index, 1)
        values, places = x.topk(2, dim=1)
        return y, z, x[index[0]], values.masked_fill(places > 1, 0.5), x.scatter(1, index, 0.0), x.cumsum(1).flip(0)

    show(make_fx(some)(torch.randn(3, 4), torch.tensor([[0, 1], [1, 0], [2, 2]]), torch.ones(3, 4, dtype=torch.bool)))


def shapes(gm):
    def some(x):
        a, b = x.split([1, 2], dim=1)
        c = torch.cat([a, b], 1).permute(1, 0, 2).contiguous().view(3, -1)
        d = torch.stack([c, c * 2]).unsqueeze(-1).expand(2, 3, 8, 2).reshape(-1)
        e, *rest = torch.unbind(x, 0)
        f = F.pad(x, (1, 1), value=2.0).repeat(1, 2, 1).movedim(0, 1).swapaxes(0, 2)
        g = F.interpolate(x.unsqueeze(0), scale_factor=2, mode='nearest') if x.dim() == 3 else x
        return d, e, rest, f.roll(1, 0), g, x.T.tril(), x.unfold(2, 2, 1).as_strided((2, 2), (1, 1)), torch.flatten(x, 1)

    show(make_fx(some)(torch.randn(2, 3, 4)[0].unsqueeze(0)))


def reductions(gm):
    def some(x):
        values, indices = x.max(dim=1)
        return (x.sum(), x.mean(0), x.std(), x.var(1, unbiased=False), values, indices, x.argmax(), x.amin((0, 1)), x.prod(0),
                x.norm(), x.logsumexp(1), x.any(), (x > 0).all(1), torch.median(x), x.sort(dim=1, descending=True), x.float().double())

    show(make_fx(some)(torch.randn(3, 4)))


def algebra(gm):
    def some(x, y):
        return (x @ y, torch.einsum('ij,jk->ik', x, y), torch.addmm(x, x, y, beta=0.5), torch.bmm(x[None], y[None]), x.matmul(y[0]),
                torch.outer(x[0], y[0]), torch.linalg.norm(x), torch.linalg.inv(x), torch.dot(x[0], y[0]), x ** 2 / 3 - 1 % x,
                torch.clamp(x, 0, 1), -x.abs().sqrt().rsqrt(), torch.complex(x, y).abs(), x.lerp(y, 0.3), torch.maximum(x, y), 2 ** x,
                x.floor_divide(2), 5 - x, torch.fft.fft(x).real)

    show(make_fx(some)(torch.eye(3) + 0.5, torch.ones(3, 3)))


def in_place(gm):
    def some(x, y):
        z = x.clone()
        z += y
        z.mul_(2).add_(y, alpha=3)
        z[0] = 1
        z[:, 1] = y[:, 0]
        view = z.view(-1)
        view[0].zero_()
        y.copy_(z)
        torch.add(x, y, out=z)
        return z, view, y.relu_()

    show(make_fx(some)(torch.randn(2, 3), torch.randn(2, 3)))


CONSTANT = torch.arange(3.0)


def made_tensors(gm):
    def some(x):
        a = torch.zeros(2, 3) + torch.ones(3, dtype=torch.float64) + torch.full((2, 3), 0.5) + torch.tensor([1.0, 2.0, 3.0])
        b = torch.arange(0, 6, 2) * torch.eye(3, dtype=torch.long) + torch.linspace(0, 1, 3).long()
        c = x.new_full((2,), 3) + torch.empty_like(x[0, :2]).fill_(1) + torch.zeros_like(x[0, :2]) + torch.as_tensor(2.0)
        return a + CONSTANT + x, b, c, CONSTANT + 1, torch.tensor(3).item() * x, torch.scalar_tensor(2.0), x.to(torch.float16)

    show(make_fx(some)(torch.randn(2, 3)))
    show(make_fx(lambda x: torch.rand(2) + torch.randn_like(x) + torch.bernoulli(x) + F.dropout(x, 0.3))(torch.rand(2)))


def nested_arguments(gm):
    def some(pair, table, number, scale):
        return {'sum': pair[0] + pair[1] * number, 'all': [table['a'] * scale, (table['b'], 3, None)]}

    shown = make_fx(some)((torch.ones(2), torch.zeros(2)), {'a': torch.ones(2), 'b': torch.ones(1)}, 3, 2.5)
    show(shown)
    print(shown((torch.ones(2), torch.zeros(2)), {'a': torch.ones(2), 'b': torch.ones(1)}, 3, 2.5))

    def many(*tensors):
        return tensors[0] + tensors[1]

    show(make_fx(many)(torch.ones(2), torch.ones(2)))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(5, 4)
        self.head = nn.Linear(4, 5, bias=False)
        self.head.weight = self.tokens.weight
        self.frozen = nn.Parameter(torch.ones(4), requires_grad=False)

    def forward(self, ids):
        return self.head(self.tokens(ids) * self.frozen)


def shared_weights(gm):
    both(Tied(), torch.tensor([1, 3]))


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return torch.round(x * scale) / scale

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * (x.abs() < ctx.scale), None


class Rounded(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-3, 3, 4))

    def forward(self, x):
        return Straight.apply(self.weight, 2) * x


def own_gradient(gm):
    both(Rounded(), torch.ones(4))
    module = Rounded()
    (module(torch.ones(4)) ** 2).sum().backward()
    print(module.weight.grad)


def rules(gm):
    aten = torch.ops.aten

    def gelu(x, approximate='none'):
        return x * 0.5 * (1 + torch.erf(x * 0.7071067811865476))

    table = {aten.gelu.default: gelu, aten.addmm.default: lambda bias, a, b, beta=1, alpha=1: bias * beta + (a @ b) * alpha,
             aten.var_mean.correction: lambda x, dim=None, correction=1, keepdim=False:
                 (x.var(dim, correction=correction, keepdim=keepdim), x.mean(dim, keepdim=keepdim))}
    module = nn.Sequential(nn.Linear(4, 4), nn.GELU())
    show(make_fx(module, decomposition_table=table)(torch.randn(2, 4)))
    show(make_fx(lambda x: torch.var_mean(x, dim=1, correction=0), table)(torch.randn(2, 4)))


def before_autograd(gm):
    show(make_fx(lambda x: F.silu(F.layer_norm(x, (4,))).reshape(-1), pre_dispatch=True)(torch.randn(2, 4)))


def data_read(gm):
    def branches(x):
        return x * 2 if x.sum() > 0 else x

    def reads(x):
        return x + int(x[0])

    for function in (branches, reads):
        try:
            make_fx(function)(torch.ones(2))
        except RuntimeError as error:
            print(error)
    for mode in ('nonsense',):
        try:
            make_fx(branches, tracing_mode=mode)
        except AssertionError as error:
            print(error)
    show(make_fx(lambda x: x.nonzero())(torch.ones(2)))


def gradients_alone(gm):
    x = torch.linspace(-1, 1, 5, requires_grad=True)
    y = torch.linspace(0, 2, 5, requires_grad=True)
    z = (x.sin() * y.exp()).sum()
    print(torch.autograd.grad(z, (x, y), retain_graph=True))
    z.backward()
    print(x.grad, y.grad)
    second, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
    print(torch.autograd.grad(second.sum(), x))
    print(torch.autograd.grad((x * 2, y * 3), [x, y], grad_outputs=[torch.ones(5), torch.full((5,), 2.0)]))
    print(torch.autograd.grad(x.sum(), {'x': x, 'y': y}, allow_unused=True, materialize_grads=True))
    for work in (lambda: torch.autograd.grad(x * 2, x), lambda: torch.autograd.grad(x.sum(), y), lambda: torch.ones(2).sum().backward(),
                 lambda: z.backward()):
        try:
            work()
        except RuntimeError as error:
            print(str(error)[:70])
    (x * 2).backward(torch.ones(5), inputs=[x])
    print(x.grad)
    x.grad = None
    print(x.grad)


def of_graph_modules(gm):
    traced = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(3, 2), nn.Tanh()))
    captured = make_fx(traced)(torch.ones(1, 3))
    show(captured)
    show(make_fx(captured)(torch.ones(1, 3)))
    print(torch.equal(captured(torch.ones(1, 3)), traced(torch.ones(1, 3))), [node.name for node in captured.graph.nodes],
          [tuple(node.meta['val'].shape) for node in captured.graph.nodes if 'val' in node.meta and node.op != 'get_attr'])


def functionalized(gm):
    def writes(x, y):
        z = x.view(-1)
        z.add_(1)
        w = torch.zeros(4)
        w[0] = 3
        y['scale'].mul_(w.sum())
        return z + w, x

    for remove in ('mutations', 'mutations_and_views'):
        show(make_fx(torch.func.functionalize(writes, remove=remove))(torch.ones(2, 2), {'scale': torch.ones(3)}))
        x, scale = torch.ones(2, 2), torch.ones(3)
        print(torch.func.functionalize(writes, remove=remove)(x, {'scale': scale}), x, scale)
    show(make_fx(torch.func.functionalize(nn.Sequential(nn.Linear(2, 3), nn.ReLU(inplace=True))))(torch.ones(1, 2)))
    try:
        torch.func.functionalize(writes, remove='everything')
    except RuntimeError as error:
        print(error)


def made_inside(gm):
    def scaled(x):
        return nn.Parameter(torch.zeros(2)) * x

    show(make_fx(scaled)(torch.ones(2)))
    show(make_fx(lambda x: nn.Linear(2, 2)(x).shape[0] * x)(torch.ones(1, 2)))
    show(make_fx(torch.vmap(lambda x: x + 1))(torch.ones(3, 2)))
    show(make_fx(torch.vmap(lambda x: x.sum(), in_dims=1))(torch.ones(3, 2)))

    def reads(x):
        return x * 2 if x.sum() > 0 else x - x.max().item()

    show(make_fx(reads, _error_on_data_dependent_ops=False)(torch.ones(2)))
    show(make_fx(reads, _error_on_data_dependent_ops=False)(-torch.ones(2)))


def grad_modes(gm):
    @torch.no_grad()
    def fixed(x):
        return x.cos()

    def modes(x):
        with torch.no_grad():
            y = x + 1
            with torch.enable_grad():
                y = y.sin()
        with torch.set_grad_enabled(False):
            z = fixed(y)
        torch.set_grad_enabled(True)
        return y * z

    show(make_fx(modes, pre_dispatch=True)(torch.ones(2)))
    show(make_fx(modes)(torch.ones(2)))
    print(torch.is_grad_enabled())


def functional_constants(gm):
    def constants(x):
        y = torch.tensor([1.0, 2.0]) * x
        y += torch.tensor(3.0)
        z = torch.zeros(2)
        z[0] = 4.0
        return y + z.add_(torch.as_tensor([1, 2]))

    for remove in ('mutations', 'mutations_and_views'):
        show(make_fx(torch.func.functionalize(constants, remove=remove))(torch.ones(2)))
    show(make_fx(lambda x: x + torch.tensor([1.0, 2.0]) + x.new_tensor([1.0, 2.0]) + torch.tensor(x), pre_dispatch=True)(torch.ones(2)))
    print(torch.func.functionalize(constants)(torch.ones(2)), torch.vmap(lambda x: x + torch.tensor([1.0, 2.0]))(torch.ones(2, 2)))
    show(make_fx(torch.vmap(lambda x: x * torch.tensor([1.0, 2.0])))(torch.ones(2, 2)))


def memory_formats(gm):
    def formats(x, y):
        return F.conv2d(x, y).transpose(1, 2), x.contiguous(), x.sum(), y.unsqueeze(2)

    made = make_fx(formats)(torch.ones(1, 2, 4, 4).to(memory_format=torch.channels_last), torch.ones(2, 2, 1, 1))
    for node in made.graph.nodes:
        print(node.name, node.meta.get('tensor_meta'))


def autocast_regions(gm):
    def nested(x, w):
        with torch.autocast('cpu', dtype=torch.bfloat16):
            y = x @ w
            with torch.autocast('cpu', enabled=False):
                y = y.float() @ w
        return y + 1

    @torch.autocast('cpu', dtype=torch.bfloat16)
    def decorated(x, w):
        return F.linear(x, w)

    def with_grad_mode(x, w):
        with torch.amp.autocast('cpu', torch.bfloat16, cache_enabled=False), torch.no_grad():
            y = torch.mm(x, w)
        return y.sum()

    def by_functions(x, w):
        region = torch.amp.autocast_mode._enter_autocast('cpu', torch.bfloat16, True, None)
        y = x @ w
        torch.amp.autocast_mode._exit_autocast(region)
        return y

    x, w = torch.ones(3, 3), torch.eye(3)
    for each in (nested, decorated, with_grad_mode, by_functions):
        for pre_dispatch in (True, False):
            made = make_fx(each, pre_dispatch=pre_dispatch)(x, w)
            print(made.code, made(x, w).dtype)
    print(torch.is_autocast_cache_enabled(), torch.is_autocast_enabled('cpu'))
