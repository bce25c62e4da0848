// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong: faults of the graphs, the run or the pass that failed, and what the reader of the file had
// to say.
#pragma once

#include "core/interpret/debug_types.h"

#include <QTreeView>
#include <QWidget>

#include <optional>

namespace fx::ui {

class DebugService;
class GraphDocument;
class LayoutService;
class PassService;
class ProblemRows;
class Selection;
class SizesService;
class Theme;
struct ProblemRow;

class ProblemsPane : public QWidget {
    Q_OBJECT

public:
    ProblemsPane(const GraphDocument& document, Selection& selection, const DebugService& debug,
                 const LayoutService& layout, const SizesService& sizes, const PassService& passes,
                 const Theme& theme);

    int count() const;

Q_SIGNALS:
    void countChanged(int count);
    /// There are more faults than before.
    void faultAppeared();

private:
    void refresh();
    std::optional<ProblemRow> firstNan() const;

    const GraphDocument& m_document;
    Selection& m_selection;
    const DebugService& m_debug;
    const SizesService& m_sizes;
    const PassService& m_passes;
    const Theme& m_theme;
    ProblemRows* m_rows;
    QTreeView* m_view;
    QString m_layoutNote;
    qsizetype m_faultCount = 0;
};

} // namespace fx::ui
