// SPDX-License-Identifier: GPL-3.0-or-later
// What the nodes of the model's own graph cost, for all who show it: counted beside the interface when
// somebody asks, and how long a device that the user chooses would take for it.
#pragma once

#include "core/analyze/cost_table.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/job.h"

#include <QObject>
#include <QString>

#include <optional>

namespace fx {

class DebugService;

/// The word for the processor that fxscope runs on, in the place of a device's name.
inline constexpr char kThisMachine[] = "this machine";

class CostService : public QObject {
    Q_OBJECT

public:
    /// `debug` says what the model runs on.
    CostService(GraphDocument& document, DebugService& debug, QObject* parent = nullptr);

    /// Counts, unless the costs of the model as it is are known or under way. Told by changed(); until then
    /// those of before an edit stay.
    void ask();
    /// Null: they are not known.
    const GraphCosts* costs() const { return m_costs ? &*m_costs : nullptr; }
    /// Whether they are those of the model as it is, and not of before an edit.
    bool isCurrent() const { return m_costs && m_counted == m_document.state(); }
    const NodeFigures& figures() const { return m_figures; }
    /// Why they cannot be counted; empty: nothing is wrong.
    const QString& fault() const { return m_fault; }

    /// A name of deviceNames(), the path of a file, kThisMachine, which is measured for two seconds when
    /// somebody asks next, or nothing. Is remembered. Told by changed(); by deviceFailed(), too, where it is
    /// none.
    void chooseDevice(const QString& name);
    const QString& deviceName() const { return m_deviceName; }
    /// None, too, while it is measured.
    const std::optional<Device>& device() const { return m_device; }

    void cancel();
    bool isWorking() const { return m_runner.isWorking(); }

Q_SIGNALS:
    void started(const QString& what);
    void progressed(double fraction, const QString& what);
    void ended();
    void changed();
    void deviceFailed(const QString& reason);

private:
    void findChosen();
    void measure();
    void predict();

    GraphDocument& m_document;
    DebugService& m_debug;
    std::optional<GraphCosts> m_costs;
    NodeFigures m_figures;
    QString m_fault;
    DocumentState m_asked;   ///< of which the costs are, or will be
    DocumentState m_counted; ///< of which they are
    QString m_deviceName;
    std::optional<Device> m_device;
    JobRunner m_measuring; ///< of this machine
    JobRunner m_runner;    ///< last: its thread uses what is above
};

} // namespace fx
