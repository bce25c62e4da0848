// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in traced programs: torch.jit.trace turns sizes and literals into tensors without dimensions. They
// become numbers again where that cannot change a result.
#include "core/trace/script/script_knowledge.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

constexpr std::string_view kArithmetic[] = {
    "add", "sub", "mul", "div", "floor_divide", "remainder", "pow",  "rsub", "true_divide", "lt",
    "le",  "gt",  "ge",  "eq",  "ne",           "add_",      "sub_", "mul_", "div_"};

/// Functions whose result is of floats whatever they are given, and those that keep the type of what they are
/// given.
constexpr std::string_view kFloating[] = {"conv1d",
                                          "conv2d",
                                          "conv3d",
                                          "linear",
                                          "softmax",
                                          "log_softmax",
                                          "sigmoid",
                                          "tanh",
                                          "gelu",
                                          "silu",
                                          "layer_norm",
                                          "batch_norm",
                                          "group_norm",
                                          "truediv",
                                          "sqrt",
                                          "rsqrt",
                                          "exp",
                                          "log",
                                          "mean",
                                          "conv_transpose2d",
                                          "scaled_dot_product_attention"};
constexpr std::string_view kKeeping[] = {"add",        "sub",         "mul",
                                         "matmul",     "bmm",         "relu",
                                         "view",       "reshape",     "permute",
                                         "transpose",  "contiguous",  "cat",
                                         "stack",      "getitem",     "dropout",
                                         "pow",        "neg",         "flatten",
                                         "squeeze",    "unsqueeze",   "expand",
                                         "max_pool2d", "interpolate", "pad",
                                         "clone",      "detach",      "repeat",
                                         "iadd",       "isub",        "imul",
                                         "leaky_relu", "relu_",       "chunk",
                                         "split",      "select",      "t",
                                         "einsum",     "baddbmm",     "adaptive_avg_pool2d",
                                         "avg_pool2d", "masked_fill"};

template <size_t count>
bool isIn(const std::string_view (&names)[count], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

} // namespace

std::optional<Value> ScriptKnowledge::numberOf(const Value& value) const {
    if (value.isInt() || value.isDouble())
        return value;
    if (const auto* proxy = value.as<ProxyObject>())
        return m_numbers.contains(proxy->node) ? std::optional(value) : std::nullopt;
    if (!value.isTensor() || !value.data().toTensor().defined())
        return std::nullopt;
    const at::Tensor& tensor = value.data().toTensor();
    if (tensor.dim() != 0 || !m_tracer.isConstant(tensor) || tensor.is_meta() ||
        (tensor.scalar_type() != c10::kLong && tensor.scalar_type() != c10::kDouble))
        return std::nullopt;
    if (tensor.scalar_type() == c10::kLong)
        return makeInt(tensor.item<int64_t>());
    return Value(c10::IValue(tensor.item<double>()));
}

bool ScriptKnowledge::isFloating(const Value& value, int depth) const {
    constexpr int kDeepest = 40;
    if (depth > kDeepest)
        return false;
    if (value.isTensor())
        return value.data().toTensor().defined() && value.data().toTensor().is_floating_point();
    const auto* proxy = value.as<ProxyObject>();
    if (!proxy || m_numbers.contains(proxy->node))
        return false;
    if (proxy->concrete)
        return isFloating(*proxy->concrete, depth + 1);
    if (const auto shape = m_shapes.find(proxy->node); shape != m_shapes.end())
        return shape->second.isTensor() && isFloating(shape->second, depth + 1);
    const Node& node = m_tracer.graph().node(proxy->node);
    const std::string_view name = node.target.functionName();
    const bool isCall = node.opcode == Opcode::CallFunction || node.opcode == Opcode::CallMethod;
    if (isCall && isIn(kFloating, name))
        return true;
    if (node.opcode == Opcode::CallModule) {
        bool hasFloats = false;
        if (const auto module = m_tracer.moduleAt(node.target.name()))
            for (const at::Tensor& parameter : module->parameters())
                hasFloats = hasFloats || parameter.is_floating_point();
        if (hasFloats)
            return true;
    } else if (!isCall || !isIn(kKeeping, name)) {
        return false;
    }
    bool isAny = false;
    forEachNode(node.args, node.kwargs,
                [&](NodeId input) { isAny = isAny || isFloating(m_tracer.proxyOf(input), depth + 1); });
    return isAny;
}

bool ScriptKnowledge::isArithmetic(const std::string& name, const Values& args) {
    return isIn(kArithmetic, name) && args.size() >= 2;
}

bool ScriptKnowledge::restoreNumbers(const std::string& name, Values& args) const {
    if (!isArithmetic(name, args))
        return false;
    const std::optional<Value> left = numberOf(args[0]), right = numberOf(args[1]);
    if (left && right && (left->as<ProxyObject>() || right->as<ProxyObject>())) {
        args[0] = *left;
        args[1] = *right;
        return true;
    }
    // A literal beside a tensor. One of floats would change the type of a tensor of ints.
    if (right && !left && (!right->isDouble() || isFloating(args[0])))
        args[1] = *right;
    else if (left && !right && (!left->isDouble() || isFloating(args[1])))
        args[0] = *left;
    return false;
}

} // namespace fx
