// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/cost_service.h"

#include "core/analyze/measure.h"
#include "core/base/error.h"
#include "core/session/cost_job.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/settings.h"
#include "widgets/support/qt_text.h"

namespace fx::ui {

CostService::CostService(GraphDocument& document, DebugService& debug, DocumentHost& host, QObject* parent)
    : DerivedData(document, host, parent), m_debug(debug) {
    tellOf(m_measuring);
    // Sizes are those of the inputs.
    connect(&debug.inputs(), &Inputs::changed, this, [this] {
        forgetAsked();
        Q_EMIT changed();
    });
    m_deviceName = Settings::costDevice();
    findChosen();
}

void CostService::ask() {
    if (m_deviceName == kThisMachine && !m_device && !m_measuring.isWorking())
        measure();
    if (!isAsked() && m_debug.inputs().areGiven())
        DerivedData::ask("Counting costs", kCostService, CostRequest{m_debug.inputs().requestHere()});
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
        Q_EMIT deviceFailed(faultText(error.what()));
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
        Q_EMIT deviceFailed(faultText(why.what()));
    };
    m_measuring.startNewest(*this, std::move(job));
}

void CostService::predict() {
    m_figures = value() ? nodeFigures(*value(), m_device ? &*m_device : nullptr) : NodeFigures();
    Q_EMIT changed();
}

} // namespace fx::ui
