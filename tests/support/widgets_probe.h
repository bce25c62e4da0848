// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of widgets share: settings of their own, the sample models, nodes by name.
#pragma once

#include "core/interpret/debug_types.h"
#include "core/io/opened_model.h"
#include "core/open/open.h"
#include "widgets/document/graph_document.h"
#include "widgets/support/qt_text.h"

#include <QAbstractAnimation>
#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QWidget>

#include <algorithm>

namespace fx::ui {

/// Keeps what the program remembers in a folder that goes with it.
class OwnSettings {
public:
    OwnSettings() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("fxscope");
        QCoreApplication::setApplicationName("fxscope-test");
        for (const QSettings::Format format : {QSettings::NativeFormat, QSettings::IniFormat})
            QSettings::setPath(format, QSettings::UserScope, m_folder.path());
        qputenv("XDG_STATE_HOME", m_folder.path().toUtf8());
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }

private:
    QTemporaryDir m_folder;
};

/// "resnet", "transformer" or "control_flow".
inline QString samplePath(const QString& name) {
    return FXSCOPE_BUILD "/samples/" + name + ".pt2";
}

inline OpenedModel openSample(const QString& name) {
    Progress progress;
    return openModel(utf8(samplePath(name)), {}, progress);
}

/// A node of the root graph; none if there is none of that name.
inline NodeRef nodeNamed(const Model& model, const QString& name) {
    return {model.root(), model.graph().find(utf8(name))};
}

/// Whether nothing in the widget is on its way to another place.
inline bool isAtRest(const QWidget& widget) {
    const auto moves = widget.findChildren<QAbstractAnimation*>();
    return std::none_of(moves.begin(), moves.end(),
                        [](const auto* move) { return move->state() == QAbstractAnimation::Running; });
}

} // namespace fx::ui
