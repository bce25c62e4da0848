// SPDX-License-Identifier: GPL-3.0-or-later
// The three ways in which Python and torch.fx write an argument.
#include "core/ir/argument_text.h"

#include "core/base/text.h"
#include "core/ir/dtype.h"

namespace fx {

namespace {

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};

template <class Items, class Write>
std::string commaList(const Items& items, const Write& write) {
    std::vector<std::string> parts;
    for (const auto& item : items)
        parts.push_back(write(item));
    return join(parts, ", ");
}

/// "(a, b)", and "(a,)" for one item.
template <class Write>
std::string tupleText(const Arguments& items, const Write& write) {
    return '(' + commaList(items, write) + (items.size() == 1 ? ",)" : ")");
}

/// str() of a function: operators have a short form, the rest only an address in Python.
std::string functionText(const FunctionValue& function) {
    const std::string& name = function.target.name();
    if (function.target.isHigherOrder())
        return std::string(function.target.functionName());
    return name.starts_with("torch.ops.") ? name.substr(10) : name;
}

std::string functionRepr(const FunctionValue& function) {
    const Target target = function.target;
    if (target.isHigherOrder() || !target.isOperatorOverload())
        return functionText(function);
    const std::string text = functionText(function);
    const size_t dot = text.rfind('.');
    return "<OpOverload(op='" + text.substr(0, dot) + "', overload='" + text.substr(dot + 1) + "')>";
}

/// The scalars that str() and repr() write alike, and repr() of the rest.
std::string leafRepr(const Argument& argument) {
    return std::visit(
        Overloaded{
            [](const NoneValue&) -> std::string { return "None"; },
            [](bool value) -> std::string { return value ? "True" : "False"; },
            [](int64_t value) { return std::to_string(value); },
            [](double value) { return pythonFloat(value); },
            [](const std::complex<double>& value) { return pythonComplex(value); },
            [](const std::string& value) { return pythonRepr(value); },
            [](c10::ScalarType value) { return dtypeText(value); },
            [](c10::Device value) {
                std::string out = "device(type='" + c10::DeviceTypeName(value.type(), true) + '\'';
                return out + (value.has_index() ? ", index=" + std::to_string(value.index()) : "") + ')';
            },
            [](c10::Layout value) { return layoutText(value); },
            [](c10::MemoryFormat value) { return memoryFormatText(value); },
            [](const EllipsisValue&) -> std::string { return "Ellipsis"; },
            [](const RangeValue& value) {
                std::string out = "range(" + std::to_string(value.start) + ", " + std::to_string(value.stop);
                return out + (value.step == 1 ? "" : ", " + std::to_string(value.step)) + ')';
            },
            [](const FunctionValue& value) { return functionRepr(value); },
            [](const EnumValue& value) {
                return std::string(value.type.functionName()) + '.' + value.member;
            },
            [](const OpaqueValue& value) { return value.text; },
            [](const auto&) -> std::string { return {}; },
        },
        argument.value());
}

} // namespace

std::string reprText(const Argument& argument, const NodeNames& names) {
    const auto write = [&](const Argument& item) { return reprText(item, names); };
    return std::visit(
        Overloaded{
            [&](NodeId node) { return names(node); },
            [&](const ListValue& list) { return '[' + commaList(list.items, write) + ']'; },
            [&](const TupleValue& tuple) { return tupleText(tuple.items, write); },
            [&](const NamedTupleValue& named) {
                return std::string(named.type.functionName()) + '(' + commaList(named.items, write) + ')';
            },
            [&](const SliceValue& slice) { return "slice(" + commaList(slice.parts, write) + ')'; },
            [&](const DictValue& dict) {
                return '{' +
                       commaList(
                           dict.items,
                           [&](const auto& item) { return write(item.first) + ": " + write(item.second); }) +
                       '}';
            },
            [&](const auto&) { return leafRepr(argument); },
        },
        argument.value());
}

std::string strText(const Argument& argument, const NodeNames& names) {
    if (const auto* text = argument.as<std::string>())
        return *text;
    if (const auto* device = argument.as<c10::Device>())
        return deviceText(*device);
    if (const auto* function = argument.as<FunctionValue>())
        return functionText(*function);
    return reprText(argument, names);
}

std::string formatText(const Argument& argument, const NodeNames& names) {
    const auto write = [&](const Argument& item) { return formatText(item, names); };
    return std::visit(Overloaded{
                          [&](NodeId node) { return '%' + names(node); },
                          [&](const ListValue& list) { return '[' + commaList(list.items, write) + ']'; },
                          [&](const TupleValue& tuple) { return tupleText(tuple.items, write); },
                          [&](const NamedTupleValue& named) { return tupleText(named.items, write); },
                          [&](const DictValue& dict) {
                              return '{' +
                                     commaList(dict.items,
                                               [&](const auto& item) {
                                                   return strText(item.first, names) + ": " +
                                                          write(item.second);
                                               }) +
                                     '}';
                          },
                          [&](const auto&) { return strText(argument, names); },
                      },
                      argument.value());
}

std::string formatText(const Arguments& args, const NodeNames& names) {
    return tupleText(args, [&](const Argument& item) { return formatText(item, names); });
}

std::string formatText(const Keywords& kwargs, const NodeNames& names) {
    return '{' +
           commaList(kwargs,
                     [&](const auto& item) { return item.first + ": " + formatText(item.second, names); }) +
           '}';
}

} // namespace fx
