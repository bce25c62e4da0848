// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pt2/pt2_dialect.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/codegen/written_names.h"
#include "core/io/harmless_names.h"
#include "core/io/pt2/pt2_flat_inputs.h"
#include "core/ir/python_operators.h"
#include "core/module/known_faults.h"
#include "core/module/lint.h"
#include "core/torch/bind/operators.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace fx {

namespace {

constexpr std::string_view kAdvice =
    "put the operators that it calls in its place first: fxscope apply MODEL capture -o OUT.pt2";

/// Functions of Python that stand in exported graphs beside the operators.
bool isAllowedFunction(Target target) {
    static const std::set<std::string_view> kNames = {"math.ceil",
                                                      "math.floor",
                                                      "math.trunc",
                                                      "round",
                                                      "torch.sym_sum",
                                                      "torch._C._set_grad_enabled",
                                                      "torch.autograd.grad_mode.set_grad_enabled",
                                                      "torch.amp.autocast_mode._enter_autocast",
                                                      "torch.amp.autocast_mode._exit_autocast"};
    return kNames.contains(target.name()) || target.name().starts_with("torch.sym_") ||
           target.name().starts_with("torch._functorch.predispatch.");
}

/// Operators of Python that torch takes in them, where they work on numbers.
bool isAllowedOperator(Target target) {
    static const std::set<std::string_view> kNames = {
        "add", "mul",  "sub", "truediv", "ge",  "le",  "gt",  "lt",     "eq",     "ne", "floordiv",
        "mod", "and_", "or_", "not_",    "pow", "neg", "abs", "lshift", "rshift", "pos"};
    constexpr std::string_view kModule = "operator.";
    const std::string_view name = target.name();
    return name.starts_with(kModule) && kNames.contains(name.substr(kModule.size()));
}

/// Whether the value is a number, as far as one knows; of a call that is not known it is checked where it
/// stands.
bool isNumber(const Node& node) {
    if (const ValueMeta* known = knownValue(node.meta))
        return !std::holds_alternative<TensorMeta>(known->value) &&
               !std::holds_alternative<std::vector<ValueMeta>>(known->value);
    return isAllowedOperator(node.target) || isSymbolicFunction(node.target);
}

bool isAllowedCall(const Graph& graph, const Node& node) {
    if (node.target.isOperatorOverload() || node.target.isHigherOrder() || isAllowedFunction(node.target))
        return true;
    if (node.target != Target("operator.getitem"))
        return isAllowedOperator(node.target) && isNumber(node) &&
               std::all_of(node.inputs.begin(), node.inputs.end(),
                           [&](const InputUse& use) { return isNumber(graph.node(use.node)); });
    const NodeId from = node.args.empty() ? NodeId() : node.args[0].node();
    return (from && graph.node(from).opcode == Opcode::CallFunction) || takesInputApart(graph, node);
}

void requireCall(const Graph& graph, const Node& node, const std::string& place) {
    if (node.opcode == Opcode::CallModule || node.opcode == Opcode::CallMethod)
        throw Error(place, "calls the " +
                               std::string(node.opcode == Opcode::CallModule ? "module " : "method ") +
                               pythonRepr(node.target.name()) + ", and a .pt2 holds operators alone")
            .hint(std::string(kAdvice));
    if (!isAllowedCall(graph, node))
        throw Error(place, "calls the function " + pythonRepr(node.target.name()) +
                               ", and a .pt2 holds operators of torch.ops alone")
            .hint(std::string(kAdvice));
}

/// A weight that LibTorch's kernels read is packed into an object, or has a dtype that torch.export knows
/// not.
void requireValue(const Node& node, const std::string& place) {
    const TorchOperator* op = node.opcode == Opcode::CallFunction ? findOperator(node.target) : nullptr;
    const bool givesObject =
        op && std::ranges::any_of(op->schema->returns(), [](const c10::Argument& result) {
            return result.type()->kind() == c10::TypeKind::ClassType;
        });
    if (givesObject || node.target.name().starts_with("torch.ops.aten._make_per_channel_quantized_tensor"))
        throw Error(place, "packs a weight for LibTorch's kernels, which a .pt2 has no place for")
            .hint("save the model as it was before it was lowered, or as .fxg, Python or TorchScript");
}

void requireGraph(const Model& model, ModuleId module, bool isRoot) {
    requireSound(model, module);
    for (const Node& node : model.graph(module)) {
        const std::string place = "node '" + node.name + "'";
        requireHarmless(model, module, node);
        requirePlainNames(model, module, node);
        if (node.opcode != Opcode::Output && !isWrittenBare(node.name))
            throw Error(place, "has a name that Python does not read as it stands").hint("rename it");
        if (node.opcode == Opcode::Placeholder || node.opcode == Opcode::Output)
            continue;
        if (node.opcode != Opcode::GetAttr) {
            requireCall(model.graph(module), node, place);
            requireValue(node, place);
            continue;
        }
        const Attribute read = model.resolve(module, node.target.name());
        if (read.module && !read.tensor && !read.value && model.module(read.module).graph)
            requireGraph(model, read.module, false);
        else if (!read.tensor)
            throw Error(place, "reads " + pythonRepr(node.target.name()) +
                                   ", which is no tensor; a .pt2 written here holds tensors alone");
        else if (!isRoot)
            throw Error(place, "reads a tensor inside a nested graph, which takes its tensors as inputs in a "
                               ".pt2")
                .hint("read it outside and pass it in");
    }
}

} // namespace

bool isSymbolicFunction(Target target) {
    static const std::set<std::string_view> kNames = {
        "math.trunc",      "torch.sym_not",  "torch.sym_int",
        "torch.sym_float", "torch.sym_ite",  "torch.sym_max",
        "torch.sym_min",   "torch.sym_sqrt", "torch.ops.aten.item.default"};
    constexpr std::string_view kOperators = "operator.";
    return kNames.contains(target.name()) ||
           (target.name().starts_with(kOperators) && operatorByName(target.name().substr(kOperators.size())));
}

void requireExported(const Model& model) {
    requireGraph(model, model.root(), true);
}

std::string dialectOf(const Model& model, const std::string& wanted) {
    if (wanted != "ATEN")
        return "TRAINING";
    for (ModuleId module : graphsOf(model))
        for (const Node& node : model.graph(module)) {
            const TorchOperator* op =
                node.opcode == Opcode::CallFunction ? findOperator(node.target) : nullptr;
            if (op && op->schema->is_mutable())
                return "TRAINING";
        }
    return wanted;
}

} // namespace fx
