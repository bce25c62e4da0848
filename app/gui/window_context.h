// SPDX-License-Identifier: GPL-3.0-or-later
// What the controllers of a window share: the model in front, and what is around it.
#pragma once

#include "app/gui/actions.h"
#include "app/gui/docks.h"
#include "app/gui/tabs.h"
#include "widgets/session/open_service.h"
#include "widgets/support/calls_after_dialogs.h"

#include <QMainWindow>

namespace fx::ui {

class Finder;
class Theme;

struct WindowContext {
    QMainWindow& window;
    Theme& theme;
    Actions& actions;
    Docks& docks;
    Tabs& tabs;
    OpenService& service;
    Finder& finder;
    CallsAfterDialogs& afterDialogs;

    // Of the model in front, which there must be:
    Workspace& workspace() const { return *tabs.workspace(); }
    WorkspaceView& view() const { return *tabs.view(); }
    GraphDocument& document() const { return workspace().document(); }
    Selection& selection() const { return workspace().selection(); }
    DebugService& debug() const { return workspace().debug(); }
    bool hasNode() const { return bool(selection().currentNode()); }
    bool hasSelection() const { return hasNode() || !selection().scope().isEmpty(); }
    /// Tells something beside the graph, for a while. `isFault`: as a fault.
    void tell(const QString& text, bool isFault = false) const;
    /// Tells why an edit was refused, if it was.
    void take(const QString& reason) const;
    /// The devices on which the model in front can be run: "cpu", "cuda:0".
    QStringList devices() const;
};

} // namespace fx::ui
