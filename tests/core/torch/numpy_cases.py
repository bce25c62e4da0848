# SPDX-License-Identifier: GPL-3.0-or-later
# Expressions about numpy, and functions that models make of it, for make_nn_programs.py: each prints its value, or the first
# line of its error. Run by the real numpy, and by the evaluator with our text of it (core/torch/library/numpy).
SETUP = '''
import math
import numpy as np

x = torch.arange(12.).reshape(3, 4)

def attempt(text, call):
    try:
        print(text, '->', repr(call()))
    except Exception as error:
        print(text, '->', type(error).__name__, str(error).split(chr(10))[0])
'''

ARRAYS = [
    'np.array([[1],[2,3]])', 'np.array(1.5)', 'np.zeros((0,3))', 'np.zeros(2,dtype=bool)', 'np.array([1e10,1.])',
    'np.array([1e-5,1])', 'np.array([np.nan,1,np.inf])', 'np.arange(1001)', 'np.linspace(0,1,5)',
    'np.array([0.1,1/3],dtype=np.float32)', 'np.array([1/3,2])', 'np.array([1+2j])', 'np.arange(0,1,0.1)',
    'np.arange(3,dtype=np.float32)', 'np.zeros(3,np.int32)', 'np.ones((1,2,2))', 'np.zeros((2,0))',
    'np.array([0.1,12.5,100])', 'np.array([123456789.])', 'np.array([0.00012345678912,1])', 'np.array([1e-10])',
    'np.array([1.5,-2])', 'np.array([-1,10])', 'np.arange(30)', 'np.linspace(0,1,20)',
    'np.zeros((40,50),dtype=np.float32)', 'np.array([-1.5,2,np.nan])', 'np.array([-1.5,2,-np.inf])',
    'np.array([1e-7,-1e5])', 'np.array([0.1,-0.25],dtype=np.float16)', 'np.array([1+2j,-3.5j])',
    'np.array([1,-2],dtype=np.int8)', 'np.array(2.0)', 'np.array(2.5,dtype=np.float32)',
    'np.array([[True,False],[False,True]])', 'np.array([],dtype=np.float32)', 'np.zeros((0,),dtype=int)',
    'np.array([1e16,1])', 'np.array([100000000.0])', 'np.array([99999999.0,1])', 'np.array([1000.5,0.5])',
    'np.array([1001.,1.])', 'np.array([0.001,1.])', 'np.array([1.23456789012,1000.])', 'np.arange(1,10,3)',
    'np.arange(5,0,-2)', 'np.arange(0.5,3)', 'np.arange(0,1,0.3,dtype=np.float32)', 'np.arange(3.)',
    'np.linspace(0,10,5,dtype=int)', 'np.linspace(1,2,3,endpoint=False)', 'np.linspace(0,1,1)', 'np.linspace(0,1,0)',
    "np.array([1,2],dtype='float32')", "np.array([1,2],dtype='<i4')", 'np.array([1,2],ndmin=2)',
    'np.array([(1,2),(3,4)])', 'np.array(range(3))', 'np.array([np.array([1,2]),np.array([3,4])])',
    'np.array([1,2.5,True])', 'np.array([[]])', 'np.array([])', 'np.array(True)', 'np.array([2**40])',
    'np.array([1,[2]])', 'np.array([[1,2],[3]])', 'np.array([[[1],[2]],[[3]]])',
]
SCALARS = [
    'np.uint8(300)', 'np.int64(2)**-1', 'np.float64(1)[0]', 'np.float64(1)==None', 'np.float32(0.1)',
    'np.float32(1)+1.5', 'np.float32(1)+np.float64(1)', 'np.array([1,2],dtype=np.float32)*np.float64(2)',
    '5//np.int64(2)', 'np.float64(5)//2', '-7//np.int32(2)', 'np.float32(3)**2', 'divmod(np.int64(7),2)',
    'round(np.float64(2.567),1)', 'round(np.float64(2.5))', 'np.int64(5)/2', '[1,2,3][np.int64(1)]', 'np.int64(5)==5',
    'np.bool_(True)&True', 'isinstance(np.int64(1),int)', 'isinstance(np.float64(1),float)', 'str(np.float32(0.1))',
    "f'{np.float32(0.1)}'", "f'{np.float64(1.5):.2f}'", 'np.float32([1,2])', "np.float64('1.5')", 'np.int64(3.7)',
    'np.bool_([])', 'np.float16(1.1)', 'np.uint8(200)+np.uint8(100)', 'abs(np.int64(-3))', '-np.float32(2)',
    'np.int64(3)<4.5', 'np.float64(0.1)+0.2', 'np.float32(1e10)', 'np.float32(16777216)', 'np.float64(1e20)',
    'np.float32(1/3)', 'np.float16(1/3)', 'np.float32(1e-5)', 'np.float32(123456.789)', 'np.float32(1e16)',
    'np.float64(1e16)', 'np.float64(123456789012345680)', 'np.float32(0.0001)', 'np.float32(-0.0)',
    'np.float32(np.nan)', 'np.complex64(1+2j)', 'np.complex128(1j)', 'np.int8(5)', 'np.uint16(5)', 'np.bool_(0)',
    'np.array([1,2],dtype=np.int32)*np.float32(1)', 'np.uint8(1)-np.uint8(2)', 'np.float64(3).astype(np.int32)',
    'np.float64(2.5).round()', 'np.sqrt(np.float32(2))', 'np.float64(1).item()', 'np.int64(1).tolist()',
    'type(np.float64(1).item())', 'type(np.int32(1).item())', 'int(np.float32(3.7))', 'float(np.int64(3))',
    'complex(np.float64(1))', 'hash(np.int64(5))==hash(5)', '{np.int64(1):2}[1]', 'np.int64(3) in [1,2,3]',
    'range(np.int64(3))', 'list(range(np.int32(3)))', '[0]*np.int64(2)', "'ab'[np.int64(1)]", "'%d'%np.int64(3)",
    "'%.2f'%np.float32(1.5)", "f'{np.int64(3):03d}'", 'str(np.int64(4))', 'str(np.float64(0.5))',
    'isinstance(np.int64(1),np.integer)', 'isinstance(np.float32(1),np.floating)',
    'isinstance(np.float32(1),np.number)', 'np.float32(2)>1', 'max(np.float64(1),2)', 'sum([np.float64(0.5),1])',
    'pow(np.int64(2),3)', 'np.float64(2)**3', '2**np.float64(3)', 'np.int64(7)//np.int64(2)', 'np.int64(7)%4',
    'np.int64(-7)//2', 'np.float32(1)/3', '1/np.float32(3)', 'np.int32(5)+np.int64(1)', 'np.int32(5)+1.5',
    'np.float16(1)+1', 'np.uint8(5)*2', '5-np.uint8(3)', 'round(np.float32(1.26),1)', 'math.sqrt(np.float64(4))',
    'math.floor(np.float32(2.5))', 'np.round(math.log(np.int64(8),2), 9)', 'np.array([np.float32(1),2])',
]
DTYPES = [
    'np.floor(np.array([1,2])).dtype', 'np.sqrt(np.array([1],dtype=np.int8)).dtype',
    '(np.array([1],dtype=np.int8)/np.array([1],dtype=np.int8)).dtype', "np.dtype('flat')",
    'np.issubdtype(np.float32,np.floating)', 'np.iinfo(np.int32).max', 'np.finfo(np.float32).eps',
    'np.finfo(np.float32)', 'np.finfo(np.float64).max', 'np.dtype(np.float32)', 'np.result_type(np.int8,np.float16)',
    "np.dtype('f4')", "np.dtype('i8')", 'np.dtype(int)', "np.dtype('uint8').itemsize",
    "np.dtype('float32')==np.float32", "np.float32==np.dtype('float32')", 'np.zeros(2).dtype.name',
    'np.zeros(2).dtype.kind', 'np.dtype(float).type', 'np.result_type(np.float32,1.5)', "np.promote_types('i4','f4')",
    "np.can_cast('i4','f8')", 'np.issubdtype(np.int32,np.integer)', 'np.issubdtype(np.zeros(2).dtype,np.floating)',
    'np.issubdtype(float,np.float64)', "np.iinfo('int8')", 'np.finfo(np.float64).tiny', "np.finfo('float32').max",
]
OPERATORS = [
    'np.array([1,2],dtype=np.uint8)+300', 'np.float_', 'np.nothing', 'np.zeros(3)+np.zeros(2)', 'int(np.array([1,2]))',
    'bool(np.array([1,2]))', 'len(np.array(1))', 'np.eye(2)@np.ones(3)', 'np.zeros(2)==None', "np.zeros(2)=='a'",
    'np.array(3)+1', 'np.True_', 'np.float32', 'str(np.array([1.5,2]))', 'np.e', 'np.inf', 'type(np.pi)',
    'np.array([[1,2],[3,4]])@np.array([1,1])', 'np.linalg.norm([3,4])', 'list(np.arange(2))', 'np.array([1.,2.])/0',
    'np.arange(30)*1.5', 'str(np.array(2.0))', 'str(np.arange(24).reshape(2,3,4))', 'np.array([1,2])*1.5',
    'np.array([1,2],dtype=np.float32)*1.5', 'np.array([1,2],dtype=np.int8)*2',
    'np.array([1,2],dtype=np.int8)+np.array([1],dtype=np.uint8)', 'np.array([True])+1', 'np.array([True])+True',
    'np.array([True])*1.5', 'np.array([1,2],dtype=np.float16)+np.array([1],dtype=np.int32)',
    'np.array([1],dtype=np.uint8)-1', 'np.array([1,2])**2', 'np.array([1,2])**0.5', '2**np.array([1,2])',
    'np.array([7,-7])//2', 'np.array([7,-7])%3', 'np.array([7.5])//2', 'np.array([1,2])==np.array([1,3])',
    'np.array([1,2])<2', '~np.array([True])', '-np.array([1])', 'abs(np.array([-1.5]))', 'np.array([1,2])&3',
    'np.array([1,2])<<1', 'np.where(np.array([1,0])>0,1.5,np.array([2,3]))', 'np.linalg.norm([1.,2.,2.])',
    'type(np.bool_(1).item())', 'bool(np.bool_(False))', '3 in np.array([1,2,3])', 'str(np.bool_(True))',
    'isinstance(np.bool_(1),np.generic)', 'not np.bool_(False)', 'sum(np.array([1,2,3]))', 'min(np.array([3,1]))',
    'sorted(np.array([3,1]))', 'divmod(np.array([7,8]),3)', 'np.bool8', 'np.ndarray', 'np.integer',
    'np.__version__[:2]', 'np.inf-np.inf', '-np.inf', 'np.newaxis', 'len(np.zeros((3,2)))',
    'list(zip(np.arange(2),np.arange(2)))',
]
INDEXING = [
    'np.arange(3)[5]', 'np.array([1,2,3])[::-1]', 'np.array([[1,2],[3,4]])[:, ::-1]', 'np.arange(10)[2:8:2]',
    'np.arange(10)[-3:]', 'np.arange(10)[[1,3]]', 'np.arange(10)[np.array([1,3])]', 'np.arange(10)[np.arange(10)>6]',
    'np.arange(6).reshape(2,3)[1]', 'np.arange(6).reshape(2,3)[1,2]', 'np.arange(6).reshape(2,3)[:,1]',
    'np.arange(6).reshape(2,3)[...,0]', 'np.arange(6).reshape(2,3)[1,...]', 'np.arange(6).reshape(2,3)[[0,1],[1,2]]',
    'np.arange(6)[::-2]', 'np.arange(6)[4:1:-1]', 'np.arange(3)[...]', 'np.array(5)[()]',
    'np.arange(6).reshape(2,3)[-1,-1]', 'np.arange(6).reshape(2,3)[2]', 'np.arange(6).reshape(2,3)[0,3]',
    'np.arange(3)[0,0]', 'np.arange(3)[1.0]', "np.arange(3)['a']", '[x.tolist() for x in np.arange(4).reshape(2,2)]',
]
METHODS = [
    'np.zeros(3).reshape(2,2)', 'np.zeros((2,3)).sum(axis=2)', 'np.zeros(3).item()',
    'np.array([1,2]).astype(float).tolist()', 'np.zeros((2,2)).argmax()', 'np.array([3,1,2]).sort()',
    'np.array([1,2]).mean()', 'np.array([True,False]).sum()', 'np.arange(5).reshape(-1,1).T.shape',
    'np.array(5).item()', 'np.array([1.,2.]).tolist()', 'np.array([1,2]).max()', 'np.arange(60).reshape(3,20)',
    'np.arange(24).reshape(2,3,4)', 'np.arange(16.).reshape(2,2,2,2)', 'np.arange(2000).reshape(40,50)',
    'np.array([[1,2],[3,4]]).sum(axis=0)', 'np.array([[1,2],[3,4]]).sum(axis=(0,1))',
    'np.array([[1,2],[3,4]]).sum(1,keepdims=True)', 'np.array([[1,2],[3,4]]).mean(axis=1)',
    'np.array([[1,2],[3,4]]).var(axis=0,ddof=1)', 'np.array([1,2],dtype=np.int8).sum()',
    'np.array([1,2],dtype=np.uint8).sum()', 'np.array([1,2],dtype=np.float32).mean()',
    'np.array([[3,1],[2,5]]).argmax(axis=1)', 'np.array([[3,1],[2,5]]).max(axis=0)', 'np.array([[3,1],[2,5]]).min()',
    'np.array([[1,2],[3,4]]).cumsum()', 'np.array([[1,2],[3,4]]).cumsum(axis=1)', 'np.array([[1,2],[3,4]]).prod()',
    'np.array([[1,2],[3,4]]).T', 'np.array([[1,2],[3,4]]).ravel()', 'np.array([[1,2],[3,4]]).flatten()',
    'np.array([[1,2],[3,4]]).transpose(1,0)', 'np.zeros((2,3,4)).transpose((2,0,1)).shape',
    'np.zeros((2,3,4)).swapaxes(0,2).shape', 'np.arange(6).reshape(2,-1)', 'np.arange(6).reshape((3,2))',
    'np.array([1.234,5.678]).round(1)', 'np.array([1.9,-1.9]).astype(int)', 'np.array([0,2]).astype(bool)',
    'np.array([1,2,3]).dot([1,2,3])', 'np.array([3,1,2]).argsort()', 'np.array([1,2,3]).take([0,2])',
    'np.array([[1,2]]).squeeze()', 'np.array([1.5,2.5]).clip(2)', 'np.array([1,2]).repeat(2)',
    'np.array([1,2]).nonzero()', 'np.array([1,2]).any()', 'np.array([1,2]).all()', 'np.array([1,2]).size',
    'np.array([1,2]).nbytes', 'np.array([[1,2],[3,4]]).tolist()', 'np.array([5]).item()', 'np.array([5,6]).item(1)',
    'np.array([1,2]).copy()',
]
FUNCTIONS = [
    'np.round(2.5)', 'np.floor(2.5)', 'np.abs(-3)', 'np.abs(-3.)', 'np.power(2,3)', 'np.round(3)', 'np.ceil(3)',
    'np.clip(3,0,2)', 'np.prod((2,3))', 'np.prod(())', 'np.mean([1,2])', 'np.sign(-3)', 'np.maximum(1,2.5)',
    'np.concatenate([np.zeros(2),np.zeros((2,2))])', 'np.stack([np.zeros(2),np.zeros(3)])', 'np.unique([3,1,1])',
    'np.diff([1,4,9])', 'np.array([1,2])[None].shape', 'np.shape([1,2])', 'np.round(np.array([1,2,3]).std(), 9)',
    'np.meshgrid(np.arange(2),np.arange(3))', 'np.full((2,),3)', 'np.full(2,1.5,dtype=np.float32)', 'np.eye(2)',
    'np.tile([1,2],2)', 'np.repeat([1,2],2)', 'np.where([True,False],1,2)', 'np.isclose(1,1+1e-9)',
    'np.allclose([1],[1.1])', 'np.outer([1,2],[3,4])', 'np.cumsum([1,2,3])', 'np.argmax([1,3,2])', 'np.sort([3,1])',
    'np.argsort([3,1])', 'np.max([1,2])', "np.einsum('m,d->md',np.arange(2.),np.arange(2.))", 'np.log2(8)',
    'np.dot([1,2],[3,4])', 'np.expand_dims(np.zeros(2),0).shape', 'np.squeeze(np.zeros((1,2))).shape',
    'np.array_equal([1],[1])', 'np.split(np.arange(4),2)', 'np.pad([1],1)', 'np.roll([1,2,3],1)', 'np.asarray(3.5)',
    'np.isnan(np.nan)', 'np.all([True])', 'np.any([0,1])', 'np.ascontiguousarray([1])',
    'np.round(np.array([[1,2],[3,4]]).std(), 9)', 'np.around([0.5,1.5,2.5])', 'np.clip([1,5,10],2,8)',
    'np.clip(np.array([1.5,5]),None,2)', 'np.maximum([1,2],[2,1])', 'np.minimum(np.array([1,2]),1.5)',
    'np.where(np.array([0,1]))', 'np.concatenate([[1,2],[3.5]])',
    'np.concatenate([np.ones((1,2)),np.zeros((1,2))],axis=1)', 'np.stack([[1,2],[3,4]],axis=1)',
    'np.vstack([[1,2],[3,4]])', 'np.hstack([[1,2],[3,4]])', "np.meshgrid([1,2],[3,4,5],indexing='ij')",
    'np.tile([[1,2]],(2,2))', 'np.repeat([[1,2],[3,4]],2,axis=0)', 'np.eye(2,3,k=1)', 'np.full((2,2),7.)',
    'np.zeros_like([1,2])', 'np.ones_like(np.zeros(2,dtype=np.float32))', 'np.round(np.exp(1), 9)',
    'np.round(np.exp(np.array([0,1])), 9)', 'np.sqrt(16)', 'np.round(np.log(np.e), 9)', 'np.sin(0)',
    'np.power(2.,[1,2])', 'np.power([2,3],2)', 'np.divide([1,2],2)', 'np.floor([1.5,-1.5])', 'np.ceil(1.2)',
    'np.sign([-2.,0,3])', 'np.square(3)', 'np.isnan([1,np.nan])', 'np.isinf(np.inf)',
    'np.logical_and([True,False],True)', 'np.array_equal([1,2],[1,3])', 'np.count_nonzero([0,1,2])',
    'np.nonzero([0,1,2])', 'np.argwhere([0,1,2])', 'np.unique([3,1,1],return_counts=True)',
    'np.diff(np.array([1.,4.,9.]))', 'np.sort([[3,1],[2,5]],axis=0)', 'np.argsort([3,1,2])', 'np.outer([1.,2.],[3,4])',
    'np.dot([[1,2],[3,4]],[1,1])', 'np.matmul([[1,2],[3,4]],[[1,0],[0,1]])', "np.einsum('ij,j->i',[[1,2],[3,4]],[1,1])",
    'np.expand_dims([1,2],1)', 'np.squeeze([[1,2]])', 'np.moveaxis(np.zeros((2,3,4)),0,-1).shape',
    'np.broadcast_to([1,2],(2,2))', 'np.flip([1,2,3])', 'np.pad([[1]],((1,0),(0,1)))', 'np.triu(np.ones((2,2)))',
    'np.trace([[1,2],[3,4]])', 'np.average([1,2,3],weights=[1,1,2])', 'np.amax([1,3])', 'np.prod(np.array([2,3]))',
    'np.mean(np.array([[1,2],[3,4]]),axis=0)', 'np.sum([1.5,2.5])', 'np.sum(np.ones((2,3)),axis=-1)', 'np.all([1,0])',
    'np.any(np.array([[0,1],[0,0]]),axis=1)', 'np.array([1,2])[:,np.newaxis].shape',
]
TORCH = [
    'torch.ones(3)*np.ones(3)', 'np.float64(2)*torch.ones(2)', 'torch.ones(2)*np.float32(2)',
    'torch.ones(2)*np.float64(2)', 'torch.ones(2,dtype=torch.int64)*np.float64(2)', 'np.float32(2)*torch.ones(2)',
    'np.int64(2)*torch.ones(2)', 'torch.tensor(np.float64(1))', 'torch.tensor([np.float64(1)])',
    'torch.tensor([np.int32(1)])', 'torch.tensor([np.array([1.,2.])])', 'torch.full((2,),np.float32(1.5))',
    'torch.ones(np.int64(2))', 'torch.as_tensor(np.int32(3))', 'torch.from_numpy(np.float64(1))',
    'torch.ones(2,requires_grad=True).numpy()', 'torch.ones(2,dtype=torch.bfloat16).numpy()', 'np.array(torch.ones(2))',
    'np.array([torch.ones(2),torch.zeros(2)])', 'np.asarray([torch.tensor(1.5)])', 'np.zeros(2).dtype==torch.float64',
    'torch.zeros(2).numpy().dtype', 'torch.zeros(np.int64(2),3).shape',
    'torch.zeros(2,3).reshape(np.int64(3),-1).shape', 'torch.nn.Linear(np.int64(2),np.int32(3))',
    'torch.tensor([1,2])*np.int64(2)', 'torch.tensor([1.,2.])+np.float32(0.5)', 'torch.tensor([1,2])[np.int64(1)]',
    'torch.from_numpy(np.arange(3))', 'torch.from_numpy(np.ones(2,dtype=np.float32))',
    'torch.tensor(np.array([[1,2],[3,4]]))', 'torch.tensor(np.array([1.5]),dtype=torch.float32)',
    'torch.tensor(np.float32(1.5))', 'torch.tensor(np.bool_(True))', 'torch.tensor([np.float32(1.5),2])',
    'torch.as_tensor(np.array([1.5]))', 'torch.tensor([1.,2.]).numpy()', 'torch.arange(3).numpy()',
    'torch.tensor([True]).numpy()', 'torch.tensor(2.5).numpy()', 'torch.ones(2,requires_grad=True).detach().numpy()',
    'torch.linspace(0,1,3).numpy().tolist()', 'np.array(torch.tensor([1,2]))', 'np.asarray(torch.tensor([1.5]))',
    'np.sqrt(torch.tensor([4.]).numpy())', 'torch.full((2,),np.float64(0.5))', 'torch.randn(2,3).numpy().shape',
    'x[np.array([0,2])]', 'x[:, np.array([True,False,True,False])]', 'x[np.int64(1), np.int32(2)]',
    'x[np.int64(1):np.int64(3)].shape', 'torch.Tensor(np.array([1,2]))',
    'torch.FloatTensor(np.array([1.,2.], dtype=np.float32))', 'torch.LongTensor(np.array([1,2]))',
    'torch.from_numpy(np.arange(6).reshape(2,3)[:, 1:])', 'x.new_tensor(np.array([1,2]))',
    'torch.tensor(np.arange(3)[::2])', 'x.view(np.int64(4), np.int64(3)).shape', 'torch.arange(np.int64(3))',
    'torch.linspace(np.float64(0), np.float32(1), np.int64(3))',
    'torch.nn.Conv2d(np.int64(3), 4, kernel_size=np.int64(3), stride=(np.int64(2), 1))',
    'torch.nn.functional.interpolate(x[None,None], scale_factor=np.float64(2)).shape', 'torch.full((2,), np.int64(3))',
    'x.mul(np.float32(2)).sum()', 'torch.stack([torch.from_numpy(np.ones(2)), torch.tensor(np.zeros(2))])',
    'np.mean(torch.tensor([1.,2.]).numpy())', 'torch.max(torch.tensor(np.array([1,5,2]))).item()', 'x.numpy()[0]',
    'x.cpu().detach().numpy().astype(np.int32).tolist()', 'np.asarray(x).shape', 'np.float64(x[0,1])',
    'np.array(x[0,1].item())', 'int(np.ceil(7 / 2))', 'np.sqrt(x).dtype', 'np.prod(x.shape)',
    'np.prod(torch.Size([2,3]))', 'np.array(x.shape)', 'np.argmax(x.numpy(), axis=1)', 'np.cumsum([0] + [1,2])[:-1]',
    'np.abs(-x)[0]',
]

MODELS = [
    # Positions as sines and cosines, as vision transformers make them.
    '''
def positions(width, size):
    rows, columns = np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32)
    grid = np.stack(np.meshgrid(columns, rows), axis=0).reshape([2, 1, size, size])
    parts = []
    for axis in range(2):
        omega = np.arange(width // 4, dtype=np.float64)
        omega /= width / 4.
        omega = 1. / 10000 ** omega
        angles = np.einsum('m,d->md', grid[axis].reshape(-1), omega)
        parts.append(np.concatenate([np.sin(angles), np.cos(angles)], axis=1))
    found = np.concatenate(parts, axis=1)
    return np.concatenate([np.zeros([1, width]), found], axis=0)

table = positions(16, 3)
print(table.shape, table.dtype, np.round(table[:3], 6))
parameter = nn.Parameter(torch.zeros(1, 10, 16), requires_grad=False)
parameter.data.copy_(torch.from_numpy(table).float().unsqueeze(0))
show(parameter)
''',
    # Widths and depths of the stages of a network, from a line.
    '''
def stages(slope, first, factor, depth, multiple=8):
    continuous = np.arange(depth) * slope + first
    places = np.round(np.log(continuous / first) / np.log(factor))
    widths = np.round(np.divide(first * np.power(factor, places), multiple)) * multiple
    found, counts = np.unique(widths.astype(int), return_counts=True)
    return found.tolist(), counts.tolist(), int(places.max() + 1)

print(stages(36.44, 49, 2.49, 13))
rates = [value.item() for value in np.linspace(0, 0.1, 5)]
print(rates, [type(rate) for rate in rates[:1]])
layer = nn.Linear(int(np.prod((2, 3, 4))), np.int64(5))
print(layer, layer.weight.shape)
show(layer(torch.ones(1, 24)).shape)
''',
    # Which position of a window is how far from which other.
    '''
def relative(height, width):
    places = np.stack(np.meshgrid(range(height), range(width), indexing='ij')).reshape(2, -1)
    distance = places[:, :, None] - places[:, None, :]
    distance = distance.transpose(1, 2, 0).copy()
    distance[:, :, 0] += height - 1
    distance[:, :, 1] += width - 1
    distance[:, :, 0] *= 2 * width - 1
    return distance.sum(-1)

print(relative(2, 3))
class Window(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('index', torch.from_numpy(relative(2, 3)))
        self.scale = 1 / np.sqrt(16)
    def forward(self, x):
        return x[self.index] * self.scale
show(Window()(torch.arange(15.)))
''',
    # Arrays share the memory of their tensors.
    '''
array = np.zeros(3, dtype=np.float32)
tensor = torch.from_numpy(array)
tensor[0] = 5
array[1:] += 2
print(array, tensor, tensor.numpy() is array)
copied = torch.tensor(array)
array[:] = [1, 2, 3]
print(copied, tensor)
array[array > 1] = -1
array[[0, 0]] = 7
print(array, array.sum(), array.dtype)
for index, value in [(5, 1), (slice(0, 2), [1, 2, 3])]:
    try:
        array[index] = value
    except (IndexError, ValueError) as error:
        print(type(error).__name__, error)
''',
    # What is only mentioned.
    '''
from typing import Optional, Union
import numpy.typing as npt
from numpy import ndarray
from numpy.random import RandomState

def load(image: Union[np.ndarray, torch.Tensor], seed: Optional[np.random.RandomState] = None, like: npt.ArrayLike = None) -> np.ndarray:
    return image if isinstance(image, np.ndarray) else np.asarray(image)

print(load(torch.ones(2)), isinstance(1, (int, np.integer)), isinstance(np.int16(1), (int, np.integer)))
print(ndarray is np.ndarray, np.ndarray.__name__, np.ndarray.__module__, np.float32.__name__, np.int64.__mro__[1].__name__)
import numbers
print(isinstance(np.int64(1), numbers.Integral), isinstance(np.float32(1), numbers.Real), isinstance(np.bool_(1), numbers.Number))
with np.errstate(divide='ignore'):
    print(np.array([1.]) / 0)
''',
]


def scripts():
    for name, expressions in [('arrays', ARRAYS), ('scalars', SCALARS), ('dtypes', DTYPES), ('operators', OPERATORS),
                              ('indexing', INDEXING), ('methods', METHODS), ('functions', FUNCTIONS), ('torch', TORCH)]:
        for start in range(0, len(expressions), 12):
            lines = [f'attempt({text!r}, lambda: {text})\n' for text in expressions[start:start + 12]]
            yield f'numpy {name} {start // 12}', SETUP + ''.join(lines)
    for number, source in enumerate(MODELS):
        yield f'numpy model {number}', 'import numpy as np\n' + source
