// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panes/problems_pane.h"

#include "core/base/text.h"
#include "widgets/document/graph_document.h"
#include "widgets/models/list_rows.h"
#include "widgets/panes/list_view.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/layout_service.h"
#include "widgets/session/pass_service.h"
#include "widgets/session/run_text.h"
#include "widgets/session/selection.h"
#include "widgets/session/sizes_service.h"
#include "widgets/style/icons.h"
#include "widgets/style/theme.h"
#include "widgets/support/qt_text.h"

#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace fx::ui {

ProblemsPane::ProblemsPane(const GraphDocument& document, Selection& selection, const DebugService& debug,
                           const LayoutService& layout, const SizesService& sizes, const PassService& passes,
                           const Theme& theme)
    : m_document(document), m_selection(selection), m_debug(debug), m_sizes(sizes), m_passes(passes),
      m_theme(theme), m_rows(new ProblemRows(this)),
      m_view(makeListView(*m_rows, "Problems", "No problems: the graph is well formed.")) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 4, 4);
    column->addWidget(m_view);
    setFocusProxy(m_view);
    m_view->header()->resizeSection(0, 30);
    m_view->header()->resizeSection(1, 180);
    const auto follow = [this](const QModelIndex& index) {
        if (index.isValid() && m_rows->row(index.row()).node.node)
            m_selection.select(m_rows->row(index.row()).node);
    };
    connect(m_view, &QTreeView::clicked, this, follow);
    connect(m_view, &QTreeView::activated, this, follow);
    connect(&document, &GraphDocument::changed, this, &ProblemsPane::refresh);
    connect(&debug, &DebugService::stateChanged, this, &ProblemsPane::refresh);
    connect(&debug.place(), &RunPlace::changed, this, &ProblemsPane::refresh);
    connect(&sizes, &SizesService::changed, this, &ProblemsPane::refresh);
    connect(&passes, &PassService::failureChanged, this, &ProblemsPane::refresh);
    connect(&theme, &Theme::changed, this, &ProblemsPane::refresh);
    connect(&layout, &LayoutService::noteChanged, this, [this](const QString& note) {
        if (std::exchange(m_layoutNote, note) != note)
            refresh();
    });
    refresh();
}

int ProblemsPane::count() const {
    return m_rows->rowCount();
}

/// Where NaN comes from; what reads it has it too. Inf is no fault: masks are made of it.
std::optional<ProblemRow> ProblemsPane::firstNan() const {
    const Model& model = m_document.model();
    NodeRef first;
    quint64 later = 0;
    for (const NodeRef node : m_debug.run().values().order())
        if (m_debug.run().values().record(node)->health.hasNan &&
            model.graph(node.module).contains(node.node)) {
            if (first.node)
                ++later;
            else
                first = node;
        }
    if (!first.node)
        return std::nullopt;
    QString text = "NaN begins here";
    if (later > 0)
        text += "; " + qt(plural(later, "node")) + " after it " + (later == 1 ? "has" : "have") + " NaN too";
    return ProblemRow{ProblemRow::Kind::Fault, first, qt(model.graph(first.module).node(first.node).name),
                      text};
}

void ProblemsPane::refresh() {
    const Tokens& tokens = m_theme.tokens();
    m_rows->setIcons(icon("warning", tokens.fault, tokens.faint), icon("warning", tokens.dim, tokens.faint));
    std::vector<ProblemRow> rows;
    const Model& model = m_document.model();
    if (!m_debug.place().fault().isEmpty())
        rows.push_back({ProblemRow::Kind::Fault, {}, "Connection", m_debug.place().fault()});
    if (m_debug.run().state().failure()) {
        const NodeRef at = m_debug.run().state().faultyNode();
        const bool isThere = at.node && model.graph(at.module).contains(at.node);
        rows.push_back({ProblemRow::Kind::Fault, isThere ? at : NodeRef(),
                        isThere ? qt(model.graph(at.module).node(at.node).name) : QString("Run"),
                        isThere ? briefFailure(m_debug.run().state()) : endText(m_debug.run().state())});
    }
    if (const std::optional<PassFailure>& failure = m_passes.failure()) {
        const bool isThere =
            failure->node.node && model.graph(failure->node.module).contains(failure->node.node);
        rows.push_back(
            {ProblemRow::Kind::Fault, isThere ? failure->node : NodeRef(), failure->title, failure->reason});
    }
    if (const std::optional<ProblemRow> row = firstNan())
        rows.push_back(*row);
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        if (!model.module(id).graph || !m_document.opened().whyNoGraph.reason.empty())
            return;
        for (const LintFault& fault : m_document.faults(id)) {
            const bool hasNode = fault.node && model.graph(id).contains(fault.node);
            rows.push_back({ProblemRow::Kind::Fault,
                            {id, hasNode ? fault.node : NodeId()},
                            hasNode ? qt(model.graph(id).node(fault.node).name) : QString(),
                            qt(fault.message.substr(0, fault.message.find('\n')))});
        }
    });
    for (const auto& [node, fault] : m_sizes.typeFaults())
        rows.push_back(
            {ProblemRow::Kind::Fault, node, qt(model.graph(node.module).node(node.node).name), fault});
    if (const NoGraph& why = m_document.opened().whyNoGraph; !why.reason.empty())
        rows.push_back({ProblemRow::Kind::Note,
                        {},
                        m_document.title(),
                        faultText("no graph: " + why.reason + "; " + why.advice)});
    std::multimap<std::string_view, NodeId> nodes; // by the note about them
    if (!m_document.opened().notes.empty())
        for (const Node& node : model.graph())
            if (const auto* note = node.meta.find<std::string>(meta::kLogNote))
                nodes.emplace(*note, node.id);
    for (const std::string& note : m_document.opened().notes) {
        ProblemRow row{ProblemRow::Kind::Note, {}, m_document.title(), faultText(note)};
        if (auto found = nodes.extract(note)) { // an equal note is about the next
            row.node = {model.root(), found.mapped()};
            row.place = qt(model.graph().node(found.mapped()).name);
        }
        rows.push_back(std::move(row));
    }
    if (!m_layoutNote.isEmpty())
        rows.push_back({ProblemRow::Kind::Note, {}, "Layout", m_layoutNote});
    const qsizetype faults = std::ranges::count(rows, ProblemRow::Kind::Fault, &ProblemRow::kind);
    m_rows->setRows(std::move(rows));
    Q_EMIT countChanged(m_rows->rowCount());
    if (faults > std::exchange(m_faultCount, faults))
        Q_EMIT faultAppeared();
}

} // namespace fx::ui
