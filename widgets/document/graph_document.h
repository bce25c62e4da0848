// SPDX-License-Identifier: GPL-3.0-or-later
// An open model with its history. Everything that changes it goes through perform(): one Edit, one undo step,
// one piece of news. Views send intents (graph_intents.h) and follow changed().
#pragma once

#include "core/interpret/debug_types.h"
#include "core/io/opened_model.h"
#include "core/module/edit.h"
#include "core/module/follow.h"
#include "core/module/lint.h"
#include "core/open/recipe.h"

#include <QObject>
#include <QPointer>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <optional>

namespace fx::ui {

class DocumentState;

class GraphDocument : public QObject {
    Q_OBJECT

public:
    /// `host`: the machine whose file it is; empty: this one.
    explicit GraphDocument(OpenedModel opened, QString host = {});

    const OpenedModel& opened() const { return m_opened; }
    const Model& model() const { return m_opened.model; }
    QUndoStack& undoStack() { return m_undo; }
    /// The name for titles: the file without its folder.
    QString title() const;
    /// Of the file, until the document is saved here.
    const QString& host() const { return m_host; }
    /// No other document has it, of another process neither.
    const QString& id() const { return m_id; }
    /// The same as title(), but for another machine's file: "gpu-box: /data/model.pt2".
    QString place() const;

    /// Does `work` on the graph of `module` as one undo step. Nothing changes, and the reason is given, if it
    /// throws or leaves the graph with faults that it had not before. An empty text means that it is done.
    /// `merging`: not 0 where the step becomes one with the step before, if that had the same number.
    /// `step`: what a recipe calls it.
    QString perform(const QString& title, ModuleId module, const std::function<void(Edit&)>& work,
                    int merging = 0, const std::optional<RecipeStep>& step = std::nullopt);
    /// Does what was done to a copy of the model as it is now, as one undo step. The reason, if it does not
    /// fit.
    QString follow(const QString& title, const ModelUpdate& update,
                   const std::optional<RecipeStep>& step = std::nullopt);
    /// Takes over the steps that have led to the model as it is: they can be undone, and nothing of it is
    /// saved.
    void restore(std::vector<std::pair<QString, Changes>> steps);
    /// The faults of a graph, kept up to date: where its trace ended, what lint finds, and
    /// calls that wait for arguments.
    const std::vector<LintFault>& faults(ModuleId module) const;

    DocumentState state();
    /// After saving: the file it belongs to now, and the state that is in it. Later edits are not.
    void setSaved(const QString& path, const QString& format, const DocumentState& state);
    bool isSaved() const { return m_state == m_savedState; }
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
    QString m_host;
    QString m_id;
    QUndoStack m_undo;
    uint64_t m_state = 0, m_savedState = 0, m_lastState = 0; ///< numbers of edits, as DocumentState has them
    mutable std::map<ModuleId, std::vector<LintFault>> m_faults;
};

/// A point in the history of a document: what a job takes along, so that its result can be held against what
/// the document has become meanwhile.
class DocumentState {
public:
    DocumentState() = default;
    /// Null: it has been closed.
    GraphDocument* document() const { return m_document; }
    /// Whether the document is open, and as it was then.
    bool isCurrent() const { return m_document && *this == m_document->state(); }
    bool operator==(const DocumentState& other) const = default;

private:
    friend class GraphDocument;
    DocumentState(GraphDocument& document, uint64_t number) : m_document(&document), m_number(number) {}

    QPointer<GraphDocument> m_document;
    uint64_t m_number = 0; ///< the edit that led there; 0: none
};

} // namespace fx::ui
