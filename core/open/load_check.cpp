// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/load_check.h"

#include "core/base/error.h"
#include "core/io/torch/graph_module_file.h"
#include "core/ir/argument_text.h"
#include "core/module/known_faults.h"
#include "core/open/reopen.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fx {

namespace {

/// Where a module or tensor was met first: torch.fx calls what hangs in several places by one of them.
class FirstPaths {
public:
    explicit FirstPaths(const Model& model) : m_model(model) {
        model.forEachModule(model.root(), [&](ModuleId id, const std::string& path) {
            m_modules.emplace(id, path);
            for (const NamedTensor& entry : model.module(id).tensors)
                if (entry.tensor) {
                    m_tensors.emplace(entry.tensor, path.empty() ? entry.name : path + '.' + entry.name);
                    if (entry.role == TensorRole::Parameter)
                        m_parameters.insert(entry.tensor);
                }
        });
    }

    bool isParameter(TensorId tensor) const { return m_parameters.contains(tensor); }

    std::string of(ModuleId from, const std::string& path) const {
        const Attribute found = m_model.resolve(from, path);
        if (found.module)
            return m_modules.at(found.module);
        return found.tensor ? m_tensors.at(found.tensor) : path;
    }

private:
    const Model& m_model;
    std::unordered_map<ModuleId, std::string> m_modules;
    std::unordered_map<TensorId, std::string> m_tensors;
    std::unordered_set<TensorId> m_parameters;
};

/// A graph as torch.fx traces it again. Reads of attributes have no place of their own in the order of calls,
/// and what reads no input is computed while it is traced.
class TracedForm {
public:
    TracedForm(const Model& model, ModuleId module)
        : m_model(model), m_module(module), m_paths(model), m_graph(model.graph(module)) {
        for (const Node& node : m_graph) {
            const bool isCall = node.opcode == Opcode::CallFunction || node.opcode == Opcode::CallMethod;
            const bool isFolded = isCall && std::ranges::all_of(node.inputs, [&](const InputUse& use) {
                                      return m_folded.contains(use.node) || isPlainRead(use.node);
                                  });
            if (isFolded)
                m_folded.insert(node.id);
            else if (!isRead(node)) {
                m_places.emplace(node.id, m_calls.size());
                m_calls.push_back(&node);
            }
        }
    }

    const std::vector<const Node*>& calls() const { return m_calls; }
    const Node& node(NodeId id) const { return m_graph.node(id); }
    bool isFolded(NodeId id) const { return m_folded.contains(id); }
    size_t place(NodeId id) const { return m_places.at(id); }
    std::string target(const Node& node) const {
        const bool isPath = node.opcode == Opcode::CallModule || node.opcode == Opcode::GetAttr;
        return isPath ? m_paths.of(m_module, node.target.name())
                      : std::string(node.opcode == Opcode::CallFunction ? node.target.functionName()
                                                                        : node.target.name());
    }
    static bool isGetattr(const Node& node) {
        return node.opcode == Opcode::CallFunction && node.target.name() == "getattr" &&
               node.args.size() == 2;
    }
    static bool isRead(const Node& node) { return node.opcode == Opcode::GetAttr || isGetattr(node); }
    /// The argument, where it is the read of an attribute that is no tensor: its value.
    const Argument& resolved(const Argument& argument) const {
        const NodeId id = argument.node();
        if (!id || node(id).opcode != Opcode::GetAttr)
            return argument;
        const Attribute found = m_model.resolve(m_module, node(id).target.name());
        return found.value ? *found.value : argument;
    }

private:
    /// True for the read of an attribute for which torch.fx makes no Proxy: any but a parameter.
    bool isPlainRead(NodeId id) const {
        if (node(id).opcode != Opcode::GetAttr)
            return false;
        const Attribute found = m_model.resolve(m_module, node(id).target.name());
        return found.value || (found.tensor && !m_paths.isParameter(found.tensor));
    }

    const Model& m_model;
    const ModuleId m_module;
    const FirstPaths m_paths;
    const Graph& m_graph;
    std::vector<const Node*> m_calls;
    std::unordered_map<NodeId, size_t> m_places;
    std::unordered_set<NodeId> m_folded;
};

class TracedComparison {
public:
    TracedComparison(const TracedForm& written, const TracedForm& read) : m_written(written), m_read(read) {}

    void require() const {
        const auto& mine = m_written.calls();
        const auto& theirs = m_read.calls();
        for (size_t i = 0; i < mine.size(); ++i) {
            const bool isSame = i < theirs.size() && mine[i]->opcode == theirs[i]->opcode &&
                                (mine[i]->opcode == Opcode::Output ||
                                 m_written.target(*mine[i]) == m_read.target(*theirs[i])) &&
                                areSame(mine[i]->args, theirs[i]->args) &&
                                areSame(mine[i]->kwargs, theirs[i]->kwargs);
            if (!isSame)
                fail(*mine[i], i < theirs.size() ? theirs[i] : nullptr);
        }
        if (theirs.size() > mine.size())
            fail(*mine.back(), theirs[mine.size()]);
    }

private:
    [[noreturn]] void fail(const Node& mine, const Node* theirs) const {
        const auto names = [](const TracedForm& form) {
            return [&form](NodeId id) { return form.node(id).name; };
        };
        const std::string made =
            theirs ? theirs->target.name() + formatText(theirs->args, names(m_read)) : "nothing";
        throw Error("node '" + mine.name + "'", "torch.load would trace " + made + " from the code, not " +
                                                    mine.target.name() +
                                                    formatText(mine.args, names(m_written)))
            .hint("rename what the code mistakes for something else, or save an .fxg");
    }

    bool areSame(const Arguments& mine, const Arguments& theirs) const {
        return std::ranges::equal(mine, theirs,
                                  [&](const Argument& a, const Argument& b) { return isSame(a, b); });
    }

    bool areSame(const Keywords& mine, const Keywords& theirs) const {
        return std::ranges::equal(mine, theirs, [&](const auto& a, const auto& b) {
            return a.first == b.first && isSame(a.second, b.second);
        });
    }

    bool isSame(const Argument& mineWritten, const Argument& theirs) const {
        const Argument& mine = m_written.resolved(mineWritten);
        if (mine.node() && m_written.isFolded(mine.node()))
            return true;
        if (mine.node() || theirs.node())
            return mine.node() && theirs.node() &&
                   isSame(m_written.node(mine.node()), m_read.node(theirs.node()));
        const Arguments *list = mine.items(), *other = theirs.items();
        if (list || other)
            return list && other && areSame(*list, *other);
        const auto *dict = mine.as<DictValue>(), *otherDict = theirs.as<DictValue>();
        if (dict && otherDict)
            return std::ranges::equal(dict->items, otherDict->items, [&](const auto& a, const auto& b) {
                return isSame(a.first, b.first) && isSame(a.second, b.second);
            });
        const auto *slice = mine.as<SliceValue>(), *otherSlice = theirs.as<SliceValue>();
        if (slice && otherSlice)
            return areSame(slice->parts, otherSlice->parts);
        const auto nobody = [](NodeId) { return std::string(); };
        return reprText(mine, nobody) == reprText(theirs, nobody);
    }

    bool isSame(const Node& mine, const Node& theirs) const {
        if (TracedForm::isRead(mine) != TracedForm::isRead(theirs) || mine.opcode != theirs.opcode)
            return false;
        if (mine.opcode == Opcode::GetAttr)
            return m_written.target(mine) == m_read.target(theirs);
        if (TracedForm::isRead(mine))
            return areSame(mine.args, theirs.args);
        return m_written.place(mine.id) == m_read.place(theirs.id);
    }

    const TracedForm &m_written, &m_read;
};

} // namespace

void requireLoadable(const Model& written, const PickledModel& read) {
    OpenedModel traced = reopenPickle(read, {}, written.sources());
    if (!traced.whyNoGraph.reason.empty() && !written.sources().empty()) // which may do what is not done here
        traced = reopenPickle(read, {});
    if (!traced.whyNoGraph.reason.empty())
        throw Error("", "torch.load could not read the graph: " + traced.whyNoGraph.reason)
            .hint("save an .fxg, or export a folder");
    written.forEachModule(written.root(), [&](ModuleId id, const std::string& path) {
        const ModuleId other = traced.model.resolve(traced.model.root(), path).module;
        if (written.module(id).graph && other && traced.model.module(other).graph)
            TracedComparison({written, id}, {traced.model, other}).require();
    });
}

std::vector<std::string> writeLoadableModule(const OpenedModel& model, const std::string& path,
                                             Progress& progress) {
    return writeGraphModule(model, path, progress, requireLoadable);
}

} // namespace fx
