# SPDX-License-Identifier: GPL-3.0-or-later
# What models import of torch, for make_nn_programs.py: each must be there, also where it can only be mentioned.
IMPORTS = """
from torch.jit import ScriptModule, fork, wait, trace
from torch.compiler import assume_constant_result, disable, set_stance
from torch.utils.checkpoint import noop_context_fn, CheckpointPolicy
from torch.autograd.graph import saved_tensors_hooks, save_on_cpu
from functorch import vmap, grad
from torch._jit_internal import boolean_dispatch, List, Optional
import torch.optim as optim
from torch.optim import Adam, SGD, AdamW, Optimizer
from torch.optim.lr_scheduler import StepLR, CosineAnnealingLR, LambdaLR, ReduceLROnPlateau
from torch.utils.data import Dataset, DataLoader, TensorDataset, random_split
from torch.utils.data.distributed import DistributedSampler
import torch.distributed as dist
from torch.distributed import all_reduce, is_initialized
from torch.distributions import Normal, Categorical, Bernoulli
from torch.distributions.normal import Normal
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
import torch.utils.checkpoint as cp
from torch.utils import checkpoint, data
import torch.backends.cudnn as cudnn
from torch.cuda.amp import autocast, GradScaler
from torch.amp import autocast, GradScaler, custom_fwd
from torch.autograd import Variable, Function, grad
from torch.autograd.function import Function, once_differentiable, InplaceFunction
from torch.autograd.functional import jacobian
from torch.autograd.profiler import record_function, profile
from torch.profiler import profile, record_function, ProfilerActivity
from torch.nn.parallel import DataParallel, DistributedDataParallel
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn.modules.utils import _pair, _single, _triple, _ntuple
from torch.nn.modules.batchnorm import _BatchNorm, BatchNorm2d
from torch.nn.modules.conv import _ConvNd
from torch.nn.modules.module import Module
from torch.nn.modules.loss import _Loss, _WeightedLoss
from torch.nn.modules.container import Sequential, ModuleList
from torch.nn.modules.activation import MultiheadAttention
from torch.nn.modules.transformer import _get_clones
from torch.nn.modules.instancenorm import _InstanceNorm
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear
from torch.nn.init import trunc_normal_, xavier_uniform_, _calculate_fan_in_and_fan_out
from torch.nn.utils import weight_norm, spectral_norm, clip_grad_norm_
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, PackedSequence
from torch.nn.utils import parametrizations, parametrize
from torch.nn.utils.parametrizations import weight_norm
from torch.nn.utils import prune
from torch.nn.parameter import Parameter, UninitializedParameter
from torch.nn.functional import scaled_dot_product_attention, pad
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.flex_attention import flex_attention, create_block_mask
from torch.nn.common_types import _size_2_t, _size_1_t, _size_any_t
from torch.jit import script, Final, ignore, export, annotate
from torch.jit.annotations import Optional
from torch import Tensor, nn, device, dtype, Size, BoolTensor, LongTensor, FloatTensor
from torch import Tensor as T, einsum, tensor, cat
from torch.hub import load_state_dict_from_url
from torch.utils.model_zoo import load_url
import torch.utils.model_zoo as model_zoo
from torch.types import Number, Device, _size, _int
from torch.fft import fft, ifft, rfft2, irfft2
from torch.special import expit
from torch.linalg import norm, qr
from torch.signal import windows
from torch.onnx import is_in_onnx_export
import torch.onnx.symbolic_helper as sym_help
from torch.overrides import has_torch_function, handle_torch_function
from torch.testing import assert_close
from torch.library import Library, custom_op, register_fake
from torch.export import export, Dim
from torch.func import vmap, functional_call, jacrev
from torch.compiler import disable, is_compiling
from torch._dynamo import disable
import torch._dynamo
from torch.ao.quantization import QuantStub, DeQuantStub
from torch.ao.nn.quantized import FloatFunctional
from torch.multiprocessing import Queue
import torch.multiprocessing as mp
from torch.sparse import mm
from torch.masked import masked_tensor
from torch.nested import nested_tensor
from torch.futures import Future
from torch.utils.cpp_extension import load
from torch.utils.hooks import RemovableHandle
from torch.utils._pytree import tree_map, tree_flatten
from torch.serialization import default_restore_location
from torch.storage import UntypedStorage
from torch._C import _nn
from torch.package import PackageExporter
from torch.autograd.grad_mode import no_grad
from torch.amp.autocast_mode import autocast
from torch.random import fork_rng
from torch.functional import norm
from torch.cuda import is_available, Stream, Event, nvtx
import torch.version
from torch.nn.modules import Module, Linear
from torch.nn import Module, Parameter, Buffer, Identity
from torch.nn.utils.fusion import fuse_conv_bn_eval
from torch.nn.utils.stateless import functional_call
from torch.utils.data.sampler import Sampler
from torch.utils.data.dataloader import default_collate
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
from torch.distributed.nn import all_reduce
from torch._utils import _flatten_dense_tensors
"""

USED = """
import torch
from torch.utils.data import Dataset, Subset, TensorDataset, random_split

class Ours(torch.optim.Optimizer, Dataset):
    pass

print(torch.optim.Adam.__name__, isinstance(3, torch.distributions.Distribution), torch.cuda.Stream.__name__)
numbers = TensorDataset(torch.arange(5), torch.arange(5) * 2)
parts = random_split(numbers, [3, 2], torch.Generator().manual_seed(3))
print(len(numbers), numbers[2], [part.indices for part in parts], len(numbers + numbers), (numbers + numbers)[7], parts[1][0])
print(torch.distributed.is_available(), torch.distributed.is_initialized())
for call in (torch.distributed.get_rank, torch.distributed.get_world_size):
    try:
        call()
    except ValueError as error:
        print('single', str(error)[:48])

class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

class Halved(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x / 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        print(inputs, output)

print(isinstance(torch.nn.Linear(1, 1), torch.jit.ScriptModule), torch.jit.wait(torch.jit.fork(torch.add, torch.ones(2), 1)))
with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x), torch.autograd.set_detect_anomaly(False), torch.autograd.profiler.record_function('name'):
    print(Doubled.apply(torch.ones(2)), Halved.apply(torch.ones(2)))
"""

# Hooks of a tensor's gradient run in order and change what goes on; a handle takes its own away.
GRADIENT_HOOKS = """
with torch.enable_grad():
    w = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    seen = []
    doubled = w.register_hook(lambda gradient: gradient * 2)
    noted = w.register_hook(lambda gradient: seen.append(gradient.tolist()))
    (w * 3).sum().backward()
    print(w.grad, seen)
    doubled.remove()
    w.grad = None
    y = w * w
    y.register_hook(lambda gradient: gradient + 1)
    with y.register_hook(lambda gradient: gradient * 10):
        (y * 2).sum().backward(retain_graph=True)
    print(w.grad, seen)
    w.grad = None
    (y * 2).sum().backward()
    print(w.grad, seen, len(seen))
    print(torch.autograd.grad((w ** 2).sum(), w), seen)
    try:
        torch.ones(2).register_hook(print)
    except RuntimeError as error:
        print(error)
"""

# What Python itself brings and is not evaluated is there where a failing import is handled, too; what is not Python's is not.
STANDARD = """
for attempt in range(1):
    try:
        import lzma, bz2, zlib, sqlite3
        import multiprocessing.pool, concurrent.futures
        import logging.handlers
        import xml.etree.ElementTree as trees
        from json.decoder import JSONDecodeError
        from importlib import resources
        print('all there')
    except ImportError as error:
        print(error)
for name in ('nonexistent', 'torch_of_ours', 'msvcrt'):
    try:
        if name == 'nonexistent':
            import nonexistent
        elif name == 'msvcrt':
            import msvcrt
        else:
            import torch_of_ours.models
    except ModuleNotFoundError as error:
        print(error, error.name)

def compress(data: lzma.LZMAFile):
    return lzma.compress(data)
print(compress.__annotations__ is not None)
"""


def scripts():
    for line in IMPORTS.strip().splitlines():
        yield line, line + '\n'
    yield 'outside modules', USED
    yield 'gradient hooks', GRADIENT_HOOKS
    yield 'standard modules', STANDARD
