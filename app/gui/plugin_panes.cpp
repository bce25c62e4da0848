// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/plugin_panes.h"

#include "widgets/support/qt_text.h"

#include <QLabel>

namespace fx::ui {

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

namespace {

QWidget* madeBy(const PluginPane& pane, PaneHost& host) {
    QString fault = "it made nothing";
    try {
        if (QWidget* made = pane.make(host))
            return made;
    } catch (const std::exception& error) {
        fault = error.what();
    }
    auto* label = new QLabel("This pane could not be made: " + fault);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setObjectName("fault");
    return label;
}

} // namespace

PaneSpec specOf(const PluginPane& pane) {
    return {PaneId::Other, "plugin:" + qt(pane.name), qt(pane.title), PanePlace::Bottom,
            [&pane](PaneContext& context) { return madeBy(pane, context.host); }};
}

} // namespace fx::ui
