// SPDX-License-Identifier: GPL-3.0-or-later
// Time per node of a chain of tiny operators: by our interpreter, unobserved and observed, and by
// TorchScript's interpreter on the same operators in the same process. "nothing" is an operator without work:
// overhead alone.
#include "core/interpret/debug_session.h"
#include "core/interpret/debug_types.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/shape_prop.h"
#include "core/module/edit.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/ir/irparser.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/library.h>

#include <benchmark/benchmark.h>
#include <chrono>
#include <future>

namespace {

using namespace fx;

constexpr int kCalls = 2000;

at::Tensor nothing(const at::Tensor& x) {
    return x;
}

TORCH_LIBRARY(fxbench, library) {
    library.def("nothing(Tensor x) -> Tensor", nothing);
}

struct Case {
    const char* name;
    const char* target;
    const char* script; ///< its name in TorchScript
    bool isBinary;
};
const Case kCases[] = {
    {"nothing", "torch.ops.fxbench.nothing.default", "fxbench::nothing", false},
    {"relu", "torch.ops.aten.relu.default", "aten::relu", false},
    {"add", "torch.ops.aten.add.Tensor", "aten::add", true},
};

Model makeModel(const Case& which) {
    Model model;
    Edit edit(model);
    NodeId x = edit.placeholder("x");
    for (int i = 0; i < kCalls; ++i)
        x = edit.callFunction(which.target, which.isBinary ? Arguments{x, x} : Arguments{x});
    edit.output(x);
    edit.finish();
    return model;
}

void countNodes(benchmark::State& state) {
    state.counters["us_per_node"] = benchmark::Counter(
        kCalls / 1e6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Work>
void measure(benchmark::State& state, const Work& work) {
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        work();
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    countNodes(state);
}

void torchScript(benchmark::State& state, const Case& which) {
    const c10::InferenceMode guard;
    at::set_num_threads(1);
    std::string source = "graph(%v0 : Tensor):\n  %one : int = prim::Constant[value=1]()\n";
    for (int i = 0; i < kCalls; ++i) {
        const std::string in = "%v" + std::to_string(i), out = "%v" + std::to_string(i + 1);
        source += "  " + out + " : Tensor = " + which.script + '(' + in +
                  (which.isBinary ? ", " + in + ", %one)\n" : ")\n");
    }
    const auto graph = std::make_shared<torch::jit::Graph>();
    torch::jit::parseIR(source + "  return (%v" + std::to_string(kCalls) + ")\n", graph.get());
    const torch::jit::Code code(graph, "f");
    const at::Tensor x = at::zeros({1});
    measure(state, [&] {
        torch::jit::Stack stack{x};
        torch::jit::InterpreterState(code).run(stack);
        benchmark::DoNotOptimize(stack.back());
    });
}

void unobserved(benchmark::State& state, const Case& which) {
    at::set_num_threads(1);
    const Model model = makeModel(which);
    Interpreter interpreter(model);
    const c10::InferenceMode guard;
    const at::Tensor x = at::zeros({1});
    measure(state, [&] { benchmark::DoNotOptimize(interpreter.run({Value(c10::IValue(x))})); });
}

struct CountingObserver : Observer {
    void beforeNode(Interpreter&, const Node&) override { ++before; }
    void afterNode(const Interpreter&, const Node&, const Value&) override { ++after; }
    size_t before = 0, after = 0;
};

template <class Watcher>
void observed(benchmark::State& state, const Case& which) {
    at::set_num_threads(1);
    const Model model = makeModel(which);
    Watcher watcher;
    const auto context = std::make_shared<RunContext>(model);
    context->observers.push_back(&watcher);
    Interpreter interpreter(context, model.root());
    const c10::InferenceMode guard;
    const at::Tensor x = at::zeros({1});
    measure(state, [&] { benchmark::DoNotOptimize(interpreter.run({Value(c10::IValue(x))})); });
}

/// A debugger that goes on to the end: values kept, shapes and health recorded, events told.
void debugged(benchmark::State& state, const Case& which) {
    at::set_num_threads(1);
    const Model model = makeModel(which);
    for (auto _ : state) {
        std::promise<double> milliseconds;
        DebugOptions options;
        options.pausesAtEntry = false;
        DebugSession session(
            model, [](const Model&) { return Values{Value(c10::IValue(at::zeros({1})))}; }, options, {},
            [&](const DebugEvent& event) {
                if (const auto* finished = std::get_if<Finished>(&event))
                    milliseconds.set_value(finished->milliseconds);
            });
        state.SetIterationTime(milliseconds.get_future().get() / 1e3);
    }
    countNodes(state);
}

const bool kRegistered = [] {
    for (const Case& which : kCases) {
        const auto add = [&](const std::string& who, auto work) {
            benchmark::RegisterBenchmark((who + ", " + which.name).c_str(),
                                         [work, &which](benchmark::State& state) { work(state, which); })
                ->Unit(benchmark::kMicrosecond)
                ->UseManualTime();
        };
        add("torchscript", torchScript);
        add("unobserved", unobserved);
        add("observed", observed<CountingObserver>);
        add("shapes", observed<ShapeObserver>);
        add("debugged", debugged);
    }
    return true;
}();

} // namespace
