// SPDX-License-Identifier: GPL-3.0-or-later
// A choice among devices that times can be predicted for: those that come along, this machine, and files.
#pragma once

#include <QComboBox>

namespace fx::ui {

class DeviceBox : public QComboBox {
    Q_OBJECT

public:
    /// `none`: the words for no device. `hasThisMachine`: whether that is among them.
    DeviceBox(const QString& none, bool hasThisMachine, QWidget* parent = nullptr);
    /// As CostService::chooseDevice() takes it. A path that is not listed yet is from then on.
    void setDevice(const QString& name);
    QString device() const { return currentData().toString(); }

Q_SIGNALS:
    void deviceChosen(const QString& name);

private:
    void choose();

    QString m_chosen;
};

} // namespace fx::ui
