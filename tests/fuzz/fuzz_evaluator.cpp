// SPDX-License-Identifier: GPL-3.0-or-later
// Runs damaged Python programs in the evaluator, and traces damaged models, under its limits: they come to
// their end or throw fx::Error, within seconds and without much memory.
//   fuzz_evaluator FOLDER... [SECONDS [SEED]]
// The folders have programs (tests/core/python/programs) and models with the lines "# case:" that say what to
// trace (tests/oracle/sources).
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/ir/graph_text.h"
#include "core/torch/host/torch_hosts.h"
#include "core/trace/trace_source.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutate_text.h"

#include <ATen/Parallel.h>

#include <iostream>

using namespace fx;

namespace {

/// What is large, endless, odd, or refers to itself.
const std::vector<std::string> kWords = {
    "0",
    "-1",
    "10**9",
    "10**10**10",
    "(1 << 70)",
    "[0] * 10**9",
    "'x' * 10**9",
    "range(10**12)",
    "float('nan')",
    "float('inf')",
    "1e308",
    "-0.0",
    "None",
    "[]",
    "{}",
    "()",
    "...",
    "iter(int, 1)",
    "(i for i in x)",
    "lambda *a, **k: a",
    "object()",
    "type",
    "type(self)",
    "type('T', (object,), {})",
    "super()",
    "super().__init__",
    "self.__dict__",
    "self.__class__",
    "vars(self)",
    "globals()",
    "setattr(self, 'x', self)",
    "self.x = self",
    "x.append(x)",
    "next(x)",
    "list(x)",
    "dict(x)",
    "sorted(x)",
    "sum(x)",
    "max(x)",
    "repr(x)",
    "hash(x)",
    "str(self)",
    "getattr(x, 'y')",
    "copy.deepcopy(self)",
    "__init__",
    "__getattr__",
    "__setattr__",
    "__call__",
    "__iter__",
    "__eq__",
    "__hash__",
    "__repr__",
    "__get__",
    "__new__",
    "__slots__",
    "__mro__",
    "x.shape",
    "x.shape[0]",
    "x.size()",
    "x[0]",
    "x[None, ..., ::2]",
    "x.view(-1)",
    "x.data",
    "x.nosuch()",
    "torch",
    "torch.nn",
    "torch.ones(10**6, 10**6)",
    "torch.empty(2**40)",
    "torch.zeros(0)",
    "torch.tensor([1, 2])",
    "torch.arange(10**9)",
    "torch.nn.Linear(10**6, 10**6)",
    "torch.nn.Linear(0, 0)",
    "torch.nn.Conv2d(1, 1, -1)",
    "torch.nn.Sequential(self)",
    "torch.nn.ModuleList([self])",
    "torch.nn.Parameter(x)",
    "torch.nn.Parameter(torch.ones(3))",
    "torch.fx.wrap('len')",
    "torch.nn.functional.relu(x)",
    "torch.nn.functional.interpolate(x, scale_factor=10**6)",
    "self.register_buffer('b', x)",
    "self.add_module('m', self)",
    "self.parameters()",
    "self.named_modules()",
    "self.state_dict()",
    "self.apply(print)",
    "self(x)",
    "self.forward",
};

EvaluationLimits limits() {
    EvaluationLimits out;
    out.steps = 300'000;
    out.bytes = uint64_t(64) << 20;
    return out;
}

/// What the lines "# case:" of the text would have traced.
std::vector<std::string> expressionsIn(const std::string& text) {
    static constexpr std::string_view kStart = "\"expr\": \"";
    std::vector<std::string> out;
    for (std::string_view line : split(text, '\n')) {
        const size_t start = line.starts_with("# case:") ? line.find(kStart) : std::string_view::npos;
        if (start == std::string_view::npos)
            continue;
        const std::string_view rest = line.substr(start + kStart.size());
        out.emplace_back(rest.substr(0, rest.find('"')));
    }
    return out;
}

void runProgram(const std::string& path, const std::string& text) {
    TorchHosts torch;
    Evaluator evaluator(limits());
    torch.addTo(evaluator);
    evaluator.modules().runModule(parseSource(text, path), "__main__");
}

void traceModel(const std::string& path, const std::string& expression) {
    SourceRequest request;
    request.path = path;
    request.expression = expression;
    request.limits = limits();
    graphText(traceSource(request).model.graph());
}

} // namespace

int main(int argc, char** argv) {
    const FuzzArguments arguments(argc, argv);
    at::set_num_threads(1);
    std::vector<std::string> samples;
    for (const std::string& file : arguments.files(0, {".py"}, 300'000))
        addTextSamples(file, samples);
    if (samples.empty() && arguments.finds.empty()) {
        std::cerr << "usage: fuzz_evaluator FOLDER... [SECONDS [SEED]]\n";
        return 2;
    }
    TextMutator mutator(std::move(samples), arguments.seed, kWords);
    FuzzPlan plan;
    plan.ending = ".py";
    plan.next = [&] { return mutator.next(); };
    plan.attempt = [&](const std::string& path, const std::string& text) {
        const std::vector<std::string> expressions = expressionsIn(text);
        if (expressions.empty())
            runProgram(path, text);
        else
            traceModel(path, expressions[mutator.below(expressions.size())]);
        return true;
    };
    plan.slowest = 5;
    plan.megabytes = 3000;
    plan.leastTaken = 0.01;
    return fuzz(arguments, plan);
}
