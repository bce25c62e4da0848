// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the graph's verbs and texts on a long graph. bench_torch_fx.py does the same with torch.fx, under
// the same names; its texts have the same checksums, which run.py looks at.
#include "core/codegen/python_code.h"
#include "core/ir/graph_text.h"
#include "core/module/edit.h"
#include "core/module/lint.h"
#include "core/passes/dead_code.h"
#include "tests/bench/checksum.h"

#include <benchmark/benchmark.h>
#include <chrono>
#ifdef FXSCOPE_MIMALLOC
#include <mimalloc.h>
#else
#include <malloc.h>
#endif
#include <memory>
#include <tuple>

namespace {

using namespace fx;

constexpr int kCalls = 100'000;
constexpr size_t kNodes = kCalls + 2;

/// x -> relu -> add -> relu_1 -> add_1 ... -> output, where each add reads the two values before it.
/// With dead nodes, every second call is one that nobody reads.
Changes buildChain(Model& model, bool hasDeadNodes = false) {
    const Target relu("torch.relu"), add("operator.add"), neg("torch.neg");
    Edit edit(model);
    NodeId before = edit.placeholder("x"), last = before;
    for (int i = 0; i < kCalls; ++i) {
        if (hasDeadNodes && i % 2) {
            edit.callFunction(neg, {last});
            continue;
        }
        const bool isRelu = (hasDeadNodes ? i / 2 : i) % 2 == 0;
        const NodeId next = isRelu ? edit.callFunction(relu, {last}) : edit.callFunction(add, {last, before});
        before = last;
        last = next;
    }
    edit.output(last);
    return edit.finish();
}

/// A model is made once for all benchmarks that only read it.
const Model& chain() {
    static const Model model = [] {
        Model out;
        buildChain(out);
        return out;
    }();
    return model;
}

double heapBytes() {
#ifdef FXSCOPE_MIMALLOC
    size_t bytes = 0;
    const auto add = [](const mi_heap_t*, const mi_heap_area_t* area, void*, size_t, void* sum) {
        *static_cast<size_t*>(sum) += area->used * area->block_size;
        return true;
    };
    mi_heap_visit_blocks(mi_heap_get_default(), false, add, &bytes);
    return static_cast<double>(bytes);
#else
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
#endif
}

/// Times `work` without the time that freeing its result takes.
template <class Work>
void measure(benchmark::State& state, const Work& work) {
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        auto result = work();
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        benchmark::DoNotOptimize(result);
    }
}

void build(benchmark::State& state) {
    measure(state, [] {
        auto model = std::make_unique<Model>();
        Changes changes = buildChain(*model);
        return std::pair(std::move(model), std::move(changes));
    });
    const double before = heapBytes();
    Model model;
    Changes changes = buildChain(model);
    state.counters["bytes_with_history"] = (heapBytes() - before) / kNodes;
    changes = Changes();
    state.counters["bytes"] = (heapBytes() - before) / kNodes;
}
BENCHMARK(build)->Unit(benchmark::kMillisecond)->UseManualTime();

void text(benchmark::State& state) {
    measure(state, [] { return graphText(chain().graph()); });
    state.counters["checksum"] = checksum(graphText(chain().graph()));
}
BENCHMARK(text)->Unit(benchmark::kMillisecond)->UseManualTime();

void code(benchmark::State& state) {
    measure(state, [] {
        auto code = std::make_unique<PythonCode>(chain(), chain().root());
        code->text();
        return code;
    });
    state.counters["checksum"] = checksum(PythonCode(chain(), chain().root()).text());
}
BENCHMARK(code)->Unit(benchmark::kMillisecond)->UseManualTime();

/// One argument is changed and the code written again: what a person waits for after an edit.
void codeAfterEdit(benchmark::State& state) {
    Model model;
    buildChain(model);
    PythonCode code(model, model.root());
    const NodeId node{kCalls / 2};
    for (auto _ : state) {
        Edit edit(model);
        edit.setArgs(node, Arguments(edit.node(node).args));
        code.update(edit.finish());
    }
}
BENCHMARK(codeAfterEdit)->Unit(benchmark::kMicrosecond);

void lintGraph(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(lint(chain(), chain().root()));
}
BENCHMARK(lintGraph)->Name("lint")->Unit(benchmark::kMillisecond);

void deadCodeNone(benchmark::State& state) {
    Model model;
    buildChain(model);
    for (auto _ : state) {
        Edit edit(model);
        removeDeadCode(edit);
        edit.finish();
    }
}
BENCHMARK(deadCodeNone)->Name("dead code, none dead")->Unit(benchmark::kMillisecond);

void deadCodeHalf(benchmark::State& state) {
    for (auto _ : state) {
        Model model;
        buildChain(model, true);
        const auto start = std::chrono::steady_clock::now();
        Edit edit(model);
        removeDeadCode(edit);
        const Changes changes = edit.finish();
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
}
BENCHMARK(deadCodeHalf)->Name("dead code, half dead")->Unit(benchmark::kMillisecond)->UseManualTime();

void copy(benchmark::State& state) {
    measure(state, [] {
        auto model = std::make_unique<Model>();
        NodeMap map;
        Edit edit(*model);
        edit.graphCopy(chain().graph(), map);
        return std::tuple(std::move(model), std::move(map), edit.finish());
    });
}
BENCHMARK(copy)->Unit(benchmark::kMillisecond)->UseManualTime();

} // namespace
