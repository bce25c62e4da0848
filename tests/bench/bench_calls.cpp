// SPDX-License-Identifier: GPL-3.0-or-later
// What a call that a Program has bound costs beyond the dispatcher's boxed call of the same operator: the
// same tensors, a stack filled the same way, a result that is dropped.
//
//   valgrind --tool=callgrind --dump-after='*::warmUp(*' --dump-after='*::calls(*' fxscope_bench
//       --benchmark_filter='calls, torch.relu' --benchmark_min_time=0
// counts the instructions of runBoxed and runBound, which no other load of the machine changes.
#include "core/interpret/interpreter.h"
#include "core/module/edit.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>

#include <benchmark/benchmark.h>
#include <chrono>

namespace {

using namespace fx;
using torch::jit::Stack;

constexpr int kCalls = 2000;

struct Case {
    const char* name;
    const char* op; ///< the operator that both call
    const char* overload;
    NodeId (*call)(Edit& edit, NodeId x, NodeId rows, NodeId number);
    void (*fill)(Stack& stack, const at::Tensor& x, int64_t rows, const at::Tensor& number);
};

const Case kCases[] = {
    {"torch.relu(x)", "aten::relu", "",
     [](Edit& edit, NodeId x, NodeId, NodeId) { return edit.callFunction("torch.relu", {x}); },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor&) { stack.emplace_back(x); }},
    {"torch.add(x, x)", "aten::add", "Tensor",
     [](Edit& edit, NodeId x, NodeId, NodeId) {
         return edit.callFunction("torch.add", {x, x});
     },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor&) {
         stack.emplace_back(x);
         stack.emplace_back(x);
         stack.emplace_back(1);
     }},
    {"torch.ops.aten.add.Tensor(x, x)", "aten::add", "Tensor",
     [](Edit& edit, NodeId x, NodeId, NodeId) {
         return edit.callFunction("torch.ops.aten.add.Tensor", {x, x});
     },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor&) {
         stack.emplace_back(x);
         stack.emplace_back(x);
         stack.emplace_back(1);
     }},
    {"x.view(2, 3)", "aten::view", "",
     [](Edit& edit, NodeId x, NodeId, NodeId) {
         return edit.callMethod("view", {x, 2, 3});
     },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor&) {
         static const c10::IValue sizes(c10::List<int64_t>({2, 3}));
         stack.emplace_back(x);
         stack.push_back(sizes);
     }},
    {"torch.cat([x, x])", "aten::cat", "",
     [](Edit& edit, NodeId x, NodeId, NodeId) {
         return edit.callFunction("torch.cat", {ListValue{{x, x}}});
     },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor&) {
         stack.emplace_back(c10::List<at::Tensor>({x, x}));
         stack.emplace_back(0);
     }},
    {"torch.empty_like(x)", "aten::empty_like", "",
     [](Edit& edit, NodeId x, NodeId, NodeId) { return edit.callFunction("torch.empty_like", {x}); },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor&) {
         stack.emplace_back(x);
         for (int i = 0; i < 5; ++i)
             stack.emplace_back();
     }},
    {"x.max(1)", "aten::max", "dim",
     [](Edit& edit, NodeId x, NodeId, NodeId) {
         return edit.callMethod("max", {x, 1});
     },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor&) {
         stack.emplace_back(x);
         stack.emplace_back(1);
         stack.emplace_back(false);
     }},
    {"x.view(rows, -1)", "aten::view", "",
     [](Edit& edit, NodeId x, NodeId rows, NodeId) {
         return edit.callMethod("view", {x, rows, -1});
     },
     [](Stack& stack, const at::Tensor& x, int64_t rows, const at::Tensor&) {
         stack.emplace_back(x);
         stack.emplace_back(c10::List<int64_t>({rows, -1}));
     }},
    {"torch.add(x, number)", "aten::add", "Tensor",
     [](Edit& edit, NodeId x, NodeId, NodeId number) {
         return edit.callFunction("torch.add", {x, number});
     },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor& number) {
         stack.emplace_back(x);
         stack.emplace_back(number);
         stack.emplace_back(1);
     }},
    {"torch.full_like(x, number)", "aten::full_like", "",
     [](Edit& edit, NodeId x, NodeId, NodeId number) {
         return edit.callFunction("torch.full_like", {x, number});
     },
     [](Stack& stack, const at::Tensor& x, int64_t, const at::Tensor& number) {
         stack.emplace_back(x);
         stack.emplace_back(number.item());
         for (int i = 0; i < 5; ++i)
             stack.emplace_back();
     }},
    {"torch.zeros(rows, device='cpu')", "aten::zeros", "",
     [](Edit& edit, NodeId, NodeId rows, NodeId) {
         return edit.callFunction("torch.zeros", {rows}, {{"device", "cpu"}});
     },
     [](Stack& stack, const at::Tensor&, int64_t rows, const at::Tensor&) {
         stack.emplace_back(c10::List<int64_t>({rows}));
         stack.emplace_back();
         stack.emplace_back();
         stack.emplace_back(c10::Device(c10::kCPU));
         stack.emplace_back();
     }},
};

Model makeModel(const Case& which) {
    Model model;
    Edit edit(model);
    const NodeId x = edit.placeholder("x"), rows = edit.placeholder("rows"),
                 number = edit.placeholder("number");
    for (int i = 0; i < kCalls; ++i)
        which.call(edit, x, rows, number);
    edit.output(x);
    edit.finish();
    return model;
}

struct Inputs {
    at::Tensor x = at::zeros({2, 3}), number = at::scalar_tensor(2);
    int64_t rows = 2;
};

[[gnu::noinline]] void runBoxed(const Case& which, const c10::OperatorHandle& op, const Inputs& inputs,
                                Stack& stack) {
    for (int i = 0; i < kCalls; ++i) {
        stack.clear();
        which.fill(stack, inputs.x, inputs.rows, inputs.number);
        op.callBoxed(stack);
    }
    stack.clear();
}

[[gnu::noinline]] void runBound(Interpreter& interpreter, const Inputs& inputs) {
    interpreter.run({Value(c10::IValue(inputs.x)), makeInt(inputs.rows), Value(c10::IValue(inputs.number))});
}

/// What is done once: calls are bound, and the allocator has seen them.
[[gnu::noinline]] void warmUp(const Case& which, const c10::OperatorHandle& op, const Inputs& inputs,
                              Stack& stack, Interpreter& interpreter) {
    runBoxed(which, op, inputs, stack);
    runBound(interpreter, inputs);
}

/// Microseconds per call, the least of all turns.
void calls(benchmark::State& state, const Case& which) {
    at::set_num_threads(1);
    const c10::InferenceMode guard;
    const Inputs inputs;
    const Model model = makeModel(which);
    Interpreter interpreter(model);
    const c10::OperatorHandle op = c10::Dispatcher::singleton().findSchemaOrThrow(which.op, which.overload);
    Stack stack;
    warmUp(which, op, inputs, stack, interpreter);
    const auto time = [&](const char* name, auto&& run) {
        const auto start = std::chrono::steady_clock::now();
        run();
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
        double& least = state.counters[name].value;
        least = std::min(least == 0 ? 1e9 : least, time.count() / kCalls);
    };
    for (auto _ : state) {
        time("boxed", [&] { runBoxed(which, op, inputs, stack); });
        time("bound", [&] { runBound(interpreter, inputs); });
    }
}

const bool kRegistered = [] {
    for (const Case& which : kCases)
        benchmark::RegisterBenchmark((std::string("calls, ") + which.name).c_str(),
                                     [&which](benchmark::State& state) { calls(state, which); });
    return true;
}();

} // namespace
