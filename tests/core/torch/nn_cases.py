# SPDX-License-Identifier: GPL-3.0-or-later
# What check_nn_modules.py compares beyond PyTorch's module database: constructions with a call, wrong calls, small scripts.
# In a construction x is a tensor of (2, 3, 4, 4); in a call m is the module. A script shows values.

CASES = [
    ('nn.AlphaDropout(0.3)', 'm(x)'),
    ('nn.FeatureAlphaDropout(0.3)', 'm(x)'),
    ('nn.Dropout(0.25, inplace=True)', 'm(x.clone())'),
    ('nn.Dropout1d(0.3)', 'm(x[0])'),
    ('nn.Dropout2d()', 'm(x)'),
    ('nn.Dropout3d(p=0.1)', 'm(x)'),
    ('nn.ChannelShuffle(3)', 'm(x)'),
    ('nn.CosineSimilarity(dim=-1)', 'm(x, x + 1)'),
    ('nn.PairwiseDistance(p=1.0, keepdim=True)', 'm(x, x + 1)'),
    ('nn.CrossMapLRN2d(3)', 'm(x)'),
    ('nn.CrossMapLRN2d(2, alpha=0.5, beta=0.5, k=2)', 'm(torch.cat([x, x * 2, x], 1))'),
    ('nn.CrossMapLRN2d(5, 0.1)', 'm(torch.cat([x, x * 2, x], 1))'),
    ('nn.EmbeddingBag(7, 3, mode="sum", padding_idx=-2)', 'm(torch.tensor([[1, 2], [5, 6]]))'),
    ('nn.EmbeddingBag(7, 3, max_norm=1.0, norm_type=1.0, scale_grad_by_freq=True)', 'm(torch.tensor([1, 2, 5]), torch.tensor([0, 2]))'),
    ('nn.EmbeddingBag.from_pretrained(x.reshape(24, 4), mode="max", freeze=False)', 'm(torch.tensor([[1, 2]]))'),
    ('nn.Embedding.from_pretrained(x.reshape(24, 4), padding_idx=3, sparse=True)', 'm(torch.tensor([[1, 2]]))'),
    ('nn.Embedding(5, 2, padding_idx=-1, max_norm=2.0, norm_type=3.0, scale_grad_by_freq=True)', 'm(torch.tensor([4, 1]))'),
    ('nn.Flatten()', 'm(x)'),
    ('nn.Flatten(0, 2)', 'm(x)'),
    ('nn.Unflatten(1, (1, 3))', 'm(x)'),
    ('nn.Unflatten(-1, torch.Size([2, 2]))', 'm(x)'),
    ('nn.Fold((4, 5), (2, 2))', 'm(torch.ones(1, 12, 12))'),
    ('nn.Unfold((2, 2), stride=2)', 'm(x)'),
    ('nn.Hardsigmoid()', 'm(x)'),
    ('nn.RReLU(0.1, 0.4)', 'm(x)'),
    ('nn.RReLU(inplace=True)', 'm(x.clone())'),
    ('nn.Threshold(0.1, 20, inplace=True)', 'm(x.clone())'),
    ('nn.Hardtanh(min_value=-2.0, max_value=3)', 'm(x)'),
    ('nn.PReLU(3, init=0.1)', 'm(x)'),
    ('nn.GELU("tanh")', 'm(x)'),
    ('nn.Softmax()', 'm(x)'),
    ('nn.Identity(54, unused=3)', 'm(x)'),
    ('nn.LazyBatchNorm2d(bias=False)', 'm(x)'),
    ('nn.LazyBatchNorm1d(affine=False)', 'm(x[0])'),
    ('nn.LazyBatchNorm3d(track_running_stats=False)', 'm(x[None])'),
    ('nn.LazyInstanceNorm1d()', 'm(x[0])'),
    ('nn.LazyInstanceNorm2d(affine=True, track_running_stats=True)', 'm(x)'),
    ('nn.LazyInstanceNorm3d()', 'm(x[None])'),
    ('nn.LazyLinear(5, bias=False)', 'm(x)'),
    ('nn.SyncBatchNorm(3)', 'm(x)'),
    ('nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4, affine=False)))', 'm(x)'),
    ('nn.BatchNorm2d(3, momentum=None)', 'm(x)'),
    ('nn.BatchNorm2d(3, bias=False, track_running_stats=False)', 'm(x)'),
    ('nn.MaxUnpool1d(2)', 'm(*torch.nn.functional.max_pool1d(x[0], 2, return_indices=True))'),
    ('nn.MaxUnpool2d(2, stride=2)', 'm(*torch.nn.functional.max_pool2d(x, 2, return_indices=True), output_size=(2, 3, 4, 4))'),
    ('nn.MaxUnpool3d((1, 2, 2))', 'm(*torch.nn.functional.max_pool3d(x, (1, 2, 2), return_indices=True))'),
    ('nn.MaxPool2d(2, return_indices=True)', 'm(x)'),
    ('nn.AdaptiveMaxPool2d((None, 2), return_indices=True)', 'm(x)'),
    ('nn.FractionalMaxPool2d(2, output_ratio=0.5, _random_samples=torch.ones(2, 3, 2) / 2)', 'm(x)'),
    ('nn.PixelShuffle(1)', 'm(x)'),
    ('nn.PixelUnshuffle(2)', 'm(x)'),
    ('nn.Upsample(scale_factor=2)', 'm(x)'),
    ('nn.Upsample(scale_factor=(2, 1.5), mode="bicubic", align_corners=False)', 'm(x)'),
    ('nn.Upsample(size=(7, 3))', 'm(x)'),
    ('nn.UpsamplingNearest2d(size=5)', 'm(x)'),
    ('nn.UpsamplingBilinear2d(scale_factor=2)', 'm(x)'),
    ('nn.NLLLoss2d()', 'm(x, torch.ones(2, 4, 4).long())'),
    ('nn.MSELoss(size_average=False)', 'm(x, x * 2)'),
    ('nn.L1Loss(reduce=False)', 'm(x, x * 2)'),
    ('nn.TripletMarginLoss(swap=True)', 'm(x, x * 2, x - 1)'),
    ('nn.TripletMarginWithDistanceLoss(margin=0.5)', 'm(x, x * 2, x - 1)'),
    ('nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5, 10], head_bias=True)', 'm(x[0, 0], torch.tensor([1, 6, 19, 11]))'),
    ('nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5, 10])', '(m.log_prob(x[0, 0]), m.predict(x[0, 0]), m(x[0, 0, 0], torch.tensor(3)))'),
    ('nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8), 2, norm=nn.LayerNorm(4))', 'm(x[0], x[1])'),
    ('nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2)',
     'm(x[0], src_key_padding_mask=torch.tensor([[False, False, False, True]] * 3))'),
    ('nn.TransformerEncoderLayer(4, 1, 6, activation="gelu", norm_first=True, bias=False)', 'm(x[0])'),
    ('nn.TransformerEncoderLayer(4, 2, 6, activation=nn.GELU())', 'm(x[0])'),
    ('nn.MultiheadAttention(4, 2, kdim=3, vdim=5, add_bias_kv=True, add_zero_attn=True)',
     'm(x[0], torch.ones(2, 4, 3), torch.ones(2, 4, 5))'),
    ('nn.MultiheadAttention(4, 2, bias=False, batch_first=True)', 'm(x[0], x[0], x[0], average_attn_weights=False)'),
    ('nn.Conv2d(3, 6, (3, 1), stride=(2, 1), padding=(1, 0), dilation=1, groups=3, bias=False)', 'm(x)'),
    ('nn.Conv2d(3, 4, 3, padding="same", padding_mode="circular")', 'm(x)'),
    ('nn.Conv2d(3, 4, (2, 3), padding="same", dilation=(1, 2))', 'm(x)'),
    ('nn.Conv2d(3, 4, 2, padding="valid", padding_mode="reflect", dtype=torch.float64)', 'm(x.double())'),
    ('nn.Conv1d(4, 3, 2, padding=1, padding_mode="replicate")', 'm(x[0].transpose(0, 1))'),
    ('nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1)', 'm(x, output_size=(8, 7))'),
    ('nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1)', 'm(x)'),
    ('nn.Linear(4, 0)', 'm(x)'),
    ('nn.Linear(4, 3, dtype=torch.bfloat16)', 'm(x.bfloat16())'),
    ('nn.Linear(4, 3, device="meta")', None),
    ('nn.LayerNorm((4, 4), bias=False)', 'm(x)'),
    ('nn.LayerNorm(4, elementwise_affine=False)', 'm(x)'),
    ('nn.RMSNorm([4], eps=1e-3)', 'm(x)'),
    ('nn.GroupNorm(3, 3, affine=False)', 'm(x)'),
    ('nn.LSTM(4, 5, 2, bidirectional=True, dropout=0.5, proj_size=3)', 'm(x[0])'),
    ('nn.LSTM(4, 5, batch_first=True)', 'm(x[0, 0], (torch.zeros(1, 5), torch.ones(1, 5)))'),
    ('nn.GRU(4, 5, bias=False)', 'm(x[0], torch.ones(1, 4, 5))'),
    ('nn.RNN(4, 5, 1, "relu")', 'm(x[0])'),
    ('nn.RNN(4, 5, dropout=0.3)', 'm(x[0, 0])'),
    ('nn.RNNCell(4, 5, nonlinearity="relu", bias=False)', 'm(x[0, 0])'),
    ('nn.LSTMCell(4, 5)', 'm(x[0, 0, 0])'),
    ('nn.ModuleList([nn.Linear(2, 2) for _ in range(3)] + [nn.ReLU()] + [nn.Sequential(nn.Tanh(), nn.Tanh())] * 2)', None),
    ('nn.ModuleList([])', None),
    ('nn.ModuleDict({"b": nn.ReLU(), "a": nn.Sequential(nn.Linear(3, 4), nn.Dropout())})', None),
    ('nn.ModuleDict([["k", nn.Tanh()]])', None),
    ('nn.ParameterList([torch.ones(2, 3), nn.Parameter(torch.zeros(())), 7, "a"])', None),
    ('nn.ParameterDict({"z": torch.ones(2), "a": nn.Parameter(torch.zeros(1, 2)), "n": None})', None),
    ('nn.Sequential(nn.Linear(4, 3), nn.ReLU(inplace=True), nn.ModuleList([nn.Sigmoid()]))', 'm[:2](x)'),
    ('nn.Sequential()', 'm(x)'),
    ('nn.Sequential(nn.Linear(4, 4), nn.ReLU()) * 2 + nn.Sequential(nn.Tanh())', 'm(x)'),
    ('nn.Container(a=nn.ReLU())', None),
    ('nn.Module()', None),
    ('nn.LinearCrossEntropyLoss(4, 6, bias=True, label_smoothing=0.1)', 'm(x[0, 0], torch.tensor([1, 0, 5, 2]))'),
]

ERRORS = [
    'nn.Linear(3)', 'nn.Linear(3, 4, True, None, None, 1)', 'nn.Linear(3, 4, biass=True)',
    'nn.Conv2d(3, 4)', 'nn.Conv2d(3, 4, 3, groups=2)', 'nn.Conv2d(4, 3, 3, groups=2)', 'nn.Conv2d(3, 4, 3, groups=0)',
    'nn.Conv2d(3, 4, 3, stride=2, padding="same")', 'nn.ConvTranspose1d(3, 4, 3, padding_mode="reflect")',
    'nn.ConvTranspose2d(3, 4, 3, stride=2)(x, output_size=(1, 1))', 'nn.ConvTranspose2d(3, 4, 3)(x, output_size=(1, 2, 3))',
    'nn.BatchNorm1d(3)(x)', 'nn.BatchNorm2d(3)(x[0])', 'nn.BatchNorm3d(3)(x)', 'nn.SyncBatchNorm(3)(x[0, 0, 0])',
    'nn.InstanceNorm2d(4, affine=True)(x)', 'nn.InstanceNorm1d(4)(x)', 'nn.GroupNorm(2, 3)', 'nn.Dropout(1.5)', 'nn.Dropout(-1)',
    'nn.Unflatten(1, 3)', 'nn.Unflatten(1, (2, 1.5))', 'nn.Hardtanh(1.0, 0.5)', 'nn.Softmax2d()(x[0, 0])',
    'nn.MultiheadAttention(5, 2)', 'nn.MultiheadAttention(0, 2)', 'nn.Embedding(3, 2, padding_idx=3)',
    'nn.EmbeddingBag(3, 2, padding_idx=-4)', 'nn.Embedding(3, 2, _weight=torch.ones(2, 3))',
    'nn.Embedding.from_pretrained(torch.ones(3))', 'nn.FractionalMaxPool2d(2)', 'nn.FractionalMaxPool2d(2, 2, 0.5)',
    'nn.FractionalMaxPool2d(2, output_ratio=1.5)', 'nn.FractionalMaxPool3d(0, 2)', 'nn.FractionalMaxPool3d((1, 0, 1), 2)',
    'nn.AdaptiveLogSoftmaxWithLoss(4, 20, [])', 'nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5, 5])',
    'nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5, 25])',
    'nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5])(x[0, 0], torch.tensor([1, 2, 3, 20]))',
    'nn.AdaptiveLogSoftmaxWithLoss(4, 20, [5])(x[0, 0], torch.tensor([1]))',
    'nn.LSTM(4, 0)', 'nn.LSTM(0, 4)', 'nn.LSTM(4, 5.0)', 'nn.LSTM(4, 5, num_layers=0)', 'nn.LSTM(4, 5, dropout=2)',
    'nn.LSTM(4, 5, dropout=True)', 'nn.LSTM(4, 5, bias=1)', 'nn.LSTM(4, 5, batch_first=1)', 'nn.LSTM(4, 5, proj_size=5)',
    'nn.LSTM(4, 5, proj_size=-1)', 'nn.GRU(4, 5, proj_size=2)', 'nn.RNN(4, 5, nonlinearity="gelu")', 'nn.LSTM(4)',
    'nn.RNNBase("XYZ", 4, 5)', 'nn.LSTM(4, 5)(x)', 'nn.LSTM(3, 5)(x[0])', 'nn.LSTM(4, 5)(x[0].double())',
    'nn.LSTM(4, 5)(x[0], (torch.zeros(1, 4), torch.zeros(1, 4)))', 'nn.GRU(4, 5)(x[0], torch.zeros(2, 4, 5))',
    'nn.GRU(4, 5)(x[0], torch.zeros(1, 5))', 'nn.RNN(4, 5)(x)', 'nn.RNN(4, 5)(x[0, 0], torch.zeros(1, 1, 5))',
    'nn.LSTMCell(4, 5)(x)', 'nn.GRUCell(4, 5)(x[0, 0], x)', 'nn.RNNCell(4, 5, nonlinearity="a")(x[0, 0])',
    'nn.HuberLoss(delta="a")', 'nn.MultiMarginLoss(p=3)', 'nn.MultiMarginLoss(weight=torch.ones(1, 1))',
    'nn.TripletMarginLoss(margin=0)', 'nn.TripletMarginWithDistanceLoss(margin=-1)', 'nn.GaussianNLLLoss(True)',
    'nn.LinearCrossEntropyLoss(2, 3, weight=torch.ones(2))', 'nn.LinearCrossEntropyLoss(2, 3, label_smoothing=2)',
    'nn.LinearCrossEntropyOptions(acc_policy="a")', 'nn.LinearCrossEntropyOptions(batch_chunk_size=0)',
    'nn.LinearCrossEntropyOptions(chunking_method="x:1")', 'nn.LinearCrossEntropyOptions(acc_dtype=torch.int8)',
    'nn.TransformerEncoderLayer(4, 2, activation="silu")', 'nn.TransformerEncoderLayer(4, 3)',
    'nn.Transformer(4, 2, 1, 1, 4)(torch.ones(2, 3, 4), torch.ones(2, 2, 4))',
    'nn.Transformer(4, 2, 1, 1, 4)(torch.ones(2, 3, 5), torch.ones(2, 3, 5))',
    'nn.Bilinear(0, 2, 3)', 'nn.CrossMapLRN2d(3)(x[0])', 'nn.CircularPad1d(1)(x)', 'nn.CircularPad3d(1)(x[0])',
    'nn.LazyConv2d(4, 3)(x[0, 0])', 'nn.LazyConv2d(4, 3, groups=2)(x)',
    'nn.Sequential(nn.ReLU())[1]', 'nn.Sequential(nn.ReLU())["a"]', 'nn.Sequential(3)', 'nn.Sequential(nn.ReLU()) + 3',
    'nn.Sequential(nn.ReLU()) * 0', 'nn.Sequential(nn.ReLU()) * "a"', 'nn.Sequential(nn.ReLU()).insert(3, nn.ReLU())',
    'nn.ModuleList([nn.ReLU()])[-2]', 'nn.ModuleList(3)', 'nn.ModuleList([3])', 'nn.ModuleList()(x)', 'nn.ModuleDict(3)',
    'nn.ModuleDict([3])', 'nn.ModuleDict([[1, 2, 3]])', 'nn.ModuleDict({"a.b": nn.ReLU()})', 'nn.ModuleDict({"keys": nn.ReLU()})',
    'nn.ParameterList(3)', 'nn.ParameterList([])(x)', 'nn.ParameterDict({3: x})', 'nn.ParameterDict()(x)',
    'nn.Module(3)', 'nn.Module(a=3)', 'nn.Module()(x)', 'nn.ReLU().train(3)', 'nn.ReLU().to(torch.int32)',
    'nn.Linear(2, 2).load_state_dict(3)', 'nn.Linear(2, 2).load_state_dict({})',
    'nn.Linear(2, 2).load_state_dict({"weight": torch.ones(3, 2), "bias": 4, "more": x})',
    'nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).load_state_dict({"0.weight": x, "2.weight": x, "0.a.b": x, "1.weight": x})',
    'nn.init.kaiming_uniform_(torch.ones(3))', 'nn.init.xavier_normal_(torch.ones(()))', 'nn.init.calculate_gain("gelu")',
    'nn.init.kaiming_normal_(torch.ones(3, 3), mode="fan")', 'nn.init.eye_(x)', 'nn.init.dirac_(torch.ones(3, 3))',
    'nn.init.orthogonal_(torch.ones(3))', 'nn.init.sparse_(x, 0.1)', 'nn.init.calculate_gain("leaky_relu", "a")',
    'nn.Linear(2, 2).get_submodule("a.b")', 'nn.Linear(2, 2).get_submodule("weight")', 'nn.Linear(2, 2).get_parameter("a")',
    'nn.BatchNorm1d(2).get_parameter("running_mean")', 'nn.BatchNorm1d(2).get_buffer("weight")', 'nn.ReLU().set_submodule("", nn.ReLU())',
    'nn.ReLU().set_submodule("a", 3)', 'nn.ReLU().set_submodule("a", nn.ReLU(), strict=True)', 'nn.Linear(2, 2).set_submodule("weight", nn.ReLU())',
    'nn.ReLU().register_buffer("a.b", x)', 'nn.ReLU().register_buffer("", x)', 'nn.ReLU().register_buffer(3, x)',
    'nn.ReLU().register_buffer("inplace", x)', 'nn.ReLU().register_buffer("a", 3)', 'nn.ReLU().register_parameter("a", x)',
    'nn.ReLU().register_parameter("a.b", None)', 'nn.ReLU().register_parameter(None, None)', 'nn.ReLU().register_parameter("forward", None)',
    'nn.ReLU().register_parameter("a", 3)', 'nn.ReLU().add_module("a", 3)', 'nn.ReLU().add_module("a.b", nn.ReLU())',
    'nn.ReLU().add_module("", nn.ReLU())', 'nn.ReLU().add_module(3, nn.ReLU())', 'nn.ReLU().add_module("train", nn.ReLU())',
    'nn.Linear(2, 2).foo', 'delattr(nn.Linear(2, 2), "foo")', 'setattr(nn.Linear(2, 2), "weight", x)', 'setattr(nn.Linear(2, 2), "weight", 3)',
    'setattr(nn.Sequential(nn.ReLU()), "0", x)', 'setattr(nn.BatchNorm1d(2), "running_mean", 3)',
    'nn.Linear(2, 2).register_parameter("w", nn.Linear(2, 2).weight * 2)',
    'nn.Linear(2, 2, device="meta").to("cpu")',
]

SCRIPTS = [
    '''
class Net(nn.Module):
    def __init__(self):
        self.layer = nn.Linear(2, 2)
Net()
''', '''
class Net(nn.Module):
    def __init__(self):
        self.weight = nn.Parameter(torch.ones(2))
Net()
''', '''
class Net(nn.Module):
    def __init__(self):
        self.register_buffer('weight', torch.ones(2))
Net()
''', '''
class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.width = width
        self.first = nn.Linear(width, width)
        self.again = self.first
        self.norm = nn.BatchNorm1d(width)
        self.register_buffer('table', torch.arange(3.0), persistent=False)
        self.register_buffer('none', None)
        self.scale = nn.Parameter(torch.full((1,), 2.0))
        self.offset = nn.Buffer(torch.ones(1))
        self.hidden = nn.Buffer(torch.ones(1), persistent=False)
        self.child = None
        self.layers = nn.ModuleList([nn.Sequential(nn.ReLU(), nn.Linear(width, 1)) for _ in range(2)])
    def forward(self, x):
        return self.first(x) * self.scale
    def extra_repr(self):
        return f'width={self.width}\\nmore=2'
torch.manual_seed(0)
net = Net()
show(net, [name for name in dir(net) if name[0] != '_' and name not in ('ipu', 'mtia', 'T_destination')])
for way in (net.named_parameters, net.named_buffers):
    show([(name, value.shape) for name, value in way()], [name for name, _ in way(prefix='p', recurse=False)],
         [name for name, _ in way(remove_duplicate=False)])
show([name for name, _ in net.named_modules()], [name for name, _ in net.named_modules(prefix='q', remove_duplicate=False)])
show([name for name, _ in net.named_children()], len(list(net.children())), len(list(net.modules())))
show(list(net.parameters()), list(net.buffers()))
show(list(net.state_dict()), net.state_dict(prefix='a.')._metadata, net.state_dict(keep_vars=True)['scale'].requires_grad)
show(net.state_dict()['scale'].requires_grad)
other = Net()
show(other.load_state_dict(net.state_dict()), other.first.weight)
state = net.state_dict()
del state['first.bias'], state['norm.num_batches_tracked']
state['zzz'] = torch.ones(1)
show(other.load_state_dict(state, strict=False))
other.load_state_dict(state)
''', '''
net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
state = dict(net.state_dict())
del state['1.num_batches_tracked']
show(net.load_state_dict(state))
state['0.weight'] = torch.ones(2, 2, dtype=torch.float64)
show(net.load_state_dict(state, assign=True), net[0].weight, net[0].weight.requires_grad, type(net[0].weight).__name__)
show(repr(net.load_state_dict({}, strict=False)), net.load_state_dict({}, strict=False).missing_keys)
''', '''
class Scalar(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = nn.Parameter(torch.tensor(1.0))
    def get_extra_state(self):
        return {'a': 3}
    def set_extra_state(self, state):
        self.kept = state
m = Scalar()
show(list(m.state_dict()))
m.load_state_dict({'s': torch.tensor([4.0]), '_extra_state': {'a': 5}})
show(m.s, m.kept)
show(m.load_state_dict({'s': torch.tensor([4.0])}, strict=False))
m.load_state_dict({'s': torch.tensor([4.0])})
''', '''
m = nn.Linear(2, 2)
m.weight = None
show(m, list(m.state_dict()), m.weight)
m.weight = nn.Parameter(torch.ones(2, 2))
m.extra = torch.ones(2)
m.register_buffer('b', torch.zeros(1))
m.b = torch.ones(3)
m.b = None
show(list(m.state_dict()), m.extra, m.__dict__.get('extra'))
m.extra = nn.Parameter(torch.zeros(1))
show('extra' in m.__dict__, list(m._parameters))
m.extra2 = nn.ReLU()
m.extra2 = None
del m.extra
show(list(m._modules), m, hasattr(m, 'extra'))
m.extra2 = 3
''', '''
calls = []
m = nn.Linear(2, 2, bias=False)
nn.init.ones_(m.weight)
one = m.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
two = m.register_forward_hook(lambda module, args, out: calls.append(('post', args, out)))
three = m.register_forward_hook(lambda module, args, kwargs, out: out * 2, with_kwargs=True)
four = m.register_forward_pre_hook(lambda module, args, kwargs: calls.append(('first', kwargs)), with_kwargs=True, prepend=True)
show(m(torch.ones(1, 2)), calls)
one.remove()
four.remove()
with three:
    show(m(torch.ones(1, 2)))
show(m(torch.ones(1, 2)), len(m._forward_hooks))
five = m.register_forward_pre_hook(lambda module, args, kwargs: 3, with_kwargs=True)
m(torch.ones(1, 2))
''', '''
calls = []
class Bad(nn.Module):
    def forward(self, x):
        raise ValueError('inside')
m = Bad()
m.register_forward_hook(lambda module, args, out: calls.append(out), always_call=True)
try:
    m(1)
except ValueError as problem:
    show(str(problem), calls)
handle = nn.modules.module.register_module_forward_pre_hook(lambda module, args: calls.append('global'))
nn.Identity()(torch.ones(1))
handle.remove()
nn.Identity()(torch.ones(1))
show(calls)
m.register_full_backward_hook(lambda *a: None)
m.register_backward_hook(lambda *a: None)
''', '''
m = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.BatchNorm1d(2), nn.Dropout()))
show(m.training, m.eval()[1][1].training, m.train()[1].training)
show(m.double()[0].weight.dtype, m[1][0].num_batches_tracked.dtype, m.half()[0].weight.dtype, m.to(torch.float32)[0].bias.dtype)
show(m.to('cpu', torch.float64)[0].bias.dtype, m.to(torch.ones(1))[0].bias.dtype, m.to(dtype=torch.bfloat16)[0].bias.dtype, m.cpu()[0].bias.device)
show(m.requires_grad_(False)[0].weight.requires_grad, m.float()[0].weight.requires_grad)
names = []
m.apply(lambda module: names.append(type(module).__name__))
show(names)
m.requires_grad_(True)
m[0](torch.ones(1, 2)).sum().backward()
show(m[0].weight.grad)
m.zero_grad(set_to_none=False)
show(m[0].weight.grad)
m.zero_grad()
show(m[0].weight.grad)
m[0].weight = m[0].bias
same = m.double()
show(same[0].weight is same[0].bias)
show(nn.Linear(2, 2, device='meta').to_empty(device='cpu').weight.shape)
''', '''
import copy
m = nn.Sequential(nn.Linear(2, 2), nn.LSTM(2, 3))
m[0].tied = m[0].weight
c = copy.deepcopy(m)
show(c, c[0].weight, c[0].tied is c[0].weight, c[1]._flat_weights[0] is c[1].weight_ih_l0, c[0].weight is m[0].weight)
d = copy.copy(m)
show(d[0] is m[0], d)
''', '''
s = nn.Sequential(nn.ReLU(), nn.Tanh(), nn.Sigmoid(), nn.ELU())
show(s[1:3], s[-1], len(s), [type(x).__name__ for x in s], list(s[::2]._modules))
del s[1]
show(s)
s.insert(1, nn.GELU())
s.append(nn.SELU())
s.extend([nn.GLU()])
s += nn.Sequential(nn.CELU())
s *= 2
show(s, s.pop(-1), s.pop(0), list(s._modules))
s[0] = nn.Mish()
del s[2:4]
show(s)
from collections import OrderedDict
named = nn.Sequential(OrderedDict([('a', nn.ReLU()), ('b', nn.Tanh())]))
show(named, named[1:], named.b, named.get_submodule('a'))
named.add_module('c', nn.ReLU())
named[0] = nn.ELU()
show(2 * named)
''', '''
l = nn.ModuleList([nn.ReLU(), nn.Tanh()])
l.append(nn.ELU()).extend(nn.Sequential(nn.GELU()))
l.insert(1, nn.Mish())
l += [nn.ReLU()]
show(l, l[1:3], l[-1], len(l), nn.ReLU() in list(l), l + [nn.Tanh()], l.pop(0), [name for name, _ in l.named_modules()])
l[0] = nn.ReLU()
del l[1:]
show(l)
d = nn.ModuleDict({'a': nn.ReLU()})
d['b'] = nn.Tanh()
d.update(nn.ModuleDict({'c': nn.ELU()}))
show(d, list(d), 'a' in d, list(d.keys()), [k for k, v in d.items()], list(d.values()), d.pop('a'), len(d))
del d['b']
d.clear()
show(d)
''', '''
p = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.zeros(1)])
p.append(torch.ones(3, 3)).extend([torch.ones(1)])
p[0] = torch.zeros(4)
p += [nn.Parameter(torch.ones(2), requires_grad=False)]
show(p, len(p), p[-1], p[1:3], list(p.state_dict()), [name for name, _ in p.named_parameters()], dir(p)[-3:])
d = nn.ParameterDict({'b': torch.ones(2), 'a': torch.ones(1)})
d['c'] = torch.ones(2, 2)
show(d, list(d), 'a' in d, len(d), d.get('q', 4), d.setdefault('q', torch.ones(1)), d.copy(), list(reversed(d)), d.popitem()[0], d.pop('b'))
d |= {'z': torch.ones(1)}
show(d | nn.ParameterDict({'y': torch.ones(1)}), list(d.fromkeys(['m', 'n'], torch.ones(1)).keys()), [v.shape for v in d.values()])
d.clear()
show(d)
d.update([['a', torch.ones(1)], 3])
''', '''
torch.manual_seed(1)
t = torch.empty(6, 4)
c = torch.empty(4, 2, 3)
for name, args in [('uniform_', (-1, 1)), ('normal_', (1, 2)), ('trunc_normal_', ()), ('trunc_normal_', (0.0, 1.0, 1.5, 4.0)), ('constant_', (0.3,)),
                   ('ones_', ()), ('zeros_', ()), ('eye_', ()), ('xavier_uniform_', (2.0,)), ('xavier_normal_', ()), ('kaiming_uniform_', (0.1, 'fan_out')),
                   ('kaiming_normal_', (0, 'fan_in', 'relu')), ('orthogonal_', (2,)), ('sparse_', (0.4,)), ('uniform', ())]:
    show(name, getattr(nn.init, name)(t, *args) is t, t)
show(nn.init.orthogonal_(torch.empty(2, 5)), nn.init.dirac_(c, 2), nn.init.dirac_(torch.empty(3, 3, 3, 3)), nn.init.kaiming_uniform_(torch.empty(0, 3)).shape)
show([nn.init.calculate_gain(name) for name in ('linear', 'conv_transpose3d', 'sigmoid', 'tanh', 'relu', 'leaky_relu', 'selu')])
show(nn.init.calculate_gain('leaky_relu', 0.2), nn.init._calculate_fan_in_and_fan_out(c))
''', '''
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence, pack_sequence, unpack_sequence, unpad_sequence
for make in (lambda: nn.LSTM(3, 4, bidirectional=True), lambda: nn.GRU(3, 4), lambda: nn.RNN(3, 4)):
    torch.manual_seed(2)
    m = make()
    packed = pack_padded_sequence(torch.randn(5, 2, 3), [3, 5], enforce_sorted=False)
    out, hidden = m(packed)
    show(pad_packed_sequence(out), hidden, pad_packed_sequence(out, batch_first=True, total_length=7)[0].shape)
    show(out.data.shape, out.batch_sizes, out.sorted_indices, out.unsorted_indices, packed.double().data.dtype)
rows = [torch.ones(3), torch.ones(2)]
show(pad_sequence(rows), pad_sequence(rows, True, 9.0, 'left'), pack_sequence(rows), unpack_sequence(pack_sequence(rows)))
show(unpad_sequence(torch.ones(4, 2), torch.tensor([2, 3])))
pad_packed_sequence(pack_sequence(rows), total_length=1)
''', '''
m = nn.LSTM(2, 3, 2)
show(m.all_weights, [w.shape for w in m._flat_weights])
m.weight_ih_l0 = nn.Parameter(torch.zeros(12, 2))
show(m._flat_weights[0], m(torch.ones(1, 1, 2)))
m.double()
show(m._flat_weights[0].dtype, m(torch.ones(1, 1, 2).double())[0].dtype)
''', '''
m = nn.LazyConv2d(4, 3)
show(m, list(m.state_dict()), m.has_uninitialized_params(), nn.parameter.is_lazy(m.weight))
m2 = nn.LazyConv2d(4, 3)
m2.load_state_dict(nn.Conv2d(2, 4, 3).state_dict())
show(m2, m2.weight.shape)
show(m(torch.ones(1, 2, 5, 5)).shape, m, type(m).__name__, m.weight.shape)
lazy = nn.LazyLinear(3).half()
show(lazy(torch.ones(2, 4).half()).dtype, lazy)
nn.Linear(2, 2).load_state_dict(nn.LazyLinear(2).state_dict())
''', '''
p = nn.Parameter(torch.ones(2), requires_grad=False)
b = nn.Buffer(torch.ones(1))
show(isinstance(p, nn.Parameter), isinstance(p, torch.Tensor), isinstance(torch.ones(1), nn.Parameter), p.requires_grad, nn.Parameter().shape)
show(isinstance(b, nn.Buffer), isinstance(torch.ones(1), nn.Buffer), b.persistent, repr(nn.parameter.UninitializedParameter()), repr(nn.UninitializedBuffer()))
nn.UninitializedParameter().shape
''', '''
class A(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a = a
class B(nn.Module):
    call_super_init = True
    def __init__(self, **kwargs):
        super().__init__()
        self.inner = A(3)
    @property
    def broken(self):
        return self.missing
b = B()
show(b, b.inner.a, b._get_name(), B.__mro__[-2].__name__)
show(getattr(b, 'missing', 5))
b.broken
''', '''
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(2, 2)
        self.blocks = nn.Sequential(self.shared, nn.ReLU(), self.shared)
net = Net()
net.set_submodule('blocks.1', nn.Tanh())
show(net, [name for name, _ in net.named_parameters()], list(net.state_dict()), net.get_parameter('shared.weight').shape)
net.register_module('tail', nn.Identity())
show(net.get_submodule('') is net, net.get_submodule('blocks.2') is net.shared)
def drop(module, state, prefix, metadata):
    state.pop(prefix + 'shared.bias')
net._register_state_dict_hook(drop)
net.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
show(list(net.state_dict()), net.load_state_dict(net.state_dict()))
net.register_state_dict_post_hook(lambda *a: 3)
net.state_dict()
''', '''
m = nn.utils.weight_norm(nn.Linear(3, 2))
show(m, list(m.state_dict()), [name for name, _ in m.named_parameters()], m.weight_g.shape, m(torch.ones(1, 3)))
nn.utils.weight_norm(nn.Conv2d(3, 2, 2), dim=None)
nn.utils.remove_weight_norm(m)
show(m, list(m.state_dict()), len(m._forward_pre_hooks), m.weight)
nn.utils.remove_weight_norm(m)
''', '''
m = nn.utils.weight_norm(nn.Linear(3, 2))
nn.utils.weight_norm(m)
''', '''
m = nn.utils.spectral_norm(nn.ConvTranspose2d(3, 2, 2), n_power_iterations=2)
show(m, list(m.state_dict()), m(torch.ones(1, 3, 4, 4)), m.eval()(torch.ones(1, 3, 4, 4)), m.weight_u, m.state_dict()._metadata)
nn.utils.remove_spectral_norm(m)
show(list(m.state_dict()), m.weight, len(m._state_dict_hooks), len(m._forward_pre_hooks))
nn.utils.remove_spectral_norm(m)
''', '''
m = nn.Linear(2, 2)
vector = nn.utils.parameters_to_vector(m.parameters())
nn.utils.vector_to_parameters(vector * 2, m.parameters())
show(vector, m.weight)
m(torch.ones(1, 2)).sum().backward()
show(nn.utils.clip_grad_norm_(m.parameters(), 0.5), m.weight.grad, nn.utils.get_total_norm([m.bias.grad], 1.0))
nn.utils.clip_grad_value_(m.parameters(), 0.1)
show(m.weight.grad, nn.utils.clip_grad_norm_([], 1.0), nn.utils.clip_grad_norm_(m.weight, 1e-3, norm_type='inf'))
m.weight.grad[0] = float('nan')
nn.utils.clip_grad_norm_(m.parameters(), 1.0, error_if_nonfinite=True)
''', '''
conv, bn = nn.Conv2d(2, 3, 2, bias=False).eval(), nn.BatchNorm2d(3).eval()
nn.init.uniform_(bn.running_var, 1, 2)
nn.init.uniform_(bn.weight)
one = nn.utils.fuse_conv_bn_eval(conv, bn)
two = nn.utils.fuse_conv_bn_eval(nn.ConvTranspose2d(2, 3, 2).eval(), bn, transpose=True)
three = nn.utils.fuse_linear_bn_eval(nn.Linear(2, 3).eval(), nn.BatchNorm1d(3).eval())
show(one.weight, one.bias, one, two.weight, two.bias, three.weight, three.bias)
nn.utils.fuse_linear_bn_eval(nn.Linear(2, 3).eval(), nn.BatchNorm1d(2).eval())
''', '''
show(nn.utils.skip_init(nn.Linear, 3, 4, bias=False), nn.utils.skip_init(nn.Conv2d, 3, 4, 2).weight.device.type)
m = nn.utils.convert_conv2d_weight_memory_format(nn.Sequential(nn.Conv2d(2, 3, 2)), torch.channels_last)
show(m[0].weight.stride())
nn.utils.fuse_conv_bn_eval(nn.Conv2d(1, 1, 1), nn.BatchNorm2d(1))
''', '''
import copy
from torch.nn.utils import parametrizations, parametrize
m = parametrizations.weight_norm(nn.Linear(3, 2))
show(m, type(m).__name__, type(m).__module__, type(m).__qualname__, list(m.state_dict()), [name for name, _ in m.named_parameters()], m.weight, m(torch.ones(1, 3)))
m.weight = torch.ones(2, 3)
show(m.weight, m.parametrizations.weight.original0, parametrize.is_parametrized(m), parametrize.type_before_parametrizations(m).__name__)
show(m.load_state_dict({'bias': torch.ones(2), 'weight_g': torch.ones(2, 1), 'weight_v': torch.ones(2, 3)}), m.weight)
c = copy.deepcopy(m)
show(c, c.weight, c.parametrizations.weight.original0 is m.parametrizations.weight.original0)
parametrize.remove_parametrizations(m, 'weight')
show(m, type(m).__name__, list(m.state_dict()), m.weight)
parametrize.remove_parametrizations(m, 'weight')
''', '''
from torch.nn.utils import parametrizations, parametrize
m = parametrizations.spectral_norm(nn.Conv2d(2, 3, 2), n_power_iterations=2)
show(m, list(m.state_dict()), m.weight, m.eval().weight, m(torch.ones(1, 2, 4, 4)))
for shape in ((3, 3), (4, 2), (2, 4)):
    for kind in (None, 'matrix_exp', 'cayley', 'householder'):
        o = parametrizations.orthogonal(nn.Linear(*shape), orthogonal_map=kind)
        show(o, [(k, v.shape) for k, v in o.state_dict().items()], (o.weight * 1000).round())
show(parametrizations.orthogonal(nn.Linear(3, 2), orthogonal_map='householder', use_trivialization=False).weight.shape)
parametrizations.orthogonal(nn.Linear(3, 2), name='bias')
''', '''
from torch.nn.utils import parametrize
class Symmetric(nn.Module):
    def forward(self, X):
        return X.triu() + X.triu(1).transpose(-1, -2)
class Wrong(nn.Module):
    def forward(self, X):
        return X[0]
m = nn.Linear(3, 3)
parametrize.register_parametrization(m, 'weight', Symmetric())
parametrize.register_parametrization(m, 'weight', Symmetric())
show(m, torch.equal(m.weight, m.weight.T), list(m.state_dict()))
with parametrize.cached():
    show(m.weight is m.weight)
show(m.weight is m.weight, len(m.parametrizations.weight))
parametrize.remove_parametrizations(m, 'weight', leave_parametrized=False)
show(m)
for name in ('zzz', 'weight'):
    try:
        parametrize.register_parametrization(m, name, Wrong())
    except ValueError as problem:
        show(str(problem))
parametrize.register_parametrization(m, 'weight', Symmetric())
m.weight = torch.ones(3, 3)
''', '''
from torch.nn.utils import stateless
m = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
m[1].weight = m[0].weight
show(stateless.functional_call(m, {'0.weight': torch.ones(2, 2)}, torch.ones(1, 2)), m[0].weight is m[1].weight)
show(stateless.functional_call(m, {'0.weight': torch.ones(2, 2)}, (torch.ones(1, 2),), tie_weights=False), m(torch.ones(1, 2)))
stateless.functional_call(m, {'weight': torch.ones(2, 2)}, (torch.ones(1, 2),), strict=True)
''', '''
m = nn.DataParallel(nn.Linear(2, 2))
show(m, list(m.state_dict()), m(torch.ones(1, 2)), nn.factory_kwargs({'dtype': torch.float64}), type(m).__module__)
nn.factory_kwargs({'a': 3})
''', '''
t = torch.arange(4.0)
show(torch.Tensor.add(t, 1), torch.Tensor.mul(t, other=t), torch.Tensor.view(t, 2, 2), list(map(torch.Tensor.numel, [t, t[:2]])))
show(torch.Tensor.norm(t), torch.Tensor.split(t, 2), torch.Tensor.__mul__(t, 2), hasattr(torch.Tensor, 'nothing'))
torch.Tensor.add(3, t)
''',
]
