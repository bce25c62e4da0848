// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/cost_service.h"

#include "core/analyze/measure.h"
#include "core/base/error.h"
#include "core/session/cost_job.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

namespace fx {

CostService::CostService(GraphDocument& document, DebugService& debug, QObject* parent)
    : QObject(parent), m_document(document), m_debug(debug) {
    for (JobRunner* runner : {&m_runner, &m_measuring}) {
        connect(runner, &JobRunner::began, this, &CostService::started);
        connect(runner, &JobRunner::progressed, this, &CostService::progressed);
        connect(runner, &JobRunner::ended, this, &CostService::ended);
    }
    // Sizes are those of the inputs.
    connect(&debug.inputs(), &Inputs::changed, this, [this] {
        m_asked = {};
        Q_EMIT changed();
    });
    m_deviceName = Settings::costDevice();
    findChosen();
}

void CostService::ask() {
    if (m_deviceName == kThisMachine && !m_device && !m_measuring.isWorking())
        measure();
    if (m_asked == m_document.state() || !m_debug.inputs().areGiven())
        return;
    const DocumentState state = m_asked = m_document.state();
    const auto opened = std::make_shared<const OpenedModel>(m_document.opened());
    Job<GraphCosts> job;
    job.title = "Counting costs";
    job.work = [opened, run = m_debug.inputs().requestHere()](JobRun<GraphCosts>& progress) {
        return countCostsApart(*opened, {run}, progress);
    };
    job.done = [this, state](GraphCosts costs) {
        m_counted = state;
        m_costs = std::move(costs);
        m_fault.clear();
        predict();
    };
    job.failed = [this](const Error& why) {
        m_costs.reset();
        m_fault = qt(why.what());
        predict();
    };
    m_runner.startNewest(*this, std::move(job));
}

void CostService::chooseDevice(const QString& name) {
    m_measuring.cancelAll();
    m_deviceName = name;
    findChosen();
    Settings::setCostDevice(m_deviceName);
    predict();
}

void CostService::cancel() {
    m_runner.cancelAll();
    if (!m_measuring.isWorking())
        return;
    m_measuring.cancelAll();
    chooseDevice({});
}

void CostService::findChosen() {
    m_device.reset();
    if (m_deviceName.isEmpty() || m_deviceName == kThisMachine)
        return; // which is measured once somebody asks
    try {
        m_device = findDevice(utf8(m_deviceName));
    } catch (const Error& error) {
        m_deviceName.clear();
        Q_EMIT deviceFailed(qt(error.what()));
    }
}

void CostService::measure() {
    Job<Device> job;
    job.title = "Measuring this machine";
    job.work = [](JobRun<Device>& progress) { return measureDevice(progress); };
    job.done = [this](const Device& device) {
        m_device = device;
        predict();
    };
    job.failed = [this](const Error& why) {
        chooseDevice({});
        Q_EMIT deviceFailed(qt(why.what()));
    };
    m_measuring.startNewest(*this, std::move(job));
}

void CostService::predict() {
    m_figures = m_costs ? nodeFigures(*m_costs, m_device ? &*m_device : nullptr) : NodeFigures();
    Q_EMIT changed();
}

} // namespace fx
