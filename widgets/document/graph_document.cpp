// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/graph_document.h"

#include "core/base/error.h"
#include "core/ir/trace_end.h"
#include "core/module/known_faults.h"
#include "core/rewrite/waiting_calls.h"
#include "widgets/document/edit_command.h"
#include "widgets/support/qt_text.h"

#include <QFileInfo>
#include <QSignalBlocker>
#include <QUuid>

#include <limits>

namespace fx::ui {

GraphDocument::GraphDocument(OpenedModel opened, QString host)
    : m_opened(std::move(opened)), m_host(std::move(host)), m_id(QUuid::createUuid().toString()) {}

QString GraphDocument::title() const {
    return nameOfModel(qt(m_opened.path));
}

QString GraphDocument::place() const {
    return m_host.isEmpty() ? title() : m_host + ": " + qt(m_opened.path);
}

void GraphDocument::run(Model& model, ModuleId module, const std::function<void(Edit&)>& work,
                        Changes& changes) {
    const KnownFaults known(model, {module});
    Edit edit(model, module);
    work(edit);
    if (const std::string fault = known.firstNew(model, {module}); !fault.empty())
        throw Error("", fault);
    changes = edit.finish();
}

QString GraphDocument::perform(const QString& title, ModuleId module, const std::function<void(Edit&)>& work,
                               int merging, const std::optional<RecipeStep>& step) {
    Changes changes;
    try {
        run(m_opened.model, module, work, changes);
    } catch (const Error& error) {
        return faultText(error.what());
    }
    if (changes.empty())
        return {};
    m_faults.clear();
    m_undo.push(new EditCommand(*this, title, std::move(changes), merging, step));
    return {};
}

QString GraphDocument::follow(const QString& title, const ModelUpdate& update,
                              const std::optional<RecipeStep>& step) {
    try {
        fx::follow(m_opened.model, update);
    } catch (const Error& error) {
        return faultText(error.what());
    }
    m_faults.clear();
    m_undo.push(new EditCommand(*this, title, update.changes, 0, step));
    return {};
}

void GraphDocument::restore(std::vector<std::pair<QString, Changes>> steps) {
    const QSignalBlocker quiet(this); // the model is so already
    for (auto& [title, changes] : steps)
        m_undo.push(new EditCommand(*this, title, std::move(changes), 0));
    m_savedState = std::numeric_limits<uint64_t>::max(); // none of its own
}

void GraphDocument::replay(const Changes& changes, bool isBackwards) {
    if (isBackwards)
        undo(m_opened.model, changes);
    else
        redo(m_opened.model, changes);
    m_faults.clear();
}

const std::vector<LintFault>& GraphDocument::faults(ModuleId module) const {
    const auto [found, isNew] = m_faults.try_emplace(module);
    if (isNew) {
        if (const std::optional<TraceEnd> end = traceEndOf(model().graph(module)))
            found->second.push_back({end->node.id, "the trace ends here: " + end->why});
        const std::vector<LintFault> faults = lint(model(), module);
        found->second.insert(found->second.end(), faults.begin(), faults.end());
        const std::vector<LintFault> waiting = waitingCalls(model(), module);
        found->second.insert(found->second.end(), waiting.begin(), waiting.end());
    }
    return found->second;
}

DocumentState GraphDocument::state() {
    return {*this, m_state};
}

void GraphDocument::setSaved(const QString& path, const QString& format, const DocumentState& state) {
    m_opened.path = utf8(path);
    m_opened.format = utf8(format);
    m_host.clear();
    m_savedState = state.m_number;
    Q_EMIT saved();
}

} // namespace fx::ui
