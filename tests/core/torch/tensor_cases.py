# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions about tensors and what Python itself does with them, for make_nn_programs.py: each prints its value, or
# the first line of its error.
SETUP = '''
import math
import operator

x = torch.arange(12.).reshape(3, 4)
zero_dim = torch.tensor(5)
mask, places = torch.tensor([True, False, True]), torch.tensor([0, 2])
bytes_mask = torch.tensor([1, 0, 1], dtype=torch.uint8)
a, n, flags = torch.tensor([4., 9.]), torch.tensor([5, 3]), torch.tensor([True, False])

def attempt(text, call):
    try:
        print(text, '->', repr(call()))
    except Exception as error:
        print(text, '->', type(error).__name__, str(error).split(chr(10))[0])

def assigned(index, value):
    target = torch.arange(12.).reshape(3, 4)
    operator.setitem(target, index, value)
    return target.tolist()
'''

INDEXING = [
    'x[[0,2]].shape', 'x[[0,None]]', 'x[[[0,1],[1,2]]].shape', 'x[[True,False,True]].shape', 'x[True].shape',
    'x[False].shape', 'x[None].shape', 'x[...].shape', 'x[()].shape', 'x[::-1]', 'x[::0]', 'x[5]', 'x[0,5]',
    'x[0,0,0]', 'zero_dim[0]', 'zero_dim[...]', 'zero_dim[None].shape', 'zero_dim[:]', 'zero_dim[True].shape',
    'x[mask].shape', 'x[bytes_mask].shape', 'x[places].shape', 'x[a]', 'x[1.0]', "x['a']", 'x[[1.0]]', 'x[[1.5]]',
    'x[range(2)].shape', 'x[(0,1)]', 'x[torch.tensor(1)].shape', 'x[torch.tensor(True)].shape', 'x[[0,1],[1,2]]',
    'x[[[0]],[1,2]]', 'x[:, [True,False,True,False]].shape', 'x[1:torch.tensor(3)].shape', 'x[{}]', 'x[[]].shape',
    'x[[[]]].shape', 'x[2**70]', 'x[[mask]]', 'x[[places]].shape', 'x[[slice(0,1)]]', 'x[..., ...]', 'x[0, ..., 1]',
    'x[mask,0]', 'x[torch.tensor([True,False])]', 'x[[torch.tensor(0),torch.tensor(2)]].shape', 'x[(places,)].shape',
    'x[1+0j]', "x['a':2]", 'x[1.0:2]', 'x[mask, mask]', 'x[torch.tensor([5])]', 'x[[5]]', 'x[-4]',
    'operator.getitem(x,1)', 'x[None,None,0].shape', 'x[1,None,...,None].shape', 'x[3:1].shape', 'x[0:100:3].shape',
    'x[torch.zeros(2,2,dtype=torch.long)].shape', 'x[bytes(2)]', 'x[[0,[1,2]]]', 'x[list(range(3))*12].shape',
    'x[-2**70:2**70].shape', '[1,2,3][torch.tensor(1)]', '{1:2}[1]', '(1,2,3)[torch.tensor(0):]',
]
ASSIGNING = [
    'assigned(0, 1)', 'assigned(0, [1, 2, 3, 4])', 'assigned(mask, torch.zeros(4))', 'assigned((places, 0), 5)',
    'assigned(..., 0)', 'assigned((0, 0), 1 + 2j)', "assigned(0, 'a')", 'assigned(0, None)',
    'assigned((slice(None), 1), True)', 'assigned(5, 0)', 'assigned(0, torch.zeros(3))', 'assigned(None, 2)',
    'assigned(True, 7)', 'assigned(False, 7)', 'assigned([0, 1], torch.ones(2, 4))',
    'assigned(slice(None, None, 2), 9)', 'assigned(slice(None, None, -1), 9)', 'assigned((), 3)',
    'assigned(0, 2**70)', 'assigned((0, 0), 1.5)', 'assigned(0, torch.tensor(2))', "assigned('a', 1)",
    'assigned([0, [1, 2]], 8)', 'assigned(mask, torch.ones(2, 4))', 'assigned((mask, slice(1, 3)), -1)',
    'assigned(range(2), 4)',
]
OPERATORS = [
    '2-a', '2/a', '7//n', '7%n', '2**n', 'a@a', 'n<<1', '1<<n', 'n>>1', '9>>n', 'n&1', '3&n', 'n|8', '8|n', 'n^1',
    '1^n', '2<a', 'a<=4', "a=='x'", 'a!=None', "'x'==a", "a+'x'", "'x'+a", 'a+None', 'None+a', "a<'x'", "'x'<a",
    'a-flags', 'flags-a', '-a', '+a', '~n', '~a', 'abs(-a)', '-flags', '+flags', 'a@2', '2@a', "a**'x'", 'a//0',
    'n//2.5', '2.5//n', 'a%3', 'divmod(n,2)', 'divmod(7,n)', '[1]+[2]', 'a in [1,2]', '4. in a',
    'operator.concat([1],[2])', 'operator.concat(a,a)', 'operator.concat(1,2)', 'operator.iconcat([1],[2])',
    'operator.matmul(a,a)', 'operator.imatmul(a,a)', 'operator.iadd(a.clone(),1)', 'operator.isub(5,2)',
    'operator.ipow(n.clone(),2)', 'operator.ilshift(n.clone(),1)', 'operator.iand(n.clone(),1)',
    'operator.index(torch.tensor(3))', 'operator.index(a)', 'operator.truth(flags)', 'operator.not_(torch.tensor(0))',
    'operator.contains(a,4.)', "operator.neg('a')", 'operator.pow(2,100)', 'operator.mul([1],3)',
    "operator.mul('ab',torch.tensor(2))", 'operator.is_(a,a)',
]
NUMBERS = [
    'math.sqrt(torch.tensor(4))', 'math.floor(torch.tensor(2.5))', 'math.ceil(torch.tensor(2.5))',
    'math.trunc(torch.tensor(2.5))', 'math.sqrt(a)', "math.sqrt('a')", 'math.log(torch.tensor(0.))',
    'math.pow(torch.tensor(2),3)', 'math.gcd(torch.tensor(4),6)', "math.isnan(torch.tensor(float('nan')))",
    'math.prod([torch.tensor(2),3])', 'math.atan2(torch.tensor(1.),1)', 'math.factorial(torch.tensor(4))',
    'round(torch.tensor(2.567),2)', 'round(torch.tensor(2.567))', 'int(torch.tensor(2.5))', 'float(a)', 'bool(a)',
    'bool(torch.tensor([]))', 'complex(torch.tensor(2))', 'sum([a,a])', 'max(a)', 'max(a,a)',
    'min(torch.tensor(1),torch.tensor(2))', 'len(a)', 'len(zero_dim)', 'list(a)', 'sorted(a)', 'str(zero_dim)',
    "f'{zero_dim:.2f}'", "format(a,'.2f')",
]
SPARSE = [
    'torch.eye(3).to_sparse()', 'torch.eye(3).to_sparse()[0]', 'torch.zeros(2, 2).to_sparse()',
    'torch.eye(3).to_sparse_csr()', 'torch.eye(3).to_sparse_csc()', 'torch.eye(4).to_sparse_bsr((2, 2))',
    'torch.eye(30).long().to_sparse()', 'torch.eye(3).to_sparse().double()',
    'torch.eye(3).to_sparse().coalesce().indices()', 'torch.eye(40).to_sparse_csr()',
    'torch.sparse.sum(torch.eye(3).to_sparse(), 0)', 'torch.eye(3).to_sparse_csr().to_sparse_coo()',
]
FUNCTIONS = [
    'torch.typename(torch.ones(1))', 'torch.typename(torch.nn.Linear)',
    '(torch.manual_seed(3), torch.initial_seed())[1]', '(torch.manual_seed(3), torch.rand(2))[1]',
    'torch.random.initial_seed()', 'torch.get_rng_state().shape', 'torch.nn.attention.SDPBackend.MATH.value',
    'torch.nn.attention.sdpa_kernel(3).__enter__()',
    'type(torch.nn.Parameter(torch.ones(2)).requires_grad_(False)).__name__', 'torch.masked.sum(x, 1, mask=x > 2)',
    'torch.masked.amax(x.to_sparse(), 0, mask=(x > 2).to_sparse())', 'torch.masked.median(x, 0, mask=x > 2)',
    'torch.signal.windows.hann(4)', 'torch.signal.windows.windows.kaiser(3)',
    'torch.cond(torch.tensor(True), lambda v: v + 1, lambda v: v - 1, (a,))', 'torch.sparse.sum(x.to_sparse())',
    'x.register_hook(print)', 'x.dim_order()', 'x.__pow__(2)', 'torch.get_deterministic_debug_mode()',
    'torch.is_storage(x)', 'torch.get_default_dtype()', 'x.__getitem__(0)', 'x.clone().__setitem__(0, 1)',
    'x.__neg__()', 'x.__rsub__(1)', '1. in x', 'x.__len__()', 'x.split(2)', 'x.norm()', 'x.unique()',
    'x.double().lu()[1]', 'torch.einsum("ij,kj->ik", x, x)', 'torch.einsum(x, [0, 1], x, [2, 1], [0, 2])',
    'torch.meshgrid(a, n, indexing="ij")', 'torch.tensordot(x, x, ([0], [0]))', 'torch.block_diag(a, n)',
    'torch.cartesian_prod(a, n)', 'torch.atleast_2d(a, n)', 'torch.broadcast_shapes((2, 1), (3,))',
    'torch.chain_matmul(x, x.T)', 'torch.unravel_index(torch.tensor(5), (2, 3))', 'torch.cdist(x, x, 1.0)',
]
ATTRIBUTES = [
    'a.T.shape', 'x.mT.shape', 'x.H.shape', 'x.imag', 'x.real.shape', 'x.itemsize', 'x.nbytes', 'x.names', 'x.grad',
    'x.grad_fn', 'x.is_leaf', 'x.foo', 'x.dtype.is_signed', 'torch.float32.to_complex()', 'torch.int64.to_complex()',
    'torch.complex64.to_real()', 'torch.bool.abbr', "torch.device('cpu').index", "torch.device('cuda:1').index",
    'x.shape.numel()', 'x.shape[0]', 'x.shape.count(3)', 'x.shape.index(4)', 'x.shape+(1,)',
    'torch.finfo(torch.float32).eps', 'torch.iinfo(torch.int8).max', 'torch.finfo(torch.half).tiny',
    'torch.iinfo(torch.float)', 'torch.finfo(torch.int)', 'x.max(0)', 'x.max(0).values', 'x.max(0)[1]', 'x.is_sparse',
    'x.layout', 'x.device.type', 'x.data.shape', 'x.T.T.shape', 'torch.ones(2,3,4).T.shape', 'torch.ones(3).mT',
    'torch.ones(2,3,4).H',
]


def scripts():
    """Programs by name."""
    for name in ('INDEXING', 'ASSIGNING', 'OPERATORS', 'NUMBERS', 'SPARSE', 'FUNCTIONS', 'ATTRIBUTES'):
        attempts = (f'attempt({text!r}, lambda: {text})' for text in globals()[name])
        yield f'tensor {name.lower()}', SETUP + '\n'.join(attempts)
