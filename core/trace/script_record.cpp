// SPDX-License-Identifier: GPL-3.0-or-later
// Operators as the Python calls that a person writes: where the archive keeps the source, as they were
// written there; else operators for arithmetic, torch's functions, methods of tensors, in that order.
// Arguments at their defaults go.
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/trace/script_interpreter.h"
#include "core/trace/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

struct PythonOperator {
    std::string_view aten, python, swapped;
};
/// `swapped`: the operator of the same call with its operands exchanged, as PyTorch's helpers for `2 > x`
/// write it.
constexpr PythonOperator kOperators[] = {
    {"add", "add", "add"},
    {"sub", "sub", ""},
    {"mul", "mul", "mul"},
    {"div", "truediv", ""},
    {"true_divide", "truediv", ""},
    {"floor_divide", "floordiv", ""},
    {"floordiv", "floordiv", ""},
    {"remainder", "mod", ""},
    {"fmod", "mod", ""},
    {"pow", "pow", ""},
    {"matmul", "matmul", ""},
    {"neg", "neg", ""},
    {"lt", "lt", "gt"},
    {"le", "le", "ge"},
    {"gt", "gt", "lt"},
    {"ge", "ge", "le"},
    {"eq", "eq", "eq"},
    {"ne", "ne", "ne"},
    {"__and__", "and_", ""},
    {"bitwise_and", "and_", ""},
    {"__or__", "or_", ""},
    {"bitwise_or", "or_", ""},
    {"__xor__", "xor", ""},
    {"bitwise_xor", "xor", ""},
    {"bitwise_not", "invert", ""},
    {"__lshift__", "lshift", ""},
    {"__rshift__", "rshift", ""},
    {"__not__", "not_", ""},
};

/// In programs without source: what is written as a method more often than not.
constexpr std::string_view kMethods[] = {
    "view",      "reshape", "permute",     "transpose", "contiguous", "size",    "expand",
    "expand_as", "repeat",  "unsqueeze",   "squeeze",   "to",         "type_as", "view_as",
    "t",         "item",    "clone",       "detach",    "dim",        "numel",   "chunk",
    "split",     "unbind",  "masked_fill", "unfold",    "narrow",     "select",  "is_floating_point"};

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

bool isSizes(const c10::Argument& parameter) {
    const auto list = parameter.type()->cast<c10::ListType>();
    return list && list->getElementType()->kind() == c10::TypeKind::IntType;
}

/// The ints of TorchScript that are something else in Python.
Value pythonValue(const Value& value, const c10::Argument& parameter) {
    if (!value.isInt())
        return value;
    c10::TypePtr type = parameter.real_type();
    if (const auto optional = type->cast<c10::OptionalType>())
        type = optional->getElementType();
    switch (type->kind()) {
    case c10::TypeKind::ScalarTypeType:
        return Object{Argument(static_cast<c10::ScalarType>(value.data().toInt()))};
    case c10::TypeKind::LayoutType:
        return Object{Argument(static_cast<c10::Layout>(value.data().toInt()))};
    case c10::TypeKind::MemoryFormatType:
        return Object{Argument(static_cast<c10::MemoryFormat>(value.data().toInt()))};
    default:
        return value;
    }
}

bool isDefault(const Value& value, const c10::Argument& parameter) {
    if (!parameter.default_value() || holdsProxy(value))
        return false;
    const Value otherwise = fromIValue(*parameter.default_value());
    return !holdsTensor(value) && !holdsTensor(otherwise) && areEqual(value, otherwise);
}

/// Lists of numbers are tuples to most people.
Value asTuple(const Value& value) {
    const auto* list = value.as<SequenceObject>();
    return list && list->isList ? makeTuple(list->items) : value;
}

bool isLiveNumber(const Value& value) {
    return value.isInt() || value.isDouble() || value.isBool();
}

/// The function of torch that "torch.relu", "F.relu", "nn.functional.relu" says.
const FunctionRow* functionNamed(const std::string& callee) {
    if (callee.starts_with("torch."))
        return findFunction(callee);
    for (const std::string_view prefix : {"F.", "nn.functional.", "functional."})
        if (callee.starts_with(prefix))
            return findFunction("torch.nn.functional." + callee.substr(prefix.size()));
    return nullptr;
}

/// The function that an operator is in Python; null where it is none, or one of Python's own text.
const FunctionRow* functionOf(const std::string& name) {
    std::vector<std::string> names{"torch." + name, "torch.nn.functional." + name, "torch._C._nn." + name};
    for (const std::string_view part : {"linalg", "fft", "special"})
        if (name.starts_with(std::string(part) + '_'))
            names.insert(names.begin(), "torch." + std::string(part) + '.' + name.substr(part.size() + 1));
    for (const std::string& candidate : names)
        if (const FunctionRow* row = findFunction(candidate);
            row && (row->kind == FunctionKind::Builtin || row->kind == FunctionKind::Native))
            return row;
    return nullptr;
}

} // namespace

Value ScriptInterpreter::recordRow(const FunctionRow& row,
                                   const std::map<std::string, Value, std::less<>>& byName) {
    Values positional;
    NamedValues keywords;
    const auto valueOf = [&](size_t index) {
        const Parameter& parameter = row.parameters[index];
        const auto given = byName.find(parameter.name);
        if (given != byName.end())
            return given->second;
        return parameter.defaultValue ? makeValue(*parameter.defaultValue, nullptr) : Value();
    };
    for (const RecordedArgument& argument : row.records) {
        Value held =
            argument.parameter ? valueOf(*argument.parameter) : makeValue(argument.constant, nullptr);
        if (argument.spread) {
            for (const Value& item : itemsOf(held).value_or(Values{}))
                positional.push_back(item);
        } else if (argument.key.empty()) {
            positional.push_back(std::move(held));
        } else {
            keywords.emplace_back(argument.key, std::move(held));
        }
    }
    const bool isMethod = row.target.name().find('.') == std::string::npos;
    return m_tracer.record(isMethod ? Opcode::CallMethod : Opcode::CallFunction, row.target, positional,
                           keywords);
}

Values ScriptInterpreter::changeable(const JitNode& node, Values inputs) {
    const c10::FunctionSchema* schema = node.maybeSchema();
    if (!schema || !schema->is_mutable())
        return inputs;
    for (size_t i = 0; i < inputs.size() && i < schema->arguments().size(); ++i) {
        const c10::AliasInfo* alias = schema->arguments()[i].alias_info();
        if (!alias || !alias->isWrite() || !inputs[i].isTensor())
            continue;
        const at::Tensor tensor = inputs[i].data().toTensor();
        if (!m_tracer.isOfModel(tensor)) {
            inputs[i] = m_tracer.materialize(tensor);
            // Who else holds the tensor sees the change as well.
            for (Frame& frame : m_frames)
                for (auto& [key, held] : frame.values)
                    if (held.isTensor() && held.data().toTensor().is_same(tensor))
                        held = inputs[i];
        }
    }
    return inputs;
}

void ScriptInterpreter::record(const JitNode& node, Values given) {
    if (m_shadows > 0)
        throw Error("", "the shape is not known");
    if (!node.blocks().empty() || !node.maybeSchema())
        m_tracer.fail("", std::string("the operator ") + node.kind().toQualString() + " cannot be traced");
    const std::string name = node.kind().toUnqualString();
    if (node.kind().is_aten() && runSubscript(node, name, given))
        return;
    Values args = changeable(node, std::move(given));
    const bool isNumber = node.kind().is_aten() && restoreNumbers(name, args);
    const Value result = recordCall(node, name, args);
    if (isNumber && result.as<ProxyObject>())
        m_numbers[m_tracer.nodeOf(result)] = true;
    const auto& outputs = node.outputs();
    if (outputs.empty())
        return;
    if (outputs.size() == 1) {
        const c10::TypePtr& type = outputs[0]->type();
        const bool isOfTensors = type->isSubtypeOf(*c10::OptionalType::ofTensor()) ||
                                 type->isSubtypeOf(*c10::ListType::ofTensors());
        if (!isOfTensors && !node.schema().is_mutable() && result.as<ProxyObject>())
            m_tracer.setErasable(m_tracer.nodeOf(result));
        setOutput(node, result);
        return;
    }
    // Several results are a tuple in Python. What is unpacked there is unpacked whole.
    const ScriptPlace& place = m_tracer.placeOfNode(node);
    const bool isUnpacked = place.before.ends_with('=') && contains(place.before, ",");
    const std::string& after = place.after;
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i]->uses().empty() && !isUnpacked) {
            set(outputs[i], {});
            continue;
        }
        const bool isNamed = after.starts_with(".values") || after.starts_with(".indices");
        const Value part =
            isNamed ? m_tracer.record(Opcode::CallFunction, "getattr",
                                      {result, makeText(after.starts_with(".v") ? "values" : "indices")})
                    : m_tracer.record(Opcode::CallFunction, "operator.getitem",
                                      {result, makeInt(static_cast<int64_t>(i))});
        set(outputs[i], part);
    }
}

Value ScriptInterpreter::recordCall(const JitNode& node, const std::string& name, const Values& args) {
    const std::string space = node.kind().ns().toUnqualString();
    if (space == "prim") {
        static constexpr std::string_view kAttributes[] = {
            "dtype", "device", "layout",    "shape",        "is_cuda",  "is_cpu", "is_meta", "requires_grad",
            "grad",  "data",   "is_sparse", "is_quantized", "itemsize", "T",      "mT",      "H"};
        if (std::find(std::begin(kAttributes), std::end(kAttributes), name) != std::end(kAttributes))
            return m_tracer.record(Opcode::CallFunction, "getattr", {args[0], makeText(name)});
        if (name == "min" || name == "max" || name == "abs")
            return m_tracer.record(Opcode::CallFunction, name, args);
        m_tracer.fail("", "the operator prim::" + name + " of a traced value cannot be part of a graph");
    }
    if (space != "aten") {
        const std::string overload = node.schema().overload_name();
        const std::string target =
            "torch.ops." + space + '.' + name + '.' + (overload.empty() ? "default" : overload);
        return m_tracer.record(Opcode::CallFunction, target, args);
    }
    if (std::optional<Value> convolution = recordConvolution(name, args))
        return std::move(*convolution);
    const ScriptPlace& place = m_tracer.placeOfNode(node);
    if (!place.text.empty() && !place.isBuiltinHelper())
        if (std::optional<Value> written = recordWritten(node, name, args))
            return std::move(*written);
    if (std::optional<Value> done = recordOperator(node, name, args))
        return std::move(*done);
    return recordDefault(node, name, args);
}

/// `a + b`, and what PyTorch's helpers for `2 - a` have made of it.
std::optional<Value> ScriptInterpreter::recordOperator(const JitNode& node, const std::string& name,
                                                       const Values& args) {
    const ScriptPlace& place = m_tracer.placeOfNode(node);
    const auto& parameters = node.schema().arguments();
    // `1 / x` comes as the product of 1 and the reciprocal, `1 - x` as the sum of -x and 1.
    const bool isFirstHalf = place.isBuiltinHelper() && (name == "reciprocal" || name == "neg");
    if (isFirstHalf && node.output()->uses().size() == 1) {
        const JitNode* user = node.output()->uses()[0].user;
        const bool isExpected = user->kind() == (name == "neg" ? c10::aten::add : c10::aten::mul);
        if (isExpected && user->inputs()[0] == node.output() && user->owningBlock() == node.owningBlock()) {
            m_reciprocals[node.output()] = args[0];
            return Value();
        }
    }
    if (const auto half = m_reciprocals.find(node.inputs()[0]); half != m_reciprocals.end()) {
        const Value operand = half->second;
        m_reciprocals.erase(half);
        return m_tracer.record(Opcode::CallFunction, name == "add" ? "operator.sub" : "operator.truediv",
                               {args[1], operand});
    }
    if (name == "rsub" && args.size() >= 2 && (args.size() < 3 || isDefault(args[2], parameters[2])))
        return m_tracer.record(Opcode::CallFunction, "operator.sub", {args[1], args[0]});
    std::string base = name;
    const bool isInPlace = base.size() > 1 && base.ends_with('_') && !base.ends_with("__");
    if (isInPlace)
        base.pop_back();
    const auto* row = std::find_if(std::begin(kOperators), std::end(kOperators),
                                   [&](const PythonOperator& o) { return o.aten == base; });
    if (row == std::end(kOperators) || (isInPlace && row->python == "invert"))
        return std::nullopt;
    const size_t count = row->python == "neg" || row->python == "invert" || row->python == "not_" ? 1 : 2;
    if (args.size() < count || (isInPlace && count == 1))
        return std::nullopt;
    const bool isFloor =
        name == "div" && args.size() == 3 && args[2].isString() && numberOf(args[0]) && numberOf(args[1]);
    for (size_t i = count; i < args.size() && !isFloor; ++i)
        if (!isDefault(args[i], parameters[i]))
            return std::nullopt;
    if (name == "fmod" && node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get()))
        return std::nullopt;
    Values operands(args.begin(), args.begin() + static_cast<ptrdiff_t>(count));
    std::string python(isFloor ? "floordiv" : row->python);
    if (place.isBuiltinHelper() && !row->swapped.empty() && count == 2) {
        python = row->swapped;
        std::swap(operands[0], operands[1]);
    }
    return m_tracer.record(Opcode::CallFunction, (isInPlace ? "operator.i" : "operator.") + python, operands);
}

/// What tracing and freezing leave of torch.conv2d and its like: one operator for all of them.
std::optional<Value> ScriptInterpreter::recordConvolution(const std::string& name, const Values& args) {
    if ((name != "_convolution" && name != "convolution") || args.size() < 9)
        return std::nullopt;
    const auto* stride = args[3].as<SequenceObject>();
    const auto* outputPadding = args[7].as<SequenceObject>();
    if (!stride || !outputPadding || !args[6].isBool() || stride->items.empty() || stride->items.size() > 3)
        return std::nullopt;
    const bool isTransposed = args[6].data().toBool();
    const std::string target =
        (isTransposed ? "torch.conv_transpose" : "torch.conv") + std::to_string(stride->items.size()) + 'd';
    Values positional{args[0], args[1], args[2], asTuple(args[3]), asTuple(args[4])};
    if (isTransposed) {
        positional.push_back(asTuple(args[7]));
        positional.push_back(args[8]);
        positional.push_back(asTuple(args[5]));
    } else {
        positional.push_back(asTuple(args[5]));
        positional.push_back(args[8]);
    }
    return m_tracer.record(Opcode::CallFunction, target, positional);
}

Value ScriptInterpreter::recordDefault(const JitNode& node, const std::string& name, const Values& given) {
    const auto& parameters = node.schema().arguments();
    Values positional;
    NamedValues keywords;
    bool hasGap = false;
    // What stands at its default is left out; what follows goes by name.
    for (size_t i = 0; i < given.size(); ++i) {
        const Value argument = isSizes(parameters[i]) ? asTuple(pythonValue(given[i], parameters[i]))
                                                      : pythonValue(given[i], parameters[i]);
        const bool isOmitted = isDefault(given[i], parameters[i]);
        if (isOmitted && (parameters[i].kwarg_only() || i > 0)) {
            hasGap = true;
            continue;
        }
        if (hasGap || parameters[i].kwarg_only())
            keywords.emplace_back(parameters[i].name(), argument);
        else
            positional.push_back(argument);
    }
    const bool isOfTensor =
        !positional.empty() && node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get());
    const auto spreadSizes = [&]() {
        static constexpr std::string_view kSpreading[] = {"view", "permute", "expand", "repeat", "reshape"};
        const bool isSpreading =
            std::find(std::begin(kSpreading), std::end(kSpreading), name) != std::end(kSpreading);
        const auto* sizes = positional.size() == 2 ? positional[1].as<SequenceObject>() : nullptr;
        if (!isSpreading || !sizes || sizes->items.empty())
            return;
        const Values items = sizes->items;
        positional.pop_back();
        positional.insert(positional.end(), items.begin(), items.end());
    };
    const FunctionRow* member = isOfTensor ? findTensorMember(name) : nullptr;
    const bool isMethod = member && member->kind == FunctionKind::Builtin;
    const bool isInPlace = name.ends_with('_') && !name.ends_with("__");
    const bool isPreferred =
        isInPlace || std::find(std::begin(kMethods), std::end(kMethods), name) != std::end(kMethods);
    if (isInPlace) {
        // F.relu(x, inplace=True) of a traced program.
        const std::string base = name.substr(0, name.size() - 1);
        const FunctionRow* row = findFunction("torch.nn.functional." + base);
        const auto hasFlag = [](const FunctionRow& r) {
            return std::any_of(r.parameters.begin(), r.parameters.end(),
                               [](const Parameter& p) { return p.name == "inplace"; });
        };
        if (row && row->kind == FunctionKind::Python && hasFlag(*row)) {
            std::map<std::string, Value, std::less<>> byName{{"inplace", c10::IValue(true)}};
            for (size_t i = 0; i < given.size(); ++i)
                byName[parameters[i].name() == "self" ? "input" : parameters[i].name()] = given[i];
            return recordRow(*row, byName);
        }
    }
    if (isMethod && isPreferred) {
        spreadSizes();
        return m_tracer.record(Opcode::CallMethod, name, positional, keywords);
    }
    const bool isNumeric = !isOfTensor && node.outputs().size() == 1 &&
                           !node.output()->type()->isSubtypeOf(*c10::TensorType::get()) &&
                           !node.output()->type()->cast<c10::ListType>();
    if (isNumeric && findFunction("math." + name))
        return m_tracer.record(Opcode::CallFunction, "math." + name, positional, keywords);
    if (isNumeric && (name == "len" || name == "round" || name == "abs"))
        return m_tracer.record(Opcode::CallFunction, name, positional);
    if (name == "__getitem__")
        return m_tracer.record(Opcode::CallFunction, "operator.getitem", positional);
    if (name == "slice" && !isOfTensor)
        return m_tracer.record(
            Opcode::CallFunction, "operator.getitem",
            {given[0],
             Object{SliceObject{given[1], given[2],
                                given[3].isInt() && given[3].data().toInt() == 1 ? Value() : given[3]}}});
    if (name == "len")
        return m_tracer.record(Opcode::CallMethod, "size", {given[0], makeInt(0)});
    if (const FunctionRow* row = functionOf(name)) {
        std::string target = row->target.name();
        const bool isCalledMethod = target.find('.') == std::string::npos;
        return m_tracer.record(isCalledMethod ? Opcode::CallMethod : Opcode::CallFunction, target, positional,
                               keywords);
    }
    if (const FunctionRow* row = findFunction("torch.nn.functional." + name);
        row && row->kind == FunctionKind::Python) {
        std::map<std::string, Value, std::less<>> byName;
        bool fits = true;
        for (size_t i = 0; i < given.size(); ++i) {
            const std::string& key =
                parameters[i].name() == "self" ? std::string("input") : parameters[i].name();
            const bool isKnown = std::any_of(row->parameters.begin(), row->parameters.end(),
                                             [&](const Parameter& p) { return p.name == key; });
            fits = fits && (isKnown || isDefault(given[i], parameters[i]));
            byName[key] = isSizes(parameters[i]) ? asTuple(given[i]) : pythonValue(given[i], parameters[i]);
        }
        if (fits)
            return recordRow(*row, byName);
    }
    if (isMethod) {
        spreadSizes();
        return m_tracer.record(Opcode::CallMethod, name, positional, keywords);
    }
    if (member && member->kind == FunctionKind::Property)
        return m_tracer.record(Opcode::CallFunction, "getattr", {given[0], makeText(name)});
    const std::string overload = node.schema().overload_name();
    return m_tracer.record(Opcode::CallFunction,
                           "torch.ops.aten." + name + '.' + (overload.empty() ? "default" : overload),
                           positional, keywords);
}

/// As the source has it: "x.view(-1, 4)", "torch.flatten(x, start_dim=1)", "x.shape"; none where the operator
/// is only a part of what stands there.
std::optional<Value> ScriptInterpreter::recordWritten(const JitNode& node, const std::string& name,
                                                      const Values& given) {
    const ScriptPlace& place = m_tracer.placeOfNode(node);
    const auto& parameters = node.schema().arguments();
    if (name == "size" && given.size() == 1 && !place.text.ends_with(')'))
        return m_tracer.record(Opcode::CallFunction, "getattr", {given[0], makeText("shape")});
    if (name == "dim" && place.text.ends_with(".ndim"))
        return m_tracer.record(Opcode::CallFunction, "getattr", {given[0], makeText("ndim")});
    if (const size_t dot = place.text.rfind('.'); dot != std::string::npos && given.size() == 1) {
        const std::string attribute = place.text.substr(dot + 1);
        const FunctionRow* member = isIdentifier(attribute) ? findTensorMember(attribute) : nullptr;
        if (member && member->kind == FunctionKind::Property)
            return m_tracer.record(Opcode::CallFunction, "getattr", {given[0], makeText(attribute)});
    }
    const std::optional<WrittenCall> call = writtenCall(place.text);
    if (!call || call->hasStar())
        return std::nullopt;
    const std::string written = call->name();
    const bool isAlias = std::any_of(std::begin(kAliases), std::end(kAliases), [&](const auto& alias) {
        return alias.first == written && alias.second == name;
    });
    const FunctionRow* function = functionNamed(call->callee);
    const bool isSame = written == name || isAlias || "linalg_" + written == name ||
                        "fft_" + written == name || "special_" + written == name;
    if (!isSame)
        return std::nullopt;
    const bool isMethod = !function && call->callee.find('.') != std::string::npos;
    if (!function && (!isMethod || !findTensorMember(written)))
        return std::nullopt;
    // The arguments of the operator, in the order and with the names in which they stand in the source.
    const size_t self = isMethod ? 1 : 0;
    Values positional;
    NamedValues keywords;
    if (isMethod)
        positional.push_back(given[0]);
    const size_t count = call->positionalCount();
    const bool takesSizes = parameters.size() > self && isSizes(parameters[self]) && name != "size";
    std::map<std::string, Value, std::less<>> byName;
    const auto convert = [&](size_t at, const WrittenCall::Argument& argument) {
        Value out = pythonValue(given[at], parameters[at]);
        auto* list = out.as<SequenceObject>();
        if (!list)
            return out;
        const std::optional<int64_t> literal = writtenInt(argument.text);
        if (literal && !list->items.empty() &&
            std::all_of(list->items.begin(), list->items.end(),
                        [&](const Value& v) { return v.isInt() && v.data().toInt() == *literal; }))
            return makeInt(*literal);
        const bool isTuple =
            argument.text.starts_with('(') || (isSizes(parameters[at]) && !argument.text.starts_with('['));
        return isTuple ? makeTuple(list->items) : makeList(list->items);
    };
    const bool isConversion = name == "to" && (isAlias || true) && isMethod;
    if (isConversion && isAlias && call->arguments.empty())
        return m_tracer.record(Opcode::CallMethod, written, positional);
    if (takesSizes && count > 0 && !call->arguments[0].isBracketed() && given[self].as<SequenceObject>() &&
        given[self].as<SequenceObject>()->items.size() == count) {
        const bool isOneName = count == 1 && !writtenInt(call->arguments[0].text) &&
                               node.inputs()[self]->node()->kind() != c10::prim::ListConstruct;
        if (isOneName)
            positional.push_back(asTuple(given[self]));
        else
            for (const Value& item : given[self].as<SequenceObject>()->items)
                positional.push_back(item);
    } else {
        size_t at = self;
        for (const WrittenCall::Argument& argument : call->arguments) {
            if (!argument.keyword.empty())
                continue;
            // A literal None or another value may belong to an overload of Python's own; then the defaults
            // decide.
            if (at >= given.size() || parameters[at].kwarg_only())
                return std::nullopt;
            positional.push_back(convert(at, argument));
            ++at;
        }
    }
    for (const WrittenCall::Argument& argument : call->arguments) {
        if (argument.keyword.empty())
            continue;
        std::string key = argument.keyword;
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const c10::Argument& p) { return p.name() == key; });
        const bool isAxis = found == parameters.end() && key == "axis";
        const auto parameter = isAxis ? std::find_if(parameters.begin(), parameters.end(),
                                                     [](const c10::Argument& p) { return p.name() == "dim"; })
                                      : found;
        const bool isInput = parameter == parameters.end() && (key == "input" || key == "tensors");
        if (parameter == parameters.end() && !isInput)
            return std::nullopt;
        const auto at = isInput ? size_t{0} : static_cast<size_t>(parameter - parameters.begin());
        keywords.emplace_back(key, convert(at, argument));
    }
    if (function && function->kind == FunctionKind::Python) {
        for (size_t i = 0; i < positional.size() && i < function->parameters.size(); ++i)
            byName[std::string(function->parameters[i].name)] = positional[i];
        for (const auto& [key, held] : keywords)
            byName[key] = held;
        return recordRow(*function, byName);
    }
    if (function && function->kind != FunctionKind::Builtin && function->kind != FunctionKind::Native)
        return std::nullopt;
    if (function && function->target.name().find('.') != std::string::npos)
        return m_tracer.record(Opcode::CallFunction, function->target, positional, keywords);
    return m_tracer.record(Opcode::CallMethod, written, positional, keywords);
}

} // namespace fx
