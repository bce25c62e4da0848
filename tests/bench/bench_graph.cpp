// SPDX-License-Identifier: GPL-3.0-or-later
// Times of the graph's verbs and texts on a long graph. bench_torch_fx.py does the same with torch.fx, under
// the same names; its texts have the same checksums, which run.py looks at.
#include "core/codegen/python_code.h"
#include "core/ir/graph_text.h"
#include "core/module/edit.h"
#include "core/module/lint.h"
#include "core/passes/dead_code.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

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

uint32_t checksum(const std::string& text) {
    uint32_t sum = 0; // Fletcher's idea, cheap in both languages
    for (unsigned char c : text)
        sum = sum * 31 + c;
    return sum;
}

double heapBytes() {
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

void build(benchmark::State& state) {
    for (auto _ : state) {
        auto model = std::make_unique<Model>();
        benchmark::DoNotOptimize(buildChain(*model));
        state.PauseTiming();
        model.reset();
        state.ResumeTiming();
    }
    const double before = heapBytes();
    Model model;
    Changes changes = buildChain(model);
    state.counters["bytes_with_history"] = (heapBytes() - before) / kNodes;
    changes = Changes();
    state.counters["bytes"] = (heapBytes() - before) / kNodes;
}
BENCHMARK(build)->Unit(benchmark::kMillisecond);

void text(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(graphText(chain().graph()));
    state.counters["checksum"] = checksum(graphText(chain().graph()));
}
BENCHMARK(text)->Unit(benchmark::kMillisecond);

void code(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(PythonCode(chain(), chain().root()).text().size());
    state.counters["checksum"] = checksum(PythonCode(chain(), chain().root()).text());
}
BENCHMARK(code)->Unit(benchmark::kMillisecond);

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
    Model model;
    buildChain(model, true);
    for (auto _ : state) {
        Changes changes;
        {
            Edit edit(model);
            removeDeadCode(edit);
            changes = edit.finish();
        }
        state.PauseTiming();
        undo(model, changes);
        changes = Changes();
        state.ResumeTiming();
    }
}
BENCHMARK(deadCodeHalf)->Name("dead code, half dead")->Unit(benchmark::kMillisecond);

void copy(benchmark::State& state) {
    for (auto _ : state) {
        auto model = std::make_unique<Model>();
        {
            Edit edit(*model);
            std::unordered_map<NodeId, NodeId> map;
            benchmark::DoNotOptimize(edit.graphCopy(chain().graph(), map));
            edit.finish();
        }
        state.PauseTiming();
        model.reset();
        state.ResumeTiming();
    }
}
BENCHMARK(copy)->Unit(benchmark::kMillisecond);

} // namespace
