// SPDX-License-Identifier: GPL-3.0-or-later
// Names for the sizes of inputs, of which all sizes are then formulas; and what the model asks of these, with
// the node and line that asks.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTreeView>
#include <QWidget>

namespace fx::ui {

class GraphDocument;
class ProblemRows;
class Selection;
class SizesService;
class Theme;

class SizesPane : public QWidget {
    Q_OBJECT

public:
    SizesPane(const GraphDocument& document, Selection& selection, SizesService& sizes, const Theme& theme);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    /// Inputs with their sizes, as one could name them.
    QString suggestion() const;

    const GraphDocument& m_document;
    SizesService& m_sizes;
    const Theme& m_theme;
    QLineEdit* m_names;
    QLabel *m_summary, *m_fault;
    ProblemRows* m_rows;
    QTreeView* m_view;
    bool m_isUnasked = true; ///< the pane has not been in sight yet
};

} // namespace fx::ui
