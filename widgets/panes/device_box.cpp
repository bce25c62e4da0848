// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/device_box.h"

#include "core/analyze/device.h"
#include "widgets/session/cost_service.h"
#include "widgets/support/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>

namespace fx::ui {

namespace {

constexpr char kFromFile[] = ":file"; // no name or path of a device

} // namespace

DeviceBox::DeviceBox(const QString& none, bool hasThisMachine, QWidget* parent) : QComboBox(parent) {
    addItem(none, QString());
    if (hasThisMachine)
        addItem("This machine (measured)", QString(kThisMachine));
    for (const std::string& name : deviceNames())
        addItem(qt(findDevice(name).title), qt(name));
    addItem("From file…", QString(kFromFile));
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(18);
    connect(this, &QComboBox::activated, this, &DeviceBox::choose);
}

void DeviceBox::setDevice(const QString& name) {
    if (findData(name) < 0)
        insertItem(count() - 1, QFileInfo(name).fileName(), name);
    setCurrentIndex(findData(name));
    m_chosen = name;
}

void DeviceBox::choose() {
    QString name = device();
    if (name == kFromFile) {
        name = QFileDialog::getOpenFileName(this, "A device", {}, "Devices (*.json);;All files (*)");
        if (name.isEmpty())
            name = m_chosen;
    }
    setDevice(name);
    Q_EMIT deviceChosen(name);
}

} // namespace fx::ui
