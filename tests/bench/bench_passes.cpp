// SPDX-License-Identifier: GPL-3.0-or-later
// Times of what users write for torch.fx (visiting.py), from the model before to the model after: the copy
// that a pass is given, lint, and the edit that is made of what it left are in it.
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/userpasses/user_pass.h"

#include <ATen/ATen.h>

#include <benchmark/benchmark.h>

namespace {

using namespace fx;

Model chain(int64_t calls) {
    Model model;
    Edit edit(model);
    Argument value = edit.createNode(Opcode::Placeholder, Target("x"), {}, {}, "x");
    for (int64_t i = 0; i < calls; ++i)
        value = edit.createNode(Opcode::CallFunction, Target("torch.relu"), {value});
    edit.output(value);
    edit.finish();
    return model;
}

void apply(benchmark::State& state, const std::string& name, int64_t calls) {
    const Pass pass = loadUserPass({std::string(FXSCOPE_BENCH_SOURCES) + "/visiting.py", name});
    const PassOptions options(pass, {});
    const Model before = chain(calls);
    const at::Tensor input = at::ones({2, 2});
    for (auto _ : state) {
        state.PauseTiming();
        Model model = before;
        Progress progress;
        PassContext context{progress};
        context.inputs = [&](const Model&) { return GraphInputs{Value(c10::IValue(input))}; };
        state.ResumeTiming();
        runPass(model, model.root(), pass, options, context);
    }
}
BENCHMARK_CAPTURE(apply, pass, "replace_some", 100'000)
    ->Name("a pass in Python")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(apply, interpreter, "Counting", 10'000)
    ->Name("an Interpreter in Python")
    ->Unit(benchmark::kMillisecond);

} // namespace
