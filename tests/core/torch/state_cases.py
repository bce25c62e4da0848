# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions and programs about PyTorch's state, for make_nn_programs.py: generators, and modes that hold in a block.
SETUP = '''
import copy
import torch.nn.functional as F
from torch import vmap

m = torch.arange(6.).reshape(2, 3)
y = torch.arange(6.).reshape(2, 3)
s = y.untyped_storage()
nt = torch.nested.nested_tensor([torch.arange(4.).reshape(2, 2), torch.ones(3, 2)])
g = torch.Generator()
x3 = torch.linspace(0.1, 0.9, 3)

def seeded(number=5):
    return torch.Generator().manual_seed(number)

def attempt(text, call):
    try:
        value = call()
        print(text, '->', 'a generator' if isinstance(value, torch.Generator) else repr(value))
    except Exception as error:
        print(text, '->', type(error).__name__, str(error).split(chr(10))[0])
'''

GENERATORS = [
    'torch.Generator()', "torch.Generator('cpu')", "torch.Generator(device=torch.device('cpu')).device", 'g.device.type',
    'torch.Generator(1, 2)', 'torch.Generator(dev=2)', 'type(g)', 'torch.Generator.__module__', 'bool(g)', 'g == g',
    'g == torch.default_generator', 'g in [torch.default_generator, g]', '{g: 1}[g]', 'g.missing', 'len(g)', 'g + 1',
    'torch.Generator().initial_seed()', 'g.manual_seed(4) is g', 'g.initial_seed()', 'g.manual_seed(-5).initial_seed()',
    'g.manual_seed(2**64 - 1).initial_seed()', 'g.manual_seed(2**64)', 'g.manual_seed(-2**63 - 1)', "g.manual_seed('x')",
    'g.manual_seed(3.5)', 'g.manual_seed(True)', 'g.manual_seed(torch.tensor(4))', 'g.manual_seed()',
    'g.manual_seed(seed=3)', 'g.get_state(2)', 'g.get_offset()', 'g.set_offset(3)', 'g.graphsafe_get_state()',
    'g.set_state(3)', 'g.set_state(torch.ones(3))', 'g.set_state(torch.ones(3, dtype=torch.uint8))',
    'g.set_state(seeded().get_state()) is g', 'g.initial_seed()', 'torch.rand(2, generator=g)',
    'torch.rand(2, generator=g.clone_state())', 'torch.rand(2, generator=copy.deepcopy(g))', 'torch.rand(2, generator=g)',
    'isinstance(g.seed(), int)', 'seeded().get_state().sum()', 'seeded().get_state().shape',
    'torch.manual_seed(6) is torch.default_generator', 'torch.initial_seed()', 'torch.default_generator.initial_seed()',
    'torch.manual_seed(-5).initial_seed()', "torch.manual_seed('7').initial_seed()", "torch.manual_seed('x')",
    'torch.manual_seed(3.7).initial_seed()', 'torch.manual_seed(2**64)', 'torch.manual_seed(seed=4).initial_seed()',
    'torch.set_rng_state(3)', 'torch.set_rng_state(torch.ones(3))', 'torch.set_rng_state(new_state=seeded(8).get_state())',
    'torch.rand(2)', 'torch.rand(2, generator=seeded(8))', 'torch.random.default_generator is torch.default_generator',
    'isinstance(torch.seed(), int)', 'torch.randn(2, generator=3)', "torch.randn(2, generator='cpu')",
]

# Each draws from its own generator of one seed.
DRAWN = [
    'torch.rand(3, generator=seeded())', 'torch.randn(2, 3, generator=seeded())', 'torch.randn((2, 20), generator=seeded())',
    'torch.randint(10, (5,), generator=seeded())', 'torch.randint(-5, 10, (5,), generator=seeded(), dtype=torch.int32)',
    'torch.randperm(7, generator=seeded())', 'torch.bernoulli(x3, generator=seeded())',
    'torch.bernoulli(x3, 0.4, generator=seeded())', 'torch.multinomial(x3, 2, generator=seeded())',
    'torch.multinomial(x3, 9, True, generator=seeded())', 'torch.normal(0., 2., (4,), generator=seeded())',
    'torch.normal(x3, 2., generator=seeded())', 'torch.normal(1., x3, generator=seeded())',
    'torch.normal(x3, x3, generator=seeded())', 'torch.poisson(x3 * 9, generator=seeded())',
    'torch.binomial(torch.tensor([9., 9., 9.]), x3, generator=seeded())', 'torch.rand_like(x3, generator=seeded())',
    'torch.randn_like(x3, generator=seeded())', 'torch.randint_like(x3, 9, generator=seeded())',
    'torch.rand(3, generator=seeded(), dtype=torch.float64)', 'torch.rand(3, generator=None)',
    'torch.empty(3).normal_(1, 2, generator=seeded())', 'torch.empty(3).uniform_(-1, 1, generator=seeded())',
    'torch.empty(3).random_(generator=seeded())', 'torch.empty(3).random_(9, generator=seeded())',
    'torch.empty(3).random_(2, 9, generator=seeded())', 'torch.empty(3).exponential_(2., generator=seeded())',
    'torch.empty(3).cauchy_(generator=seeded())', 'torch.empty(3).log_normal_(generator=seeded())',
    'torch.empty(3).geometric_(0.3, generator=seeded())', 'torch.empty(3).bernoulli_(0.3, generator=seeded())',
    'torch.empty(3).bernoulli_(x3, generator=seeded())', 'x3.bernoulli(generator=seeded())',
    'x3.multinomial(2, generator=seeded())', 'torch._standard_gamma(x3, seeded())',
    'torch.rrelu(x3 - 0.5, 0.1, 0.3, True, seeded())', 'torch.ops.aten.rand.generator([2], generator=seeded())',
    *(f'nn.init.{name}_(torch.empty(4, 6){more}, generator=seeded())' for name, more in [
        ('uniform', ', -1, 1'), ('normal', ', 1, 2'), ('trunc_normal', ''), ('xavier_uniform', ''), ('xavier_normal', ''),
        ('kaiming_uniform', ''), ('kaiming_normal', ''), ('orthogonal', ''), ('sparse', ', 0.5')]),
]

FORKED = '''
torch.manual_seed(3)
first = torch.rand(3)
with torch.random.fork_rng():
    torch.manual_seed(9)
    show(torch.rand(3), torch.initial_seed())
show(first, torch.rand(3), torch.initial_seed())
with torch.random.fork_rng(enabled=False):
    torch.rand(3)
show(torch.rand(3))
state = torch.get_rng_state()
one = torch.randn(17)
torch.set_rng_state(state)
show(one.equal(torch.randn(17)))

class Noisy(nn.Module):
    def __init__(self, generator):
        super().__init__()
        self.generator = generator

    def forward(self, x, generator=None):
        return x + torch.randn(x.shape, generator=generator or self.generator)

m = Noisy(torch.Generator().manual_seed(1))
show(m(torch.zeros(2)), m(torch.zeros(2)), m(torch.zeros(2), torch.Generator().manual_seed(1)))
'''


MODES = r'''
import torch.nn.functional as F

a, w, xg = torch.randn(3, 3), torch.randn(3, 3), torch.randn(3, requires_grad=True)

def modes():
    return (torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.is_autocast_enabled('cpu'),
            torch.is_autocast_enabled(), str(torch.get_autocast_dtype('cpu')), torch.is_autocast_cache_enabled())

torch.set_grad_enabled(True)
show(modes(), (xg * 2).requires_grad)
for mode in (torch.no_grad(), torch.enable_grad(), torch.inference_mode(), torch.inference_mode(False),
             torch.autocast('cpu'), torch.autocast('cpu', dtype=torch.float16), torch.autocast('cpu', enabled=False),
             torch.autocast('cpu', cache_enabled=False), torch.autocast('cuda'), torch.autocast('cpu', torch.float32),
             torch.amp.autocast('cpu'), torch.cpu.amp.autocast(), torch.cuda.amp.autocast()):
    with mode as entered:
        y = xg * 2
        show(modes(), y.requires_grad, y.is_inference(), (a @ w), torch.softmax(a @ w, 0), F.linear(a, w).dtype,
             entered is mode)
    show(modes())

@torch.no_grad()
def one(x):
    return modes(), (x * 2).requires_grad

@torch.no_grad
def two(x):
    return modes(), (x * 2).requires_grad

@torch.inference_mode()
def three(x):
    return modes(), (x * 2).is_inference()

@torch.inference_mode
def four(x):
    return modes(), (x * 2).is_inference()

@torch.autocast('cpu')
def five(x):
    return modes(), (x @ w).dtype

@torch.enable_grad()
def six(x):
    return modes(), (x * 2).requires_grad

@torch.set_grad_enabled(False)
def seven(x):
    return modes(), (x * 2).requires_grad

show(modes(), one(xg), two(xg), three(xg), four(xg), five(xg), six(xg), seven(xg), modes(), one.__name__)
with torch.no_grad():
    show(six(xg), modes())
    with torch.inference_mode(), torch.autocast('cpu'):
        show(modes(), six(xg))
        with torch.autocast('cpu', enabled=False):
            show((a @ w).dtype)
        with torch.inference_mode(False):
            show(modes(), (xg * 2).is_inference())
torch.set_grad_enabled(False)
show(modes())
with torch.set_grad_enabled(True):
    show(modes())
show(modes(), repr(torch.set_grad_enabled(True)))
try:
    with torch.no_grad(), torch.inference_mode(), torch.autocast('cpu'):
        raise ValueError('inside')
except ValueError as error:
    show(str(error), modes())
torch.set_autocast_enabled('cpu', True)
torch.set_autocast_dtype('cpu', torch.float16)
show(modes(), (a @ w).dtype, torch.autocast_increment_nesting(), torch.autocast_decrement_nesting())
torch.set_autocast_enabled('cpu', False)
torch.set_autocast_dtype('cpu', torch.bfloat16)
lin = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Conv1d(1, 1, 1))
with torch.autocast('cpu'):
    show(lin(a.unsqueeze(1)), torch.einsum('ij,jk->ik', a, w).dtype, F.scaled_dot_product_attention(a, w, a).dtype,
         F.mse_loss(a @ w, a).dtype, torch.cat([a, a.bfloat16()]).dtype)
show(type(torch.no_grad()).__name__, type(torch.autocast('cpu')).__module__)
'''

MODE_ERRORS = [
    'torch.is_autocast_enabled(3)', "torch.is_autocast_enabled('foo')", "torch.set_autocast_enabled('cpu')",
    "torch.set_autocast_enabled('cpu', 1)", "torch.set_autocast_dtype('cpu', 3)", "torch.get_autocast_dtype('mps')",
    'torch.set_autocast_cache_enabled(1)', 'torch.autocast(3)', "torch.autocast('foo')", "torch.autocast('cuda')._enabled",
    "torch.amp.is_autocast_available('mps')", "torch.amp.is_autocast_available('foo')", "torch.set_grad_enabled('a')",
    'torch._C._set_grad_enabled(1)', "torch.autocast('cpu').fast_dtype",
    "torch.autocast('meta')", 'torch.get_autocast_gpu_dtype()', 'torch.is_autocast_cpu_enabled()',
]


MAPPED = [
    'vmap(lambda v: v.sum())(m)', 'vmap(lambda v: (v, v.sum()))(m)', "vmap(lambda v: {'a': v})(m)", 'vmap(lambda v: [v])(m)',
    'vmap(lambda v: v, in_dims=1)(m)', 'vmap(lambda v: v, in_dims=1, out_dims=1)(m)', 'vmap(torch.dot)(m, m)',
    'vmap(lambda v: v * 2, in_dims=-1, out_dims=-1)(m)', 'vmap(lambda v, w: v + w, in_dims=(0, None))(m, 2)',
    'vmap(lambda v, k: v * k)(m, k=torch.ones(2, 3))', 'vmap(lambda v: v)(torch.ones(0, 2))',
    "vmap(lambda d: d['a'] + d['b'], in_dims=({'a': 0, 'b': None},))({'a': m, 'b': torch.ones(3)})",
    'vmap(vmap(lambda v: v + 1))(m)', 'vmap(vmap(torch.mul, in_dims=(None, 0)), in_dims=(0, None))(m[0], m[1])',
    'vmap(lambda v: v * 2, chunk_size=1)(m)', 'vmap(lambda v: torch.ones(2))(m)', 'vmap(lambda v: v, out_dims=(1,))(m)',
    "vmap(lambda v: torch.rand(3), randomness='different')(m).shape", 'vmap(lambda v: (v, 3), out_dims=(0, None))(m)',
    "(lambda r: r[0].equal(r[1]))(vmap(lambda v: torch.rand(3), randomness='same')(m))", 'vmap(lambda v: torch.rand(3))(m)',
    'vmap(lambda v: 3)(m)', 'vmap(lambda v: None)(m)', 'vmap(lambda v, w: v * w)(m, torch.ones(3, 3))',
    'vmap(lambda v: v, in_dims=5)(m)', 'vmap(lambda v: v, in_dims=None)(m)', 'vmap(lambda v: v)(3)',
    "vmap(lambda v: v, in_dims='a')(m)", 'vmap(lambda v: v, in_dims=[0])(m)',
    "vmap(lambda v: v * 2, randomness='foo')(m)", 'vmap(lambda v: F.linear(v, m))(torch.ones(4, 3))',
    'vmap(lambda v, w: v @ w)(torch.ones(2, 3, 4), torch.ones(2, 4, 5)).shape', 'torch.func.vmap is torch.vmap',
    'vmap(lambda v: F.softmax(F.relu(v), -1).cumsum(0))(m)', 'vmap(torch.add, (0, None))(m, torch.ones(3))',
    'vmap(lambda v: v)(m, 2)', 'vmap(lambda v: torch.where(v > 1, v, -v))(m)', 'vmap(lambda v: v.max(0).values)(m)',
]

FUNCTIONAL = """
first, second = nn.BatchNorm1d(3), nn.BatchNorm1d(3)
params, buffers = torch.func.stack_module_state([first, second])
show(params, buffers, [value.requires_grad for value in params.values()])
lin = nn.Linear(3, 2)
named = {name: torch.ones_like(value) for name, value in lin.named_parameters()}
show(torch.func.functional_call(lin, named, (torch.ones(3),)))
show(torch.func.functional_call(lin, [{'weight': named['weight']}, {'bias': named['bias']}], torch.ones(3)))
models = [nn.Linear(3, 2) for _ in range(4)]
params, buffers = torch.func.stack_module_state(models)
batch = torch.linspace(0, 1, 12).reshape(4, 3)

def run(params, buffers, row):
    return torch.func.functional_call(models[0], (params, buffers), (row,))

show(torch.vmap(run)(params, buffers, batch), torch.stack([model(row) for model, row in zip(models, batch)]))
try:
    torch.func.functional_call(lin, [named, named], (torch.ones(3),))
except ValueError as error:
    show(str(error))
"""

STORAGES = [
    's', 'type(s)', 's.nbytes()', 's.size()', 'len(s)', 'id(s) == id(y.untyped_storage())', 's.tolist()', 's[3]', 's[-1]', 's.device',
    's.is_cuda', 's.is_shared()', 's.element_size()', 'id(y.clone().untyped_storage()) == id(s)',
    'y[0].untyped_storage() == s', 's == y.clone().untyped_storage()', 'torch.is_storage(s)', 's.cpu().tolist() == s.tolist()',
    'y[1:].untyped_storage().nbytes()', 'torch.UntypedStorage(4).nbytes()', 'torch.empty(0).set_(s)', 'torch.typename(s)',
    'torch.empty(2, 2).set_(s, 1, (2,), (1,))', 's.clone().tolist() == s.tolist()', 's.dtype', 'isinstance(s, torch.UntypedStorage)',
    's.resizable()', 'y.storage_offset()', 'y.nbytes', 'torch.zeros(100).untyped_storage()',
]

FAULTS = """
try:
    torch.linalg.inv(torch.zeros(2, 2))
except torch.linalg.LinAlgError as error:
    print(type(error).__name__, type(error).__module__, isinstance(error, RuntimeError), error)
print(torch.OutOfMemoryError.__name__, torch.cuda.OutOfMemoryError is torch.OutOfMemoryError)
sparse = torch.eye(2).to_sparse()
show(torch.sparse.mm(sparse, torch.ones(2, 2)), torch.sparse.softmax(sparse, 0).to_dense(), torch.sparse.sum(sparse))
show(torch.sparse.addmm(torch.ones(2, 2), sparse, torch.ones(2, 2)), torch.sparse.log_softmax(sparse, 1).to_dense())
from torch.sparse import mm
show(mm(sparse, torch.eye(2)))
"""


NESTED = [
    'nt', 'nt * 2', 'nt[1]', 'nt.is_nested', 'nt.unbind()', 'nt.dim()', 'nt.size(0)', 'nt.size(1)', 'nt.size(2)', 'nt.numel()',
    'nt.dtype', 'nt.is_contiguous()', 'torch.relu(nt)', 'torch.nested.to_padded_tensor(nt, 0.5)', 'nt.to_padded_tensor(0.)',
    'torch.nested.to_padded_tensor(nt, 0., (2, 4, 4))', 'torch.nested.as_nested_tensor([m[0], m[1, :2]])',
    'torch.nested.as_nested_tensor(m)', 'torch.nested.nested_tensor([[1, 2], [3]])', 'torch.nested.nested_tensor([m[0], [3, 4]])',
    'torch.nested.nested_tensor([m[0]], dtype=torch.float64)', 'torch.nested.nested_tensor(3)', 'torch.nested.as_nested_tensor(3)',
    'torch.nested.nested_tensor([m, m[0]])', 'F.linear(nt, m[:, :2])', 'nn.LayerNorm(2, elementwise_affine=False)(nt)', 'torch.nested.nested_tensor([m]).requires_grad',
    'str(nt)', 'nt.shape', 'nt.sum()',
]


# Methods behind operators answer NotImplemented where they cannot take the other operand.
UNBOUND = [
    *(f"torch.ones(2, dtype=torch.int64).{name}('a')" for name in """
__add__ __and__ __div__ __eq__ __floordiv__ __ge__ __gt__ __iadd__ __iand__ __idiv__ __ifloordiv__ __ilshift__ __imod__
__imul__ __ior__ __ipow__ __irshift__ __isub__ __itruediv__ __ixor__ __le__ __lshift__ __lt__ __matmul__ __mod__ __mul__
__ne__ __or__ __pow__ __radd__ __rand__ __rdiv__ __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __rpow__
__rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __sub__ __truediv__ __xor__""".split()),
    'torch.Tensor.__radd__(2, m)', 'torch.Tensor.__radd__(m, 2)', 'torch.Tensor.__rpow__(2, m)', 'torch.Tensor.__rdiv__(2, m)',
    "torch.Tensor.__add__(m, 'a')", 'torch.Tensor.add(2, m)', 'torch.Tensor.dim(2)', 'torch.Tensor.__rtruediv__(m, 2)',
    "m + 'a'", "'a' * m", 'None - m', "m == 'a'", 'm @ None', '[1] + m', 'torch.Tensor.split(m, 1)', 'torch.Tensor.norm(m)',
]


TEXTS = """
torch.set_grad_enabled(True)
wanted = torch.ones(2, requires_grad=True)
print(wanted * 2, (wanted * 2).sum(), torch.stack([wanted] * 40).reshape(-1), wanted.to(torch.float64) * 1)
print(torch.linalg.svd(torch.stack([wanted, wanted * 2])), (wanted * 2).detach().requires_grad_())
changed = wanted * 2
changed[0] = 3
print(changed, wanted.expand(2, 2) + torch.ones(2, 2, dtype=torch.complex64))
several = torch.nested.nested_tensor([torch.ones(2), torch.ones(1)], requires_grad=True)
print(several, several * 2)
print(torch.quantize_per_tensor(torch.ones(2), 1 / 3, 2, torch.qint32))
print(torch.quantize_per_tensor(torch.tensor(1.), 0.5, 2, torch.quint8))
print(torch.quantize_per_channel(torch.ones(2, 2), torch.tensor([0.1, 0.25]), torch.tensor([0, 1]), 0, torch.qint8))
"""


def scripts():
    for name, texts in [('generators', GENERATORS), ('drawn', DRAWN), ('mode errors', MODE_ERRORS), ('vmap', MAPPED),
                        ('storages', STORAGES), ('nested', NESTED),
                        ('operator methods', UNBOUND)]:
        yield name, SETUP + '\n'.join(f'attempt({text!r}, lambda: {text})' for text in texts)
    yield 'forked generators', FORKED
    yield 'modes', MODES
    yield 'torch.func', FUNCTIONAL
    yield 'faults', FAULTS
    yield 'texts of tensors', TEXTS
