// SPDX-License-Identifier: GPL-3.0-or-later
// What the nodes of the model's own graph cost, for all who show it: counted beside the interface when
// somebody asks, and how long a device that the user chooses would take for it.
#pragma once

#include "core/analyze/cost_table.h"
#include "widgets/session/derived_data.h"

#include <QObject>
#include <QString>

#include <optional>

namespace fx::ui {

class DebugService;

/// The word for the processor that fxscope runs on, in the place of a device's name.
inline constexpr char kThisMachine[] = "this machine";

class CostService : public DerivedData<GraphCosts> {
    Q_OBJECT

public:
    /// `debug` says what the model runs on.
    CostService(GraphDocument& document, DebugService& debug, DocumentHost& host, QObject* parent = nullptr);

    /// Counts, unless the costs of the model as it is are known or under way. Told by changed(); until then
    /// those of before an edit stay.
    void ask();
    /// value() as a pointer.
    const GraphCosts* costs() const { return value() ? &*value() : nullptr; }
    /// Of value(), by the device.
    const NodeFigures& figures() const { return m_figures; }

    /// A name of deviceNames(), the path of a file, kThisMachine, which is measured for two seconds when
    /// somebody asks next, or nothing. Is remembered. Told by changed(); by deviceFailed(), too, where it is
    /// none.
    void chooseDevice(const QString& name);
    const QString& deviceName() const { return m_deviceName; }
    /// None, too, while it is measured.
    const std::optional<Device>& device() const { return m_device; }

    void cancel() override;

Q_SIGNALS:
    void changed();
    void deviceFailed(const QString& reason);

private:
    void taken() override { predict(); }
    void findChosen();
    void measure();
    void predict();

    DebugService& m_debug;
    NodeFigures m_figures;
    QString m_deviceName;
    std::optional<Device> m_device;
    JobRunner m_measuring; ///< of this machine
};

} // namespace fx::ui
