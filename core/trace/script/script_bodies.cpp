// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/script/script_bodies.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// What is in a list, tuple, dict or object.
Values contentsOf(const Value& value) {
    if (const auto* sequence = value.as<SequenceObject>())
        return sequence->items;
    if (const auto* instance = value.as<InstanceObject>())
        return {instance->dict};
    if (const auto* proxy = value.as<ProxyObject>()) // a container that became a value of the graph
        return {makeInt(proxy->node.value)};
    Values out;
    if (const auto* dict = value.as<DictObject>())
        for (const DictObject::Entry& entry : dict->entries()) {
            out.push_back(entry.key);
            out.push_back(entry.value);
        }
    return out;
}

/// What a program holds before a body of it runs.
class HeldBefore {
public:
    explicit HeldBefore(const ScriptState& state) : m_sets(state.instances.setCount()) {
        state.frames.forEach([this](const Value& value) { add(value); });
        for (const auto& [key, value] : state.instances.attributes())
            add(value);
    }

    bool isUnchanged(const ScriptState& state) const {
        return m_sets == state.instances.setCount() && std::ranges::all_of(m_contents, [](const auto& entry) {
                   const auto& [container, before] = entry.second;
                   return std::ranges::equal(contentsOf(container), before, isSameValue);
               });
    }
    bool hasMemory(const at::Tensor& tensor) const {
        return m_memories.contains(tensor.storage().unsafeGetStorageImpl());
    }

private:
    void add(const Value& value) {
        if (value.isTensor() && value.data().toTensor().defined() && value.data().toTensor().has_storage())
            m_memories.insert(value.data().toTensor().storage().unsafeGetStorageImpl());
        if (!value.object() || m_contents.contains(value.object().get()))
            return;
        const Values contents = contentsOf(value);
        m_contents.emplace(value.object().get(), std::pair(value, contents));
        for (const Value& item : contents)
            add(item);
    }

    size_t m_sets;
    std::unordered_map<const Object*, std::pair<Value, Values>> m_contents;
    std::unordered_set<const void*> m_memories;
};

} // namespace

bool isSameValue(const Value& one, const Value& other) {
    return one.isSame(other) || (one.isString() && other.isString() && one.text() == other.text());
}

bool isGraphValue(const Value& value) {
    return value.as<ProxyObject>() || value.isInt() || value.isDouble() || value.isBool() ||
           (value.isTensor() && value.data().toTensor().defined());
}

Value merged(const Value& one, const Value& other, const MergeLeaves& leaf) {
    const auto *items = one.as<SequenceObject>(), *others = other.as<SequenceObject>();
    if (items && others && items->isList == others->isList && items->items.size() == others->items.size()) {
        Values out;
        for (size_t i = 0; i < items->items.size(); ++i)
            out.push_back(merged(items->items[i], others->items[i], leaf));
        return items->isList ? makeList(std::move(out)) : makeTuple(std::move(out));
    }
    const auto* dict = one.as<DictObject>();
    auto* otherDict = other.as<DictObject>();
    const auto hasKey = [&](const DictObject::Entry& entry) { return otherDict->find(entry.key) != nullptr; };
    if (dict && otherDict && dict->size() == otherDict->size() &&
        std::ranges::all_of(dict->entries(), hasKey)) {
        DictObject out;
        for (const DictObject::Entry& entry : dict->entries())
            out.set(entry.key, merged(entry.value, *otherDict->find(entry.key), leaf));
        return Object{std::move(out)};
    }
    return leaf(one, other);
}

Value takenApart(ScriptTracer& tracer, const Value& value, const Value& like) {
    const auto* wanted = like.as<SequenceObject>();
    const auto* given = value.as<SequenceObject>();
    if (!wanted || (given && given->items.size() != wanted->items.size()) ||
        (!given && !value.as<ProxyObject>()))
        return value;
    Values items;
    for (size_t i = 0; i < wanted->items.size(); ++i) {
        const Value item = given ? given->items[i]
                                 : tracer.record(Opcode::CallFunction, "operator.getitem",
                                                 {value, makeInt(static_cast<int64_t>(i))});
        items.push_back(takenApart(tracer, item, wanted->items[i]));
    }
    return wanted->isList ? makeList(std::move(items)) : makeTuple(std::move(items));
}

bool areSameShapes(const std::optional<Value>& one, const std::optional<Value>& other) {
    if (!one || !other || !one->isTensor() || !other->isTensor())
        return false;
    const at::Tensor &a = one->data().toTensor(), &b = other->data().toTensor();
    return a.defined() && b.defined() && a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type();
}

NodeId withoutConversions(const ScriptTracer& tracer, NodeId node) {
    const Graph& graph = tracer.graph();
    const Node& asked = graph.node(node);
    if (asked.target.name() == "operator.ne" && asked.args.size() == 2 && asked.args[0].node() &&
        asked.args[1] == Argument(0))
        node = asked.args[0].node();
    const Node& item = graph.node(node);
    const bool isItem = item.opcode == Opcode::CallMethod && item.target.name() == "item";
    return isItem ? item.args[0].node() : node;
}

std::vector<NodeId> ScriptBodies::record(const std::function<void()>& run) {
    ScriptTracer& tracer = m_state.tracer;
    const HeldBefore before(m_state);
    const NodeId first = tracer.graph().nextId();
    {
        const ScriptTracer::BodyScope scope(tracer);
        run();
    }
    if (!before.isUnchanged(m_state))
        tracer.fail(
            "TraceError", trace_text::kControlFlow,
            "what data decides changes a list, a dict or an attribute that is there before; a value that "
            "each branch gives, or that the loop carries, can be part of a graph");
    tracer.forgetMaterialized([&](NodeId node, const at::Tensor& tensor) {
        return node.value >= first.value && !before.hasMemory(tensor);
    });
    return nodesSince(first);
}

void ScriptBodies::recordMore(Body& body, const std::function<void()>& run) {
    const NodeId first = m_state.tracer.graph().nextId();
    run();
    const std::vector<NodeId> made = nodesSince(first);
    body.nodes.insert(body.nodes.end(), made.begin(), made.end());
}

std::vector<NodeId> ScriptBodies::nodesSince(NodeId first) const {
    const ScriptTracer& tracer = m_state.tracer;
    std::vector<NodeId> out;
    for (NodeId id = first; id.value < tracer.graph().nextId().value; ++id.value)
        if (tracer.graph().contains(id) && !tracer.staysOutside(id))
            out.push_back(id);
    return out;
}

std::vector<NodeId> ScriptBodies::readOutside(const std::vector<const Body*>& bodies) const {
    const Graph& graph = m_state.tracer.graph();
    std::unordered_set<NodeId> seen;
    for (const Body* body : bodies)
        seen.insert(body->nodes.begin(), body->nodes.end());
    std::vector<NodeId> out;
    const auto read = [&](NodeId node) {
        if (seen.insert(node).second)
            out.push_back(node);
    };
    for (const Body* body : bodies) {
        for (const NodeId node : body->nodes)
            forEachNode(graph.node(node).args, graph.node(node).kwargs, read);
        forEachNode(body->result, read);
    }
    return out;
}

NodeId ScriptBodies::makeGraph(const char* kind, const Body& body, const std::vector<NodeId>& inputs,
                               const std::map<NodeId, size_t>& standsFor) {
    ScriptTracer& tracer = m_state.tracer;
    Edit& edit = tracer.edit();
    const Graph& outside = tracer.graph();
    const ModuleId root = edit.module();
    const ModuleId made = edit.createModule("torch.fx.graph_module.GraphModule", true);
    edit.enter(made);
    NodeMap copies;
    std::vector<NodeId> placeholders;
    for (const NodeId input : inputs) {
        placeholders.push_back(edit.placeholder(outside.node(input).name));
        copies[input] = placeholders.back();
    }
    for (const auto& [node, index] : standsFor)
        copies[node] = placeholders[index];
    const auto copyOf = [&](NodeId node) -> Argument { return copies.at(node); };
    std::vector<NodeId> erasable;
    for (const NodeId id : body.nodes) {
        if (copies.count(id) > 0)
            continue;
        const NodeId copy = edit.nodeCopy(outside.node(id), copyOf);
        copies[id] = copy;
        if (const std::optional<ModuleId> inner = tracer.graphReadBy(id))
            edit.addSubmodule(edit.node(copy).target.name(), *inner);
        if (tracer.isErasable(id))
            erasable.push_back(copy);
    }
    edit.output(mapNodes(body.result, copyOf));
    for (size_t i = erasable.size(); i-- > 0;)
        if (edit.node(erasable[i]).users.empty())
            edit.eraseNode(erasable[i]);
    edit.enter(root);
    return tracer.readGraph(made, kind);
}

void ScriptBodies::erase(const std::vector<NodeId>& nodes) {
    for (size_t i = nodes.size(); i-- > 0;)
        m_state.tracer.edit().eraseNode(nodes[i]);
}

} // namespace fx
