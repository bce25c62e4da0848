// SPDX-License-Identifier: GPL-3.0-or-later
// The panes of plugins as rows of the table of panes, and what these see of an open workspace.
#pragma once

#include "app/gui/panes.h"
#include "app/gui/workspace.h"
#include "core/plugins/plugin_host.h"

namespace fx::ui {

class WorkspacePaneHost : public PaneHost {
public:
    explicit WorkspacePaneHost(Workspace& workspace) : m_workspace(workspace) {}
    const Model& model() const override { return m_workspace.document().model(); }
    ModuleId graph() const override { return m_workspace.selection().graph(); }
    void select(NodeId node) override;
    void whenChanged(QWidget& pane, std::function<void()> then) override;

private:
    Workspace& m_workspace;
};

/// At the bottom. One that cannot be made says so in its place.
PaneSpec specOf(const PluginPane& pane);

} // namespace fx::ui
