// SPDX-License-Identifier: GPL-3.0-or-later
// The panes of plugins for an open workspace, and what these see of it.
#pragma once

#include "app/gui/docks.h"
#include "app/gui/workspace.h"
#include "core/plugins/plugin_host.h"

namespace fx {

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

/// Makes the panes and puts them into their docks. One that fails says so in its place. `host` outlives them.
void fillPluginPanes(Docks& docks, PaneHost& host);

} // namespace fx
