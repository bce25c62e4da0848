// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/recorded_shapes.h"

#include "core/base/error.h"
#include "core/interpret/infer_shapes.h"
#include "core/ir/dependents.h"

#include <algorithm>

namespace fx {

bool isSymbolic(const TensorMeta& tensor) {
    return std::ranges::any_of(
        tensor.shape, [](const Dimension& each) { return std::holds_alternative<SymbolicInt>(each); });
}

namespace {

/// Whether a value that was recorded has the shape that was inferred, symbols by their hints.
bool isAs(const ValueMeta& recorded, const ValueMeta& inferred) {
    const auto* one = std::get_if<TensorMeta>(&recorded.value);
    const auto* other = std::get_if<TensorMeta>(&inferred.value);
    if (!one || !other)
        return recorded == inferred;
    const auto size = [](const Dimension& dimension) {
        const auto* symbol = std::get_if<SymbolicInt>(&dimension);
        return symbol ? symbol->hint : std::optional(std::get<int64_t>(dimension));
    };
    return isSymbolic(*one)
               ? one->dtype == other->dtype && std::ranges::equal(one->shape, other->shape, {}, size, size)
               : recorded == inferred;
}

} // namespace

void recordShapes(Edit& edit, const std::vector<NodeId>& calls, ShapeRule rule) {
    const InferredShapes found = inferShapes(
        edit.model(), edit.module(), rule == ShapeRule::OfCalls ? calls : dependentsOf(edit.graph(), calls));
    if (found.faulty && rule == ShapeRule::Checked)
        throw Error("node '" + edit.node(found.faulty).name + "'",
                    "cannot take what it would read: " + found.fault.substr(0, found.fault.find('\n')));
    for (const auto& [node, value] : found.values) {
        const ValueMeta* known = knownValue(edit.node(node).meta);
        if (!known || !isAs(*known, value))
            edit.setMeta(node, meta::kTensorMeta, MetaValue(value));
    }
}

} // namespace fx
