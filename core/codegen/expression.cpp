// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of torch.fx's CodeGen for statements and expressions (C3-C10).
#include "core/codegen/expression.h"

#include "core/base/text.h"

#include <unordered_map>

namespace fx {

namespace {

struct OperatorForm {
    std::string_view form; ///< each "{}" takes the next argument; empty: no operator
    bool isInPlace = false;
};

OperatorForm operatorForm(const Node& node) {
    static const std::unordered_map<Target, OperatorForm> kForms = {
        {"operator.eq", {"{} == {}"}},
        {"operator.ne", {"{} != {}"}},
        {"operator.lt", {"{} < {}"}},
        {"operator.gt", {"{} > {}"}},
        {"operator.le", {"{} <= {}"}},
        {"operator.ge", {"{} >= {}"}},
        {"operator.pos", {"+{}"}},
        {"operator.neg", {"-{}"}},
        {"operator.invert", {"~{}"}},
        {"operator.add", {"{} + {}"}},
        {"operator.sub", {"{} - {}"}},
        {"operator.mul", {"{} * {}"}},
        {"operator.floordiv", {"{} // {}"}},
        {"operator.truediv", {"{} / {}"}},
        {"operator.div", {"{} / {}"}},
        {"operator.mod", {"{} % {}"}},
        {"operator.pow", {"{} ** {}"}},
        {"operator.lshift", {"{} << {}"}},
        {"operator.rshift", {"{} >> {}"}},
        {"operator.and_", {"{} & {}"}},
        {"operator.or_", {"{} | {}"}},
        {"operator.xor", {"{} ^ {}"}},
        {"operator.getitem", {"{}[{}]"}},
        {"operator.matmul", {"{} @ {}"}},
        {"operator.iadd", {"{} += {}", true}},
        {"operator.iand", {"{} &= {}", true}},
        {"operator.ifloordiv", {"{} //= {}", true}},
        {"operator.ilshift", {"{} <<= {}", true}},
        {"operator.imod", {"{} %= {}", true}},
        {"operator.imul", {"{} *= {}", true}},
        {"operator.imatmul", {"{} @= {}", true}},
        {"operator.ior", {"{} |= {}", true}},
        {"operator.ipow", {"{} **= {}", true}},
        {"operator.irshift", {"{} >>= {}", true}},
        {"operator.isub", {"{} -= {}", true}},
        {"operator.itruediv", {"{} /= {}", true}},
        {"operator.ixor", {"{} ^= {}", true}},
        {"operator.setitem", {"{}[{}] = {}", true}},
    };
    if (node.opcode != Opcode::CallFunction)
        return {};
    const auto found = kForms.find(node.target);
    return found == kForms.end() ? OperatorForm() : found->second;
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
        out += key;
        out += " = ";
        appendExpression(out, value, context);
    }
}

std::string className(Target type, bool byShortName, const CodeContext& context) {
    if (type.isFromTorch())
        return type.name();
    return context.global({byShortName ? std::string(type.functionName()) : type.name()});
}

} // namespace

namespace {

/// Follows a path from the object whose expression `out` holds from `start` on.
void appendPath(std::string& out, size_t start, std::string_view path) {
    for (std::string_view atom : split(path, '.')) {
        // torch.fx writes keywords bare, and such code does not compile.
        if (isIdentifier(atom) && !isKeyword(atom)) {
            out += '.';
            out += atom;
        } else {
            out.insert(start, "getattr(");
            out += ", \"" + std::string(atom) + "\")";
        }
    }
}

} // namespace

std::string pathExpression(std::string_view base, std::string_view path) {
    std::string out(base);
    appendPath(out, 0, path);
    return out;
}

std::string functionExpression(Target function, const CodeContext& context) {
    if (function.isFromTorch())
        return function.name();
    const std::string name = function.qualifiedName();
    return context.global({name, !contains(name, ".")});
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
        appendRepr(out, TupleValue{named->items}, context.local);
    } else if (const auto* member = argument.as<EnumValue>()) {
        out += className(member->type, true, context) + '.' + member->member;
    } else if (const auto* function = argument.as<FunctionValue>();
               function && (function->target.isOperatorOverload() || function->target.isHigherOrder())) {
        out += functionExpression(function->target, context);
    } else {
        appendRepr(out, argument, context.local);
    }
}

std::string argumentExpression(const Argument& argument, const CodeContext& context) {
    std::string out;
    appendExpression(out, argument, context);
    return out;
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
    // A quoted annotation is a text, whatever it spells.
    const bool isText = type.starts_with('\'') || type.starts_with('"');
    if (const auto parts = splitOutsideBrackets(type, '|'); parts.size() > 1 && !isText) {
        std::vector<std::string> out;
        for (std::string_view part : parts)
            out.push_back(typeExpression(part == "None" ? "NoneType" : part, context));
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
        // Of typing's names only the containers' keep their module; the others stand for classes of collections.abc.
        std::string home(origin);
        static constexpr std::string_view kAbstract[] = {"Sequence", "Iterable", "Iterator", "Mapping", "MutableMapping",
                                                         "MutableSequence", "Callable", "Collection", "Generator",
                                                         "Hashable", "Sized", "Container", "Awaitable", "Reversible",
                                                         "MutableSet"};
        if (origin.starts_with("typing.") && std::find(std::begin(kAbstract), std::end(kAbstract), origin.substr(7)) !=
                                                 std::end(kAbstract))
            home = "collections.abc." + home.substr(7);
        return typeExpression(home, context) + '[' + join(parts, ",") + ']';
    }
    const Target target(type);
    if (target.isFromTorch())
        return target.name();
    return context.global({target.name(), !contains(type, ".")});
}

std::string parameterText(const Node& node, const CodeContext& context) {
    std::string out = node.target.name();
    if (node.type)
        out += " : " + typeExpression(*node.type, context);
    if (!node.args.empty())
        out += " = " + argumentExpression(node.args[0], context);
    return out;
}

namespace {

/// The attribute of a getattr that Python can write as one; null for any other call.
const std::string* plainAttribute(const Node& node, std::string_view function) {
    const auto* name =
        node.args.size() == 2 && function == "getattr" ? node.args[1].as<std::string>() : nullptr;
    return name && isIdentifier(*name) && !isKeyword(*name) ? name : nullptr;
}

/// What a call_function node computes, where it is written as a call.
void appendCall(std::string& out, const Node& node, const CodeContext& context) {
    const size_t start = out.size();
    if (node.target.isFromTorch())
        out += node.target.name();
    else
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
        const std::string parameter = replaceAll(node.target.name(), "*", "");
        std::string local;
        context.local(local, node.id);
        if (local != parameter)
            out += local + " = " + parameter;
        return;
    }

    const OperatorForm operation = operatorForm(node);
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
