// SPDX-License-Identifier: GPL-3.0-or-later
// The three ways in which Python and torch.fx write an argument.
#include "core/ir/argument_text.h"

#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/ir/dtype.h"

namespace fx {

namespace {

/// "(a, b)", and "(a,)" for one item.
template <class Write>
void appendTuple(std::string& out, const Arguments& items, const Write& write) {
    out += '(';
    appendList(out, items, write);
    out += items.size() == 1 ? ",)" : ")";
}

/// str() of a function: operators have a short form, the rest only an address in Python.
std::string_view functionText(Target function) {
    if (function.isHigherOrder())
        return function.functionName();
    const std::string_view name = function.name();
    return name.starts_with("torch.ops.") ? name.substr(10) : name;
}

std::string functionRepr(Target function) {
    const std::string text(functionText(function));
    if (function.isHigherOrder() || !function.isOperatorOverload())
        return text;
    const size_t dot = text.rfind('.');
    return "<OpOverload(op='" + text.substr(0, dot) + "', overload='" + text.substr(dot + 1) + "')>";
}

/// "Mode.A"
std::string memberText(const EnumValue& member) {
    return oneLine(member.type.functionName()) + '.' + oneLine(member.member);
}

std::string rangeText(const RangeValue& value) {
    std::string out = "range(" + std::to_string(value.start) + ", " + std::to_string(value.stop);
    return out + (value.step == 1 ? "" : ", " + std::to_string(value.step)) + ')';
}

std::string deviceRepr(c10::Device device) {
    std::string out = "device(type='" + c10::DeviceTypeName(device.type(), true) + '\'';
    return out + (device.has_index() ? ", index=" + std::to_string(device.index()) : "") + ')';
}

} // namespace

void appendRepr(std::string& out, const Argument& argument, const AppendName& name) {
    const auto write = [&](const Argument& item) { appendRepr(out, item, name); };
    const auto list = [&](const char* open, const Arguments& items, const char* close) {
        out += open;
        appendList(out, items, write);
        out += close;
    };
    argument.visit(Overloaded{
        [&](NodeId node) { name(out, node); },
        [&](const NoneValue&) { out += "None"; },
        [&](bool value) { out += value ? "True" : "False"; },
        [&](int64_t value) { out += std::to_string(value); },
        [&](double value) { out += pythonFloat(value); },
        [&](const std::complex<double>& value) { out += pythonComplex(value); },
        [&](const std::string& value) { out += pythonRepr(value); },
        [&](c10::ScalarType value) { out += dtypeText(value); },
        [&](c10::Device value) { out += deviceRepr(value); },
        [&](c10::Layout value) { out += layoutText(value); },
        [&](c10::MemoryFormat value) { out += memoryFormatText(value); },
        [&](const EllipsisValue&) { out += "Ellipsis"; },
        [&](const ListValue& value) { list("[", value.items, "]"); },
        [&](const TupleValue& value) { appendTuple(out, value.items, write); },
        [&](const NamedTupleValue& value) {
            out += oneLine(value.type.functionName());
            list("(", value.items, ")");
        },
        [&](const SliceValue& value) { list("slice(", value.parts, ")"); },
        [&](const DictValue& value) {
            out += '{';
            appendList(out, value.items, [&](const auto& item) {
                write(item.first);
                out += ": ";
                write(item.second);
            });
            out += '}';
        },
        [&](const RangeValue& value) { out += rangeText(value); },
        [&](const FunctionValue& value) { out += functionRepr(value.target); },
        [&](const EnumValue& value) { out += value.repr.empty() ? memberText(value) : oneLine(value.repr); },
        [&](const OpaqueValue& value) {
            if (value.attribute.empty())
                out += oneLine(value.text);
            else // a tensor's text has lines
                out += shownLines(value.text);
        },
    });
}

void appendStr(std::string& out, const Argument& argument, const AppendName& name) {
    if (const auto* text = argument.as<std::string>())
        out += *text;
    else if (const auto* device = argument.as<c10::Device>())
        out += deviceText(*device);
    else if (const auto* function = argument.as<FunctionValue>())
        out += functionText(function->target);
    else if (const auto* member = argument.as<EnumValue>(); member)
        out += member->text.empty() ? memberText(*member) : member->text;
    else
        appendRepr(out, argument, name);
}

void appendFormat(std::string& out, const Argument& argument, const AppendName& name) {
    const auto write = [&](const Argument& item) { appendFormat(out, item, name); };
    if (const auto* node = argument.as<NodeId>()) {
        out += '%';
        name(out, *node);
    } else if (const auto* list = argument.as<ListValue>()) {
        out += '[';
        appendList(out, list->items, write);
        out += ']';
    } else if (const Arguments* items = argument.items()) {
        appendTuple(out, *items, write);
    } else if (const auto* dict = argument.as<DictValue>()) {
        out += '{';
        appendList(out, dict->items, [&](const auto& item) {
            appendStr(out, item.first, name);
            out += ": ";
            write(item.second);
        });
        out += '}';
    } else {
        appendStr(out, argument, name);
    }
}

void appendFormat(std::string& out, const Arguments& args, const AppendName& name) {
    appendTuple(out, args, [&](const Argument& item) { appendFormat(out, item, name); });
}

void appendFormat(std::string& out, const Keywords& kwargs, const AppendName& name) {
    out += '{';
    appendList(out, kwargs, [&](const auto& item) {
        out += oneLine(item.first);
        out += ": ";
        appendFormat(out, item.second, name);
    });
    out += '}';
}

namespace {

AppendName appending(const NodeNames& names) {
    return [&names](std::string& out, NodeId node) { out += names(node); };
}

} // namespace

std::string reprText(const Argument& argument, const NodeNames& names) {
    std::string out;
    appendRepr(out, argument, appending(names));
    return out;
}

std::string strText(const Argument& argument, const NodeNames& names) {
    std::string out;
    appendStr(out, argument, appending(names));
    return out;
}

std::string formatText(const Argument& argument, const NodeNames& names) {
    std::string out;
    appendFormat(out, argument, appending(names));
    return out;
}

std::string formatText(const Arguments& args, const NodeNames& names) {
    std::string out;
    appendFormat(out, args, appending(names));
    return out;
}

std::string formatText(const Keywords& kwargs, const NodeNames& names) {
    std::string out;
    appendFormat(out, kwargs, appending(names));
    return out;
}

} // namespace fx
