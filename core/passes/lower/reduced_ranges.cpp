// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/reduced_ranges.h"

#include "core/torch/bind/operators.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

constexpr int64_t kAll = 255, kReduced = 127;

bool triedSums() {
    constexpr int64_t kCount = 64;
    const at::Tensor values = at::full({1, kCount}, kAll, at::kByte),
                     weight = at::full({4, kCount}, kReduced, at::kChar);
    torch::jit::Stack stack{weight, c10::IValue()};
    findOperator(Target("torch.ops.onednn.qlinear_prepack.default"))->call(stack);
    const at::Tensor packed = stack.at(0).toTensor();
    stack = {values,
             1.0,
             int64_t(0),
             packed,
             at::ones({4}),
             at::zeros({4}, at::kLong),
             c10::IValue(),
             1.0,
             int64_t(0),
             at::kFloat,
             "none",
             c10::List<std::optional<at::Scalar>>(),
             ""};
    findOperator(Target("torch.ops.onednn.qlinear_pointwise.default"))->call(stack);
    return stack.at(0).toTensor().ne(kAll * kReduced * kCount).any().item<bool>();
}

/// The calls that round by what it chooses, and those that restore.
std::vector<NodeId> readersOf(const Graph& graph, NodeId chosen) {
    std::vector<NodeId> out;
    for (const NodeId part : graph.node(chosen).users)
        for (const NodeId reader : graph.node(part).users)
            if (std::ranges::find(out, reader) == out.end())
                out.push_back(reader);
    return out;
}

} // namespace

bool areSumsCutOff() {
    static const bool are = [] {
        try {
            return triedSums();
        } catch (const std::exception&) {
            return false; // there are no such calls here
        }
    }();
    return are;
}

bool isTooWide(const TensorQuantization& values) {
    const auto* most = values.most.as<int64_t>();
    return areSumsCutOff() && (!most || *most > kReduced);
}

size_t reduceRanges(Edit& edit) {
    size_t count = 0;
    for (const NodeId chosen : edit.graph().findNodes(
             Opcode::CallFunction, "torch.ops.quantized_decomposed.choose_qparams.tensor")) {
        const Arguments& bounds = edit.node(chosen).args;
        if (bounds.size() != 5 || !(bounds[1] == Argument(0)) || !(bounds[2] == Argument(kAll)))
            continue;
        const std::vector<NodeId> readers = readersOf(edit.graph(), chosen);
        const bool areAllKnown = std::ranges::all_of(readers, [&](NodeId reader) {
            const auto rounds = quantizationAt(edit.graph(), reader),
                       restores = restorationAt(edit.graph(), reader);
            return (rounds && rounds->isByte()) || (restores && restores->isByte());
        });
        if (!areAllKnown)
            continue;
        edit.updateArg(chosen, 2, kReduced);
        for (const NodeId reader : readers)
            edit.updateArg(reader, 4, kReduced);
        ++count;
    }
    return count;
}

} // namespace fx
