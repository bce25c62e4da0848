// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/plugin_panes.h"

#include "widgets/support/qt_text.h"

namespace fx {

void WorkspacePaneHost::select(NodeId node) {
    if (!model().graph(graph()).contains(node))
        return;
    m_workspace.selection().reveal(node);
    m_workspace.selection().select({graph(), node});
}

void WorkspacePaneHost::whenChanged(QWidget& pane, std::function<void()> then) {
    QObject::connect(&m_workspace.document(), &GraphDocument::changed, &pane, [then] { then(); });
    QObject::connect(&m_workspace.selection(), &Selection::graphShown, &pane, then);
}

void fillPluginPanes(Docks& docks, PaneHost& host) {
    int dock = Docks::Count;
    for (const PluginPane& pane : pluginPanes()) {
        QWidget* content = nullptr;
        QString fault = "it made nothing";
        try {
            content = pane.make(host);
        } catch (const std::exception& error) {
            fault = error.what();
        }
        if (!content) {
            auto* label = new QLabel("This pane could not be made: " + fault);
            label->setTextFormat(Qt::PlainText);
            label->setWordWrap(true);
            label->setObjectName("fault");
            content = label;
        }
        docks.setContent(static_cast<Docks::Pane>(dock++), content);
    }
}

} // namespace fx
