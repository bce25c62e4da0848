# SPDX-License-Identifier: GPL-3.0-or-later
# Programs about the modules of torch.ao, for make_nn_programs.py: quantized layers, layers that are trained for
# quantization, observers.
SETUP = '''
import torch.ao.nn.quantized as nnq
import torch.ao.nn.quantized.dynamic as nnqd
import torch.ao.nn.qat as nnqat
import torch.ao.nn.intrinsic as nni
import torch.ao.nn.intrinsic.quantized as nniq
import torch.ao.nn.intrinsic.quantized.dynamic as nniqd
import torch.ao.nn.intrinsic.qat as nniqat
import torch.ao.quantization as taq

def quantized(value, scale=0.05, zero_point=64, dtype=torch.quint8):
    return torch.quantize_per_tensor(value, scale, zero_point, dtype)

def numbers(value):
    if isinstance(value, torch.Tensor):
        about = [str(value.dtype), list(value.shape)]
        if value.is_quantized:
            about.append(str(value.qscheme()))
            value = value.dequantize()
        return about + [['%.4g' % number for number in value.detach().double().flatten().tolist()]]
    if isinstance(value, (list, tuple)):
        return [numbers(item) for item in value]
    return str(value)

def fill(m):
    # Weights that differ from each other, in a layer that is made of nothing.
    if not callable(getattr(m, 'weight', None)):
        return m
    if hasattr(m, 'set_weight_bias'):
        weight, bias = m.weight(), m.bias()
        values = torch.linspace(-1, 1, weight.numel()).reshape(weight.shape)
        weight = quantized(values, 0.01, 0, torch.qint8) if weight.is_quantized else values
        m.set_weight_bias(weight, None if bias is None else torch.linspace(0, 1, bias.numel()))
    else:
        rows = m.weight().shape[0]
        values = torch.linspace(-1, 1, m.weight().numel()).reshape(m.weight().shape)
        m.set_weight(torch.quantize_per_channel(values, torch.full([rows], 0.01), torch.full([rows], 3.0), 0, torch.quint8))
    return m

def tell(m, *calls):
    print(m)
    print(type(m).__module__, type(m).__qualname__)
    for name, value in m.state_dict().items():
        print(name, numbers(value) if isinstance(value, (torch.Tensor, tuple, torch.dtype)) else 'an object')
    for call in calls:
        print(numbers(call()))

xq = quantized(x)
'''

# What makes a module m, and what is called of it.
LAYERS = [
    ('nnq.Linear(4, 5)', 'm(xq)'),
    ('nnq.Linear(4, 5, bias_=False)', 'm(xq)'),
    ('nniq.LinearReLU(4, 5)', 'm(xq)'),
    ('nniq.LinearLeakyReLU(4, 5, 0.1)', 'm._get_name()'),
    ('nniq.LinearTanh(4, 5, bias=False)', 'm._get_name()'),
    ('nnqd.Linear(4, 5)', 'm(x)'),
    ('nnqd.Linear(4, 5, bias_=False, dtype=torch.float16)', 'm(x)'),
    ('nniqd.LinearReLU(4, 5)', 'm(x)'),
    ('nnq.Conv1d(3, 5, 2)', 'm(xq[:, :, 0])'),
    ('nnq.Conv1d(3, 6, 3, stride=2, padding=1, groups=3, bias=False, padding_mode="reflect")', 'm(xq[:, :, 0])'),
    ('nnq.Conv2d(3, 5, 2)', 'm(xq)'),
    ('nnq.Conv2d(3, 5, (2, 3), stride=(1, 2), padding=1, dilation=(2, 1), bias=False)', 'm(xq)'),
    ('nnq.Conv2d(3, 3, 3, padding=(1, 2), groups=3, padding_mode="reflect")', 'm(xq)'),
    ('nnq.Conv3d(2, 4, 2, padding=1)', 'm(xq[None])'),
    ('nniq.ConvReLU1d(3, 5, 2)', 'm(xq[:, :, 0])'),
    ('nniq.ConvReLU2d(3, 5, 2, stride=2)', 'm(xq)'),
    ('nniq.ConvReLU3d(2, 4, 2)', 'm(xq[None])'),
    ('nniq.ConvAdd2d(3, 3, 1)', 'm._get_name()'),
    ('nniq.ConvAddReLU2d(3, 3, 1)', 'm._get_name()'),
    ('nnq.ConvTranspose1d(3, 4, 2)', 'm.weight()'),
    ('nnq.ConvTranspose2d(3, 4, 2, stride=2, output_padding=1)', 'm(xq)'),
    ('nnq.ConvTranspose3d(2, 4, 2)', 'm.weight()'),
    ('nnq.ReLU6()', 'm(xq)'),
    ('nnq.ReLU6(inplace=True)', 'm(quantized(x))'),
    ('nnq.Hardswish(0.1, 3)', 'm(xq)'),
    ('nnq.ELU(0.1, 30, alpha=0.5)', 'm(xq)'),
    ('nnq.LeakyReLU(0.1, 30, negative_slope=0.2)', 'm(xq)'),
    ('nnq.Sigmoid(1 / 256, 0)', 'm(xq)'),
    ('nnq.Softmax(-1, 0.01, 0)', 'm(xq)'),
    ('nnq.PReLU(0.1, 30, 3)', 'm(xq)'),
    ('nnq.Dropout(0.3)', 'm(xq)'),
    ('nnq.MaxPool2d(2)', 'm(xq)'),
    ('nnq.BatchNorm2d(3)', 'm(xq)'),
    ('nnq.BatchNorm3d(2, eps=0.1)', 'm(xq[None])'),
    ('nniq.BNReLU2d(3)', 'm(xq)'),
    ('nniq.BNReLU3d(2)', 'm(xq[None])'),
    ('nnq.LayerNorm([4], torch.nn.Parameter(torch.ones(4)), torch.nn.Parameter(torch.zeros(4)), 0.03, 60)', 'm(xq)'),
    ('nnq.GroupNorm(3, 3, torch.nn.Parameter(torch.ones(3)), torch.nn.Parameter(torch.zeros(3)), 0.03, 60)', 'm(xq)'),
    ('nnq.InstanceNorm1d(3, None, None, 0.03, 60)', 'm(xq[0][None])'),
    ('nnq.InstanceNorm2d(3, torch.nn.Parameter(torch.ones(3)), torch.nn.Parameter(torch.zeros(3)), 0.03, 60)', 'm(xq)'),
    ('nnq.InstanceNorm3d(2, None, None, 0.03, 60)', 'm(xq[None])'),
    ('nnq.Embedding(6, 12)', 'm(torch.tensor([1, 5]))'),
    ('nnq.EmbeddingBag(6, 12, include_last_offset=True)', 'm(torch.tensor([1, 5, 2]), torch.tensor([0, 2, 3]))'),
    ('nnq.Quantize(0.1, 12, torch.quint8)', 'm(x)'),
    ('nnq.DeQuantize()', 'm(xq)'),
    ('nnq.FloatFunctional()', 'm.add(x, x)', 'm.add_scalar(x, 2)', 'm.mul(x, x)', 'm.cat([x, x], dim=1)', 'm.add_relu(x, x)',
     'm.matmul(x, x)', 'm.mul_scalar(x, 3)'),
    ('nnq.FXFloatFunctional()', 'm.add(x, x)'),
    ('nnq.QFunctional()', 'm.add(xq, xq)', 'm.add_scalar(xq, 2)', 'm.mul(xq, xq)', 'm.cat([xq, xq], dim=1)',
     'm.add_relu(xq, xq)', 'm.matmul(xq, xq)', 'm.mul_scalar(xq, 3)'),
    ('nnqd.LSTM(4, 3, num_layers=2, bidirectional=True)', 'm(x[0])', 'm(x[0], (torch.ones(4, 4, 3), torch.zeros(4, 4, 3)))'),
    ('nnqd.LSTM(4, 3, batch_first=True, dtype=torch.float16)', 'm(x[0])'),
    ('nnqd.LSTM(4, 3)', 'm(nn.utils.rnn.pack_sequence([x[0, 0], x[0, 1][:2]]))[0].data'),
    ('nnqd.GRU(4, 3, bias=True)', 'm(x[0])'),
    ('nnqd.LSTMCell(4, 3)', 'm(x[0, 0])'),
    ('nnqd.GRUCell(4, 3)', 'm(x[0, 0])', 'm(x[0, 0], torch.ones(4, 3))'),
    ('nnqd.RNNCell(4, 3, nonlinearity="relu")', 'm(x[0, 0])'),
    ('taq.QuantStub()', 'm(x)'),
    ('taq.DeQuantStub(taq.default_qconfig)', 'm(x)', 'type(m.qconfig).__name__'),
    ('taq.QuantWrapper(nn.Linear(4, 2))', 'm(x)'),
    ('nni.ConvReLU2d(nn.Conv2d(3, 4, 1), nn.ReLU())', 'm(x)'),
    ('nni.LinearBn1d(nn.Linear(4, 3), nn.BatchNorm1d(3))', 'm(x[0, 0])'),
]

# Each is called twice in training and once in evaluation.
TRAINED = [
    ('nnqat.Linear(4, 5, qconfig=taq.default_qat_qconfig)', 'x'),
    ('nnqat.Linear(4, 5, bias=False, qconfig=taq.get_default_qat_qconfig("fbgemm", 0))', 'x'),
    ('nnqat.Linear(4, 5, qconfig=taq.get_default_qat_qconfig())', 'x'),
    ('nnqat.Linear(4, 5, qconfig=taq.default_qat_qconfig_v2)', 'x'),
    ('nnqat.Conv1d(3, 4, 2, qconfig=taq.default_qat_qconfig)', 'x[:, :, 0]'),
    ('nnqat.Conv2d(3, 4, 2, stride=2, padding=1, qconfig=taq.get_default_qat_qconfig("x86"))', 'x'),
    ('nnqat.Conv2d(3, 6, 3, groups=3, bias=False, padding_mode="zeros", qconfig=taq.get_default_qat_qconfig("qnnpack", 0))', 'x'),
    ('nnqat.Conv3d(2, 4, 2, qconfig=taq.default_qat_qconfig)', 'x[None]'),
    ('nnqat.Embedding(6, 3, qconfig=taq.default_embedding_qat_qconfig)', 'torch.tensor([[1, 5]])'),
    ('nnqat.EmbeddingBag(6, 3, qconfig=taq.default_embedding_qat_qconfig)', 'torch.tensor([[1, 5]])'),
    ('torch.ao.nn.qat.dynamic.Linear(4, 3, qconfig=taq.default_dynamic_qat_qconfig)', 'x'),
    ('nniqat.LinearReLU(4, 5, qconfig=taq.default_qat_qconfig)', 'x'),
    ('nniqat.LinearBn1d(4, 5, bias=False, qconfig=taq.default_qat_qconfig)', 'x[0, 0]'),
    ('nniqat.ConvBn1d(3, 4, 2, qconfig=taq.default_qat_qconfig)', 'x[:, :, 0]'),
    ('nniqat.ConvBn2d(3, 4, 2, bias=True, qconfig=taq.get_default_qat_qconfig())', 'x'),
    ('nniqat.ConvBnReLU2d(3, 4, 2, freeze_bn=True, qconfig=taq.default_qat_qconfig)', 'x'),
    ('nniqat.ConvBn3d(2, 4, 2, qconfig=taq.default_qat_qconfig)', 'x[None]'),
    ('nniqat.ConvReLU2d(3, 4, 2, qconfig=taq.default_qat_qconfig)', 'x'),
    ('taq.MinMaxObserver()', 'x'),
    ('taq.MinMaxObserver(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric)', 'x'),
    ('taq.MovingAverageMinMaxObserver(quant_min=0, quant_max=127)', 'x'),
    ('taq.PerChannelMinMaxObserver(ch_axis=1)', 'x'),
    ('taq.MovingAveragePerChannelMinMaxObserver(dtype=torch.qint8, qscheme=torch.per_channel_symmetric)', 'x'),
    ('taq.HistogramObserver(bins=64)', 'x'),
    ('taq.HistogramObserver(bins=64, reduce_range=True)', 'torch.cat([x, x * (1 + m.min_val.isfinite())])'),
    ('taq.PlaceholderObserver(dtype=torch.float16)', 'x'),
    ('taq.NoopObserver()', 'x'),
    ('taq.FixedQParamsObserver(0.1, 3)', 'x'),
    ('taq.RecordingObserver()', 'x'),
    ('taq.FakeQuantize()', 'x'),
    ('taq.FakeQuantize(observer=taq.MovingAveragePerChannelMinMaxObserver, quant_min=-8, quant_max=7, dtype=torch.qint8, '
     'qscheme=torch.per_channel_symmetric, ch_axis=1)', 'x'),
    ('taq.FusedMovingAvgObsFakeQuantize()', 'x'),
    ('taq.default_fused_per_channel_wt_fake_quant()', 'x'),
    ('taq.default_histogram_fake_quant()', 'x'),
    ('taq.default_fixed_qparams_range_0to1_fake_quant()', 'x'),
]

PROGRAMS = [
    '''
print(torch.per_tensor_affine, torch.per_channel_symmetric, type(torch.per_tensor_affine), xq.qscheme())
print(torch.per_tensor_affine == xq.qscheme(), torch.per_tensor_affine in (torch.per_channel_affine, xq.qscheme()))
print({torch.per_tensor_affine: 1}[xq.qscheme()], f'{torch.per_tensor_affine}', [torch.per_channel_affine])
print(isinstance(torch.per_tensor_affine, torch.qscheme), torch.iinfo(torch.qint8).min, torch.iinfo(torch.quint4x2).max)
''',
    '''
m = fill(nnq.Linear(4, 3))
n = nnq.Linear(4, 3)
n.load_state_dict(m.state_dict())
print(numbers(m(xq)) == numbers(n(xq)), n.scale, n.zero_point)
c = fill(nnq.Conv2d(3, 3, 2))
d = nnq.Conv2d(3, 3, 2)
d.load_state_dict(c.state_dict())
print(numbers(c(xq)) == numbers(d(xq)))
print(len(c.__getstate__()))
''',
    '''
import torch.quantization
import torch.nn.quantized as old
print(torch.quantization.QuantStub is taq.QuantStub, old.Linear is nnq.Linear, old.dynamic.LSTM is nnqd.LSTM)
print(torch.nn.intrinsic.ConvReLU2d is nni.ConvReLU2d, torch.nn.qat.Linear is nnqat.Linear)
m = nnqat.Linear(4, 3, qconfig=taq.default_qat_qconfig)
m.apply(taq.disable_observer)
m.apply(taq.disable_fake_quant)
print(numbers(m(x)))
print(m.weight_fake_quant.observer_enabled, m.weight_fake_quant.fake_quant_enabled)
''',
]

ERRORS = [
    'nnq.Linear(4, 3, dtype=torch.int8)', 'nnq.Conv2d(3, 4, 2, groups=2)', 'nnq.Conv2d(3, 4, 2, padding_mode="circular")',
    'nnq.Conv3d(3, 4, 2, padding_mode="reflect")', 'nnq.ConvTranspose2d(3, 4, 2, padding_mode="reflect")',
    'nnq.Conv2d(3, 4, 2)(xq[0])', 'nnq.Embedding(3, 4, dtype=torch.qint8)', 'nnq.FloatFunctional()(x)', 'nnq.QFunctional()(x)',
    'nnqd.LSTM(4, 3, dropout=2)', 'nnqd.LSTM(4, 3)(x)', 'nnqd.GRU(4, 3)(x[0][..., :2])', 'nnqd.LSTMCell(4, 3)(x[0, 0][..., :2])',
    'nnqat.Linear(4, 3)', 'nnqat.Conv2d(4, 3, 1)', 'nnqat.Embedding(4, 3, qconfig=taq.default_qat_qconfig)',
    'nni.ConvReLU2d(nn.Conv1d(3, 4, 1), nn.ReLU())', 'taq.MinMaxObserver(qscheme=torch.per_channel_affine)',
    'taq.MinMaxObserver(dtype=torch.float32)', 'taq.MinMaxObserver(quant_min=3, quant_max=5)',
    'taq.FakeQuantize(quant_min=-3, quant_max=255)', 'taq.QConfig(nn.Identity(), None)', 'taq.PlaceholderObserver().calculate_qparams()',
    'torch.ao.nn.qat.dynamic.Linear(4, 3, qconfig=taq.default_qat_qconfig)', 'taq.get_default_qconfig("mps")',
]


def scripts():
    for made, *calls in LAYERS:
        told = ''.join(f', lambda: {call}' for call in calls)
        yield f'quantized {made}', SETUP + f'm = fill({made})\ntell(m{told})\n'
    for made, given in TRAINED:
        run = f'm = {made}\ntell(m)\nfor training in (True, True, False):\n    m.train(training)\n    print(numbers(m({given})))\ntell(m)\n'
        if 'Observer' in made and 'FakeQuantize' not in made and not any(kind in made for kind in ('Placeholder', 'Noop', 'Recording')):
            run += 'print(numbers(m.calculate_qparams()))\n'
        yield f'observed {made}', SETUP + run
    for number, text in enumerate(PROGRAMS):
        yield f'quantized program {number}', SETUP + text
    for text in ERRORS:
        yield f'quantized error {text}', SETUP + text + '\n'
