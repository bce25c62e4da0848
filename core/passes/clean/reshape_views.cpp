// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/reshape_views.h"

#include "core/passes/clean/call_names.h"
#include "core/passes/clean/effects.h"
#include "core/passes/clean/recorded.h"

namespace fx {

ReshapedViews reshapeViews(Edit& edit, const std::function<bool(const Node& view)>& isConcerned) {
    const Effects effects(edit.model(), edit.module());
    ReshapedViews out;
    for (const Node& node : edit.graph()) {
        const bool isMethod = node.opcode == Opcode::CallMethod;
        const std::string_view name = isMethod ? std::string_view(node.target.name()) : functionOfTorch(node);
        const bool isOfDtype = (node.args.size() > 1 && node.args[1].as<c10::ScalarType>()) ||
                               node.target.name() == "torch.ops.aten.view.dtype";
        if ((name != "view" && name != "_unsafe_view") || isOfDtype || (isConcerned && !isConcerned(node)))
            continue;
        if (effects.isWritten(node.id)) {
            out.written.push_back(node.id);
            continue;
        }
        edit.setTarget(node.id, isMethod ? "reshape" : "torch.ops.aten.reshape.default");
        ++out.count;
    }
    return out;
}

ReshapedViews reshapeImageViews(Edit& edit) {
    return reshapeViews(edit, [&](const Node& view) {
        const NodeId input = view.args.empty() ? NodeId() : view.args[0].node();
        const TensorMeta* tensor = input ? recordedTensor(edit.node(input)) : nullptr;
        return !tensor || tensor->shape.size() >= 4;
    });
}

} // namespace fx
