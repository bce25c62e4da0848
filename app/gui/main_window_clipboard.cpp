// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes copied, cut and pasted, within a graph and between models and windows.
#include "app/gui/main_window.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/passes/registry.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/node_clipboard.h"
#include "widgets/panes/paste_dialog.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QApplication>
#include <QClipboard>

#include <algorithm>

namespace fx {

void MainWindow::connectClipboard() {
    connect(m_actions.copy, &QAction::triggered, this, [this] { copySelected(); });
    connect(m_actions.cut, &QAction::triggered, this, [this] {
        if (copySelected())
            removeSelected();
    });
    connect(m_actions.paste, &QAction::triggered, this, &MainWindow::paste);
}

bool MainWindow::copySelected() {
    const Selection& selection = m_workspace->selection();
    const std::vector<NodeId> nodes = selection.allNodes();
    try {
        QApplication::clipboard()->setMimeData(
            NodeClipboard::of(m_workspace->document(), selection.graph(), nodes).release());
    } catch (const Error& error) {
        take(qt(error.what()));
        return false;
    }
    m_view->toast().tell("Copied " + qt(plural(nodes.size(), "node")) + ".", false);
    return true;
}

/// Python as people write it or as it is generated, of calls that read what is here.
void MainWindow::pasteCode(const QString& text) {
    if (text.trimmed().isEmpty())
        return take("There is nothing to paste: copy nodes, here or in another window, or lines of Python.");
    const Selection& selection = m_workspace->selection();
    selectWhatComes(selection.graph(), false);
    m_workspace->passes().run(findPass("insert"), {{"call", utf8(text)}}, selection.graph());
}

void MainWindow::paste() {
    GraphDocument& document = m_workspace->document();
    Selection& selection = m_workspace->selection();
    std::optional<ClippedNodes> nodes;
    try {
        nodes = NodeClipboard::read(QApplication::clipboard()->mimeData());
    } catch (const Error& error) {
        return take("What was copied cannot be read: " + qt(error.what()));
    }
    if (!nodes)
        return pasteCode(QApplication::clipboard()->text());
    NodeMap inputs = knownInputs(document, selection.graph(), *nodes);
    const auto isUnknown = [&](NodeId input) { return inputs.find(input) == inputs.end(); };
    if (std::ranges::any_of(nodes->excerpt->model.graph().findNodes(Opcode::Placeholder), isUnknown)) {
        PasteDialog dialog(document, selection.graph(), *nodes, inputs, selection.currentNode(),
                           m_theme.fixedFont(), this);
        if (dialog.exec() != QDialog::Accepted)
            return;
        inputs = dialog.inputs();
    }
    std::vector<NodeId> fresh;
    const QString reason =
        pasteNodes(document, selection.graph(), *nodes, inputs, selection.currentNode(), fresh);
    if (!reason.isEmpty())
        return take(reason);
    selection.selectNodes(fresh);
    m_view->toast().tell("Pasted " + qt(plural(fresh.size(), "node")) + ".", false);
}

} // namespace fx
