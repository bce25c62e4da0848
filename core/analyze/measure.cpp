// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/measure.h"

#include "core/base/memory_use.h"
#include "core/interpret/interpreter.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/Allocator.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace fx {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The least time of a call among those that fit into `budget` seconds, the first left out.
template <class Work>
double least(double budget, Work work) {
    work();
    double best = std::numeric_limits<double>::max();
    for (const auto start = Clock::now(); secondsSince(start) < budget;) {
        const auto before = Clock::now();
        work();
        best = std::min(best, secondsSince(before));
    }
    return best;
}

/// Of square matrices, larger ones as long as they are quick.
double productFlops(c10::ScalarType dtype, double budget) {
    const bool isWhole = dtype == c10::ScalarType::Char;
    double best = 0;
    for (const int64_t size : {192, 384, 768}) {
        const at::Tensor a =
            isWhole ? at::randint(-9, 9, {size, size}, dtype) : at::randn({size, size}).to(dtype);
        const double seconds = least(budget / 3, [&] { isWhole ? at::_int_mm(a, a) : at::mm(a, a); });
        best = std::max(best, 2.0 * static_cast<double>(size * size * size) / seconds);
        if (seconds > budget / 12)
            break;
    }
    return best;
}

/// Bytes in a second of adding two tensors into a third.
double addBandwidth(uint64_t bytes, double budget, double launch) {
    const auto count = static_cast<int64_t>(bytes / 3 / sizeof(float));
    const at::Tensor a = at::ones({count}), b = at::ones({count});
    at::Tensor c = at::empty({count});
    const double seconds = least(budget, [&] { at::add_out(c, a, b); });
    return static_cast<double>(bytes) / std::max(seconds - launch, seconds / 10);
}

/// What LibTorch's allocator says of this thread.
class PeakMemory : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device) override {
        m_now += size;
        m_most = std::max(m_most, m_now);
    }
    bool memoryProfilingEnabled() const override { return true; }
    uint64_t most() const { return static_cast<uint64_t>(m_most); }

private:
    int64_t m_now = 0, m_most = 0;
};

class NodeTimes : public Observer {
public:
    void beforeNode(Interpreter& interpreter, const Node&) override {
        if (!interpreter.parent())
            m_start = Clock::now();
    }
    void afterNode(const Interpreter& interpreter, const Node& node, const Value&) override {
        if (interpreter.parent())
            return;
        const double took = secondsSince(m_start);
        const auto [entry, isNew] = seconds.emplace(node.id, took);
        if (!isNew)
            entry->second = std::min(entry->second, took);
    }
    std::map<NodeId, double> seconds;

private:
    Clock::time_point m_start;
};

/// What is there before the run is there after it, as the allocator says only what is new.
uint64_t peakOf(const std::shared_ptr<RunContext>& context, ModuleId module, const GraphInputs& inputs) {
    const auto memory = std::make_shared<PeakMemory>();
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, memory);
    Interpreter(context, module).run(inputs);
    return memory->most();
}

/// One of the models that are measured in turns.
class Runner {
public:
    Runner(const Model& model, const std::function<GraphInputs()>& inputs, const RunSettings& settings)
        : m_context(std::make_shared<RunContext>(model, settings)), m_interpreter(m_context, model.root()),
          m_inputs(inputs) {
        m_interpreter.run(m_inputs());
        m_costs.peakBytes = peakOf(m_context, model.root(), m_inputs());
    }
    void run() {
        GraphInputs inputs = m_inputs();
        const auto start = Clock::now();
        m_interpreter.run(std::move(inputs));
        m_seconds.push_back(secondsSince(start));
    }
    RunCosts costs() {
        std::sort(m_seconds.begin(), m_seconds.end());
        m_costs.runs = m_seconds.size();
        m_costs.least = m_seconds.front();
        m_costs.median = m_seconds[m_seconds.size() / 2];
        m_costs.most = m_seconds.back();
        return m_costs;
    }

private:
    std::shared_ptr<RunContext> m_context;
    Interpreter m_interpreter;
    const std::function<GraphInputs()>& m_inputs;
    std::vector<double> m_seconds;
    RunCosts m_costs;
};

} // namespace

std::pair<RunCosts, RunCosts> measureInTurns(const Model& a, const std::function<GraphInputs()>& inputsA,
                                             const Model& b, const std::function<GraphInputs()>& inputsB,
                                             const RunSettings& settings, double seconds,
                                             const Progress& progress) {
    constexpr int kLeastRuns = 3;
    Runner first(a, inputsA, settings), second(b, inputsB, settings);
    const auto start = Clock::now();
    for (int runs = 0; runs < kLeastRuns || secondsSince(start) < seconds; ++runs) {
        if (progress.isCancelled())
            throw Cancelled();
        first.run();
        second.run();
    }
    return {first.costs(), second.costs()};
}

Device measureDevice(Progress& progress) {
    const c10::InferenceMode mode;
    Device out;
    out.name = "here";
    out.title = "this machine, " + std::to_string(at::get_num_threads()) + " threads";
    const at::Tensor one = at::ones({1});
    constexpr int kCalls = 100;
    out.launch = least(0.1,
                       [&] {
                           for (int i = 0; i < kCalls; ++i)
                               at::relu(one);
                       }) /
                 kCalls;
    for (const c10::ScalarType dtype :
         {c10::ScalarType::Float, c10::ScalarType::Double, c10::ScalarType::BFloat16, c10::ScalarType::Half,
          c10::ScalarType::Char}) {
        progress.step(0.1 + 0.1 * static_cast<double>(out.flops.size()), "products of matrices");
        out.flops[dtype] = productFlops(dtype, 0.2);
    }
    progress.step(0.6, "copies");
    out.bandwidth = addBandwidth(uint64_t(192) << 20, 0.6, out.launch);
    out.cache = uint64_t(1) << 20;
    out.cacheBandwidth = std::max(out.bandwidth, addBandwidth(out.cache, 0.2, out.launch));
    out.memory = machineBytes();
    return out;
}

MeasuredRun measureRun(const Model& model, const std::function<GraphInputs()>& inputs,
                       const RunSettings& settings, double seconds) {
    NodeTimes times;
    MeasuredRun out;
    const auto context = std::make_shared<RunContext>(model, settings);
    context->observers.push_back(&times);
    Interpreter interpreter(context, model.root());
    const auto start = Clock::now();
    for (int runs = 0; runs < 2 || secondsSince(start) < seconds; ++runs) {
        GraphInputs given = inputs();
        if (runs == 1)
            out.peakBytes = peakOf(context, model.root(), given);
        else
            interpreter.run(std::move(given));
    }
    out.seconds = std::move(times.seconds);
    for (const auto& [node, took] : out.seconds)
        out.total += took;
    return out;
}

} // namespace fx
