// SPDX-License-Identifier: GPL-3.0-or-later
// What the pass quantize has done: the calls by what each loses, and the trade-off of leaving more of them in
// float32 where it was measured (--sweep trade-off). Some calls, or those of a point of the chart, stay in
// float32 by one click: the step is taken back and the pass run again.
#pragma once

#include "core/open/recipe.h"
#include "core/passes/pass_table.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QWidget>

#include <optional>

namespace fx::ui {

class GraphDocument;
class PassService;
class QuantizedRows;
class Selection;
class Theme;
class TradeOffChart;

class QuantizationPane : public QWidget {
    Q_OBJECT

public:
    QuantizationPane(GraphDocument& document, Selection& selection, PassService& passes, const Theme& theme);

Q_SIGNALS:
    /// How many calls are quantized.
    void countChanged(int count);

private:
    void take(const RecipeStep& step, const std::vector<PassTable>& tables);
    void refresh();
    void refreshButtons();
    void follow();
    /// The step of the pass, where nothing was done after it.
    std::optional<RecipeStep> lastStep() const;
    void leaveOutSelected();
    void goToPoint(int mark);
    /// With these calls in float32, too.
    void runAgain(RecipeStep step, const QStringList& calls);

    GraphDocument& m_document;
    Selection& m_selection;
    PassService& m_passes;
    std::optional<RecipeStep> m_swept; ///< whose trade-off the chart shows
    std::vector<QStringList> m_left;   ///< of each point of the chart: calls in float32
    QuantizedRows* m_rows;
    QTreeView* m_view;
    QLabel* m_hint;
    QPushButton *m_leaveOut, *m_measure, *m_goTo;
    QComboBox* m_over;
    QWidget* m_side;
    TradeOffChart* m_chart;
};

} // namespace fx::ui
