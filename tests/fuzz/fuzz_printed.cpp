// SPDX-License-Identifier: GPL-3.0-or-later
// Opens damaged texts of printed graphs: a model or an fx::Error, and nothing else.
//   fuzz_printed FOLDER [SECONDS [SEED]]
// FOLDER has sound texts (.txt), with "----" between them. What opens is printed, as Python too, and linted.
#include "core/base/error.h"
#include "core/codegen/python_code.h"
#include "core/ir/graph_text.h"
#include "core/module/lint.h"
#include "core/module/summary.h"
#include "core/open/open.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutate_text.h"

#include <iostream>

using namespace fx;

namespace {

/// What bears on the texts of graphs beside Python's words.
const std::vector<std::string> kPrintedWords = {
    "graph():",
    "class GraphModule(torch.nn.Module):",
    "def forward(self, x):",
    "%x",
    " : [num_users=1] = ",
    "call_function[target=",
    "](args = (",
    ", kwargs = {})",
    "\"f32[1, s0*(s1 + 2)][4, 1]cuda:0\"",
    "\"f32[9223372036854775807, 9223372036854775807]\"",
    "\"Sym(Eq(u0, 1))\"",
    "# File: /a.py:1 in f, code: x",
    "fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)",
    "pytree.tree_unflatten(",
    "next(args_iter)",
    "getattr(self.layers, \"0\")",
    "self.a.b",
    "self.a",
    "-1 ** x",
    "(1+2j)",
    "slice(None, x, None)",
    "device(type='cpu', index=99999)",
    "x[0] = y;  setitem = x",
    "x += y;  iadd = x",
    "\x1b[31m",
    "V1124 11:45:08.354000 6865 torch/x.py:1] [0/0] [__graph_code] ",
    "{\"str\": [\"/m.py\", 99999999]}",
    "\"frame_id\": -9223372036854775808",
    "\"has_payload\": \"0\"",
    "\n\t",
    "nan",
    "-inf",
    "= None",
};

} // namespace

int main(int argc, char** argv) {
    const FuzzArguments arguments(argc, argv);
    if (arguments.words.size() != 1) {
        std::cerr << "usage: fuzz_printed FOLDER [SECONDS [SEED]]\n";
        return 2;
    }
    std::vector<std::string> samples;
    for (const std::string& file : arguments.files(0, {".txt"}, 300'000))
        addTextSamples(file, samples);
    if (samples.empty() && arguments.finds.empty())
        return 1;
    TextMutator mutator(samples, arguments.seed, kPrintedWords);
    FuzzPlan plan;
    plan.ending = ".txt";
    plan.next = [&] { return mutator.next(); };
    plan.attempt = [&](const std::string& path, const std::string&) {
        Progress progress;
        const OpenedModel opened = openModel(path, {}, progress);
        opened.model.forEachModule(opened.model.root(), [&](ModuleId id, const std::string&) {
            if (!opened.model.module(id).graph)
                return;
            graphText(opened.model.graph(id));
            tabularText(opened.model.graph(id));
            PythonCode(opened.model, id).text();
            lint(opened.model, id);
        });
        summarize(opened.model);
        return true;
    };
    return fuzz(arguments, plan);
}
