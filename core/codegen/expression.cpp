// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of torch.fx's CodeGen for statements and expressions (C3-C10).
#include "core/codegen/expression.h"

#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/codegen/written_names.h"
#include "core/ir/names.h"
#include "core/ir/python_operators.h"

#include <unordered_map>

namespace fx {

namespace {

struct OperatorForm {
    std::string form; ///< each "{}" takes the next argument; empty: no operator
    bool isInPlace = false;
};

std::unordered_map<Target, OperatorForm> operatorForms() {
    std::unordered_map<Target, OperatorForm> out = {{"operator.div", {"{} / {}"}},
                                                    {"operator.getitem", {"{}[{}]"}},
                                                    {"operator.setitem", {"{}[{}] = {}", true}}};
    for (const OperatorRow& row : operatorRows()) {
        const std::string module = "operator.", sign(row.sign);
        if (row.method.empty()) // `is` and `in`, which torch.fx writes as calls
            continue;
        out[module + std::string(row.function)] = {row.isUnary() ? sign + "{}" : "{} " + sign + " {}"};
        if (!row.inPlace.empty())
            out[module + std::string(row.inPlaceFunction())] = {"{} " + sign + "= {}", true};
    }
    return out;
}

const OperatorForm& operatorForm(const Node& node) {
    static const std::unordered_map<Target, OperatorForm> kForms = operatorForms();
    static const OperatorForm kNone;
    const auto found = node.opcode == Opcode::CallFunction ? kForms.find(node.target) : kForms.end();
    return found == kForms.end() ? kNone : found->second;
}

void appendForm(std::string& out, std::string_view form, const Arguments& args, const CodeContext& context) {
    size_t next = 0;
    for (size_t i = 0; i < form.size(); ++i) {
        if (form.substr(i, 2) != "{}") {
            out += form[i];
            continue;
        }
        if (next < args.size())
            appendExpression(out, args[next++], context);
        ++i;
    }
}

/// "a, b, key = c"
void appendCallArguments(std::string& out, const Arguments& args, size_t firstArg, const Keywords& kwargs,
                         const CodeContext& context) {
    for (size_t i = firstArg; i < args.size(); ++i) {
        if (i > firstArg)
            out += ", ";
        appendExpression(out, args[i], context);
    }
    bool isFirst = args.size() <= firstArg;
    for (const auto& [key, value] : kwargs) {
        if (!isFirst)
            out += ", ";
        isFirst = false;
        appendKeyword(out, key, argumentExpression(value, context));
    }
}

std::string className(Target type, bool byShortName, const CodeContext& context) {
    if (type.isFromTorch() || type.name() == "torch") // whose constants are members of torch itself
        return torchExpression(type.name());
    return byShortName ? context.global({std::string(type.functionName()), false, type.name()})
                       : context.global({type.name()});
}

/// "<object of x>": begins as no expression does, so that code with it does not compile, as torch.fx's.
bool isObjectText(std::string_view text) {
    return text.starts_with('<') && text.ends_with('>') && oneLine(text) == text;
}

/// What is printed for a value that no code makes: an object's repr(), a function as Python shows it.
std::string shownText(const Argument& leaf) {
    std::string text = reprText(leaf, nullptr);
    if (const auto* function = leaf.as<FunctionValue>())
        return isBarePath(function->target.name()) ? text : pythonRepr(function->target.name());
    if (const auto* opaque = leaf.as<OpaqueValue>(); opaque && !opaque->written.empty())
        return oneLine(opaque->written);
    if (const auto* opaque = leaf.as<OpaqueValue>())
        return isLiteralText(opaque->text) || isObjectText(opaque->text) ? text : pythonRepr(opaque->text);
    return text;
}

/// repr() of what torch.fx hands to Python whole: dicts, and what is in them.
void appendWhole(std::string& out, const Argument& argument, const CodeContext& context) {
    const auto write = [&](const Argument& item) { appendWhole(out, item, context); };
    const auto list = [&](const char* open, const Arguments& items, const char* close) {
        out += open;
        appendList(out, items, write);
        out += close;
    };
    if (const auto* dict = argument.as<DictValue>()) {
        out += '{';
        appendList(out, dict->items, [&](const auto& item) {
            write(item.first);
            out += ": ";
            write(item.second);
        });
        out += '}';
    } else if (const auto* items = argument.as<ListValue>()) {
        list("[", items->items, "]");
    } else if (const auto* tuple = argument.as<TupleValue>()) {
        list("(", tuple->items, tuple->items.size() == 1 ? ",)" : ")");
    } else if (const auto* slice = argument.as<SliceValue>()) {
        list("slice(", slice->parts, ")");
    } else if (const auto* named = argument.as<NamedTupleValue>()) {
        out += legalName(named->type.functionName());
        list("(", named->items, ")");
    } else if (const auto* member = argument.as<EnumValue>()) {
        out += attributeExpression(legalName(member->type.functionName()), member->member);
    } else if (const auto* node = argument.as<NodeId>()) {
        context.local(out, *node);
    } else {
        out += shownText(argument);
    }
}

} // namespace

std::string functionExpression(Target function, const CodeContext& context) {
    if (function.isFromTorch())
        return torchExpression(function.name());
    const std::string name = function.qualifiedName();
    return context.global({name, isWrittenBare(name)});
}

void appendExpression(std::string& out, const Argument& argument, const CodeContext& context) {
    const auto list = [&](const char* open, const Arguments& items, const char* close) {
        out += open;
        appendCallArguments(out, items, 0, {}, context);
        out += close;
    };
    if (const auto* node = argument.as<NodeId>()) {
        context.local(out, *node);
    } else if (const auto* tuple = argument.as<TupleValue>()) {
        list("(", tuple->items, tuple->items.size() == 1 ? ",)" : ")");
    } else if (const auto* items = argument.as<ListValue>()) {
        list("[", items->items, "]");
    } else if (const auto* slice = argument.as<SliceValue>()) {
        list("slice(", slice->parts, ")");
    } else if (const auto* named = argument.as<NamedTupleValue>()) {
        out += className(named->type, false, context);
        appendWhole(out, TupleValue{named->items}, context);
    } else if (const auto* member = argument.as<EnumValue>()) {
        out += attributeExpression(className(member->type, true, context), member->member);
    } else if (const auto* function = argument.as<FunctionValue>();
               function && (function->target.isOperatorOverload() || function->target.isHigherOrder())) {
        out += functionExpression(function->target, context);
    } else {
        appendWhole(out, argument, context);
    }
}

std::string argumentExpression(const Argument& argument, const CodeContext& context) {
    std::string out;
    appendExpression(out, argument, context);
    return out;
}

std::string ParameterText::text() const {
    return name + (type.empty() ? "" : " : " + type) + (otherwise.empty() ? "" : " = " + otherwise);
}

namespace {

/// What a placeholder's parameter is called: its target without stars, else what the value is called.
std::string parameterName(const Node& node, const CodeContext& context) {
    std::string name(withoutStars(node.target.name()));
    if (!isWrittenBare(name)) {
        name.clear();
        context.local(name, node.id);
    }
    return name;
}

} // namespace

ParameterText parameterText(const Node& node, const CodeContext& context) {
    const std::string& target = node.target.name();
    ParameterText out;
    out.name = isWrittenBare(withoutStars(target)) ? target : parameterName(node, context);
    if (node.type)
        out.type = typeExpression(*node.type, context);
    if (!node.args.empty())
        out.otherwise = argumentExpression(node.args[0], context);
    return out;
}

namespace {

/// The attribute of a getattr that Python can write as one; null for any other call.
const std::string* plainAttribute(const Node& node, std::string_view function) {
    const auto* name =
        node.args.size() == 2 && function == "getattr" ? node.args[1].as<std::string>() : nullptr;
    return name && isWrittenBare(*name) ? name : nullptr;
}

/// What a call_function node computes, where it is written as a call.
void appendCall(std::string& out, const Node& node, const CodeContext& context) {
    const size_t start = out.size();
    out += functionExpression(node.target, context);
    if (const std::string* attribute = plainAttribute(node, std::string_view(out).substr(start))) {
        out.resize(start);
        appendExpression(out, node.args[0], context);
        appendPath(out, start, *attribute);
        return;
    }
    out += '(';
    appendCallArguments(out, node.args, 0, node.kwargs, context);
    out += ')';
}

} // namespace

bool isCalledByName(const Node& node, const CodeContext& context) {
    return operatorForm(node).form.empty() && !plainAttribute(node, functionExpression(node.target, context));
}

void appendStatement(std::string& out, const Node& node, const CodeContext& context,
                     const std::function<std::string(const std::string&)>& returned) {
    if (node.opcode == Opcode::Output) {
        out += returned(node.args.empty() ? "None" : argumentExpression(node.args[0], context));
        return;
    }
    if (node.opcode == Opcode::Placeholder) {
        const std::string parameter = parameterName(node, context);
        std::string local;
        context.local(local, node.id);
        if (local != parameter)
            out += local + " = " + parameter;
        return;
    }

    const OperatorForm& operation = operatorForm(node);
    if (operation.isInPlace) {
        appendForm(out, operation.form, node.args, context);
        out += ";  ";
    }
    context.local(out, node.id);
    if (node.type)
        out += " : " + typeExpression(*node.type, context);
    out += " = ";

    const size_t start = out.size();
    if (operation.isInPlace) {
        out += node.args.empty() ? "None" : argumentExpression(node.args[0], context);
    } else if (!operation.form.empty()) {
        appendForm(out, operation.form, node.args, context);
    } else if (node.opcode == Opcode::CallFunction) {
        appendCall(out, node, context);
    } else if (node.opcode == Opcode::CallMethod) {
        if (!node.args.empty())
            appendExpression(out, node.args[0], context);
        appendPath(out, start, node.target.name());
        out += '(';
        appendCallArguments(out, node.args, 1, node.kwargs, context);
        out += ')';
    } else {
        out += "self";
        appendPath(out, start, node.target.name());
        if (node.opcode == Opcode::CallModule) {
            out += '(';
            appendCallArguments(out, node.args, 0, node.kwargs, context);
            out += ')';
        }
    }
}

NodeGlobals nodeGlobals(const Node& node) {
    NodeGlobals out;
    const CodeContext collect{[](std::string&, NodeId) {},
                              [&](const GlobalName& global) {
                                  out.names.push_back(global);
                                  return global.hint;
                              }};
    if (node.type)
        typeExpression(*node.type, collect);
    out.ofType = out.names.size();
    if (node.opcode == Opcode::CallFunction && operatorForm(node).form.empty())
        functionExpression(node.target, collect);
    if (node.opcode != Opcode::Placeholder)
        out.beforeLocal = out.names.size();
    std::string text;
    appendCallArguments(text, node.args, 0, node.kwargs, collect);
    if (node.opcode == Opcode::Placeholder)
        out.beforeLocal = out.names.size();
    return out;
}

} // namespace fx
