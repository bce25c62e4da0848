// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/number_nodes.h"

#include "core/base/error.h"
#include "core/torch/values/symbolic_tensors.h"

namespace fx {

using c10::SymInt;
using c10::SymNode;

ValueMeta describeNumber(const SymNode& node) {
    const SymbolicNumber* number = symbolicNumber(node);
    const auto kind = node->is_int()     ? SymbolicScalar::Kind::Int
                      : node->is_float() ? SymbolicScalar::Kind::Float
                                         : SymbolicScalar::Kind::Bool;
    return {SymbolicScalar{kind, node->str(), number ? number->hint() : std::nullopt}};
}

NodeId NumberNodes::create(const char* target, Arguments args, const char* name, const SymNode& number) {
    const NodeId node = m_edit.createNode(Opcode::CallFunction, Target(target), std::move(args), {}, name);
    m_edit.setMeta(node, meta::kValue, describeNumber(number));
    return node;
}

void NumberNodes::track(const SymNode& number, std::function<NodeId()> make) {
    if (!symbolicNumber(number))
        return;
    m_tracked.try_emplace(number.get(), Tracked{number, std::move(make), {}}); // the first one stays
    if (const auto name = symbolicNumber(number)->formula().symbolName(); name && number->is_int())
        m_symbols.try_emplace(*name, number);
}

void NumberNodes::track(const SymNode& number, NodeId node) {
    track(number, [node] { return node; });
}

void NumberNodes::trackSizes(const at::Tensor& tensor, NodeId node, SymbolEnvironment& environment) {
    if (!hasSymbolicSizes(tensor))
        return;
    const SymbolEnvironment::Unheard unheard(environment);
    const auto add = [&](const SymInt& number, const char* target, const char* name,
                         std::optional<int64_t> at) {
        if (number.is_heap_allocated() && symbolicNumber(number.toSymNode()))
            track(number.toSymNode(), [this, node, target, name, at, number = number.toSymNode()] {
                return create(target, at ? Arguments{node, *at} : Arguments{node}, name, number);
            });
    };
    const auto sizes = tensor.sym_sizes(), strides = tensor.sym_strides();
    for (size_t i = 0; i < sizes.size(); ++i)
        add(sizes[i], "torch.ops.aten.sym_size.int", "sym_size_int", static_cast<int64_t>(i));
    for (size_t i = 0; i < strides.size(); ++i)
        add(strides[i], "torch.ops.aten.sym_stride.int", "sym_stride_int", static_cast<int64_t>(i));
    add(tensor.sym_numel(), "torch.ops.aten.sym_numel.default", "sym_numel_default", std::nullopt);
    add(tensor.sym_storage_offset(), "torch.ops.aten.sym_storage_offset.default",
        "sym_storage_offset_default", std::nullopt);
}

NumberNodes::Tracked* NumberNodes::find(const SymNode& number) {
    if (const auto known = m_tracked.find(number.get()); known != m_tracked.end())
        return &known->second;
    const auto name = symbolicNumber(number)->formula().symbolName();
    const auto symbol = name ? m_symbols.find(*name) : m_symbols.end();
    return symbol == m_symbols.end() ? nullptr : find(symbol->second);
}

Argument NumberNodes::argument(const SymNode& number) {
    SymbolicNumber* own = symbolicNumber(number);
    if (number->is_int())
        if (const std::optional<int64_t> known = number->maybe_as_int())
            return *known;
    if (own && own->isLiteral())
        return number->is_float() ? Argument(*own->hint()) : Argument(own->isTrue());
    Tracked* tracked = own ? find(number) : nullptr;
    if (!tracked)
        throw Error("", number->str() + " is not tracked: nothing that was recorded gives this number")
            .kind("RuntimeError");
    if (!tracked->node) {
        const NodeId node = tracked->make(); // may track others
        m_tracked.at(tracked->number.get()).node = node;
        return node;
    }
    return tracked->node;
}

void NumberNodes::computed(Operator op, const std::vector<SymNode>& operands, const SymNode& result) {
    Arguments args;
    for (const SymNode& operand : operands)
        args.push_back(argument(operand));
    const std::string name(operatorName(op));
    track(result, create(("operator." + name).c_str(), std::move(args), name.c_str(), result));
}

void NumberNodes::madeFloat(const SymNode& number, const SymNode& result) {
    track(result, create("torch.sym_float", {argument(number)}, "sym_float", result));
}

} // namespace fx
