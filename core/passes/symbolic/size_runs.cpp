// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/symbolic/size_runs.h"

#include "core/torch/bind/data_stand_ins.h"

#include <set>

namespace fx {

namespace {

class Watcher : public ShapeObserver {
public:
    explicit Watcher(SizeRun& run) : m_run(run) {}
    void afterNode(const Interpreter& interpreter, const Node& node, const Value& value) override {
        ShapeObserver::afterNode(interpreter, node, value);
        ++m_run.steps;
        if (const NodeKey key{interpreter.module(), node.id}; m_seen.insert(key).second)
            m_run.order.push_back(key);
    }
    void failed(const Interpreter& interpreter, const Node& node, const std::string& message) override {
        if (m_run.hasFailed)
            return; // of the node that runs the graph in which it was
        m_run.hasFailed = true;
        m_run.failedAt = {interpreter.module(), node.id};
        m_run.fault = message.substr(0, message.find('\n'));
    }

private:
    SizeRun& m_run;
    std::set<NodeKey> m_seen;
};

RunSettings settingsOnMeta() {
    RunSettings out;
    out.device = c10::Device(c10::kMeta);
    return out;
}

} // namespace

SizeRuns::SizeRuns(const Model& model, const SymbolicInputs& inputs, const GraphInputs& others,
                   Progress& progress)
    : m_model(model), m_inputs(inputs), m_others(others), m_progress(progress),
      m_context(std::make_shared<RunContext>(model, settingsOnMeta())) {}

SizeRun SizeRuns::run(const SizePoint& point) {
    // How many there will be nobody knows.
    const auto count = static_cast<double>(m_count);
    m_progress.step(count / (count + 40), "sizes");
    SizeRun out;
    out.point = point;
    Watcher watcher(out);
    m_context->observers = {&watcher};
    const DataStandIns data(++m_count);
    try {
        Interpreter(m_context, m_model.root()).run(inputsAt(m_model, m_inputs, point, m_others));
    } catch (const NodeError&) {
        if (!out.hasFailed)
            throw;
    }
    m_context->observers.clear();
    out.values = watcher.shapes();
    return out;
}

} // namespace fx
