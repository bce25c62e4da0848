// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace_view.h"

#include "app/gui/actions.h"
#include "core/base/text.h"
#include "core/layout/box_text.h"
#include "core/module/node_marks.h"
#include "widgets/canvas/breadcrumbs.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/minimap.h"
#include "widgets/canvas/places.h"
#include "widgets/canvas/zoom_control.h"
#include "widgets/document/nested_graphs.h"
#include "widgets/panes/disk_notice.h"
#include "widgets/panes/finder.h"
#include "widgets/panes/marks_pane.h"
#include "widgets/panes/no_graph_notice.h"
#include "widgets/panes/part_bar.h"
#include "widgets/panes/toast.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QFrame>
#include <QMenu>
#include <QVBoxLayout>

namespace fx::ui {

WorkspaceView::WorkspaceView(Workspace& workspace, Docks& docks, const Actions& actions, const Theme& theme)
    : m_workspace(workspace), m_paneHost(workspace), m_page(docks) {
    GraphDocument& document = workspace.document();
    Selection& selection = workspace.selection();
    DebugService& debug = workspace.debug();
    m_canvas = new CanvasView(document, selection, workspace.layout(), &debug, theme, this);
    m_canvas->showSizes(workspace.sizes());
    m_places = new Places(selection, *m_canvas, debug, this);
    m_minimap = new Minimap(*m_canvas, workspace.layout(), selection.matches(), theme);
    m_zoom = new ZoomControl(*m_canvas, *actions["weights"], theme);
    if (const NoGraph& why = document.opened().whyNoGraph; !why.reason.empty()) {
        m_noGraph = new NoGraphNotice(why, *actions["trace"]);
        m_canvas->setFocusProxy(m_noGraph);
        auto* over = new QVBoxLayout(m_canvas);
        over->setContentsMargins(0, 0, 0, 0);
        over->addWidget(m_noGraph);
    }
    m_toast = new Toast(*m_canvas, theme);
    m_diskNotice = new DiskNotice(*m_canvas, *actions["reload"]);
    new PartBar(*m_canvas, selection, theme);
    auto* hairline = new QFrame;
    hairline->setObjectName("hairline");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(
        new Breadcrumbs(document, selection, *m_canvas, {actions["goBack"], actions["goForward"]}, theme));
    column->addWidget(hairline);
    column->addWidget(m_canvas, 1);
    connect(m_canvas, &CanvasView::refused, this,
            [this](const QString& reason) { m_toast->tell(reason, true); });
    connect(m_canvas, &CanvasView::graphWanted, this, &WorkspaceView::showGraphOf);
    connect(m_canvas, &CanvasView::contextMenuWanted, this,
            [this, &actions](const QPoint& at) { openContextMenu(at, actions); });

    connect(&debug.values(), &ValueRequests::answered, this,
            [this](const QString& text, bool isError) { m_toast->tell(text, isError); });
    connect(&debug, &DebugService::noted, this, [this](const QString& text) { m_toast->tell(text, true); });
    connect(&debug.values(), &ValueRequests::originFound, this, [this](const Answer& answer) {
        if (answer.path.empty())
            return;
        goTo(answer.path.back());
        m_canvas->setFocus();
    });
    PaneContext context{workspace, m_page, theme, m_paneHost};
    m_page.fill(context);
    m_tensor = context.tensor;
    m_inspector = context.inspector;
    m_passEditor = context.passEditor;
    m_console = context.console;
    m_changes = context.changes;
    m_marks = context.marks;
    connect(m_marks, &MarksPane::nodeWanted, this, [this](NodeRef node) { goTo(node); });
    m_verify = context.verify;
    placeCorner();
}

void WorkspaceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeCorner();
}

void WorkspaceView::placeCorner() {
    layout()->activate();
    const int bottom = m_canvas->height() - 14;
    m_minimap->move(14, bottom - m_minimap->height());
    m_minimap->setVisible(!m_noGraph && m_canvas->height() > 280 && m_canvas->width() > 480);
    m_zoom->setVisible(!m_noGraph);
    m_zoom->adjustSize();
    m_zoom->move(14 + (m_minimap->isHidden() ? 0 : m_minimap->width() + 10), bottom - m_zoom->height());
    m_canvas->look().coversMoved();
}

void WorkspaceView::showGraphOf(NodeRef node) {
    const auto graphs = nestedGraphs(m_workspace.document().model(), node);
    if (graphs.size() == 1) {
        m_workspace.selection().showGraph(graphs[0].second);
    } else if (!graphs.empty()) {
        QMenu menu;
        for (const auto& [name, module] : graphs)
            menu.addAction("Show graph " + qt(name), this,
                           [this, id = module] { m_workspace.selection().showGraph(id); });
        menu.exec(QCursor::pos());
    }
}

void WorkspaceView::openContextMenu(const QPoint& at, const Actions& actions) {
    QMenu menu;
    const NodeRef node = m_workspace.selection().current();
    if (node.node)
        for (const auto& [name, module] : nestedGraphs(m_workspace.document().model(), node))
            menu.addAction("Show graph " + qt(name), this,
                           [this, id = module] { m_workspace.selection().showGraph(id); });
    if (m_workspace.selection().graph() != m_workspace.document().model().root())
        menu.addAction("Back to the model's graph", this,
                       [this] { m_workspace.selection().showGraph(m_workspace.document().model().root()); });
    if (!menu.isEmpty())
        menu.addSeparator();
    actions.fillContextMenu(menu);
    menu.exec(at);
}

void WorkspaceView::goTo(const Match& match) {
    Selection& selection = m_workspace.selection();
    selection.showGraph(match.node.module);
    if (match.node.node)
        selection.reveal(match.node.node);
    else
        selection.revealScope(match.scope);
    m_canvas->look().expectSought();
    if (match.node.node)
        selection.select(match.node);
    else
        selection.selectScope(match.scope);
}

std::vector<FinderItem> WorkspaceView::findable() {
    std::vector<FinderItem> out;
    const auto add = [&](const QString& name, const QString& detail, const QString& other, Match match) {
        const auto run = [this, match] {
            goTo(match);
            m_canvas->setFocus();
        };
        out.push_back({name, detail, other, run, match});
    };
    const bool showsWeights = m_workspace.selection().showsWeights();
    CallTexts calls;
    const Model& model = m_workspace.document().model();
    model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
        if (!model.module(id).graph)
            return;
        const Graph& graph = model.graph(id);
        const ScopeTree scopes(graph);
        for (const Node& node : graph) {
            const ValueMeta* value = knownValue(node.meta);
            QString detail = qt(calls.text(graph, node));
            if (value && node.opcode != Opcode::Output)
                detail += "   " + qt(valueMetaText(*value));
            const Scope& scope = scopes.scope(scopes.scopeOf(node.id));
            const QString other = qt(node.target.name()) + ' ' + qt(scope.path) + ' ' + qt(scope.type) + ' ' +
                                  qt(opcodeName(node.opcode)) + ' ' + qt(path) + ' ' + qt(markOf(node).note);
            add(qt(node.name), detail, other, {NodeRef{id, node.id}, {}});
            out.back().isHidden = node.opcode == Opcode::GetAttr && !showsWeights;
        }
        for (size_t i = 1; i < scopes.scopes().size(); ++i) {
            const Scope& scope = scopes.scopes()[i];
            add(qt(scope.path), qt(shortTypeName(scope.type)) + "   " + qt(plural(scope.nodeCount, "node")),
                qt(scope.type), {NodeRef{id, {}}, qt(scope.path)});
        }
    });
    return out;
}

} // namespace fx::ui
