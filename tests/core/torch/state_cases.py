# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions and programs about PyTorch's state, for make_nn_programs.py: generators, and modes that hold in a block.
SETUP = '''
import copy

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


def scripts():
    for name, texts in [('generators', GENERATORS), ('drawn', DRAWN)]:
        yield name, SETUP + '\n'.join(f'attempt({text!r}, lambda: {text})' for text in texts)
    yield 'forked generators', FORKED
