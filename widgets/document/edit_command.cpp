// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/edit_command.h"

namespace fx {

EditCommand::EditCommand(GraphDocument& document, const QString& title, Changes changes)
    : QUndoCommand(title), m_document(document), m_changes(std::move(changes)) {}

void EditCommand::undo() {
    m_document.replay(m_changes, true);
    Q_EMIT m_document.changed(m_changes, true);
}

void EditCommand::redo() {
    if (!m_isFirst)
        m_document.replay(m_changes, false);
    m_isFirst = false;
    Q_EMIT m_document.changed(m_changes, false);
}

} // namespace fx
