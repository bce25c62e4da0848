// SPDX-License-Identifier: GPL-3.0-or-later
// Runs passes beside the interface, on a copy of the model; what came of it then becomes one step of the
// document's history. Where the document was edited meanwhile, the pass is given up.
#pragma once

#include "core/open/recipe.h"
#include "core/passes/pass.h"
#include "widgets/session/job_service.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct GraphProgram;
struct PassAnswer;
struct PassRequest;

} // namespace fx

namespace fx::ui {

class DebugService;
class DocumentHost;
class GraphDocument;

/// The pass that failed last.
struct PassFailure {
    QString title; ///< "Fuse", "Recipe"
    QString reason;
    NodeRef node; ///< which the reason names; none: it names none of the graph
};

class PassService : public JobService {
    Q_OBJECT

public:
    /// `debug` says what a pass that runs the model runs it on.
    PassService(GraphDocument& document, DebugService& debug, DocumentHost& host, QObject* parent = nullptr);

    /// Gives up a pass that is still running. `pass` is a row of the registry; `options`: texts, as
    /// PassOptions takes them.
    void run(const Pass& pass, const std::map<std::string, std::string>& options, ModuleId graph);
    /// The passes of a recipe, one step of the history each, on the model's own graph. Where one fails, those
    /// before it stay.
    void runRecipe(const std::vector<RecipeStep>& steps);
    /// A line of the console, over `selected` nodes of the graph; debug.console() is told what came of it.
    void runProgram(const GraphProgram& program, ModuleId graph, const std::vector<NodeId>& selected);
    void cancel() override;
    /// Until a pass succeeds.
    const std::optional<PassFailure>& failure() const { return m_failure; }

Q_SIGNALS:
    /// A pass, but no program of the console, is done; what it has measured. Told before edited() and done().
    void finished(const fx::RecipeStep& step, const std::vector<fx::PassTable>& tables);
    /// The pass has made a step of the history. Told before done().
    void edited();
    /// What the pass has printed.
    void printed(const QString& text);
    /// What the pass did, in one line and those that it has to say itself.
    void done(const QString& text);
    void failed(const QString& reason);
    void failureChanged();

private:
    struct Asked {
        QString title;
        std::function<void(const PassAnswer& answer)> done;
        std::function<void(const QString& reason)> failed;
        /// What ends it that was asked for elsewhere; without one that is not told.
        std::function<void(const QString& reason)> givenUp = {};
        std::optional<RecipeStep> step = std::nullopt; ///< what a recipe calls it, if it does
    };
    void runStep(const std::shared_ptr<const std::vector<RecipeStep>>& steps, size_t at);
    void start(const PassRequest& request, bool runsCode, const Asked& asked);
    void fail(const QString& title, ModuleId graph, const QString& reason);
    void succeed(const QString& text);

    GraphDocument& m_document;
    DebugService& m_debug;
    DocumentHost& m_host;
    Asked m_asked; ///< of what runs
    std::optional<PassFailure> m_failure;
};

} // namespace fx::ui
