// SPDX-License-Identifier: GPL-3.0-or-later
// Times of symbolic tracing: a ResNet50 from its source, and 100,000 calls in a loop. As in bench_torch_fx.py
// the model is there already. torch.fx.symbolic_trace writes the code at once, we do when somebody asks: both
// are timed. And of make_fx, which records what LibTorch is called for.
#include "core/codegen/python_code.h"
#include "core/ir/graph_text.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/bench/checksum.h"
#include "tests/bench/traced_source.h"

#include <ATen/ATen.h>

#include <benchmark/benchmark.h>

namespace {

using namespace fx;

void trace(benchmark::State& state, const std::string& file, const std::string& expression, bool writesCode) {
    TracedSource source(file, expression);
    std::string text;
    for (auto _ : state) {
        Tracer tracer(&source.evaluator);
        const Traced traced = tracer.trace(source.model);
        if (writesCode)
            benchmark::DoNotOptimize(PythonCode(traced.model, traced.model.root()).text());
        if (text.empty()) {
            state.PauseTiming();
            text = graphText(traced.model.graph());
            state.ResumeTiming();
        }
    }
    state.counters["checksum"] = checksum(text);
}

/// make_fx of the traced model: forwards, or with the gradients of its parameters.
void capture(benchmark::State& state, bool isBackward) {
    TracedSource source("resnet50", "ResNet50()");
    Tracer tracer(&source.evaluator);
    const Traced traced = tracer.trace(source.model);
    const Pass& pass = findPass("capture");
    const PassOptions options(pass, {{"backward", isBackward ? "true" : "false"}});
    at::manual_seed(0);
    const at::Tensor input = at::randn({2, 3, 32, 32});
    for (auto _ : state) {
        state.PauseTiming();
        Model model = traced.model;
        Progress progress;
        PassContext context{progress};
        context.inputs = [&](const Model&) { return GraphInputs{Value(c10::IValue(input))}; };
        state.ResumeTiming();
        runPass(model, model.root(), pass, options, context);
    }
}
BENCHMARK_CAPTURE(capture, forwards, false)->Name("trace ResNet50 by running")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(capture, joint, true)
    ->Name("trace ResNet50 by running, with gradients")
    ->Unit(benchmark::kMillisecond);

/// Of the traced model, as torch.fx's split_module does it.
void splitInFour(benchmark::State& state) {
    TracedSource source("resnet50", "ResNet50()");
    Tracer tracer(&source.evaluator);
    const Traced traced = tracer.trace(source.model);
    const Pass& pass = findPass("split");
    const PassOptions options(pass, {{"by", "size"}, {"parts", "4"}});
    std::string text;
    for (auto _ : state) {
        state.PauseTiming();
        Model model = traced.model;
        Progress progress;
        PassContext context{progress};
        state.ResumeTiming();
        runPass(model, model.root(), pass, options, context);
        state.PauseTiming();
        text = graphText(model.graph());
        state.ResumeTiming();
    }
    state.counters["checksum"] = checksum(text);
}
BENCHMARK(splitInFour)->Name("split ResNet50")->Unit(benchmark::kMillisecond);

/// What each evaluator but the first of a process costs: torch.nn's text is parsed already.
void loadTorchNn(benchmark::State& state) {
    for (auto _ : state) {
        TorchHosts torch;
        Evaluator evaluator;
        torch.addTo(evaluator);
        benchmark::DoNotOptimize(evaluator.modules().libraryClass("torch.nn.modules.linear.Linear"));
    }
}
BENCHMARK(loadTorchNn)->Unit(benchmark::kMillisecond);

#define FXSCOPE_BENCH_TRACE(name, file, expression)                                                          \
    BENCHMARK_CAPTURE(trace, file, #file, expression, false)                                                 \
        ->Name("trace " name)                                                                                \
        ->Unit(benchmark::kMillisecond);                                                                     \
    BENCHMARK_CAPTURE(trace, file##Code, #file, expression, true)                                            \
        ->Name("trace " name " and code")                                                                    \
        ->Unit(benchmark::kMillisecond)
FXSCOPE_BENCH_TRACE("ResNet50", resnet50, "ResNet50()");
FXSCOPE_BENCH_TRACE("100,000 calls", chain, "Chain()");
#undef FXSCOPE_BENCH_TRACE

} // namespace
