// SPDX-License-Identifier: GPL-3.0-or-later
// The line at the bottom of the window: where a run is, what is open, what is going on.
#pragma once

#include "core/interpret/debug_types.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>

namespace fx::ui {

class OpenService;
class Theme;
class Workspace;

class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    StatusLine(OpenService& service, const Theme& theme);
    /// Null: there is no model.
    void follow(Workspace* workspace);

Q_SIGNALS:
    void nodeWanted(fx::NodeRef node);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    template <class Service>
    QList<QMetaObject::Connection> showWorkOf(Service& service);
    void refresh();
    /// Walks the whole graph: only when the model is another one.
    void describeModel();
    void elide();

    OpenService& m_service;
    const Theme& m_theme;
    Workspace* m_workspace = nullptr;
    QList<QMetaObject::Connection> m_followed; ///< what is heard of it
    QLabel *m_dot, *m_run, *m_model, *m_numbers, *m_busyText;
    QString m_modelText;
    QWidget* m_busy;
    const QObject* m_worker = nullptr; ///< whose work is shown
    QPushButton *m_cancel, *m_culprit;
    QProgressBar* m_progress;
};

} // namespace fx::ui
