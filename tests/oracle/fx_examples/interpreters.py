# SPDX-License-Identifier: GPL-3.0-or-later
# The example of the interpreter's and the transformer's documentation: neg and sigmoid change places. The documentation's own
# text calls super with a name that is not there, which is an error of the first call that is not swapped.
# case: swap_by_interpreter fn NegSigmSwapInterpreter
# case: swap_by_transformer fn NegSigmSwapXformer
# case: swap_all_by_transformer more NegSigmSwapXformer
# case: swap_as_documented more SwapAsDocumented
# case: swap_as_documented_when_run more SwapInterpreterAsDocumented
# case: swap_in_function fn swap_and_compare
# case: run_with_environment fn partly

from typing import Any, Dict, Tuple

import torch
import torch.fx
from torch.fx import Interpreter, Transformer
from torch.fx.node import Argument, Target

INPUTS = (torch.tensor([[0.5, -1.0], [2.0, 0.0]]),)


def fn(x):
    return torch.sigmoid(x).neg()


def more(x):
    y = torch.sigmoid(x).neg()
    return torch.exp(y) + y.abs().neg()


class NegSigmSwapInterpreter(Interpreter):
    def call_function(self, target: Target, args: Tuple, kwargs: Dict) -> Any:
        if target == torch.sigmoid:
            return torch.neg(*args, **kwargs)
        return super().call_function(target, args, kwargs)

    def call_method(self, target: Target, args: Tuple, kwargs: Dict) -> Any:
        if target == "neg":
            call_self, *args_tail = args
            return call_self.sigmoid(*args_tail, **kwargs)
        return super().call_method(target, args, kwargs)

    def run(self, *args, **kwargs):
        result = super().run(*args, **kwargs)
        print(torch.allclose(result, torch.neg(args[0]).sigmoid()), result)
        return result


class NegSigmSwapXformer(Transformer):
    def call_function(self, target: "Target", args: Tuple[Argument, ...], kwargs: Dict[str, Any]) -> Any:
        if target == torch.sigmoid:
            return torch.neg(*args, **kwargs)
        return super().call_function(target, args, kwargs)

    def call_method(self, target: "Target", args: Tuple[Argument, ...], kwargs: Dict[str, Any]) -> Any:
        if target == "neg":
            call_self, *args_tail = args
            return call_self.sigmoid(*args_tail, **kwargs)
        return super().call_method(target, args, kwargs)


class SwapAsDocumented(Transformer):
    def call_function(self, target, args, kwargs):
        if target == torch.sigmoid:
            return torch.neg(*args, **kwargs)
        return super().call_function(n)  # noqa: F821


class SwapInterpreterAsDocumented(Interpreter):
    def call_method(self, target, args, kwargs):
        print("method", target)
        return super().call_method(n)  # noqa: F821


def swap_and_compare(gm):
    transformed: torch.nn.Module = NegSigmSwapXformer(gm).transform()
    input = torch.arange(12.0).reshape(3, 4)
    torch.testing.assert_close(transformed(input), torch.neg(input).sigmoid())
    print(transformed.code, type(transformed).__name__)
    return transformed


def partly(gm):
    x, sigmoid, neg, output = gm.graph.nodes
    print(Interpreter(gm).run(torch.zeros(2), initial_env={sigmoid: torch.tensor([3.0, 4.0])}))
    interpreter = Interpreter(gm, garbage_collect_values=False)
    print(interpreter.run(torch.zeros(1)), list(interpreter.env))
    print(Interpreter(gm).boxed_run([torch.ones(1)]))
    Interpreter(gm).run()
