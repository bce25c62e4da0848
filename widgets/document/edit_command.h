// SPDX-License-Identifier: GPL-3.0-or-later
// One step of history: the changes of one Edit.
#pragma once

#include "widgets/document/graph_document.h"

#include <QUndoCommand>

namespace fx {

class EditCommand : public QUndoCommand {
public:
    /// The changes have been done already; pushing the command only tells of them.
    EditCommand(GraphDocument& document, const QString& title, Changes changes);
    void undo() override;
    void redo() override;

private:
    GraphDocument& m_document;
    Changes m_changes;
    bool m_isFirst = true;
};

} // namespace fx
