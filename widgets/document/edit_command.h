// SPDX-License-Identifier: GPL-3.0-or-later
// One step of history: the changes of one Edit, or of several where one is typing on.
#pragma once

#include "widgets/document/graph_document.h"

#include <QUndoCommand>

namespace fx {

class EditCommand : public QUndoCommand {
public:
    /// The changes have been done already; pushing the command only tells of them.
    /// `merging` as in GraphDocument::perform.
    EditCommand(GraphDocument& document, const QString& title, Changes changes, int merging);
    const Changes& changes() const { return m_changes; }
    int id() const override { return m_merging ? m_merging : -1; }
    bool mergeWith(const QUndoCommand* next) override;
    void undo() override;
    void redo() override;

private:
    GraphDocument& m_document;
    Changes m_changes;
    uint64_t m_before, m_after; ///< numbers of the document's states
    int m_merging;
    bool m_isFirst = true;
};

} // namespace fx
