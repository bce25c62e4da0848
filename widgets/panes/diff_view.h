// SPDX-License-Identifier: GPL-3.0-or-later
// What is different between two models, four ways: all of it as text, the graph with what came and what went
// in its place, the code side by side, the weights.
#pragma once

#include "core/compare/change_graph.h"
#include "core/io/opened_model.h"
#include "widgets/models/list_rows.h"

#include <QPlainTextEdit>
#include <QTabWidget>

namespace fx::ui {

class CodeSides;
class StillGraph;
class Theme;

struct ShownDiff {
    std::string text; ///< empty: what is computed is the same
    ChangeGraph graph;
    std::vector<DiffLine> code;
    std::vector<WeightRow> weights;
};
/// Takes its time; for a job.
ShownDiff shownDiff(const Model& before, const Model& after, const PairingOptions& options);

class DiffView : public QTabWidget {
    Q_OBJECT

public:
    explicit DiffView(const Theme& theme);

    /// `heading`: what else there is to say.
    void show(ShownDiff diff, const QString& heading = {});
    /// Instead of a difference.
    void showText(const QString& text);

private:
    void showGraph();
    /// To the next node that is another, or the one before it; stays where there is none.
    void walkGraph(bool isForward);

    const Theme& m_theme;
    QPlainTextEdit* m_text;
    QWidget* m_graphPage;
    StillGraph* m_graph = nullptr; ///< made when it is first looked at
    ChangeGraph m_changes;
    std::vector<NodeId> m_walked; ///< what has changed, in the order of the graph
    size_t m_at = 0;              ///< of these
    CodeSides* m_code;
    WeightRows* m_weights;
};

} // namespace fx::ui
