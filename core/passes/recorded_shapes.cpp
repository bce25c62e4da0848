// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/recorded_shapes.h"

#include "core/base/error.h"
#include "core/interpret/infer_shapes.h"
#include "core/ir/dependents.h"

namespace fx {

void recordShapes(Edit& edit, const std::vector<NodeId>& calls, ShapeRule rule) {
    const InferredShapes found = inferShapes(
        edit.model(), edit.module(), rule == ShapeRule::OfCalls ? calls : dependentsOf(edit.graph(), calls));
    if (found.faulty && rule == ShapeRule::Checked)
        throw Error("node '" + edit.node(found.faulty).name + "'",
                    "cannot take what it would read: " + found.fault.substr(0, found.fault.find('\n')));
    for (const auto& [node, value] : found.values) {
        const ValueMeta* known = knownValue(edit.node(node).meta);
        if (!known || !(*known == value))
            edit.setMeta(node, meta::kTensorMeta, MetaValue(value));
    }
}

} // namespace fx
