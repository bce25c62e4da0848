// SPDX-License-Identifier: GPL-3.0-or-later
// Editing by hand: history, the clipboard, calls that are put in and taken out, wires from one node to
// another.
#pragma once

#include "app/gui/window_context.h"
#include "widgets/document/graph_intents.h"
#include "widgets/panes/insert_dialog.h"

namespace fx::ui {

class PassesController;

class EditingController : public QObject {
public:
    EditingController(const WindowContext& context, PassesController& passes);

private:
    using Intent = QString (*)(GraphDocument&, ModuleId, const std::vector<NodeId>&);
    void addHistory();
    void addClipboard();
    void addNodes();
    void addWires();
    /// Joins what is shown of the model that was opened.
    void follow();
    void doToSelected(Intent intent);
    /// False, after it was told, where there is nothing to copy.
    bool copySelected();
    void paste();
    void pasteCode(const QString& text);
    void copyCode();
    void selectAll();
    void rename();
    /// Where others read it, asks what becomes of them.
    void removeSelected();
    /// Asks what the readers of the nodes read instead, and deletes these.
    void chooseInstead(ModuleId module, const std::vector<NodeId>& nodes);
    /// The second of two selected nodes reads the first; of one, it is asked which reads it.
    void connectSelected();
    /// Where the reader may read it as several of its arguments, asks which; without a reader, what is to be
    /// called with it.
    void connectNodes(NodeRef producer, NodeRef reader);
    /// Asks what is to be called, then for its arguments. `place`: where one has asked.
    void insertCall(const InsertPlace& place);
    void insertAtSelection();
    void fillIn(const InsertPlace& place, const Callable& callable);

    const WindowContext m_context;
    PassesController& m_passes;
};

} // namespace fx::ui
