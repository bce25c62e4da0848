// SPDX-License-Identifier: GPL-3.0-or-later
// Times of pattern replacement with 10,000 matches: matching, replacing and writing the code anew, which
// torch.fx does in the same call. bench_torch_fx.py does the same with torch.fx; the codes have the same
// checksum.
#include "core/codegen/python_code.h"
#include "core/rewrite/replace_pattern.h"
#include "tests/bench/checksum.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <functional>
#include <memory>

namespace {

using namespace fx;

constexpr int kMatches = 10'000;
constexpr int kPairs = 1000; ///< fewer, for torch.fx tries each with each

/// Makes a model of one input; `calls` gives what it returns.
Model modelOf(const std::function<Argument(Edit&, NodeId)>& calls) {
    Model model;
    Edit edit(model);
    const NodeId x = edit.placeholder("x");
    edit.output(calls(edit, x));
    edit.finish();
    return model;
}

NodeId reluThenNeg(Edit& edit, NodeId x) {
    return edit.callFunction("torch.neg", {edit.callFunction("torch.relu", {x})});
}

/// x -> relu -> neg -> relu -> neg ... -> output.
Model chain() {
    return modelOf([](Edit& edit, NodeId x) {
        for (int i = 0; i < kMatches; ++i)
            x = reluThenNeg(edit, x);
        return x;
    });
}

/// x -> relu and neg -> add -> relu and neg ..., where each relu and neg are the two results of the pattern.
Model pairs() {
    return modelOf([](Edit& edit, NodeId x) {
        for (int i = 0; i < kPairs; ++i)
            x = edit.callFunction(
                "torch.add", {edit.callFunction("torch.relu", {x}), edit.callFunction("torch.neg", {x})});
        return x;
    });
}

void replaceIn(benchmark::State& state, Model (*make)(), size_t matches, const Model& pattern,
               const Model& replacement) {
    for (auto _ : state) {
        auto model = std::make_unique<Model>(make());
        const auto start = std::chrono::steady_clock::now();
        Edit edit(*model);
        const auto replaced = replacePattern(edit, pattern, replacement);
        const Changes changes = edit.finish();
        const PythonCode code(*model, model->root());
        const std::string& text = code.text();
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        state.counters["checksum"] = checksum(text);
        if (replaced.size() != matches)
            state.SkipWithError("other matches than torch.fx's");
    }
}

void replaceCalls(benchmark::State& state) {
    const Model pattern = modelOf([](Edit& edit, NodeId x) { return reluThenNeg(edit, x); });
    const Model replacement =
        modelOf([](Edit& edit, NodeId x) { return edit.callFunction("torch.tanh", {x}); });
    replaceIn(state, chain, kMatches, pattern, replacement);
}
BENCHMARK(replaceCalls)->Name("replace in a chain")->Unit(benchmark::kMillisecond)->UseManualTime();

void replacePairs(benchmark::State& state) {
    const auto both = [](const char* first, const char* second) {
        return modelOf([=](Edit& edit, NodeId x) {
            return TupleValue{{edit.callFunction(first, {x}), edit.callFunction(second, {x})}};
        });
    };
    replaceIn(state, pairs, kPairs, both("torch.relu", "torch.neg"), both("torch.sin", "torch.cos"));
}
BENCHMARK(replacePairs)->Name("replace pairs")->Unit(benchmark::kMillisecond)->UseManualTime();

} // namespace
