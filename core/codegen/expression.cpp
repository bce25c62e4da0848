// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of torch.fx's CodeGen for statements and expressions (C3-C10).
#include "core/codegen/expression.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"

#include <array>

namespace fx {

namespace {

struct OperatorForm {
    std::string_view name;
    std::string_view form; ///< each "{}" takes the next argument
};

constexpr OperatorForm kOperators[] = {
    {"eq", "{} == {}"},       {"ne", "{} != {}"},     {"lt", "{} < {}"},      {"gt", "{} > {}"},
    {"le", "{} <= {}"},       {"ge", "{} >= {}"},     {"pos", "+{}"},         {"neg", "-{}"},
    {"invert", "~{}"},        {"add", "{} + {}"},     {"sub", "{} - {}"},     {"mul", "{} * {}"},
    {"floordiv", "{} // {}"}, {"truediv", "{} / {}"}, {"div", "{} / {}"},     {"mod", "{} % {}"},
    {"pow", "{} ** {}"},      {"lshift", "{} << {}"}, {"rshift", "{} >> {}"}, {"and_", "{} & {}"},
    {"or_", "{} | {}"},       {"xor", "{} ^ {}"},     {"getitem", "{}[{}]"},  {"matmul", "{} @ {}"},
};

constexpr OperatorForm kInPlaceOperators[] = {
    {"iadd", "{} += {}"},  {"iand", "{} &= {}"},       {"ifloordiv", "{} //= {}"}, {"ilshift", "{} <<= {}"},
    {"imod", "{} %= {}"},  {"imul", "{} *= {}"},       {"imatmul", "{} @= {}"},    {"ior", "{} |= {}"},
    {"ipow", "{} **= {}"}, {"irshift", "{} >>= {}"},   {"isub", "{} -= {}"},       {"itruediv", "{} /= {}"},
    {"ixor", "{} ^= {}"},  {"setitem", "{}[{}] = {}"},
};

template <size_t n>
std::string_view formIn(const OperatorForm (&table)[n], Target target) {
    const std::string_view name = target.name();
    if (!name.starts_with("operator."))
        return {};
    for (const OperatorForm& row : table)
        if (row.name == name.substr(9))
            return row.form;
    return {};
}

std::string fill(std::string_view form, const Arguments& args, const CodeContext& context) {
    std::string out;
    size_t next = 0;
    for (size_t i = 0; i < form.size(); ++i) {
        if (form.substr(i, 2) != "{}") {
            out += form[i];
            continue;
        }
        if (next < args.size())
            out += argumentExpression(args[next++], context);
        ++i;
    }
    return out;
}

std::string callArguments(const Arguments& args, size_t firstArg, const Keywords& kwargs,
                          const CodeContext& context) {
    std::vector<std::string> parts;
    for (size_t i = firstArg; i < args.size(); ++i)
        parts.push_back(argumentExpression(args[i], context));
    for (const auto& [key, value] : kwargs)
        parts.push_back(key + " = " + argumentExpression(value, context));
    return join(parts, ", ");
}

std::string expressionList(const Arguments& items, const CodeContext& context) {
    return callArguments(items, 0, {}, context);
}

std::string className(Target type, bool byShortName, const CodeContext& context) {
    if (type.isFromTorch())
        return type.name();
    return context.global({byShortName ? std::string(type.functionName()) : type.name()});
}

} // namespace

std::string pathExpression(std::string_view base, std::string_view path) {
    std::string out(base);
    for (std::string_view atom : split(path, '.')) {
        if (isIdentifier(atom))
            out += '.' + std::string(atom);
        else
            out = "getattr(" + out + ", \"" + std::string(atom) + "\")";
    }
    return out;
}

std::string functionExpression(Target function, const CodeContext& context) {
    if (function.isFromTorch())
        return function.name();
    const std::string name = function.qualifiedName();
    return context.global({name, !contains(name, ".")});
}

std::string argumentExpression(const Argument& argument, const CodeContext& context) {
    if (const auto* node = argument.as<NodeId>())
        return context.local(*node);
    if (const auto* tuple = argument.as<TupleValue>())
        return '(' + expressionList(tuple->items, context) + (tuple->items.size() == 1 ? ",)" : ")");
    if (const auto* list = argument.as<ListValue>())
        return '[' + expressionList(list->items, context) + ']';
    if (const auto* slice = argument.as<SliceValue>())
        return "slice(" + expressionList(slice->parts, context) + ')';
    if (const auto* named = argument.as<NamedTupleValue>())
        return className(named->type, false, context) +
               reprText(TupleValue{named->items}, [&](NodeId id) { return context.local(id); });
    if (const auto* member = argument.as<EnumValue>())
        return className(member->type, true, context) + '.' + member->member;
    if (const auto* function = argument.as<FunctionValue>();
        function && (function->target.isOperatorOverload() || function->target.isHigherOrder()))
        return functionExpression(function->target, context);
    return reprText(argument, [&](NodeId id) { return context.local(id); });
}

namespace {

/// The parts of "a, b[c, d]" between commas outside brackets.
std::vector<std::string_view> splitOutsideBrackets(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    int depth = 0;
    size_t start = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == separator && depth == 0)) {
            parts.push_back(trim(text.substr(start, i - start)));
            start = i + 1;
        } else if (text[i] == '[') {
            ++depth;
        } else if (text[i] == ']') {
            --depth;
        }
    }
    return parts;
}

} // namespace

std::string typeExpression(std::string_view type, const CodeContext& context) {
    type = trim(type);
    if (type == "()")
        return "()";
    if (const auto parts = splitOutsideBrackets(type, '|'); parts.size() > 1) {
        std::vector<std::string> out;
        for (std::string_view part : parts)
            out.push_back(typeExpression(part, context));
        return join(out, "|");
    }
    const size_t bracket = type.find('[');
    if (bracket != std::string_view::npos && type.ends_with(']')) {
        std::string_view origin = type.substr(0, bracket);
        std::vector<std::string> parts;
        for (std::string_view part :
             splitOutsideBrackets(type.substr(bracket + 1, type.size() - bracket - 2), ','))
            parts.push_back(typeExpression(part, context));
        if (origin == "typing.Optional") {
            origin = "typing.Union";
            parts.push_back(typeExpression("NoneType", context));
        }
        return typeExpression(origin, context) + '[' + join(parts, ",") + ']';
    }
    const Target target(type);
    if (target.isFromTorch())
        return target.name();
    return context.global({target.name(), !contains(type, ".")});
}

namespace {

/// What `getattr(x, "shape")` reads, which is written x.shape; null for other calls.
const std::string* plainAttribute(const Node& node, const std::string& function) {
    const auto* name =
        node.args.size() == 2 && function == "getattr" ? node.args[1].as<std::string>() : nullptr;
    return name && isIdentifier(*name) ? name : nullptr;
}

} // namespace

bool isCalledByName(const Node& node, const CodeContext& context) {
    return formIn(kOperators, node.target).empty() && formIn(kInPlaceOperators, node.target).empty() &&
           !plainAttribute(node, functionExpression(node.target, context));
}

std::string parameterText(const Node& node, const CodeContext& context) {
    std::string out = node.target.name();
    if (node.type)
        out += " : " + typeExpression(*node.type, context);
    if (!node.args.empty())
        out += " = " + argumentExpression(node.args[0], context);
    return out;
}

std::string nodeStatement(const Node& node, const CodeContext& context,
                          const std::function<std::string(const std::string&)>& returned) {
    if (node.opcode == Opcode::Output)
        return returned(node.args.empty() ? "None" : argumentExpression(node.args[0], context));
    if (node.opcode == Opcode::Placeholder) {
        const std::string parameter = replaceAll(node.target.name(), "*", "");
        const std::string local = context.local(node.id);
        return local == parameter ? std::string() : local + " = " + parameter;
    }

    const std::string annotation = node.type ? " : " + typeExpression(*node.type, context) : std::string();
    const auto assigned = [&](const std::string& expression) {
        return context.local(node.id) + annotation + " = " + expression;
    };
    if (node.opcode == Opcode::GetAttr)
        return assigned(pathExpression("self", node.target.name()));
    if (node.opcode == Opcode::CallModule)
        return assigned(pathExpression("self", node.target.name()) + '(' +
                        callArguments(node.args, 0, node.kwargs, context) + ')');
    if (node.opcode == Opcode::CallMethod) {
        const std::string object =
            node.args.empty() ? std::string() : argumentExpression(node.args[0], context);
        return assigned(pathExpression(object, node.target.name()) + '(' +
                        callArguments(node.args, 1, node.kwargs, context) + ')');
    }
    if (const std::string_view form = formIn(kOperators, node.target); !form.empty())
        return assigned(fill(form, node.args, context));
    if (const std::string_view form = formIn(kInPlaceOperators, node.target); !form.empty()) {
        const std::string result = node.args.empty() ? "None" : argumentExpression(node.args[0], context);
        return fill(form, node.args, context) + ";  " + context.local(node.id) + annotation + " = " + result;
    }
    const std::string function = functionExpression(node.target, context);
    if (const std::string* attribute = plainAttribute(node, function))
        return assigned(pathExpression(argumentExpression(node.args[0], context), *attribute));
    return assigned(function + '(' + callArguments(node.args, 0, node.kwargs, context) + ')');
}

NodeGlobals nodeGlobals(const Node& node) {
    NodeGlobals out;
    const CodeContext collect{[](NodeId) { return std::string(); },
                              [&](const GlobalName& global) {
                                  out.names.push_back(global);
                                  return global.hint;
                              }};
    if (node.type)
        typeExpression(*node.type, collect);
    const bool isOperator =
        !formIn(kOperators, node.target).empty() || !formIn(kInPlaceOperators, node.target).empty();
    if (node.opcode == Opcode::CallFunction && !isOperator)
        functionExpression(node.target, collect);
    if (node.opcode != Opcode::Placeholder)
        out.beforeLocal = out.names.size();
    callArguments(node.args, 0, node.kwargs, collect);
    if (node.opcode == Opcode::Placeholder)
        out.beforeLocal = out.names.size();
    return out;
}

} // namespace fx
