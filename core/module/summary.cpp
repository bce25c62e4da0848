// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/module/summary.h"

#include <unordered_set>

namespace fx {

ModelSummary summarize(const Model& model) {
    ModelSummary out;
    std::unordered_set<TensorId> seen;
    model.forEachModule(model.root(), [&](ModuleId id, const std::string&) {
        const Module& module = model.module(id);
        for (const NamedTensor& entry : module.tensors) {
            if (!entry.tensor || !seen.insert(entry.tensor).second)
                continue;
            const TensorSlot& tensor = model.tensor(entry.tensor);
            const bool isParameter = entry.role == TensorRole::Parameter;
            (isParameter ? out.parameterCount : out.bufferCount) += tensor.elementCount();
            (isParameter ? out.parameterBytes : out.bufferBytes) += tensor.byteCount();
        }
        if (!module.graph)
            return;
        ++out.graphCount;
        out.nodeCount += module.graph->size();
        for (const Node& node : *module.graph)
            ++out.opcodeCounts[static_cast<size_t>(node.opcode)];
    });
    return out;
}

} // namespace fx
