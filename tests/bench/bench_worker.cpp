// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs that a model runs in a process of its own: a step and its answer, a thousand of them, and the
// first stop of a run, each here and there.
#include "core/module/edit.h"
#include "core/open/open.h"
#include "core/passes/pass_options.h"
#include "core/passes/pass_runner.h"
#include "core/passes/registry.h"
#include "core/session/cost_job.h"
#include "core/session/service_host.h"
#include "core/session/verify_job.h"
#include "core/session/worker_client.h"

#include <benchmark/benchmark.h>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace fx {

namespace {

/// Counts the stops and ends of runs.
class Stops {
public:
    explicit Stops(bool isApart) {
        const auto listen = [this](int, const DebugEvent& event) {
            if (!std::get_if<Paused>(&event) && !std::get_if<Finished>(&event) &&
                !std::get_if<Failed>(&event))
                return;
            const std::lock_guard lock(m_mutex);
            ++m_count;
            m_isOver = !std::get_if<Paused>(&event);
            m_wake.notify_one();
        };
        if (isApart)
            debuggee = std::make_unique<WorkerDebuggee>(WorkerOptions(), listen);
        else
            debuggee = std::make_unique<LocalDebuggee>(listen);
    }
    /// Waits for the next one; true if the run is over.
    bool wait() {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return m_count > m_seen; });
        m_seen = m_count;
        return m_isOver;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    int m_count = 0, m_seen = 0;
    bool m_isOver = false;

public:
    std::unique_ptr<Debuggee> debuggee;
};

std::shared_ptr<const OpenedModel> chain(int length) {
    OpenedModel out;
    Edit edit(out.model);
    NodeId last = edit.placeholder("x");
    for (int i = 0; i < length; ++i)
        last = edit.callFunction("torch.relu", {last});
    edit.output(last);
    edit.finish();
    return std::make_shared<const OpenedModel>(std::move(out));
}

RunRequest onRandom(const char* input, const char* spec) {
    RunRequest out;
    out.inputs[input] = spec;
    return out;
}

std::shared_ptr<const OpenedModel> opened(const char* path) {
    Progress progress;
    return std::make_shared<const OpenedModel>(openModel(path, {}, progress));
}

/// What is stepped through, and its inputs.
struct Stepped {
    std::shared_ptr<const OpenedModel> model;
    RunRequest request;
};

/// Its nodes do next to nothing.
Stepped chainOfThousand() {
    return {chain(1000), onRandom("x", "torch.ones(64)")};
}

/// Small: most nodes take some ten microseconds.
Stepped sample() {
    return {opened(FXSCOPE_BENCH_RESNET), {}};
}

Stepped resnet50() {
    return {opened(FXSCOPE_BENCH_SOURCES "/resnet50.py:ResNet50()"),
            onRandom("x", "torch.ones(1, 3, 224, 224)")};
}

/// Each round is one step; what it takes to begin anew is not counted.
void steps(benchmark::State& state, bool isApart, Stepped (*stepped)()) {
    Stops stops(isApart);
    const auto [model, request] = stepped();
    stops.debuggee->setModel(model);
    int run = 0;
    bool isOver = true;
    for (auto _ : state) {
        if (isOver) {
            state.PauseTiming();
            stops.debuggee->start(++run, request);
            stops.wait();
            state.ResumeTiming();
        }
        stops.debuggee->send(Resume{Resume::Mode::Step, {}});
        isOver = stops.wait();
    }
}

/// From the first stop to the end, with each node told.
void thousand(benchmark::State& state, bool isApart) {
    Stops stops(isApart);
    stops.debuggee->setModel(chain(1000));
    int run = 0;
    for (auto _ : state) {
        state.PauseTiming();
        stops.debuggee->start(++run, onRandom("x", "torch.ones(64)"));
        stops.wait();
        state.ResumeTiming();
        stops.debuggee->send(Resume{Resume::Mode::Continue, {}});
        stops.wait();
    }
}

void firstStop(benchmark::State& state, bool isApart) {
    Stops stops(isApart);
    stops.debuggee->setModel(opened(FXSCOPE_BENCH_RESNET));
    int run = 0;
    // The first one warms up what runs it.
    stops.debuggee->start(++run, {});
    stops.wait();
    for (auto _ : state) {
        stops.debuggee->start(++run, {});
        stops.wait();
    }
}

/// As the window does after a pass: ResNet50, whose batch normalizations were folded into the convolutions.
void verify(benchmark::State& state, bool isApart) {
    OpenedModel fused = *opened(FXSCOPE_BENCH_SOURCES "/resnet50.py:ResNet50().eval()");
    const RunRequest run = onRandom("x", "torch.ones(1, 3, 224, 224)");
    Progress progress;
    PassContext context{progress};
    const Pass& pass = findPass("fuse");
    const PassReport report = runPass(fused.model, fused.model.root(), pass, PassOptions(pass, {}), context);
    const VerifyRequest request{updateOf(fused.model, report.changes, true, ModelExtent(fused.model)), run};
    ServiceHost host;
    const ServiceModels models{fused, nullptr, host.version()};
    if (isApart) // the pass before it had the worker, too
        host.ask(kCostService, models, CostRequest{run}, progress);
    for (auto _ : state) {
        if (isApart)
            benchmark::DoNotOptimize(host.ask(kVerifyService, models, request, progress));
        else
            benchmark::DoNotOptimize(
                kVerifyService.serve(models, kVerifyService.question(request), progress));
    }
}

#define FXSCOPE_BENCH_STEPS(name, stepped)                                                                   \
    BENCHMARK_CAPTURE(steps, stepped##Here, false, stepped)                                                  \
        ->Name(name ", here")                                                                                \
        ->UseRealTime()                                                                                      \
        ->Unit(benchmark::kMicrosecond);                                                                     \
    BENCHMARK_CAPTURE(steps, stepped##Apart, true, stepped)                                                  \
        ->Name(name ", apart")                                                                               \
        ->UseRealTime()                                                                                      \
        ->Unit(benchmark::kMicrosecond)
FXSCOPE_BENCH_STEPS("step", chainOfThousand);
FXSCOPE_BENCH_STEPS("step in the ResNet sample", sample);
FXSCOPE_BENCH_STEPS("step in ResNet50", resnet50);
BENCHMARK_CAPTURE(thousand, here, false)
    ->Name("1,000 nodes, here")
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(thousand, apart, true)
    ->Name("1,000 nodes, apart")
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(firstStop, here, false)
    ->Name("first stop, here")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(firstStop, apart, true)
    ->Name("first stop, apart")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verify, here, false)
    ->Name("verify fused ResNet50, here")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(verify, apart, true)
    ->Name("verify fused ResNet50, apart")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

} // namespace

} // namespace fx
