// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/pass_service.h"

#include "core/base/text.h"
#include "core/passes/registry.h"
#include "core/session/pass_job.h"
#include "core/torch/bind/call.h"
#include "core/userpasses/statement_pass.h"
#include "core/userpasses/user_pass.h"
#include "widgets/document/graph_document.h"
#include "widgets/session/debug_service.h"
#include "widgets/session/document_host.h"
#include "widgets/support/qt_text.h"

#include <QRegularExpression>

namespace fx::ui {

namespace {

constexpr int kLongestTitle = 60;

} // namespace

PassService::PassService(GraphDocument& document, DebugService& debug, DocumentHost& host, QObject* parent)
    : JobService(parent), m_document(document), m_debug(debug), m_host(host) {
    connect(&document, &GraphDocument::changed, this, [this] {
        if (!isWorking())
            return;
        const QString reason = "The graph was edited, so the pass was cancelled.";
        m_runner.cancelAll();
        if (m_asked.givenUp)
            m_asked.givenUp(reason);
        else
            Q_EMIT done(reason);
    });
}

void PassService::run(const Pass& pass, const std::map<std::string, std::string>& options, ModuleId graph) {
    const QString title = qt(pass.title);
    const auto done = [this, title, step = RecipeStep{pass.name, options}](const PassAnswer& answer) {
        Q_EMIT finished(step, answer.tables);
        if (!answer.update.changes.empty())
            Q_EMIT edited();
        QString text = title + ": " + qt(answer.text) + '.';
        if (!answer.output.empty())
            Q_EMIT printed(qt(answer.output).trimmed());
        if (!answer.output.empty())
            text += '\n' + qt(answer.output).trimmed();
        for (const std::string& line : answer.lines)
            text += '\n' + qt(line);
        succeed(text);
    };
    start(
        {pass.name, options, graph, m_debug.inputs().requestHere()}, pass.runsCode,
        {title,
         done,
         [this, title, graph](const QString& reason) { fail(title, graph, reason); },
         {},
         graph == m_document.model().root() ? std::optional(RecipeStep{pass.name, options}) : std::nullopt});
}

void PassService::runRecipe(const std::vector<RecipeStep>& steps) {
    runStep(std::make_shared<const std::vector<RecipeStep>>(steps), 0);
}

void PassService::runStep(const std::shared_ptr<const std::vector<RecipeStep>>& steps, size_t at) {
    if (at == steps->size()) {
        Q_EMIT edited();
        succeed(qt(plural(at, "step")) + " of the recipe done.");
        return;
    }
    const RecipeStep& step = (*steps)[at];
    const QString number = QString("step %1 of %2, %3: ").arg(at + 1).arg(steps->size()).arg(qt(step.pass));
    const auto fail = [this, number](const QString& reason) {
        this->fail("Recipe", m_document.model().root(), number + reason);
    };
    bool runsCode = true; // of a user's pass
    QString title = qt(step.pass);
    if (!userPassName(step.pass)) {
        try {
            const Pass& pass = findPass(step.pass);
            runsCode = pass.runsCode;
            title = qt(pass.title);
        } catch (const Error& error) {
            return fail(faultText(error.what()));
        }
    }
    start({step.pass, step.options, m_document.model().root(), m_debug.inputs().requestHere()}, runsCode,
          {title, [this, steps, at](const PassAnswer&) { runStep(steps, at + 1); }, fail, {}, step});
}

void PassService::runProgram(const GraphProgram& program, ModuleId graph,
                             const std::vector<NodeId>& selected) {
    const Graph& nodes = m_document.model().graph(graph);
    std::vector<std::string> names;
    for (const NodeId node : selected)
        if (nodes.contains(node))
            names.push_back(nodes.node(node).name);
    const PassRequest request{std::string(kStatementPass),
                              {{"code", program.line},
                               {"definitions", join(program.definitions, "\n")},
                               {"selection", join(names, ",")}},
                              graph,
                              m_debug.inputs().requestHere()};
    const auto tell = [this](const GraphProgramResult& result) { m_debug.console().take(result); };
    start(request, statementPass().runsCode,
          {"Console: " + qt(program.line).left(kLongestTitle),
           [tell](const PassAnswer& answer) {
               tell({answer.output, join(answer.lines, "\n"), !answer.update.changes.empty()});
           },
           [tell](const QString& reason) {
               tell({{}, utf8(reason), false});
           },
           [tell](const QString& reason) {
               tell({{}, utf8(reason), false, true});
           }});
}

void PassService::cancel() {
    const bool isGivenUp = isWorking();
    m_runner.cancelAll();
    if (isGivenUp && m_asked.givenUp)
        m_asked.givenUp("The pass was cancelled.");
}

void PassService::fail(const QString& title, ModuleId graph, const QString& reason) {
    static const QRegularExpression kNode("node '([^']+)'");
    const Graph& nodes = m_document.model().graph(graph);
    const NodeId node = nodes.find(utf8(kNode.match(reason).captured(1)));
    m_failure = PassFailure{title, reason, node ? NodeRef{graph, node} : NodeRef()};
    Q_EMIT failureChanged();
    Q_EMIT failed(reason);
}

void PassService::succeed(const QString& text) {
    if (std::exchange(m_failure, std::nullopt))
        Q_EMIT failureChanged();
    Q_EMIT done(text);
}

void PassService::start(const PassRequest& request, bool runsCode, const Asked& asked) {
    cancel();
    m_asked = asked;
    Job<PassAnswer> job;
    job.title = asked.title;
    job.work = [request, runsCode, snapshot = m_host.snapshot()](JobRun<PassAnswer>& run) {
        PassAnswer out;
        guarded([&] {
            out = runsCode ? snapshot.ask(kPassService, request, run)
                           : applyToCopy(*snapshot.opened, request, run);
        });
        return out;
    };
    job.done = [this, asked](const PassAnswer& answer) {
        if (!answer.fault.empty()) {
            Q_EMIT printed(qt(answer.output).trimmed());
            asked.failed(faultText(answer.fault));
            return;
        }
        const QString fault = answer.update.changes.empty()
                                  ? QString()
                                  : m_document.follow(asked.title, answer.update, asked.step);
        if (fault.isEmpty())
            asked.done(answer);
        else
            asked.failed(fault);
    };
    job.failed = [asked](const Error& why) { asked.failed(faultText(why.what())); };
    m_runner.startNewest(*this, std::move(job));
}

} // namespace fx::ui
