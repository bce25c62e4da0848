# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that break promises, if they can.

    make_attacks.py FOLDER

    outside/     ask for FOLDER/victim.txt to be overwritten: by looking at them it must not be
    injection/   hold Python statements where names should be: what is exported of them must not run any
    crash/       end or fill a process that evaluates them: opening them gives an answer or one line
    long/        hold texts of megabytes: what is shown of them has a limit
"""

import json
import pathlib
import struct
import sys
import zipfile

import torch


def text(content):
    content = content.encode()
    return b"X" + struct.pack("<I", len(content)) + content


def name(module, member):
    return f"c{module}\n{member}\n".encode()


def graph_pickle(path, code, imports="import torch\n"):
    """A pickled GraphModule with that code."""
    empty = name("collections", "OrderedDict") + b")R"
    state = b"}(" + text("_code") + text(code) + text("training") + b"\x89"
    for member in ("_parameters", "_buffers", "_modules"):
        state += text(member) + empty
    document = b"\x80\x02" + name("torch.fx.graph_module", "reduce_graph_module") + b"(" + state + b"u" + text(imports) + b"tR."
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in (("data.pkl", document), ("byteorder", b"little"), ("version", b"3\n")):
            archive.writestr(f"archive/{member}", content)


class Sample(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.fc(x)) + 1.0


class Pt2:
    """A .pt2 whose records can be changed."""

    def __init__(self, folder):
        path = folder / "sample.pt2"
        torch.export.save(torch.export.export(Sample(), (torch.randn(2, 4),)), path)
        with zipfile.ZipFile(path) as archive:
            self.records = {member: archive.read(member) for member in archive.namelist()}
        path.unlink()
        self.at = next(member for member in self.records if member.endswith("models/model.json"))
        self.weights = next(member for member in self.records if member.endswith("weights_config.json"))

    def model(self):
        return json.loads(self.records[self.at])

    def write(self, path, model, weights=None):
        records = self.records | {self.at: json.dumps(model).encode()}
        if weights:
            records[self.weights] = weights
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in records.items():
                archive.writestr(member, content)


def outside(folder, pt2):
    folder.mkdir()
    victim = str(folder.parent / "victim.txt")
    write = f'torch.from_file("{victim}", True, 11, dtype=torch.uint8).fill_(88)'
    by_operator = f'torch.ops.aten.from_file.default("{victim}", True, 11, dtype=torch.uint8).fill_(88)'
    graph_pickle(folder / "pickle.pt", f"def forward(self, x):\n    y = {write}\n    return x\n")
    graph_pickle(folder / "pickle_by_operator.pt", f"def forward(self, x):\n    y = {by_operator}\n    return x\n")
    graph_pickle(folder / "caught.pt", f"def forward(self, x):\n    try:\n        {write}\n    except Exception:\n        pass\n    return x\n")
    source = "import torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        {}\n" \
             "    def forward(self, x):\n        return x\n"
    (folder / "source.py").write_text(source.format(write))
    (folder / "source_by_operator.py").write_text(source.format(by_operator))
    (folder / "source_by_packet.py").write_text(source.format(by_operator.replace(".default", "")))
    (folder / "source_caught.py").write_text(source.format(f"try:\n            {write}\n        except BaseException:\n            pass"))
    (folder / "function.py").write_text(f"import torch\ndef f(x):\n    {write}\n    return torch.relu(x)\n")
    (folder / "printing.py").write_text(source.format('torch.ops.aten._print.default("PRINTED BY THE MODEL")'))
    (folder / "folder").mkdir()
    (folder / "folder" / "module.py").write_text(
        "import torch\nfrom math import *\n\nimport torch\nfrom torch.nn import *\nclass FxModule(torch.nn.Module):\n"
        f"    def __init__(self):\n        super().__init__()\n        self.a = {write}\n    def forward(self, x):\n        return x\n")

    model = pt2.model()
    read, fill = model["graph_module"]["graph"]["nodes"][1:3]
    read["target"] = "torch.ops.aten.from_file.default"
    read["inputs"] = [{"name": "filename", "arg": {"as_string": victim}, "kind": 1},
                      {"name": "shared", "arg": {"as_bool": True}, "kind": 1},
                      {"name": "size", "arg": {"as_int": 11}, "kind": 1},
                      {"name": "dtype", "arg": {"as_scalar_type": 1}, "kind": 2}]
    fill["target"] = "torch.ops.aten.fill_.Scalar"
    fill["inputs"][1] |= {"name": "value", "arg": {"as_int": 88}}
    pt2.write(folder / "node.pt2", model)

    class Reads(torch.nn.Module):
        def forward(self, x):
            y = torch.from_file("victim.txt", True, 11, dtype=torch.uint8)
            y.fill_(88)
            return x

    class Saves(torch.nn.Module):
        def forward(self, x):
            torch.save(torch.ones(3), "PWNED")
            return x

    class Prints(torch.nn.Module):
        def forward(self, x):
            print("PRINTED BY THE MODEL")
            return x

    for module in (Reads(), Saves(), Prints()):
        torch.jit.save(torch.jit.script(module), folder / f"script_{type(module).__name__.lower()}.pt")


def injection(folder, pt2):
    folder.mkdir()
    touch = f"touch {folder.parent / 'PWNED'}"
    call = f"__import__('os').system('{touch}')"
    dotless = f"getattr(__import__('os'),'system')('{touch}')".replace("'", '"').replace("/", "\\x2f")

    def changed(file, change):
        model = pt2.model()
        change(model)
        pt2.write(folder / file, model)

    def node(model):
        return model["graph_module"]["graph"]["nodes"][1]

    def signature(model):
        return model["graph_module"]["module_call_graph"][0]["signature"]

    changed("target.pt2", lambda m: node(m).update(target=f"torch.relu(linear); {call}; torch.relu"))
    changed("keyword.pt2", lambda m: node(m)["inputs"].append({"name": f"k={call}, b", "arg": {"as_int": 1}, "kind": 2}))
    changed("argument.pt2", lambda m: signature(m).update(forward_arg_names=[f"x, q={call}):\n    z=(1,[1,'''"]))
    changed("named_tuple.pt2", lambda m: m["graph_module"].update(
        treespec_namedtuple_fields={f"X = {dotless} #".replace('"', "'"): {"field_names": ["a"]}}))
    changed("import.pt2", lambda m: node(m).update(target=f"os import sep as a\n{call}\nfrom math.tau"))

    def dict_key(model):
        leaf = {"type": None, "context": None, "children_spec": []}
        keys = {"type": "builtins.dict", "context": json.dumps([f"x':{call}, 'y"]), "children_spec": [leaf]}
        none = {"type": "builtins.tuple", "context": "null", "children_spec": []}
        both = {"type": "builtins.tuple", "context": "null", "children_spec": [none, keys]}
        signature(model).update(in_spec=json.dumps([1, both]), forward_arg_names=["x"])

    def system(model):
        node(model).update(target="os.system", inputs=[{"name": "", "arg": {"as_string": touch}, "kind": 1}])

    changed("dict_key.pt2", dict_key)
    changed("os_system.pt2", system)
    hostile = f'fc"), {dotless}, getattr(self, "fc'
    renamed = json.dumps(pt2.model()).replace('"fc.weight"', json.dumps(hostile))
    weights = pt2.records[pt2.weights].decode().replace('"fc.weight"', json.dumps(hostile))
    pt2.write(folder / "parameter.pt2", json.loads(renamed), weights.encode())


def crash(folder):
    folder.mkdir()
    expressions = {
        "stack": "torch._stack([])",
        "indices": "torch._convert_indices_from_coo_to_csr(torch.tensor([1000000000]), 4)",
        "sparse": "torch.sparse_coo_tensor([[1000000000]], [1.0], (4,), check_invariants=False).to_dense()",
        "memory": "torch.randn(300000, 300000)",
        "expanded": "torch.ones(1).expand(1000000, 1000000).clone()",
        "slow": "torch.linalg.svd(torch.randn(5000, 5000))",
    }
    for file, expression in expressions.items():
        graph_pickle(folder / f"{file}.pt", f"def forward(self, x):\n    y = {expression}\n    return x\n")
    products = "    y = y @ y\n" * 500
    graph_pickle(folder / "products.pt", f"def forward(self, x):\n    y = torch.ones(6000, 6000)\n{products}    return x\n")
    init = "import torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n{}" \
           "    def forward(self, x):\n        return x\n"
    (folder / "source.py").write_text(init.format("        torch._stack([])\n"))
    (folder / "texts.py").write_text(init.format("        a = []\n        while True:\n            a.append('x' * 1000000 + str(len(a)))\n"))
    (folder / "doubling.py").write_text(init.format("        a = 'x'\n        while True:\n            a = a + a\n"))
    (folder / "tensors.py").write_text(init.format("        a = []\n        while True:\n            a.append(torch.ones(1000, 1000))\n"))
    (folder / "endless.py").write_text(init.format("        x = torch.ones(2000, 2000)\n        while True:\n            x = x @ x\n"))


LONG = 300_000


def long(folder, pt2):
    folder.mkdir()

    def write(file, change):
        model = pt2.model()
        change(model["graph_module"]["graph"]["nodes"], model)
        pt2.write(folder / f"{file}.pt2", model)

    def rename(to):
        def change(nodes, model):
            old = next(node for node in nodes if "relu" in node["target"])["outputs"][0]["as_tensor"]["name"]
            renamed = json.loads(json.dumps(model).replace(json.dumps(old), json.dumps(to)))
            model.clear()
            model.update(renamed)
        return change

    def metadata(key, value):
        return lambda nodes, model: nodes[0]["metadata"].update({key: value})

    write("value", lambda nodes, model: nodes[0]["inputs"][0].update(arg={"as_tensor": {"name": "q" * LONG}}))
    write("name", rename("r" * LONG))
    write("wide", rename("\u4e2d" * (LONG // 3)))
    write("target", lambda nodes, model: nodes[0].update(target="torch.ops.aten." + "t" * LONG))
    write("scope", metadata("nn_module_stack", f"L__self__,,sample.Sample;L__self___fc,{'s' * LONG},torch.nn.{'C' * LONG}"))
    write("scopes", metadata("nn_module_stack", "L__self__,,sample.Sample;L__self___fc," + ".".join("s" * 20 for _ in range(500)) + ",torch.nn.Linear"))
    write("trace", metadata("stack_trace", '  File "' + "f" * LONG + '", line 3, in forward\n    ' + "c" * LONG))
    source = "import torch\n\n\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        {}\n\n" \
             "    def forward(self, x):\n        return {}\n"
    for file, statement in {
            "error": f"raise Exception('x' * {LONG})", "megabytes": "raise Exception('x' * 2 * 10**7)", "letters": f"raise ValueError('\\u4e2d' * {LONG})",
            "lines": "raise Exception('\\n'.join(['error: x'] * 10**5))", "attribute": f"getattr(torch, 'a' * {LONG})",
            "key": f"{{}}['k' * {LONG}]", "assertion": f"assert False, 'm' * {LONG}", "module": f"exec('import ' + 'm' * {LONG})",
            "overload": f"getattr(torch.ops.aten, 'o' * {LONG})(torch.ones(1))", "warning": f"import warnings; warnings.warn('w' * {LONG})",
            "attributes": f"self.value = 'v' * {LONG}", "child": f"self.add_module('c' * {LONG}, torch.nn.Linear(4, 4))"}.items():
        (folder / f"{file}.py").write_text(source.format(statement, "x + 1"))
    (folder / "line.py").write_text(source.format("pass", "torch.relu(x) if x else " + "+".join("x" for _ in range(LONG // 2))))
    (folder / "argument.py").write_text(source.format("pass", f"torch.relu(x, {'z' * LONG!r})"))


def main(folder):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True)
    pt2 = Pt2(folder)
    outside(folder / "outside", pt2)
    injection(folder / "injection", pt2)
    crash(folder / "crash")
    long(folder / "long", pt2)


if __name__ == "__main__":
    main(*sys.argv[1:])
