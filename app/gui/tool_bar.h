// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar: file, history, the run with its one filled button, device and inputs, and the way to find
// things.
#pragma once

#include <QStringList>
#include <QToolBar>
#include <QToolButton>

class QActionGroup;

namespace fx::ui {

class Actions;
class Theme;
class Workspace;

class ToolBar : public QToolBar {
    Q_OBJECT

public:
    ToolBar(Actions& actions, const Theme& theme);
    void follow(Workspace* workspace);
    /// What models can be run on.
    void setDevices(const QStringList& devices);

private:
    void refresh();
    /// Buttons are as wide as the longest of what they may say.
    void keepPlaces();

    QAction& primary() const;

    Actions& m_actions;
    const Theme& m_theme;
    Workspace* m_workspace = nullptr;
    QActionGroup* m_devices;
    QToolButton *m_primary, *m_device, *m_inputs, *m_find;
};

} // namespace fx::ui
