// SPDX-License-Identifier: GPL-3.0-or-later
// The graph and its objects. Values as arguments and back: program_values.cpp.
#include "core/fxpython/program_graph.h"

namespace fx {

namespace {

/// The attribute of Node and Graph that holds their handle.
const TextKey kHandle("_fx");
const char* const kNodeType = "torch.fx.Node";
const char* const kGraphType = "torch.fx.Graph";

const HandleObject* handleOf(const Value& value, const char* type) {
    const auto* instance = value.as<InstanceObject>();
    const Value* found = instance ? instance->dict.as<DictObject>()->find(kHandle) : nullptr;
    const auto* handle = found ? found->as<HandleObject>() : nullptr;
    return handle && handle->typeName == type ? handle : nullptr;
}

void setHandle(const Value& instance, const char* type, std::shared_ptr<void> content) {
    instance.as<InstanceObject>()->dict.as<DictObject>()->set(
        makeText("_fx"), Object{HandleObject{nullptr, type, std::move(content)}});
}

} // namespace

NodeHandle* nodeHandle(const Value& value) {
    const HandleObject* handle = handleOf(value, kNodeType);
    return handle ? static_cast<NodeHandle*>(handle->content.get()) : nullptr;
}

const std::shared_ptr<ProgramGraph>* graphHandle(const Value& value) {
    const HandleObject* handle = handleOf(value, kGraphType);
    return handle ? static_cast<const std::shared_ptr<ProgramGraph>*>(handle->content.get()) : nullptr;
}

NodeHandle& requireNode(const Value& value) {
    NodeHandle* handle = nodeHandle(value);
    if (!handle)
        raise("TypeError", "expected a Node, not " + typeName(value));
    if (handle->id && !handle->graph->graph().knows(handle->id))
        raise("RuntimeError", "the graph of this Node is not there any more");
    return *handle;
}

ProgramGraph& requireGraph(const Value& value) {
    const std::shared_ptr<ProgramGraph>* handle = graphHandle(value);
    if (!handle)
        raise("TypeError", "expected a Graph, not " + typeName(value));
    return **handle;
}

Value classOfFx(Evaluator& evaluator, const char* module, const char* name) {
    const std::optional<Value> found = evaluator.modules().libraryClass(std::string(module) + '.' + name);
    if (!found)
        raise("ImportError", std::string(module) + " has no " + name);
    return *found;
}

ProgramGraph::ProgramGraph(std::string rootType)
    : m_model(std::move(rootType)), m_edit(std::make_unique<Edit>(m_model, Edit::WithoutHistory())) {}

Model ProgramGraph::take() {
    m_edit->finish();
    Model taken = std::exchange(m_model, Model());
    m_edit = std::make_unique<Edit>(m_model, Edit::WithoutHistory());
    return taken;
}

Value& ProgramGraph::object(NodeId id) {
    if (!id)
        return m_end;
    if (static_cast<size_t>(id.value) >= m_nodes.size())
        m_nodes.resize(static_cast<size_t>(graph().nextId().value));
    return m_nodes[static_cast<size_t>(id.value)];
}

Value ProgramGraph::node(Evaluator& evaluator, NodeId id) {
    Value& known = object(id);
    if (known.isNone())
        setNode(id, makeInstance(classOfFx(evaluator, "torch.fx.node", "Node")));
    return known;
}

void ProgramGraph::setNode(NodeId id, const Value& instance) {
    setHandle(instance, kNodeType, std::make_shared<NodeHandle>(NodeHandle{shared_from_this(), id}));
    object(id) = instance;
}

Value ProgramGraph::nodes(Evaluator& evaluator, const std::vector<NodeId>& ids) {
    Values out;
    out.reserve(ids.size());
    for (const NodeId id : ids)
        out.push_back(node(evaluator, id));
    return makeList(std::move(out));
}

void ProgramGraph::setSelf(const Value& instance) {
    m_self = instance;
    setHandle(instance, kGraphType, std::make_shared<std::shared_ptr<ProgramGraph>>(shared_from_this()));
}

Value ProgramGraph::graphObject(Evaluator& evaluator) {
    if (m_self.isNone())
        evaluator.call(
            evaluator.attribute(classOfFx(evaluator, "torch.fx.graph", "Graph"), "_of"),
            {Object{HandleObject{nullptr, kGraphType,
                                 std::make_shared<std::shared_ptr<ProgramGraph>>(shared_from_this())}}});
    return m_self;
}

void ProgramGraph::clear() {
    m_self = m_end = Value();
    m_nodes.clear();
    m_functions.clear();
    m_objects.clear();
    m_metaValues.clear();
}

NodeId ProgramGraph::create(Opcode opcode, Target target, Arguments args, Keywords kwargs,
                            std::optional<std::string_view> name, std::optional<std::string> type,
                            Meta meta) {
    const auto make = [&] {
        return m_edit->createNode(opcode, target, std::move(args), std::move(kwargs), name, std::move(type),
                                  std::move(meta));
    };
    if (insertPoint.isAfter && !insertPoint.anchor)
        return make();
    if (insertPoint.isAfter) {
        const Edit::InsertPoint point = m_edit->insertingAfter(insertPoint.anchor);
        return make();
    }
    const Edit::InsertPoint point = m_edit->insertingBefore(insertPoint.anchor);
    return make();
}

} // namespace fx
