// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analyze/operator_table.h"

#include "core/base/text.h"
#include "core/interpret/shape_prop.h"
#include "core/ir/dtype.h"
#include "core/module/read_tensors.h"
#include "core/module/scopes.h"

#include <algorithm>

namespace fx {

namespace {

void forEachTensor(const ValueMeta& value, const std::function<void(const TensorMeta&)>& visit) {
    if (const auto* tensor = std::get_if<TensorMeta>(&value.value))
        visit(*tensor);
    else if (const auto* items = std::get_if<std::vector<ValueMeta>>(&value.value))
        for (const ValueMeta& item : *items)
            forEachTensor(item, visit);
}

void fillValue(OperatorEntry& row, const ValueMeta& value) {
    std::vector<std::string> shapes, dtypes;
    uint64_t bytes = 0;
    forEachTensor(value, [&](const TensorMeta& tensor) {
        shapes.push_back(shapeText(tensor.shape));
        const std::string dtype(dtypeAbbreviation(tensor.dtype));
        if (std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end())
            dtypes.push_back(dtype);
        bytes += byteCount(ValueMeta{tensor}).value_or(0); // a size that depends on the inputs
    });
    row.shapes = join(shapes, " ");
    row.dtypes = join(dtypes, " ");
    if (!shapes.empty())
        row.bytes = bytes;
}

} // namespace

std::vector<OperatorEntry> operatorTable(const Model& model, ModuleId module, const RecordOf& recordOf,
                                         const NodeFigures& costs) {
    std::vector<OperatorEntry> out;
    const Graph& graph = model.graph(module);
    const ScopeTree scopes(graph);
    for (const Node& node : graph) {
        OperatorEntry row;
        row.node = {module, node.id};
        row.isCall = isCallNode(node);
        row.name = node.name;
        row.target = node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output
                         ? std::string(opcodeName(node.opcode))
                         : node.target.name();
        row.scope = scopes.scope(scopes.scopeOf(node.id)).path;
        for (const ReadTensor& read : tensorsReadBy(model, module, node.id))
            row.parameters += model.tensor(read.tensor).elementCount();
        if (const auto cost = costs.find(node.id); cost != costs.end())
            row.cost = cost->second;
        if (const NodeRecord* record = recordOf(row.node)) {
            if (row.cost)
                row.cost->measured = record->milliseconds / 1000;
            row.milliseconds = record->milliseconds;
            fillValue(row, record->value);
            row.error = record->health.hasNan ? "NaN" : record->health.hasInf ? "Inf" : "";
        } else if (const ValueMeta* known = knownValue(node.meta)) {
            fillValue(row, *known);
        }
        out.push_back(std::move(row));
    }
    return out;
}

} // namespace fx
