// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/lower/integer_moves.h"

#include "core/passes/clean/call_names.h"
#include "core/passes/clean/erase_unread.h"
#include "core/passes/clean/recorded.h"
#include "core/passes/lower/convolution_settings.h"

#include <algorithm>

namespace fx {

namespace {

constexpr std::string_view kMoves[] = {"flatten", "reshape",   "view",    "permute", "transpose",
                                       "t",       "unsqueeze", "squeeze", "cat",     "contiguous",
                                       "clone",   "select",    "slice",   "narrow",  "unflatten"};

/// "flatten" of nn.Flatten, torch.flatten, x.flatten() and torch.ops.aten.flatten.using_ints.
std::string_view moveName(const Model& model, ModuleId owner, const Node& node) {
    if (const Module* module = calledModule(model, owner, node)) {
        if (hasHooks(*module))
            return {};
        return module->type == "torch.nn.modules.flatten.Flatten"     ? "flatten"
               : module->type == "torch.nn.modules.pooling.MaxPool2d" ? "max_pool2d"
                                                                      : "";
    }
    return node.opcode == Opcode::CallMethod ? std::string_view(node.target.name()) : functionOfTorch(node);
}

/// What torch.ops.quantized.max_pool2d is given; aten's does not take integers in every layout.
std::optional<Arguments> poolArguments(const Model& model, ModuleId owner, const Node& node,
                                       NodeId integers) {
    static constexpr std::string_view kNames[] = {"input",   "kernel_size", "stride",
                                                  "padding", "dilation",    "ceil_mode"};
    const Module* module = calledModule(model, owner, node);
    const auto given = [&](size_t i) {
        return module                 ? module->value(kNames[i])
               : i < node.args.size() ? &node.args[i]
                                      : node.keyword(kNames[i]);
    };
    const auto* indices = module ? module->value("return_indices") : node.keyword("return_indices");
    if ((indices && !(*indices == Argument(false))) || (!module && node.args.size() > std::size(kNames)))
        return std::nullopt;
    Arguments out{integers};
    for (size_t i = 1; i < 5; ++i) {
        const Argument* setting = given(i);
        const bool isKernel =
            setting && (i != 2 || (!setting->isNone() && !(setting->items() && setting->items()->empty())));
        const auto numbers = isKernel ? numbersOf(setting, 2, 0)
                             : i == 2 ? numbersOf(given(1), 2, 0) // as far as the kernel reaches
                                      : std::vector<int64_t>(2, i == 4 ? 1 : 0);
        if (!numbers || (i == 1 && !setting))
            return std::nullopt;
        out.push_back(numberList(*numbers));
    }
    const Argument* isCeiling = given(5);
    out.emplace_back(isCeiling ? *isCeiling : Argument(false));
    return out;
}

bool isNumber(const Node& node) {
    const ValueMeta* value = knownValue(node.meta);
    return value && !recordedTensor(node);
}

/// What asks a value for its sizes asks its integers.
void readSizesOf(Edit& edit, const TensorQuantization& restored) {
    const std::vector<NodeId> readers(edit.node(restored.node).users.begin(),
                                      edit.node(restored.node).users.end());
    for (const NodeId reader : readers) {
        const Node& node = edit.node(reader);
        const std::string& name = node.target.name();
        const bool isSize = node.opcode == Opcode::CallMethod
                                ? name == "size" || name == "dim" || name == "numel"
                                : name == "torch.ops.aten.sym_size.int" ||
                                      (name == "getattr" && node.args[1] == Argument("shape"));
        if (isSize)
            edit.replaceInputWith(reader, restored.node, restored.input);
    }
}

} // namespace

bool moveIntegers(Edit& edit, const IntegerLayers& layers, NodeId id) {
    const Graph& graph = edit.graph();
    const Node& node = graph.node(id);
    const std::string_view name = moveName(edit.model(), edit.module(), node);
    const bool isPool = name == "max_pool2d";
    if ((!isPool && std::ranges::find(kMoves, name) == std::end(kMoves)) || node.users.size() != 1 ||
        node.inputs.empty())
        return false;
    const auto result = quantizationAt(graph, *node.users.begin());
    if (!result)
        return false;
    std::vector<TensorQuantization> given;
    for (const InputUse& use : node.inputs) {
        if (!given.empty() && isNumber(graph.node(use.node)))
            continue; // a size that it takes
        const auto restored = restorationAt(graph, use.node);
        if (!restored || !restored->isLike(*result) || !restored->isConstant() ||
            !layers.isThere(restored->input, id))
            return false;
        given.push_back(*restored);
    }
    NodeId made = id;
    if (isPool) {
        const auto args = poolArguments(edit.model(), edit.module(), node, given[0].input);
        if (!args || given.size() != 1 || !given[0].isByte())
            return false;
        const Edit::InsertPoint point = edit.insertingBefore(id);
        made = edit.callFunction("torch.ops.quantized.max_pool2d.default", *args);
        copyPlace(edit, id, made);
    } else {
        for (const TensorQuantization& each : given)
            edit.replaceInputWith(id, each.node, each.input);
    }
    copyRecorded(edit, result->node, made);
    edit.replaceAllUsesWith(result->node, made);
    eraseUnread(edit, {result->node});
    if (made != id)
        eraseUnread(edit, {id});
    for (const TensorQuantization& each : given) {
        readSizesOf(edit, each);
        eraseUnread(edit, {each.node});
    }
    return true;
}

} // namespace fx
