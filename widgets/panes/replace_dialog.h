// SPDX-License-Identifier: GPL-3.0-or-later
// Replace by pattern: two Python functions, the places where the first occurs, ticked one by one and lit on
// the canvas, what they would become, and the wish to put the second there. What makes graphs of the texts is
// given to it, as that runs what is typed; what searches and replaces is in replace_search.h.
#pragma once

#include "core/io/opened_model.h"
#include "widgets/panes/replace_search.h"
#include "widgets/support/job.h"

#include <QCheckBox>
#include <QDialog>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSplitter>

#include <functional>
#include <memory>

class QPushButton;

namespace fx::ui {

class GraphDocument;
class Selection;
class StillGraph;
class Theme;

class ReplaceDialog : public QDialog {
    Q_OBJECT

public:
    /// Makes a graph of a text; called on another thread. Errors name `place`.
    using Tracer = std::function<Model(const std::string& text, const std::string& place, Progress&)>;

    ReplaceDialog(GraphDocument& document, Selection& selection, Tracer tracer, const Theme& theme,
                  QWidget* parent = nullptr);
    ~ReplaceDialog() override;

    /// Begins with this text on both sides, to be changed on the right one.
    void setPattern(const QString& text);

private:
    struct Traced {
        std::string text;
        std::shared_ptr<const Model> graph; ///< null: there is no text, or it is not readable
        QString fault;
    };
    struct Answer;
    struct Preview;
    QWidget* makeTexts(const QFont& font);
    QWidget* makePlaces(const QFont& font);
    Traced trace(const std::string& text, const char* place, const Graph& graph, Progress& progress) const;
    void search();
    void change();
    void show(const Answer& answer);
    void tellSearch(const Answer& answer);
    void followTicks();
    void followRow(int row);
    void walk(int by);
    void preview();
    void show(const Preview& preview);
    void lookAtPlace();
    std::set<NodeId> ticked() const;
    void apply();

    GraphDocument& m_document;
    Selection& m_selection;
    const Tracer m_tracer;
    const Theme& m_theme;
    QPlainTextEdit *m_pattern, *m_replacement;
    QCheckBox *m_ignoresLiterals, *m_all;
    QListWidget* m_matches;
    QLabel *m_alarm, *m_note;
    QPushButton* m_apply;
    QSplitter* m_halves;
    QLabel* m_noPreview;
    StillGraph* m_after = nullptr;               ///< what the ticked places would become
    Traced m_tracedPattern, m_tracedReplacement; ///< as they were at the last search
    PatternSearch m_found;
    ReplacedPlaces m_fresh; ///< nodes of m_after
    QString m_done;         ///< what was replaced in the graph that is searched now
    JobRunner m_runner, m_previews;
};

} // namespace fx::ui
