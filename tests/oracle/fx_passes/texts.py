# SPDX-License-Identifier: GPL-3.0-or-later
# Text that a pass makes or asks for: exec and eval, its own source, words for argparse.
# case: text_run Two() text_run
# case: text_generated Two() text_generated
# case: text_faults Two() text_faults
# case: text_source Two() text_source
# case: text_parsed Two() text_parsed
# case: text_alike Two() text_alike
# case: text_annotated Two() text_annotated

import argparse
import collections.abc
import functools
import inspect

import torch
import torch.fx
import torch.nn as nn


class Two(nn.Module):
    def forward(self, x):
        return torch.relu(x) + torch.relu(x * 2)


INPUTS = (torch.linspace(-1, 1, 4),)
FACTOR = 3


def text_run(gm):
    names = {}
    exec('def double(x):\n    return x * factor\nfactor = 2\nclass Kind:\n    size = factor', names)
    print(names['double'](4), names['Kind'].size, sorted(names), names['__builtins__']['len']([1]))
    names['factor'] = 5
    print(names['double'](4), eval('double(factor) + 1', names), eval(' [x for x in range(factor)]', names))
    local = 7
    print(eval('local + FACTOR'), eval('FACTOR', {'FACTOR': 1}), eval('a + b', {'a': 1}, {'b': 2}))
    own = {'y': 1}
    exec('y = y + 1\nz = FACTOR\ndel w\nimport math\nlower = math.floor(z / 2)', globals(), own | {'w': 0})
    own['w'] = 0
    exec('y = y + 1\nz = FACTOR\ndel w', globals(), own)
    print(own, 'z' in globals())
    code = compile('total = sum(values)', 'made.py', 'exec')
    names = {'values': [1, 2]}
    print(exec(code, names), names['total'], code.co_filename, code.co_name)
    print(eval(compile('x * x', '<text>', 'eval'), {'x': torch.ones(2) * 3}), eval(code, names), eval(b'1 + 1'))
    exec('global FACTOR2\nFACTOR2 = 8')
    print(FACTOR2)


def text_generated(gm):
    lines = ['def forward(self, x):', *(f'    x = torch.{name}(x)' for name in ('sin', 'tanh')), '    return x']
    names = {'torch': torch}
    exec('\n'.join(lines), names)
    made = type('Made', (nn.Module,), {'forward': names['forward']})()
    traced = torch.fx.symbolic_trace(made)
    print(traced.graph)
    names = {'torch': torch}
    exec(gm.code, names)
    print(torch.equal(names['forward'](gm, INPUTS[0]), gm(INPUTS[0])))
    for node in gm.graph.nodes:
        if node.op == 'call_function' and node.target is torch.relu:
            node.target = eval('torch.nn.functional.gelu')
    gm.recompile()
    return gm


def text_faults(gm):
    for work in (lambda: exec('x = ='), lambda: eval('1 +'), lambda: eval('x = 1'), lambda: exec(3), lambda: eval('nobody'),
                 lambda: exec('raise ValueError("own")'), lambda: eval('1 / 0'), lambda: compile('1', 'f', 'nothing'),
                 lambda: exec('1', 3), lambda: exec('1', {}, 3)):
        try:
            work()
        except Exception as error:
            print(type(error).__name__, str(error) if not isinstance(error, SyntaxError) else '')


def decorate(function):
    return function


@decorate
@functools.lru_cache(maxsize=None)
def decorated(x, y=(1,
                    2)):
    """Says
    something."""
    if x:
        return y

    return x  # the end


class Outer:
    class Inner:
        text = """
not indented
"""

        def method(self):
            def inside(): return 1
            return inside

    @property
    def size(self):
        return 3


LAMBDA = lambda x: (x +
                    1)


def text_source(gm):
    for what in (Two, Two.forward, Outer, Outer.Inner, Outer.Inner.method, Outer().Inner().method, Outer.Inner().method(), LAMBDA,
                 Outer.size.fget, decorated, text_source, decorate):
        print(inspect.getsource(what))
        lines, first = inspect.getsourcelines(what)
        print(len(lines), first)
    print(inspect.getsource(inspect.getmodule(Two))[:40])
    for what in (len, 3, int):
        try:
            inspect.getsource(what)
        except (TypeError, OSError) as error:
            print(type(error).__name__)
    print(inspect.signature(decorated), inspect.signature(Two.forward), inspect.signature(Outer.Inner().method))


def text_parsed(gm, words: str = '--factor=4,--only,relu,-v'):
    parser = argparse.ArgumentParser('pass', description='Scales.')
    parser.add_argument('--factor', type=float, default=2.0)
    parser.add_argument('--only', choices=['relu', 'gelu'], nargs='*')
    parser.add_argument('-v', '--verbose', action='store_true')
    options = parser.parse_args(words.split(','))
    print(options)
    for node in list(gm.graph.nodes):
        if node.op == 'call_function' and node.target.__name__ in options.only:
            with gm.graph.inserting_after(node):
                scaled = gm.graph.call_function(torch.mul, (node, options.factor))
            node.replace_all_uses_with(scaled, delete_user_cb=lambda user: user is not scaled)
    gm.recompile()
    return gm


def made_by(number):
    def helper(x):
        return x * number

    return helper


def text_alike(gm):
    one, other = made_by(1), made_by(2)
    graph = torch.fx.Graph()
    x = graph.placeholder('x')
    graph.output(graph.call_function(one, (graph.call_function(other, (x,)),)))
    module = torch.fx.GraphModule(nn.Module(), graph)

    def of(function):
        pattern = torch.fx.Graph()
        pattern.output(pattern.call_function(function, (pattern.placeholder('a'),)))
        return torch.fx.GraphModule(nn.Module(), pattern)

    for function in (made_by(3), other, one):
        found = torch.fx.replace_pattern(module, of(function), of(torch.relu))
        print(len(found), [getattr(node.target, '__name__', node.target) for node in module.graph.nodes])
    print(module(torch.ones(1)))


def text_annotated(gm):
    def take(one: collections.abc.Callable[[int], str] | None, two: collections.abc.Sequence[int] | int, three: 'int | None' = None):
        return one

    for parameter in inspect.signature(take).parameters.values():
        print(parameter.name, parameter.annotation)
    print(collections.abc.Callable[..., int] | str | None, (collections.abc.Mapping[str, int] | None).__args__,
          isinstance(3, int | collections.abc.Sized))
