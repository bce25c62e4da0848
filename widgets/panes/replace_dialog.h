// SPDX-License-Identifier: GPL-3.0-or-later
// Replace by pattern: two Python functions, the places where the first occurs, and the wish to put the second
// there. What makes graphs of them is given to it, as that runs what is typed.
#pragma once

#include "core/rewrite/replace_pattern.h"
#include "widgets/support/job.h"

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>

#include <functional>
#include <memory>

class QPushButton;

namespace fx {

class GraphDocument;
class Selection;

class ReplaceDialog : public QDialog {
    Q_OBJECT

public:
    /// Makes a graph of a text; called on another thread. Errors name `place`.
    using Tracer = std::function<Model(const std::string& text, const std::string& place, Progress&)>;

    ReplaceDialog(GraphDocument& document, Selection& selection, Tracer tracer, const QFont& fixedFont,
                  QWidget* parent = nullptr);
    ~ReplaceDialog() override;

private:
    struct Traced {
        std::string text;
        std::shared_ptr<const Model> graph; ///< null: there is no text, or it is not readable
        QString fault;
    };
    struct Answer;
    Traced trace(const std::string& text, const char* place, Progress& progress) const;
    void search();
    void change();
    void show(const Answer& answer);
    void apply();

    GraphDocument& m_document;
    Selection& m_selection;
    const Tracer m_tracer;
    QPlainTextEdit *m_pattern, *m_replacement;
    QCheckBox* m_ignoresLiterals;
    QListWidget* m_matches;
    QLabel* m_note;
    QPushButton* m_apply;
    Traced m_tracedPattern, m_tracedReplacement; ///< as they were at the last search
    QString m_done; ///< what "Replace all" has done to the graph that is searched now
    JobRunner m_runner;
};

} // namespace fx
