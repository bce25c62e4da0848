// SPDX-License-Identifier: GPL-3.0-or-later
// Times of static quantization, beside torch.ao's in bench_torch_fx.py: from the traced model to the
// reference form, with one run of calibration by histograms or by the least and the greatest value. What
// becomes integers is read, as a save would. And what a quantized model takes to run, as it is and lowered.
#include "core/interpret/interpreter.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "tests/bench/traced_source.h"

#include <benchmark/benchmark.h>

namespace {

using namespace fx;

void quantize(benchmark::State& state, const std::string& file, const std::string& expression,
              const std::vector<int64_t>& shape, const std::string& observer) {
    TracedSource source(file, expression);
    Tracer tracer(&source.evaluator);
    const Traced traced = tracer.trace(source.model);
    const Pass& pass = findPass("quantize");
    const PassOptions options(pass, {{"observer", observer}, {"measure", "false"}});
    at::manual_seed(0);
    const at::Tensor input = at::rand(shape);
    for (auto _ : state) {
        state.PauseTiming();
        Model model = traced.model;
        Progress progress;
        PassContext context{progress};
        context.inputs = [&](const Model&) { return GraphInputs{Value(c10::IValue(input))}; };
        state.ResumeTiming();
        runPass(model, model.root(), pass, options, context);
        for (const Node& node : model.graph())
            if (node.opcode == Opcode::GetAttr)
                if (const Attribute read = model.resolve(model.root(), node.target.name()); read.tensor)
                    benchmark::DoNotOptimize(model.tensor(read.tensor).value());
    }
}

#define FXSCOPE_BENCH_QUANTIZE(name, file, expression, ...)                                                  \
    BENCHMARK_CAPTURE(quantize, file, #file, expression, std::vector<int64_t> __VA_ARGS__, "histogram")      \
        ->Name("quantize " name)                                                                             \
        ->Unit(benchmark::kMillisecond);                                                                     \
    BENCHMARK_CAPTURE(quantize, file##MinMax, #file, expression, std::vector<int64_t> __VA_ARGS__,           \
                      "min-max")                                                                             \
        ->Name("quantize " name " by min-max")                                                               \
        ->Unit(benchmark::kMillisecond)
FXSCOPE_BENCH_QUANTIZE("DeepRecommender", recommender, "Recommender().eval()", {16, 17768});
FXSCOPE_BENCH_QUANTIZE("ResNet50", resnet50, "ResNet50().eval()", {1, 3, 224, 224});
#undef FXSCOPE_BENCH_QUANTIZE

void runQuantized(benchmark::State& state, bool isLowered) {
    TracedSource source("resnet50", "ResNet50().eval()");
    Tracer tracer(&source.evaluator);
    Model model = tracer.trace(source.model).model;
    at::manual_seed(0);
    const GraphInputs inputs{Value(c10::IValue(at::rand({1, 3, 224, 224})))};
    Progress progress;
    PassContext context{progress};
    context.inputs = [&](const Model&) { return inputs; };
    const auto apply = [&](const char* name, const std::map<std::string, std::string>& options) {
        const Pass& pass = findPass(name);
        runPass(model, model.root(), pass, PassOptions(pass, options), context);
    };
    apply("fuse", {});
    apply("quantize", {{"measure", "false"}});
    if (isLowered)
        apply("lower", {{"always", "true"}});
    Interpreter interpreter(model);
    for (auto _ : state)
        benchmark::DoNotOptimize(interpreter.run(inputs));
}
BENCHMARK_CAPTURE(runQuantized, lowered, true)
    ->Name("run ResNet50 in integers")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runQuantized, reference, false)
    ->Name("run ResNet50 quantized")
    ->Unit(benchmark::kMillisecond);

} // namespace
