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

namespace fx {

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

void LayoutService::request(const QString& anchor) {
    m_isWorking = true;
    DiagramOptions options;
    options.expandedScopes = m_selection.expandedScopes();
    options.showsWeights = m_selection.showsWeights();
    options.only = m_selection.nodesOfPart();
    // The job works on copies: the graph may change while it runs.
    const auto graph = std::make_shared<const Graph>(m_document.model().graph(m_selection.graph()));
    const ModuleId module = m_selection.graph();
    const auto modules = std::make_shared<const ModuleCalls>(moduleCalls(m_document.model(), module));
    const auto work = [this, options, graph, module, modules, anchor](JobRun<Placed>& job) {
        const auto start = Clock::now();
        const ScopeTree scopes(*graph);
        const BoxTexts texts(*graph, scopes, *modules);
        Picture base;
        base.module = module;
        base.anchor = anchor;
        base.diagram = buildDiagram(*graph, scopes, options);
        for (DiagramBox& box : base.diagram.boxes) {
            base.texts.push_back(texts.text(box));
            const bool hasNode = bool(box.node);
            const int scope = hasNode ? box.standsFor : box.scope;
            base.scopePaths.push_back(scope >= 0 ? qt(scopes.scope(scope).path) : QString());
            base.opcodes.push_back(hasNode ? graph->node(box.node).opcode : Opcode::CallModule);
            const bool isWeight =
                box.kind == DiagramBox::Kind::Node && base.opcodes.back() == Opcode::GetAttr;
            m_metrics.measure(box, base.texts.back(), isWeight, base.opcodes.back() != Opcode::Output);
        }
        for (const DiagramEdge& edge : base.diagram.edges) {
            const ValueMeta* value = knownValue(graph->node(edge.value).meta);
            base.edgeLabels.push_back(value ? wireLabelText(*value) : QString());
        }
        return place(job, std::move(base), start);
    };
    m_runner.startNewest(*this, Job<Placed>{"Placing", work, [this](const Placed& placed) { show(placed); },
                                            [this](const Error& why) {
                                                m_isWorking = false;
                                                Q_EMIT noteChanged(qt(why.what()));
                                            }});
}

LayoutService::Placed LayoutService::place(JobRun<Placed>& job, Picture base, Clock::time_point start) const {
    const auto elapsed = [start] {
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    bool hasStandIn = false;
    const auto standIn = [&] {
        hasStandIn = true;
        auto quick = std::make_shared<Picture>(base);
        quick->diagram.isFinal = false;
        fx::place(quick->diagram, layoutLinearly);
        quick->milliseconds = elapsed();
        job.deliver({quick, {}});
    };
    QString note;
    auto final = std::make_shared<Picture>(base);
    fx::place(final->diagram, [&](const Level& level) {
        if (job.isCancelled())
            throw Cancelled();
        try {
            return m_worker->layOut(level, kDeadline, [&] {
                if (!hasStandIn && Clock::now() - start > kPatience)
                    standIn();
                return job.isCancelled();
            });
        } catch (const Error& error) {
            note = qt(error.message()) + "; boxes stand in the order of execution";
            return layoutLinearly(level);
        }
    });
    final->milliseconds = elapsed();
    return {final, note};
}

void LayoutService::show(const Placed& placed) {
    m_picture = placed.picture;
    m_isWorking = !m_picture->diagram.isFinal;
    Q_EMIT layoutReady();
    Q_EMIT noteChanged(placed.note);
}

} // namespace fx
