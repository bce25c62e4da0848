// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/recurrent_modules.h"

#include "core/passes/clean/call_names.h"
#include "core/passes/clean/recorded.h"

#include <algorithm>

namespace fx {

namespace {

int64_t numberOf(const Module& module, std::string_view name) {
    const Argument* value = module.value(name);
    const auto* number = value ? value->as<int64_t>() : nullptr;
    return number ? *number : 0;
}

bool isTrue(const Module& module, std::string_view name) {
    const Argument* value = module.value(name);
    return value && *value == Argument(true);
}

bool isLstm(const Module& module) {
    return module.type.ends_with(".LSTM");
}

/// Which part of the result a node takes; null where it does something else.
const int64_t* partTaken(const Node& reader, NodeId call) {
    if (reader.opcode != Opcode::CallFunction || reader.target.name() != "operator.getitem" ||
        reader.args.size() != 2 || reader.args[0].node() != call)
        return nullptr;
    const auto* part = reader.args[1].as<int64_t>();
    return part && (*part == 0 || *part == 1) ? part : nullptr;
}

} // namespace

std::vector<std::string> recurrentWeights(const Module& module) {
    std::vector<std::string> out;
    for (int64_t layer = 0; layer < numberOf(module, "num_layers"); ++layer)
        for (const char* direction : {"", "_reverse"}) {
            if (*direction && !isTrue(module, "bidirectional"))
                continue;
            for (const char* part : {"weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr"}) {
                const std::string name = part + ("_l" + std::to_string(layer)) + direction;
                if (module.tensor(name))
                    out.push_back(name);
            }
        }
    return out;
}

bool isRecurrentCall(const Node& node) {
    const std::string_view name = functionOfTorch(node);
    return (name == "lstm" || name == "gru") && node.args.size() == 9 && node.kwargs.empty() &&
           node.args[2].items() && node.args[3].as<bool>();
}

std::string recurrentObstacle(const Graph& graph, const Node& call, NodeId input) {
    const TensorMeta* given = recordedTensor(graph.node(input));
    if (!given)
        return "as the sizes of their inputs are not recorded (shape-prop does it)";
    if (given->shape.size() != 3)
        return "as their inputs are not batches";
    const bool isApart = std::ranges::all_of(
        call.users.toVector(), [&](NodeId user) { return partTaken(graph.node(user), call.id); });
    return isApart ? "" : "as their results are not taken apart";
}

Argument zeroState(Edit& edit, NodeId call, NodeId input, const Module& module) {
    const Edit::InsertPoint point = edit.insertingBefore(call);
    const auto placed = [&](NodeId made) {
        copyPlace(edit, call, made);
        return made;
    };
    const auto attribute = [&](const char* name) {
        return placed(edit.callFunction("getattr", {input, name}));
    };
    const int64_t hidden = numberOf(module, "hidden_size"), projected = numberOf(module, "proj_size");
    const int64_t cells = numberOf(module, "num_layers") * (isTrue(module, "bidirectional") ? 2 : 1);
    const NodeId batch = placed(edit.callMethod("size", {input, isTrue(module, "batch_first") ? 0 : 1}));
    const NodeId dtype = attribute("dtype"), device = attribute("device");
    const auto zeros = [&](int64_t width) {
        return placed(
            edit.callFunction("torch.zeros", {cells, batch, width}, {{"dtype", dtype}, {"device", device}}));
    };
    const NodeId state = zeros(projected ? projected : hidden);
    if (!isLstm(module))
        return state;
    return TupleValue{{state, projected ? zeros(hidden) : state}};
}

void takeFlatResult(Edit& edit, NodeId call) {
    for (const NodeId user : edit.node(call).users.toVector())
        if (const int64_t* part = partTaken(edit.node(user), call); part && *part == 1)
            edit.updateArg(user, 1, SliceValue{{1, NoneValue(), NoneValue()}});
}

} // namespace fx
