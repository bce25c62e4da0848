// SPDX-License-Identifier: GPL-3.0-or-later
// An open model with its history. Everything that changes it goes through perform(): one Edit, one undo step,
// one piece of news. Views send intents (graph_intents.h) and follow changed().
#pragma once

#include "core/interpret/debug_types.h"
#include "core/io/opened_model.h"
#include "core/module/edit.h"
#include "core/module/lint.h"

#include <QObject>
#include <QUndoStack>

#include <functional>
#include <memory>

namespace fx {

class GraphDocument : public QObject {
    Q_OBJECT

public:
    explicit GraphDocument(OpenedModel opened);

    const OpenedModel& opened() const { return m_opened; }
    const Model& model() const { return m_opened.model; }
    QUndoStack& undoStack() { return m_undo; }
    /// The name for titles: the file without its folder.
    QString title() const;

    /// Does `work` on the graph of `module` as one undo step. Nothing changes, and the reason is given, if it
    /// throws or leaves the graph with faults that it had not before. An empty text means that it is done.
    QString perform(const QString& title, ModuleId module, const std::function<void(Edit&)>& work);
    /// The faults of a graph, kept up to date.
    const std::vector<LintFault>& faults(ModuleId module) const;

    /// After saving: the file it belongs to now, and that nothing is unsaved.
    void setSaved(const QString& path, const QString& format);
    void setLayoutState(const std::string& state) { m_opened.layoutState = state; }

Q_SIGNALS:
    /// Once for each edit, and for each undo and redo of one; `isBackwards` tells undo.
    void changed(const fx::Changes& changes, bool isBackwards);
    void saved();

private:
    friend class EditCommand;
    void replay(const Changes& changes, bool isBackwards);
    static void run(Model& model, ModuleId module, const std::function<void(Edit&)>& work, Changes& changes);

    OpenedModel m_opened;
    QUndoStack m_undo;
    mutable std::map<ModuleId, std::vector<LintFault>> m_faults;
};

} // namespace fx
