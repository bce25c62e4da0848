// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/session_values.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/origin.h"
#include "core/interpret/value_kinds.h"
#include "core/interpret/value_look.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/purity.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

void SessionValues::put(NodeRef ref, const Node& node, const Value& value) {
    m_values.put(ref, value, m_frames.back().activation);
    m_setTo.erase(ref);
    if (!m_unread.empty())
        for (const InputUse& use : node.inputs)
            m_unread.erase({ref.module, use.node});
    noteWriter(ref.module, node);
}

void SessionValues::noteWriter(ModuleId graph, const Node& node) {
    if (node.opcode == Opcode::CallFunction && mutatesArguments(node.target) && !node.args.empty())
        if (const NodeId written = node.args[0].node())
            m_values.markChanged({graph, written}, node.name);
}

void SessionValues::forgetWriters(ModuleId graph, NodeId from) {
    m_values.unmarkChanged(graph);
    const Graph& nodes = m_model.graph(graph);
    for (const Node& node : nodes)
        if (nodes.precedes(node.id, from) &&
            (m_values.find({graph, node.id}) || m_values.wasDropped({graph, node.id})))
            noteWriter(graph, node);
}

/// Null if the run is over.
const RunningFrame* SessionValues::frameAt(size_t level) const {
    if (m_frames.empty())
        return nullptr;
    if (level >= m_frames.size())
        throw Error("", "there are only " + plural(m_frames.size(), "graph") + " running");
    return &*(m_frames.end() - 1 - static_cast<std::ptrdiff_t>(level));
}

std::optional<Value> SessionValues::variable(const std::string& name) const {
    const RunningFrame* frame = frameAt(m_level);
    const ModuleId module = frame ? frame->node.module : m_model.root();
    const Graph& graph = m_model.graph(module);
    const NodeId node = graph.find(name);
    if (!node)
        return std::nullopt;
    if (frame && frame->interpreter)
        if (const Value* live = frame->interpreter->value(node))
            return *live;
    if (const Value* kept = m_values.find({module, node}, frame ? frame->activation : 0))
        return *kept;
    throw Error("", absenceOf({module, node}));
}

bool SessionValues::knows(NodeRef node) const {
    return node.module && static_cast<size_t>(node.module.value) < m_model.moduleCount() &&
           m_model.module(node.module).graph && m_model.graph(node.module).contains(node.node);
}

std::string SessionValues::absenceOf(NodeRef node) const {
    const std::string& name = m_model.graph(node.module).node(node.node).name;
    if (m_values.wasDropped(node))
        return "the value of " + name + " was dropped to keep within " +
               byteText(m_values.report().budgetBytes) + "; stop before it, or give more memory to values";
    if (m_values.find(node))
        return name + " has not run in this call of its graph";
    return name + " has no value yet: it has not run";
}

/// One for the whole session, so that what it needs of torch is loaded once. `value` is what is inspected.
LiveEvaluator& SessionValues::evaluator() {
    if (!m_evaluator)
        m_evaluator =
            std::make_unique<LiveEvaluator>([this](const std::string& name) -> std::optional<Value> {
                if (m_inspected && name == "value")
                    return *m_inspected;
                if (m_result && name == "output")
                    return *m_result;
                std::optional<Value> known = variable(name);
                return known || name != "grad"
                           ? known
                           : makeNative("grad", [this](Evaluator&, Values& args, NamedValues&) {
                                 if (args.size() != 1 || !args[0].isString())
                                     raise("TypeError",
                                           "grad() takes the name of a node or of a parameter: grad('relu')");
                                 return gradientOf(args[0].text());
                             });
            });
    return *m_evaluator;
}

/// Of a node of the graph that expressions are about, or of a parameter by its path.
const Value& SessionValues::gradientOf(const std::string& name) const {
    const RunningFrame* frame = frameAt(m_level);
    const ModuleId module = frame ? frame->node.module : m_model.root();
    const NodeRef node{module, m_model.graph(module).find(name)};
    const TensorId tensor = m_model.resolve(m_model.root(), name).tensor;
    if (!node.node && !tensor)
        throw Error("", "there is no node and no parameter named '" + name + '\'');
    const Value* found = node.node ? m_gradients.find(node) : m_gradients.find(tensor);
    if (!found)
        throw Error("", name + " has no gradient: " +
                            (node.node ? m_gradients.absenceOf(node) : m_gradients.absenceOf(tensor)));
    return *found;
}

Value SessionValues::evaluate(const std::string& expression, size_t level) {
    Value result;
    m_level = level;
    guarded([&] { result = evaluator().evaluate(expression, "expression"); });
    return result;
}

/// The value of a node, kept or still in use; null if there is none.
const Value* SessionValues::valueOf(NodeRef node) const {
    if (const Value* kept = m_values.find(node))
        return kept;
    for (const RunningFrame& frame : m_frames)
        if (frame.interpreter && frame.node.module == node.module)
            if (const Value* live = frame.interpreter->value(node.node))
                return live;
    return nullptr;
}

/// Of the frame that runs the node's graph.
size_t SessionValues::levelOf(NodeRef node) const {
    const std::string& name = m_model.graph(node.module).node(node.node).name;
    if (m_frames.empty() || !m_frames.back().interpreter)
        throw Error("", "the run is over, so nobody would read the new value of " + name)
            .hint("start it again and stop before a node that reads it");
    for (size_t level = 0; level < m_frames.size(); ++level)
        if (frameAt(level)->node.module == node.module)
            return level;
    throw Error("", name + " belongs to a graph that is not running").hint("stop in it");
}

std::pair<NodeRecord, std::string>
SessionValues::set(const SetValue& request,
                   const std::function<Value(const std::string& path, const std::string& name)>& readValue) {
    if (!knows(request.node))
        throw Error("", "there is no such node in the graph that runs");
    const size_t level = levelOf(request.node);
    const RunningFrame& frame = *frameAt(level);
    const NodeId node = request.node.node;
    const Graph& graph = m_model.graph(request.node.module);
    const std::string& name = graph.node(node).name;
    const Value* live = frame.interpreter->value(node);
    const Value* old = live ? live : kept(frame, node);
    if (!old)
        throw Error("", absenceOf(request.node));
    const bool isFile = readValue && request.expression.starts_with('@');
    const Value fresh =
        isFile ? readValue(request.expression.substr(1), name) : evaluate(request.expression, level);
    const std::string differences = compareKinds(name, *old, fresh);
    frame.interpreter->setValue(node, fresh);
    m_values.put(request.node, fresh, frame.activation);
    m_setTo[request.node] = m_unread[request.node] = request.expression;
    // A node that has called another graph has read its arguments.
    const auto isToCome = [&](NodeId user) {
        return graph.precedes(frame.node.node, user) || (level == 0 && user == frame.node.node);
    };
    return {{request.node, describeValue(fresh), healthOf(fresh), 0, request.expression},
            name + " is now " + valueMetaText(describeValue(fresh)) +
                (differences.empty() ? "" : "; " + differences) +
                (std::ranges::any_of(graph.node(node).users, isToCome)
                     ? ""
                     : "; no node that is still to run reads it")};
}

std::vector<std::string> SessionValues::unreadNotes() const {
    std::vector<std::string> out;
    for (const auto& [node, expression] : m_unread)
        out.push_back("the value that was set for " + m_model.graph(node.module).node(node.node).name + " (" +
                      expression + ") took no effect: no node has read it");
    return out;
}

MemoryReport SessionValues::report() const {
    const MemoryReport values = m_values.report(), gradients = m_gradients.report();
    return {values.keptBytes + gradients.keptBytes, values.budgetBytes + gradients.budgetBytes,
            values.droppedCount + gradients.droppedCount};
}

Answer
SessionValues::save(const SaveValue& request,
                    const std::function<void(const at::Tensor&, const std::string& path)>& saveTensor) const {
    if (!request.tensor && !knows(request.node))
        throw Error("", "there is no such node in the graph that ran");
    std::string absence;
    const Value* value = looked({request.node, request.tensor, request.isGradient}, absence);
    if (!value)
        throw Error("", absence);
    if (!value->isTensor() || !saveTensor)
        throw Error("", "only a tensor can be saved, this is a " + typeName(*value));
    saveTensor(value->data().toTensor(), request.path);
    return {request.request, "saved " + request.path};
}

Answer SessionValues::findOrigin(const FindOrigin& request, const FindDifference& findDifference) const {
    if (!knows(request.node))
        throw Error("", "there is no such node in the graph that ran");
    Origin out;
    const auto valueOf = [this](NodeRef node) { return this->valueOf(node); };
    guarded([&] {
        if (request.reference.empty())
            out = originOf(m_model, request.node, parseTrait(request.trait), valueOf,
                           [this](NodeRef node) { return absenceOf(node); });
        else if (findDifference)
            out = findDifference(request, m_model, valueOf);
        else
            throw Error("", "there is nobody here who reads " + request.reference);
    });
    return {request.request, std::move(out.text), false, std::nullopt, 0, std::move(out.path)};
}

/// Null where there is none, and why.
const Value* SessionValues::looked(const Subject& subject, std::string& absence) const {
    if (!subject.tensor && !knows(subject.node)) {
        absence = "it is not in the graph that ran";
        return nullptr;
    }
    if (!subject.isGradient) {
        const Value* value = valueOf(subject.node);
        if (!value)
            absence = absenceOf(subject.node);
        return value;
    }
    const Value* value = subject.tensor ? m_gradients.find(subject.tensor) : m_gradients.find(subject.node);
    if (!value)
        absence =
            subject.tensor ? m_gradients.absenceOf(subject.tensor) : m_gradients.absenceOf(subject.node);
    return value;
}

Inspection SessionValues::inspect(const Inspect& request, const std::function<bool()>& isGivenUp) {
    Inspection out;
    out.request = request.request;
    out.node = request.node;
    out.tensor = request.tensor;
    const Value* value = looked({request.node, request.tensor, request.isGradient}, out.absence);
    for (const NodeRef node : request.beside)
        if (const Value* other = knows(node) ? valueOf(node) : nullptr)
            if (std::optional<TensorPicture> picture = thumbnailOf(*other))
                out.beside.push_back({node, std::move(*picture)});
    if (!value)
        return out;
    if (!request.isGradient) {
        out.changedBy = m_values.changedBy(request.node);
        if (const auto set = m_setTo.find(request.node); set != m_setTo.end())
            out.setTo = set->second;
    }
    m_level = 0;
    lookAt(
        *value, request.view, m_model,
        [this](const std::string& expression, const Value& shown, const std::string& place) {
            m_inspected = &shown;
            return evaluator().evaluate(expression, place);
        },
        out, isGivenUp);
    m_inspected = nullptr;
    return out;
}

} // namespace fx
