// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/printed/printed_model.h"

#include "core/base/error.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

namespace fx {

namespace {

/// A weight of the text, if its shape is a fixed one.
std::optional<TensorSlot> weightOf(const PrintedNode& node) {
    const auto* value = node.meta.find<ValueMeta>(meta::kValue);
    const auto* tensor = value ? std::get_if<TensorMeta>(&value->value) : nullptr;
    if (!tensor)
        return std::nullopt;
    int64_t count = 1;
    constexpr int64_t kMost = int64_t(1) << 48;
    for (const auto* list : {&tensor->shape, &tensor->stride})
        for (const Dimension& dimension : *list) {
            const auto* size = std::get_if<int64_t>(&dimension);
            if (!size || *size < 0 || *size > kMost)
                return std::nullopt;
        }
    TensorMeta meta = *tensor;
    if (meta.stride.empty())
        meta.stride.resize(meta.shape.size());
    for (size_t i = meta.shape.size(); i-- > 0;) {
        if (tensor->stride.empty())
            meta.stride[i] = count;
        count *= std::max<int64_t>(std::get<int64_t>(meta.shape[i]), 1);
        if (count > kMost)
            return std::nullopt;
    }
    const std::string name = node.target.name();
    return TensorSlot(std::move(meta), [name]() -> at::Tensor {
        throw Error("'" + name + '\'', "has a shape and no value, as the text of a graph holds no weights")
            .hint("open the model that the text was printed of");
    });
}

} // namespace

void PrintedModelMaker::make(const PrintedGraph& graph) {
    const ModuleId here = m_edit.module();
    for (const PrintedGraph& child : graph.children) {
        const ModuleId id = m_edit.createModule("GraphModule", true);
        if (!m_edit.addSubmodule(child.name, id))
            continue;
        m_edit.enter(id);
        make(child);
        m_edit.enter(here);
    }
    addAttributes(graph);
    std::vector<NodeId> nodes;
    const auto map = [&](NodeId index) -> Argument { return nodes[static_cast<size_t>(index.value)]; };
    for (const PrintedNode& node : graph.nodes) {
        if (nodes.size() % 256 == 0)
            m_progress.step(0.5, "building the graph");
        nodes.push_back(m_edit.createNode(node.opcode, node.target, mapNodes(node.args, map),
                                          mapNodes(node.kwargs, map), node.name, node.type, node.meta));
        keepName(nodes.back(), node.name);
    }
}

/// Other names than those of the text would not be found where it came from.
void PrintedModelMaker::keepName(NodeId id, const std::string& name) {
    if (m_edit.node(id).name != name && !m_edit.graph().find(name))
        m_edit.setName(id, name);
}

bool PrintedModelMaker::isThere(const std::string& path) const {
    return bool(m_edit.model().resolve(m_edit.module(), path));
}

/// Of what the nodes call and read is registered what can be known.
void PrintedModelMaker::addAttributes(const PrintedGraph& graph) {
    std::vector<const PrintedNode*> reads;
    for (const PrintedNode& node : graph.nodes) {
        if (node.opcode == Opcode::CallModule && !isThere(node.target.name()) &&
            m_edit.addSubmodule(node.target.name(), m_edit.createModule(kPlainModule)))
            ++m_moduleCount;
        if (node.opcode == Opcode::GetAttr)
            reads.push_back(&node);
    }
    // What is inside of something goes before it, so that the latter is a module.
    const auto depth = [](const PrintedNode* node) {
        const std::string& name = node->target.name();
        return std::count(name.begin(), name.end(), '.');
    };
    std::stable_sort(reads.begin(), reads.end(),
                     [&](const auto* a, const auto* b) { return depth(a) > depth(b); });
    for (const PrintedNode* node : reads) {
        const std::string& path = node->target.name();
        if (isThere(path))
            continue;
        if (const std::optional<TensorSlot> weight = weightOf(*node)) {
            m_edit.setTensor(path, m_edit.createTensor(*weight), TensorRole::Constant);
            ++m_weightCount;
        } else {
            m_edit.setValue(path, Argument(OpaqueValue{"<not in the text>"}));
        }
    }
}

} // namespace fx
