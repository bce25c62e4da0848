// SPDX-License-Identifier: GPL-3.0-or-later
// Times of symbolic tracing: a ResNet50 from its source, and 100,000 calls in a loop. As in bench_torch_fx.py
// the model is there already. torch.fx.symbolic_trace writes the code at once, we do when somebody asks: both
// are timed.
#include "core/codegen/python_code.h"
#include "core/ir/graph_text.h"
#include "core/trace/tracing_host.h"
#include "tests/bench/checksum.h"

#include <ATen/ATen.h>

#include <benchmark/benchmark.h>

namespace {

using namespace fx;

struct Source {
    TorchHosts torch;
    TracingHost tracing{torch};
    Evaluator evaluator;
    Value model;

    Source(const std::string& file, const std::string& expression)
        : evaluator(EvaluationLimits{.steps = ~0ull, .bytes = ~0ull / 32}) {
        const at::NoGradGuard noGrad;
        torch.addTo(evaluator);
        tracing.addTo(evaluator);
        const Value module =
            evaluator.modules().importFile(std::string(FXSCOPE_BENCH_SOURCES) + '/' + file + ".py", file);
        model = evaluator.evaluate(parseExpressionSource(expression, "expression"),
                                   module.as<SourceModuleObject>()->dict);
    }
};

void trace(benchmark::State& state, const std::string& file, const std::string& expression, bool writesCode) {
    Source source(file, expression);
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
