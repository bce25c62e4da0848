# SPDX-License-Identifier: GPL-3.0-or-later
# on_generate_code: transformers of the lines of the generated code, registered for good and for a while.
# case: code_prepended f prepend
# case: code_chained f chain
# case: code_for_a_while f for_a_while
# case: code_traced_lines f count_lines
# case: code_inspected f inspect_code

import torch
import torch.fx as fx


def f(x):
    return torch.relu(x) + 1


def insert_line(body):
    return ["print('first', x.shape)\n", *body]


def prepend(gm: fx.GraphModule):
    gm.graph.on_generate_code(lambda _: insert_line)
    gm.recompile()
    print(gm.code)
    print(gm(torch.tensor([-1.0, 1.0])))
    gm.graph.on_generate_code(lambda current: print("current", current is insert_line))


def chain(gm):
    def insert_second(body):
        return [body[0], "print('second')\n", *body[1:]]

    gm.graph.on_generate_code(lambda _: insert_line)
    gm.graph.on_generate_code(lambda current_trans: (lambda body: insert_second(current_trans(body) if current_trans else body)))
    gm.recompile()
    print(gm.code, gm(torch.ones(2)))
    gm.graph.on_generate_code(lambda _: None)


def for_a_while(gm):
    with gm.graph.on_generate_code(lambda _: insert_line):
        gm.recompile()
        print(gm(torch.ones(1)))
    print(gm.code.count("print"))
    gm.recompile()
    print(gm.code.count("print"), gm(torch.ones(1)))


def count_lines(gm):
    def numbered(body):
        print(len(body), [type(line).__name__ for line in body])
        return [line for part in body for line in (part, "#\n")][:0] + body

    gm.graph.on_generate_code(lambda _: numbered)
    gm.recompile()
    print("".join(line for line in gm.code.splitlines(keepends=True) if "=" in line))
    gm.graph.on_generate_code(lambda _: None)


def inspect_code(gm):
    code = gm.graph.python_code("root")
    print(code.src)
    print(type(code).__name__, sorted(name for name in code.globals if name not in ("NoneType", "inf", "nan")))
    print(code.globals["torch"] is torch, gm.code == gm.graph.python_code("self").src, "root" in gm.code)
    print(gm.graph.process_inputs(1, 2), gm.graph.process_outputs([3]))
    compiled = {}
    exec(code.src, {**code.globals}, compiled)
    print(compiled["forward"](None, torch.tensor([-3.0, 3.0])))
