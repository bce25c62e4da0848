// SPDX-License-Identifier: GPL-3.0-or-later
// One step of history: the changes of one Edit, or of several where one is typing on.
#pragma once

#include "widgets/document/graph_document.h"

#include <QUndoCommand>

namespace fx::ui {

/// What came of comparing the model before and after a step; empty: that was not done.
struct StepCheck {
    QString verdict, text; ///< in a few words; all of it, in lines
};

class EditCommand : public QUndoCommand {
public:
    /// The changes have been done already; pushing the command only tells of them.
    /// `merging` as in GraphDocument::perform.
    EditCommand(GraphDocument& document, const QString& title, Changes changes, int merging,
                std::optional<RecipeStep> step = std::nullopt);
    const Changes& changes() const { return m_changes; }
    /// The pass that has done it; none where it was done by hand.
    const std::optional<RecipeStep>& recipeStep() const { return m_step; }
    const StepCheck& check() const { return m_check; }
    void setCheck(StepCheck check) { m_check = std::move(check); }
    int id() const override { return m_merging ? m_merging : -1; }
    bool mergeWith(const QUndoCommand* next) override;
    void undo() override;
    void redo() override;

private:
    GraphDocument& m_document;
    Changes m_changes;
    std::optional<RecipeStep> m_step;
    StepCheck m_check;
    uint64_t m_before, m_after; ///< numbers of the document's states
    int m_merging;
    bool m_isFirst = true;
};

} // namespace fx::ui
