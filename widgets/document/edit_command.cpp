// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/edit_command.h"

namespace fx::ui {

EditCommand::EditCommand(GraphDocument& document, const QString& title, Changes changes, int merging,
                         std::optional<RecipeStep> step)
    : QUndoCommand(title), m_document(document), m_changes(std::move(changes)), m_step(std::move(step)),
      m_before(document.m_state), m_after(++document.m_lastState), m_merging(merging) {}

bool EditCommand::mergeWith(const QUndoCommand* next) {
    // What is in the file must stay a step of its own, to which one can come back.
    if (m_document.m_savedState == m_after)
        return false;
    const auto& later = static_cast<const EditCommand&>(*next);
    for (const Change& change : later.m_changes)
        m_changes.emplace_back(change);
    m_after = later.m_after;
    m_check = {};
    return true;
}

void EditCommand::undo() {
    m_document.replay(m_changes, true);
    m_document.m_state = m_before;
    Q_EMIT m_document.changed(m_changes, true);
}

void EditCommand::redo() {
    if (!m_isFirst)
        m_document.replay(m_changes, false);
    m_isFirst = false;
    m_document.m_state = m_after;
    Q_EMIT m_document.changed(m_changes, false);
}

} // namespace fx::ui
