// SPDX-License-Identifier: GPL-3.0-or-later
// Times of what users write for torch.fx (visiting.py).
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

/// What the pass has printed.
std::string apply(Model& model, const Pass& pass) {
    Progress progress;
    PassContext context{progress};
    return runPass(model, model.root(), pass, PassOptions(pass, {}), context).output;
}

Pass visiting(const std::string& name) {
    return loadUserPass({std::string(FXSCOPE_BENCH_SOURCES) + "/visiting.py", name});
}

/// The program takes its time itself, as it does in CPython.
void timeProgram(benchmark::State& state, const std::string& name, int64_t calls) {
    const Pass pass = visiting(name);
    const Model before = chain(calls);
    for (auto _ : state) {
        Model model = before;
        state.SetIterationTime(std::stod(apply(model, pass)));
    }
}
BENCHMARK_CAPTURE(timeProgram, pass, "time_pass", 100'000)
    ->Name("a pass in Python")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(timeProgram, interpreter, "time_interpreter", 10'000)
    ->Name("an Interpreter in Python")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(timeProgram, makeFx, "time_make_fx", 1)
    ->Name("make_fx of ResNet50 in Python")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// With the copy that a pass is given, lint, and the edit that is made of what it left.
void replaceSome(benchmark::State& state) {
    const Pass pass = visiting("replace_some");
    const Model before = chain(100'000);
    for (auto _ : state) {
        state.PauseTiming();
        Model model = before;
        state.ResumeTiming();
        apply(model, pass);
    }
}
BENCHMARK(replaceSome)->Name("a pass in Python, from model to model")->Unit(benchmark::kMillisecond);

} // namespace
