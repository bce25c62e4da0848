// SPDX-License-Identifier: GPL-3.0-or-later
// A graph that one looks at and does not edit: a side of a comparison, what a replacement would give.
#pragma once

#include "core/analyze/operator_table.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/selection.h"

#include <QWidget>

namespace fx::ui {

class StillGraph : public QWidget {
public:
    /// Of the root graph, or of `shown`, where there is one.
    StillGraph(const OpenedModel& opened, const QString& title, const Theme& theme, ModuleId shown = {});

    CanvasView& canvas() { return *m_canvas; }
    Selection& selection() { return m_selection; }
    const Graph& graph() const { return m_document.model().graph(m_module); }
    std::vector<OperatorEntry> operators() const;
    /// Selects a node, and opens the scopes around it.
    void select(NodeId node);
    /// The same of a scope; nothing happens where the graph has none of that path.
    void selectScope(const QString& path);
    /// Shows these nodes, selected, and what is near to them, whole.
    void showAround(const std::vector<NodeId>& nodes);
    /// Selects a node, and goes to it at a size that can be read.
    void seek(NodeId node);

private:
    GraphDocument m_document;
    const ModuleId m_module;
    Selection m_selection;
    LayoutService m_layout;
    CanvasView* m_canvas;
    bool m_isSought = false;
};

} // namespace fx::ui
