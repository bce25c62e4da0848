// SPDX-License-Identifier: GPL-3.0-or-later
// Replace by pattern: two Python functions, the places where the first occurs, and the wish to put the second
// there.
#pragma once

#include "core/rewrite/replace_pattern.h"
#include "widgets/support/job.h"

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>

#include <memory>

class QPushButton;

namespace fx {

class GraphDocument;
class Selection;

class ReplaceDialog : public QDialog {
    Q_OBJECT

public:
    ReplaceDialog(GraphDocument& document, Selection& selection, const QFont& fixedFont,
                  QWidget* parent = nullptr);
    ~ReplaceDialog() override;

private:
    struct Answer;
    void search();
    void change();
    void show(const Answer& answer);
    void apply();

    GraphDocument& m_document;
    Selection& m_selection;
    QPlainTextEdit *m_pattern, *m_replacement;
    QCheckBox* m_ignoresLiterals;
    QListWidget* m_matches;
    QLabel* m_note;
    QPushButton* m_apply;
    std::shared_ptr<const Model> m_patternGraph,
        m_replacementGraph; ///< of the texts as they stand; null: not readable
    QString m_done;         ///< what "Replace all" has done to the graph that is searched now
    JobRunner m_runner;
};

} // namespace fx
