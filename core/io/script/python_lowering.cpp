// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of Python's own functions, and of methods of tensors that are no operator of ATen, by what
// TorchScript has for them.
#include "core/base/error.h"
#include "core/io/script/graph_lowering.h"
#include "core/ir/python_operators.h"
#include "core/torch/bind/operators.h"

#include <algorithm>
#include <span>

namespace fx {

namespace {

using Row = std::pair<std::string_view, std::string_view>;

const char* find(std::span<const Row> rows, std::string_view name) {
    const auto row = std::ranges::find(rows, name, &Row::first);
    return row == rows.end() ? nullptr : row->second.data();
}

/// Of module operator, with numbers, lists and strings.
constexpr Row kOperators[] = {{"add", "aten::add"},
                              {"sub", "aten::sub"},
                              {"mul", "aten::mul"},
                              {"truediv", "aten::div"},
                              {"floordiv", "aten::floordiv"},
                              {"mod", "aten::remainder"},
                              {"pow", "aten::pow"},
                              {"neg", "aten::neg"},
                              {"eq", "aten::eq"},
                              {"ne", "aten::ne"},
                              {"lt", "aten::lt"},
                              {"le", "aten::le"},
                              {"gt", "aten::gt"},
                              {"ge", "aten::ge"},
                              {"and_", "aten::__and__"},
                              {"or_", "aten::__or__"},
                              {"xor", "aten::__xor__"},
                              {"not_", "aten::__not__"},
                              {"lshift", "aten::__lshift__"},
                              {"rshift", "aten::__rshift__"},
                              {"is_", "aten::__is__"},
                              {"is_not", "aten::__isnot__"},
                              {"abs", "prim::abs"}};

constexpr Row kBuiltins[] = {
    {"int", "aten::Int"},           {"float", "aten::Float"},       {"bool", "aten::Bool"},
    {"len", "aten::len"},           {"min", "prim::min"},           {"max", "prim::max"},
    {"abs", "prim::abs"},           {"round", "aten::round"},       {"str", "aten::str"},
    {"sum", "aten::sum"},           {"torch.sym_int", "aten::Int"}, {"torch.sym_float", "aten::Float"},
    {"torch.sym_max", "prim::max"}, {"torch.sym_min", "prim::min"}, {"torch.sym_not", "aten::__not__"}};

constexpr Row kAttributes[] = {{"shape", "aten::size"},
                               {"ndim", "aten::dim"},
                               {"dtype", "prim::dtype"},
                               {"device", "prim::device"},
                               {"layout", "prim::layout"},
                               {"T", "aten::numpy_T"},
                               {"mT", "aten::mT"},
                               {"H", "aten::matrix_H"},
                               {"mH", "aten::mH"},
                               {"real", "aten::real"},
                               {"imag", "aten::imag"},
                               {"data", "prim::data"},
                               {"is_cuda", "prim::is_cuda"},
                               {"requires_grad", "prim::requires_grad"},
                               {"itemsize", "prim::itemsize"}};

constexpr Row kMethods[] = {{"size", "aten::size"},
                            {"stride", "aten::stride"},
                            {"dim", "aten::dim"},
                            {"ndimension", "aten::dim"},
                            {"numel", "aten::numel"},
                            {"nelement", "aten::numel"},
                            {"element_size", "aten::element_size"},
                            {"storage_offset", "aten::storage_offset"},
                            {"get_device", "aten::get_device"},
                            {"is_floating_point", "aten::is_floating_point"},
                            {"is_complex", "aten::is_complex"},
                            {"item", "aten::item"},
                            {"contiguous", "aten::contiguous"},
                            {"is_contiguous", "aten::is_contiguous"},
                            {"copy_", "aten::copy_"},
                            {"requires_grad_", "aten::requires_grad_"},
                            {"cpu", "aten::cpu"},
                            {"cuda", "aten::cuda"},
                            {"__invert__", "aten::bitwise_not"},
                            {"__eq__", "aten::eq"}};

constexpr std::pair<std::string_view, c10::ScalarType> kCasts[] = {
    {"float", c10::ScalarType::Float}, {"double", c10::ScalarType::Double},
    {"half", c10::ScalarType::Half},   {"bfloat16", c10::ScalarType::BFloat16},
    {"int", c10::ScalarType::Int},     {"long", c10::ScalarType::Long},
    {"short", c10::ScalarType::Short}, {"char", c10::ScalarType::Char},
    {"byte", c10::ScalarType::Byte},   {"bool", c10::ScalarType::Bool}};

bool isContainer(const Lowered& value) {
    return value.form != Lowered::Form::Single;
}

} // namespace

std::optional<Lowered> GraphLowering::pythonFunction(const Node& node) {
    if (node.opcode != Opcode::CallFunction || node.target.isOperatorOverload())
        return std::nullopt;
    const std::string& name = node.target.name();
    const Arguments& args = node.args;
    if (name == "operator.getitem" && args.size() == 2)
        return subscript(lowered(args[0]), args[1]);
    if (name == "operator.setitem" && args.size() == 3) {
        setSubscript(lowered(args[0]), args[1], args[2]);
        return constant(c10::IValue());
    }
    if (name == "getattr" && args.size() == 2 && args[1].as<std::string>())
        return attributeOf(lowered(args[0]), *args[1].as<std::string>());
    if (name == "torch._assert" && args.size() == 2) {
        JitValue* condition = single(args[0]);
        if (condition->type()->kind() == c10::TypeKind::TensorType)
            condition = callNamed("aten::Bool", {loweredValue(condition)}).value;
        require(condition, args[1].as<std::string>() ? *args[1].as<std::string>() : "assertion failed");
        return constant(c10::IValue());
    }
    if (!node.kwargs.empty())
        return std::nullopt;
    std::vector<Lowered> given;
    for (const Argument& argument : args)
        given.push_back(lowered(argument));
    return numbers(name, given);
}

/// Operators and builtins where no tensor is among the operands; and 1 / tensor.
std::optional<Lowered> GraphLowering::numbers(const std::string& name, const std::vector<Lowered>& args) {
    const bool isOperator = name.starts_with("operator.");
    const bool hasTensor = std::ranges::any_of(args, [this](const Lowered& arg) { return isTensor(arg); });
    if (name == "operator.truediv" && args.size() == 2 && isTensor(args[1]) && !isTensor(args[0]))
        return callNamed("aten::mul", {callNamed("aten::reciprocal", {args[1]}), args[0]});
    const bool isConversion = name == "int" || name == "float" || name == "bool" || name == "len";
    if (hasTensor && !isConversion)
        return std::nullopt;
    const bool isList = name == "list" || name == "tuple";
    if (isList && args.size() == 1) {
        if (std::optional<std::vector<Lowered>> items = itemsOf(args[0]))
            return loweredTuple(std::move(*items),
                                name == "list" ? Lowered::Form::List : Lowered::Form::Tuple);
        return args[0].value && args[0].value->type()->kind() == c10::TypeKind::ListType && name == "list"
                   ? std::optional(callNamed("aten::list", args))
                   : std::nullopt;
    }
    if (name == "len" && args.size() == 1 && isContainer(args[0]))
        return constant(static_cast<int64_t>(args[0].parts.size()));
    // What is added in place to a list is a change of the list, and to a tuple none.
    if (name == "operator.add" && args.size() == 2 && isContainer(args[0]) && isContainer(args[1]) &&
        args[0].form == args[1].form && args[0].form != Lowered::Form::Dict) {
        Lowered out = args[0];
        out.parts.insert(out.parts.end(), args[1].parts.begin(), args[1].parts.end());
        out.names.clear();
        return out;
    }
    if (isOperator)
        if (const char* found = find(kOperators, std::string_view(name).substr(9)))
            return callNamed(found, args);
    if (name.starts_with("math."))
        return callNamed("aten::" + name.substr(5), args);
    const char* builtin = find(kBuiltins, name);
    return builtin ? std::optional(callNamed(builtin, args)) : std::nullopt;
}

std::optional<Lowered> GraphLowering::attributeOf(const Lowered& value, const std::string& name) {
    const auto named = std::ranges::find(value.names, name);
    if (named != value.names.end())
        return value.parts[static_cast<size_t>(named - value.names.begin())];
    const char* found = isTensor(value) ? find(kAttributes, name) : nullptr;
    if (!found)
        throw Error("",
                    "reads the attribute '" + name + "', which TorchScript does not have of such a value");
    Lowered out = callNamed(found, {value});
    if (name == "dtype")
        out.kind = ArgumentKind::DType;
    if (name == "layout")
        out.kind = ArgumentKind::Layout;
    return out;
}

std::optional<Lowered> GraphLowering::pythonMethod(const Node& node) {
    if (node.opcode != Opcode::CallMethod || node.args.empty())
        return std::nullopt;
    const std::string& name = node.target.name();
    const Lowered self = lowered(node.args[0]);
    if (!isTensor(self)) {
        if (name == "size" || self.form != Lowered::Form::Single || !node.kwargs.empty())
            return std::nullopt;
        std::vector<Lowered> args;
        for (const Argument& argument : node.args)
            args.push_back(lowered(argument));
        return callNamed("aten::" + name, args); // of lists, dicts and strings
    }
    if (name == "__getitem__" && node.args.size() == 2)
        return subscript(self, node.args[1]);
    if (name == "__setitem__" && node.args.size() == 3) {
        setSubscript(self, node.args[1], node.args[2]);
        return constant(c10::IValue());
    }
    if (name == "to" || name == "type" ||
        std::ranges::find(kCasts, name, [](const auto& row) { return row.first; }) != std::end(kCasts))
        return converted(node, self);
    const char* found = find(kMethods, name);
    if (!found)
        return std::nullopt;
    std::vector<Lowered> args;
    std::vector<std::pair<std::string, Lowered>> kwargs;
    for (const Argument& argument : node.args)
        args.push_back(lowered(argument));
    for (const auto& [key, argument] : node.kwargs)
        kwargs.emplace_back(key, lowered(argument));
    return callNamed(found, args, kwargs);
}

/// x.to(...), x.float(), x.type(torch.float)
Lowered GraphLowering::converted(const Node& node, const Lowered& self) {
    const auto asDevice = [this](const Argument& argument) {
        const auto* text = argument.as<std::string>();
        return text ? constant(c10::Device(*text)) : lowered(argument);
    };
    const std::string& name = node.target.name();
    std::vector<Lowered> args{self};
    std::vector<std::pair<std::string, Lowered>> kwargs;
    if (const auto* cast = std::ranges::find(kCasts, name, [](const auto& row) { return row.first; });
        cast != std::end(kCasts))
        args.push_back(constant(static_cast<int64_t>(cast->second)));
    for (size_t i = 1; i < node.args.size(); ++i)
        args.push_back(asDevice(node.args[i]));
    for (const auto& [key, argument] : node.kwargs)
        kwargs.emplace_back(key, asDevice(argument));
    if (name == "type" && (args.size() < 2 || args[1].kind != ArgumentKind::DType))
        throw Error("", "calls type() for something else than a dtype, which TorchScript does not have");
    return callNamed("aten::to", args, kwargs);
}

/// Raises where the condition does not hold.
void GraphLowering::require(JitValue* condition, const std::string& message) {
    torch::jit::Node* test = m_to.insertNode(m_to.create(c10::prim::If, {condition}, 0));
    test->setSourceRange(m_range);
    test->addBlock();
    const torch::jit::WithInsertPoint inside(test->addBlock());
    JitValue* text = m_to.insertConstant("AssertionError: " + message, m_range);
    JitValue* kind = m_to.insertConstant("builtins.AssertionError", m_range);
    m_to.insertNode(m_to.create(c10::prim::RaiseException, {text, kind}, 0))->setSourceRange(m_range);
}

} // namespace fx
