// SPDX-License-Identifier: GPL-3.0-or-later
// Time per node of a chain of tiny operators: by our interpreter, unobserved and observed, and by
// TorchScript's interpreter on the same operators in the same process. "nothing" is an operator without work:
// overhead alone.
#include "core/interpret/debug_types.h"
#include "core/interpret/interpreter.h"
#include "core/interpret/shape_prop.h"
#include "core/module/edit.h"
#include "core/run/debug_session.h"

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
    {"add_by_name", "torch.add", "aten::add", true},
    {"add_by_operator", "operator.add", "aten::add", true},
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

torch::jit::Code compileScript(const Case& which) {
    std::string source = "graph(%v0 : Tensor):\n  %one : int = prim::Constant[value=1]()\n";
    for (int i = 0; i < kCalls; ++i) {
        const std::string in = "%v" + std::to_string(i), out = "%v" + std::to_string(i + 1);
        source += "  " + out + " : Tensor = " + which.script + '(' + in +
                  (which.isBinary ? ", " + in + ", %one)\n" : ")\n");
    }
    const auto graph = std::make_shared<torch::jit::Graph>();
    torch::jit::parseIR(source + "  return (%v" + std::to_string(kCalls) + ")\n", graph.get());
    return torch::jit::Code(graph, "f");
}

struct CountingObserver : Observer {
    void beforeNode(Interpreter&, const Node&) override { ++before; }
    void afterNode(const Interpreter&, const Node&, const Value&) override { ++after; }
    size_t before = 0, after = 0;
};

/// All interpreters in turns, for what the allocator has seen before changes the time of an operator by more
/// than the interpreters differ. The counters are microseconds per node, the least of all turns.
void interpreters(benchmark::State& state, const Case& which) {
    at::set_num_threads(1);
    const c10::InferenceMode guard;
    const at::Tensor x = at::zeros({1});
    const Model model = makeModel(which);
    const torch::jit::Code script = compileScript(which);
    CountingObserver counter;
    ShapeObserver shapes;
    const auto interpreter = [&](Observer* observer) {
        const auto context = std::make_shared<RunContext>(model);
        if (observer)
            context->observers.push_back(observer);
        return std::make_shared<Interpreter>(context, model.root());
    };
    std::vector<std::pair<const char*, std::function<void()>>> turns;
    turns.emplace_back("torchscript", [&] {
        torch::jit::Stack stack{x};
        torch::jit::InterpreterState(script).run(stack);
    });
    const std::pair<const char*, Observer*> watchers[] = {
        {"unobserved", nullptr}, {"observed", &counter}, {"shapes", &shapes}};
    for (const auto& [name, observer] : watchers)
        turns.emplace_back(name, [&, ours = interpreter(observer)] { ours->run({Value(c10::IValue(x))}); });
    for (auto _ : state)
        for (const auto& [name, run] : turns) {
            const auto start = std::chrono::steady_clock::now();
            run();
            const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
            double& least = state.counters[name].value;
            least = std::min(least == 0 ? 1e9 : least, time.count() / kCalls);
        }
}

/// A debugger that goes on to the end: values kept, shapes and health recorded, events told.
void debugged(benchmark::State& state, const Case& which) {
    at::set_num_threads(1);
    const Model model = makeModel(which);
    double least = 1e9;
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
        least = std::min(least, milliseconds.get_future().get() * 1e3 / kCalls);
    }
    state.counters["debugged"] = least;
}

const bool kRegistered = [] {
    for (const Case& which : kCases) {
        const std::string name = which.name;
        benchmark::RegisterBenchmark(("interpreters, " + name).c_str(),
                                     [&which](benchmark::State& state) { interpreters(state, which); });
        benchmark::RegisterBenchmark(("debugger, " + name).c_str(),
                                     [&which](benchmark::State& state) { debugged(state, which); });
    }
    return true;
}();

} // namespace
