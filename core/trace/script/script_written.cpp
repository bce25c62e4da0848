// SPDX-License-Identifier: GPL-3.0-or-later
// Operators as the calls that the source in the archive has for them.
#include "core/base/text.h"
#include "core/torch/bind/operators.h"
#include "core/trace/script/script_calls.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

/// Other names that Python has for an operator.
constexpr std::pair<std::string_view, std::string_view> kAliases[] = {{"concat", "cat"},
                                                                      {"concatenate", "cat"},
                                                                      {"absolute", "abs"},
                                                                      {"multiply", "mul"},
                                                                      {"divide", "div"},
                                                                      {"true_divide", "div"},
                                                                      {"subtract", "sub"},
                                                                      {"negative", "neg"},
                                                                      {"swapaxes", "transpose"},
                                                                      {"swapdims", "transpose"},
                                                                      {"nelement", "numel"},
                                                                      {"ndimension", "dim"},
                                                                      {"greater", "gt"},
                                                                      {"less", "lt"},
                                                                      {"float", "to"},
                                                                      {"double", "to"},
                                                                      {"half", "to"},
                                                                      {"bfloat16", "to"},
                                                                      {"int", "to"},
                                                                      {"long", "to"},
                                                                      {"short", "to"},
                                                                      {"bool", "to"},
                                                                      {"cpu", "to"},
                                                                      {"cuda", "to"},
                                                                      {"clip", "clamp"},
                                                                      {"moveaxis", "movedim"},
                                                                      {"fix", "trunc"},
                                                                      {"arctan2", "atan2"},
                                                                      {"type", "to"},
                                                                      {"nan_to_num", "nan_to_num"}};

/// The function of torch that "torch.relu", "F.relu", "nn.functional.relu" says.
const FunctionRow* functionNamed(const std::string& callee) {
    if (callee.starts_with("torch."))
        return findFunction(callee);
    for (const std::string_view prefix : {"F.", "nn.functional.", "functional."})
        if (callee.starts_with(prefix))
            return findFunction("torch.nn.functional." + callee.substr(prefix.size()));
    return nullptr;
}

bool isAliasOf(const std::string& written, const std::string& name) {
    return std::any_of(std::begin(kAliases), std::end(kAliases),
                       [&](const auto& alias) { return alias.first == written && alias.second == name; });
}

/// Whether the call that was written is the operator, and not something that it is a part of.
bool isCallOf(const std::string& written, const std::string& name) {
    return written == name || isAliasOf(written, name) || "linalg_" + written == name ||
           "fft_" + written == name || "special_" + written == name;
}

/// An argument as it was written: `2` where the operator has [2, 2], a tuple or a list.
Value asWritten(const Value& given, const c10::Argument& parameter, const WrittenCall::Argument& argument) {
    const Value out = pythonValue(given, parameter);
    const auto* list = out.as<SequenceObject>();
    if (!list)
        return out;
    const std::optional<int64_t> literal = writtenInt(argument.text);
    const auto isLiteral = [&](const Value& v) { return v.isInt() && v.data().toInt() == *literal; };
    if (literal && !list->items.empty() && std::all_of(list->items.begin(), list->items.end(), isLiteral))
        return makeInt(*literal);
    const bool isTuple =
        argument.text.starts_with('(') || (isSizes(parameter) && !argument.text.starts_with('['));
    return isTuple ? makeTuple(list->items) : makeList(list->items);
}

/// The operator's parameter that a keyword of Python's means.
std::optional<size_t> parameterOf(const std::string& keyword, const std::vector<c10::Argument>& parameters) {
    const auto find = [&](const std::string& name) -> std::optional<size_t> {
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const c10::Argument& p) { return p.name() == name; });
        if (found == parameters.end())
            return std::nullopt;
        return static_cast<size_t>(found - parameters.begin());
    };
    if (const std::optional<size_t> same = find(keyword))
        return same;
    if (keyword == "input" || keyword == "tensors")
        return 0;
    return keyword == "axis" ? find("dim") : std::nullopt;
}

/// Reads the arguments of the operator off a call, in the order and with the names that they have there.
class WrittenArguments {
public:
    WrittenArguments(const torch::jit::Node& node, const Values& given, const WrittenCall& call,
                     bool isMethod)
        : m_node(node), m_parameters(node.schema().arguments()), m_given(given), m_call(call),
          m_self(isMethod ? 1 : 0) {
        if (isMethod)
            positional.push_back(given[0]);
    }

    /// Whether the call could be read.
    bool read() {
        if (isSpread())
            addSpread();
        else if (!addPositional())
            return false;
        return addKeywords();
    }

    Values positional;
    NamedValues keywords;

private:
    /// x.view(2, 3): sizes one by one.
    bool isSpread() const {
        const bool takesSizes =
            m_parameters.size() > m_self && isSizes(m_parameters[m_self]) && m_node.kind() != c10::aten::size;
        const size_t count = m_call.positionalCount();
        const auto* sizes = takesSizes ? m_given[m_self].as<SequenceObject>() : nullptr;
        return sizes && count > 0 && !m_call.arguments[0].isBracketed() && sizes->items.size() == count;
    }

    void addSpread() {
        const Values& items = m_given[m_self].as<SequenceObject>()->items;
        const bool isOneName = items.size() == 1 && !writtenInt(m_call.arguments[0].text) &&
                               m_node.inputs()[m_self]->node()->kind() != c10::prim::ListConstruct;
        if (isOneName)
            positional.push_back(asTuple(m_given[m_self]));
        else
            positional.insert(positional.end(), items.begin(), items.end());
    }

    bool addPositional() {
        size_t at = m_self;
        for (const WrittenCall::Argument& argument : m_call.arguments) {
            if (!argument.keyword.empty())
                continue;
            // A literal None or another value may belong to an overload of Python's own; then the defaults
            // decide.
            if (at >= m_given.size() || m_parameters[at].kwarg_only())
                return false;
            positional.push_back(asWritten(m_given[at], m_parameters[at], argument));
            ++at;
        }
        return true;
    }

    bool addKeywords() {
        for (const WrittenCall::Argument& argument : m_call.arguments) {
            if (argument.keyword.empty())
                continue;
            const std::optional<size_t> at = parameterOf(argument.keyword, m_parameters);
            if (!at)
                return false;
            keywords.emplace_back(argument.keyword, asWritten(m_given[*at], m_parameters[*at], argument));
        }
        return true;
    }

    const torch::jit::Node& m_node;
    const std::vector<c10::Argument>& m_parameters;
    const Values& m_given;
    const WrittenCall& m_call;
    size_t m_self;
};

/// "x.shape", "x.ndim", "x.T".
std::optional<Value> recordWrittenAttribute(const ScriptCall& call) {
    const auto& [state, node, name, given] = call;
    const std::string& text = call.place().text;
    const auto attribute = [&](const std::string& of) {
        return call.record(Opcode::CallFunction, "getattr", {given[0], makeText(of)});
    };
    if (name == "size" && given.size() == 1 && !text.ends_with(')'))
        return attribute("shape");
    if (name == "dim" && text.ends_with(".ndim"))
        return attribute("ndim");
    const size_t dot = text.rfind('.');
    if (dot == std::string::npos || given.size() != 1 || !isIdentifier(text.substr(dot + 1)))
        return std::nullopt;
    const FunctionRow* member = findTensorMember(text.substr(dot + 1));
    return member && member->kind == FunctionKind::Property ? std::optional(attribute(text.substr(dot + 1)))
                                                            : std::nullopt;
}

/// torch.ops.aten.relu.default(x)
std::optional<Value> recordOverload(const ScriptCall& operation, const WrittenCall& call) {
    const Target target(call.callee);
    const TorchOperator* written = target.isOperatorOverload() ? findOperator(target) : nullptr;
    if (!written || written->schema->name() != operation.node.schema().name())
        return std::nullopt;
    WrittenArguments arguments(operation.node, operation.args, call, false);
    if (!arguments.read())
        return std::nullopt;
    return operation.record(Opcode::CallFunction, target, arguments.positional, arguments.keywords);
}

} // namespace

std::optional<Value> recordWritten(const ScriptCall& operation) {
    const auto& [state, node, name, given] = operation;
    if (std::optional<Value> attribute = recordWrittenAttribute(operation))
        return attribute;
    const std::optional<WrittenCall> call = writtenCall(operation.place().text);
    if (!call || call->hasStar())
        return std::nullopt;
    if (call->callee.starts_with("torch.ops."))
        return recordOverload(operation, *call);
    const std::string written = call->name();
    if (!isCallOf(written, name))
        return std::nullopt;
    const FunctionRow* function = functionNamed(call->callee);
    const bool isMethod = !function && call->callee.find('.') != std::string::npos;
    if (!function && (!isMethod || !findTensorMember(written)))
        return std::nullopt;
    if (isMethod && name == "to" && isAliasOf(written, name) && call->arguments.empty())
        return operation.record(Opcode::CallMethod, written, {given[0]});
    WrittenArguments arguments(node, given, *call, isMethod);
    if (!arguments.read())
        return std::nullopt;
    if (function && function->kind == FunctionKind::Python) {
        ValuesByName byName;
        for (size_t i = 0; i < arguments.positional.size() && i < function->parameters.size(); ++i)
            byName[std::string(function->parameters[i].name)] = arguments.positional[i];
        for (const auto& [key, held] : arguments.keywords)
            byName[key] = held;
        return recordRow(state.tracer, *function, byName);
    }
    if (function && function->kind != FunctionKind::Builtin && function->kind != FunctionKind::Native)
        return std::nullopt;
    if (function && function->target.name().find('.') != std::string::npos)
        return operation.record(Opcode::CallFunction, function->target, arguments.positional,
                                arguments.keywords);
    return operation.record(Opcode::CallMethod, written, arguments.positional, arguments.keywords);
}

} // namespace fx
