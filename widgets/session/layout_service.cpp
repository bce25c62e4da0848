// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/layout_service.h"

#include "core/base/error.h"
#include "core/layout/box_text.h"
#include "core/layout/linear_layout.h"
#include "core/layout/placement.h"
#include "core/layout/worker_client.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/selection.h"
#include "widgets/support/qt_text.h"

#include <algorithm>

namespace fx::ui {

namespace {

using Clock = std::chrono::steady_clock;

/// How long an old picture, or none, may stay before a quick placement stands in.
constexpr std::chrono::milliseconds kPatience(180);
/// How long Graphviz may take for one level.
constexpr std::chrono::milliseconds kDeadline(8000);

} // namespace

QString wireLabelText(const ValueMeta& value) {
    return elided(qt(valueMetaText(value)), 32);
}

LayoutService::LayoutService(const GraphDocument& document, const Selection& selection,
                             const TextMetrics& metrics, QObject* parent)
    : QObject(parent), m_document(document), m_selection(selection), m_metrics(metrics),
      m_worker(std::make_unique<LayoutWorker>(LayoutWorker::besideThisProgram())) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(&m_patience, &QTimer::timeout, this, [this] { Q_EMIT started("Placing boxes"); });
    connect(&m_runner, &JobRunner::progressed, this, [this](double fraction, const QString& what) {
        if (!m_patience.isActive())
            Q_EMIT progressed(fraction, what);
    });
    connect(&document, &GraphDocument::changed, this, [this](const Changes& changes) {
        // Metadata moves nothing but may change texts; only the run's shapes are common, and they are drawn
        // apart.
        for (const Change& change : changes) {
            const auto* step = std::get_if<GraphChange>(&change.step);
            if (step && change.module == m_selection.graph()) {
                request({});
                return;
            }
        }
    });
    connect(&selection, &Selection::graphShown, this, [this] { request({}); });
    connect(&selection, &Selection::scopesChanged, this, &LayoutService::request);
    request({});
}

LayoutService::~LayoutService() = default;

void LayoutService::setWorking(bool isWorking) {
    if (isWorking && !m_isWorking)
        m_patience.start();
    else if (!isWorking && m_isWorking && !m_patience.isActive())
        Q_EMIT ended();
    m_isWorking = isWorking;
    if (!isWorking)
        m_patience.stop();
}

void LayoutService::cancel() {
    if (!m_isWorking)
        return;
    m_runner.cancelAll();
    setWorking(false);
}

namespace {

CallFamily familyIn(const Graph& graph, NodeId id, const ModuleCalls& modules) {
    const Node& node = graph.node(id);
    const auto call = node.opcode == Opcode::CallModule ? modules.find(node.target.name()) : modules.end();
    return familyOf(node, call == modules.end()
                              ? std::string_view()
                              : std::string_view(call->second).substr(0, call->second.find('(')));
}

} // namespace

void LayoutService::request(const QString& anchor) {
    setWorking(true);
    DiagramOptions options;
    options.expandedScopes = m_selection.expandedScopes();
    options.showsWeights = m_selection.showsWeights();
    options.only = m_selection.nodesOfPart();
    const bool foldsLong = m_selection.foldsLong();
    // The job works on copies: the graph may change while it runs.
    const auto graph = std::make_shared<const Graph>(m_document.model().graph(m_selection.graph()));
    const ModuleId module = m_selection.graph();
    const auto modules = std::make_shared<const ModuleCalls>(moduleCalls(m_document.model(), module));
    const auto work = [this, options, foldsLong, graph, module, modules, scopes = m_selection.sharedScopes(),
                       anchor](JobRun<Placed>& job) {
        const auto start = Clock::now();
        const BoxTexts texts(*graph, *scopes, *modules);
        Picture base;
        base.module = module;
        base.anchor = anchor;
        base.diagram = buildDiagram(*graph, *scopes, options);
        for (DiagramBox& box : base.diagram.boxes) {
            base.texts.push_back(texts.text(box));
            const bool hasNode = bool(box.node);
            const int scope = hasNode ? box.standsFor : box.scope;
            base.scopePaths.push_back(scope >= 0 ? wholeQt(scopes->scope(scope).path) : QString());
            base.opcodes.push_back(hasNode ? graph->node(box.node).opcode : Opcode::CallModule);
            base.families.push_back(hasNode ? familyIn(*graph, box.node, *modules) : CallFamily::Other);
            const bool isWeight =
                box.kind == DiagramBox::Kind::Node && base.opcodes.back() == Opcode::GetAttr;
            m_metrics.measure(box, base.texts.back(), isWeight, base.opcodes.back() != Opcode::Output);
        }
        for (const DiagramEdge& edge : base.diagram.edges) {
            const ValueMeta* value = knownValue(graph->node(edge.value).meta);
            base.edgeLabels.push_back(value ? wireLabelText(*value) : QString());
        }
        return place(job, std::move(base), foldsLong, start);
    };
    m_runner.startNewest(*this, Job<Placed>{"Placing", work, [this](const Placed& placed) { show(placed); },
                                            [this](const Error& why) {
                                                setWorking(false);
                                                Q_EMIT noteChanged(faultText(why.what()));
                                            }});
}

LayoutService::Placed LayoutService::place(JobRun<Placed>& job, Picture base, bool foldsLong,
                                           Clock::time_point start) const {
    const auto elapsed = [start] {
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    bool hasStandIn = false;
    const auto standIn = [&] {
        hasStandIn = true;
        auto quick = std::make_shared<Picture>(base);
        quick->diagram.isFinal = false;
        fx::place(quick->diagram, layoutLinearly, foldsLong);
        quick->milliseconds = elapsed();
        job.deliver({quick, {}});
    };
    const auto isOpen = [](const DiagramBox& box) { return box.kind == DiagramBox::Kind::ExpandedScope; };
    // Each level twice: the second time it is known from where wires come. And that for two numbers of
    // columns.
    const auto levels =
        (foldsLong ? 6.0 : 2.0) * static_cast<double>(std::ranges::count_if(base.diagram.boxes, isOpen) + 1);
    double placed = 0;
    QString note;
    auto final = std::make_shared<Picture>(base);
    const auto layOut = [&](const Level& level) {
        if (job.isCancelled())
            throw Cancelled();
        job.report(placed++ / levels, "scopes placed");
        if (!note.isEmpty()) // one level was too much for Graphviz: others wait for no deadline
            return layoutLinearly(level);
        try {
            return m_worker->layOut(level, kDeadline, [&] {
                if (!hasStandIn && Clock::now() - start > kPatience)
                    standIn();
                return job.isCancelled();
            });
        } catch (const Error& error) {
            note = faultText(error.message()) + "; boxes stand in the order of execution";
            return layoutLinearly(level);
        }
    };
    fx::place(final->diagram, layOut, foldsLong);
    final->milliseconds = elapsed();
    return {final, note};
}

void LayoutService::show(const Placed& placed) {
    m_picture = placed.picture;
    setWorking(!m_picture->diagram.isFinal);
    Q_EMIT layoutReady();
    Q_EMIT noteChanged(placed.note);
}

} // namespace fx::ui
