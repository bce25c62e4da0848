// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/session_values.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/value_kinds.h"
#include "core/torch/call.h"
#include "core/torch/purity.h"
#include "core/torch/value_text.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

void SessionValues::put(NodeRef ref, const Node& node, const Value& value) {
    m_values.put(ref, value);
    m_setTo.erase(ref);
    if (node.opcode == Opcode::CallFunction && mutatesArguments(node.target) && !node.args.empty())
        if (const NodeId written = node.args[0].node())
            m_values.markChanged({ref.module, written}, node.name);
}

std::optional<Value> SessionValues::variable(const std::string& name) const {
    const ModuleId module = m_frames.empty() ? m_model.root() : m_frames.back().node.module;
    const Graph& graph = m_model.graph(module);
    const NodeId node = graph.find(name);
    if (!node)
        return std::nullopt;
    if (!m_frames.empty())
        if (const Value* live = m_frames.back().interpreter->value(node))
            return *live;
    if (const Value* kept = m_values.find({module, node}))
        return *kept;
    throw Error("", absenceOf({module, node}));
}

std::string SessionValues::absenceOf(NodeRef node) const {
    const std::string& name = m_model.graph(node.module).node(node.node).name;
    if (m_values.wasDropped(node))
        return "the value of " + name + " was dropped to keep within " +
               byteText(m_values.report().budgetBytes) + "; stop before it, or give more memory to values";
    return name + " has no value yet: it has not run";
}

/// One for the whole session, so that what it needs of torch is loaded once. `value` is what is inspected.
LiveEvaluator& SessionValues::evaluator() {
    if (!m_evaluator)
        m_evaluator = std::make_unique<LiveEvaluator>([this](const std::string& name) {
            return m_inspected && name == "value" ? std::optional(*m_inspected) : variable(name);
        });
    return *m_evaluator;
}

Value SessionValues::evaluate(const std::string& expression) {
    Value result;
    guarded([&] { result = evaluator().evaluate(expression, "expression"); });
    return result;
}

/// The value of a node, kept or still in use; null if there is none.
const Value* SessionValues::valueOf(NodeRef node) const {
    if (const Value* kept = m_values.find(node))
        return kept;
    for (const RunningFrame& frame : m_frames)
        if (frame.node.module == node.module)
            if (const Value* live = frame.interpreter->value(node.node))
                return live;
    return nullptr;
}

NodeRecord SessionValues::set(const SetValue& request, Interpreter* paused, std::string& said) {
    const NodeId node = request.node.node;
    const Graph& graph = m_model.graph(request.node.module);
    const std::string& name = graph.node(node).name;
    if (!paused)
        throw Error("", "the run is over, so nobody would read the new value of " + name)
            .hint("start it again and stop before a node that reads it");
    if (paused->module() != request.node.module)
        throw Error("", name + " belongs to another graph than the one that stands still")
            .hint("leave the nested graph first");
    const Value* live = paused->value(node);
    const Value* old = live ? live : m_values.find(request.node);
    if (!old)
        throw Error("", absenceOf(request.node));
    const Value fresh = evaluate(request.expression);
    const std::string differences = compareKinds(name, *old, fresh);
    paused->setValue(node, fresh);
    m_values.put(request.node, fresh);
    m_setTo[request.node] = request.expression;
    const auto isToCome = [&](NodeId user) { return !graph.precedes(user, paused->nextNode()); };
    const auto& users = graph.node(node).users;
    said =
        name + " is now " + valueMetaText(describeValue(fresh)) +
        (differences.empty() ? "" : "; " + differences) +
        (std::any_of(users.begin(), users.end(), isToCome) ? "" : "; no node that is still to run reads it");
    return {request.node, describeValue(fresh), healthOf(fresh), 0, request.expression};
}

std::string
SessionValues::save(const SaveValue& request,
                    const std::function<void(const at::Tensor&, const std::string& path)>& saveTensor) const {
    const Value* value = valueOf(request.node);
    if (!value)
        throw Error("", absenceOf(request.node));
    if (!value->isTensor() || !saveTensor)
        throw Error("", "only a tensor can be saved, this is a " + typeName(*value));
    saveTensor(value->data().toTensor(), request.path);
    return "saved " + request.path;
}

Inspection SessionValues::inspect(const Inspect& request) {
    Inspection out;
    out.request = request.request;
    out.node = request.node;
    const Value* value = valueOf(request.node);
    if (!value) {
        out.absence = absenceOf(request.node);
        return out;
    }
    out.value = describeValue(*value);
    out.changedBy = m_values.changedBy(request.node);
    if (const auto set = m_setTo.find(request.node); set != m_setTo.end())
        out.setTo = set->second;
    if (!value->isTensor()) {
        out.text = valueText(*value);
        return out;
    }
    try {
        guarded([&] {
            const at::Tensor& tensor = value->data().toTensor();
            out.statistics = statisticsOf(tensor);
            Value slice = *value;
            if (!trim(request.index).empty()) {
                m_inspected = value;
                slice = evaluator().evaluate("value[" + request.index + ']', "index");
            }
            if (!slice.isTensor())
                throw Error("", "the index gives no tensor");
            out.sample = sampleOf(slice.data().toTensor());
        });
    } catch (const Error& error) {
        out.fault = error.message().substr(0, error.message().find('\n'));
    }
    m_inspected = nullptr;
    return out;
}

} // namespace fx
