// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/argument_parser.h"

#include "core/python/evaluator.h"
#include "core/torch/bind/argument_faults.h"
#include "core/torch/values/symbolic_tensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <span>

namespace fx {

ListItems::ListItems(const Value& list) {
    const Value& value = plainOf(list);
    if (const auto* sequence = value.as<SequenceObject>())
        m_held = &sequence->items;
    else if (std::optional<Values> items = itemsOf(value))
        m_made = std::move(*items);
    else
        m_isList = false;
}

bool isPythonInt(const Value& given) {
    const Value& value = plainOf(given);
    return value.isInt() || value.as<BigIntObject>() || (value.isData() && value.data().isSymInt());
}

bool isPythonNumber(const Value& given) {
    const Value& value = plainOf(given);
    return value.isInt() || value.isDouble() || value.isBool() || value.as<BigIntObject>() ||
           (value.isData() &&
            (value.data().isComplexDouble() || value.data().isSymInt() || value.data().isSymFloat()));
}

bool isIndexLike(const Value& given) {
    const Value& value = plainOf(given);
    if (!value.isTensor())
        return isPythonInt(value);
    const at::Tensor& tensor = value.data().toTensor();
    return !hasSymbolicSizes(tensor) && tensor.numel() == 1 &&
           c10::isIntegralType(tensor.scalar_type(), true);
}

bool isBuiltinNumberType(const Value& value) {
    const auto* type = value.as<ClassObject>();
    static constexpr std::string_view kNames[] = {"float", "int", "bool", "complex"};
    if (type)
        return type->data->isBuiltin && std::ranges::find(kNames, type->data->name) != std::end(kNames);
    const auto* function = value.as<FunctionObject>();
    return function && std::ranges::find(kNames, function->target.name()) != std::end(kNames);
}

namespace {

constexpr int64_t kNone = -1;

bool isListOrTuple(const Value& given) {
    const Value& value = plainOf(given);
    if (!value.object())
        return value.data().isTuple() || value.data().isList();
    return value.as<SequenceObject>() || value.as<SizeObject>();
}

template <class T>
bool isLeaf(const Value& value) {
    const auto* leaf = value.as<Argument>();
    return leaf && leaf->as<T>();
}

/// A tensor without dimensions, which may stand for its number.
bool isNumberTensor(const Value& value) {
    if (!value.isTensor())
        return false;
    const at::Tensor& tensor = value.data().toTensor();
    return tensor.defined() && tensor.dim() == 0 && !tensor.requires_grad();
}

/// A value that tracing will know: it may be anything.
bool isTraced(const Value& value) {
    return asProxy(value);
}

bool areInts(std::span<const Value> values, int64_t& failedAt) {
    const bool fits = values.empty() || isIndexLike(values[0]) || isTraced(values[0]);
    if (!fits)
        failedAt = 0;
    return fits;
}

bool isIntList(const Value& value, size_t size, int64_t& failedAt) {
    if (value.isData() && value.data().isIntList())
        return true;
    if (isListOrTuple(value))
        return areInts(ListItems(value).values(), failedAt);
    return size > 0 && isIndexLike(value);
}

bool isTensorList(const Value& value, size_t position) {
    if (value.isData() && value.data().isTensorList())
        return true;
    if (!isListOrTuple(value))
        return false;
    const ListItems items(value);
    for (size_t i = 0; i < items.values().size(); ++i)
        if (!plainOf(items.values()[i]).isTensor() && !isTraced(items.values()[i]))
            raise("TypeError", "expected Tensor as element " + std::to_string(i) + " in argument " +
                                   std::to_string(position) + ", but got " +
                                   pythonTypeName(items.values()[i]));
    return true;
}

bool isFloatList(const Value& value) {
    if (!isListOrTuple(value))
        return false;
    const ListItems items(value);
    return items.values().empty() || isPythonNumber(items.values()[0]) || isTraced(items.values()[0]);
}

bool isScalarList(const Value& value) {
    return isListOrTuple(value) && std::ranges::all_of(ListItems(value).values(), [](const Value& item) {
               return isPythonNumber(item) || isTraced(item);
           });
}

bool isComplex(const Value& value) {
    return value.isData() && value.data().isComplexDouble();
}

bool accepts(const SignatureParameter& parameter, const Value& given, size_t position, int64_t& failedAt) {
    const Value& value = plainOf(given);
    if (isTraced(value))
        return true;
    switch (parameter.type) {
    case ParameterType::Tensor:
        return value.isTensor() || (parameter.takesNumbers && isPythonNumber(value));
    case ParameterType::Scalar:
        return isPythonNumber(value) || isNumberTensor(value);
    case ParameterType::Float:
        return (isPythonNumber(value) && !isComplex(value)) || isNumberTensor(value);
    case ParameterType::Int:
        return isPythonInt(value) ||
               (isNumberTensor(value) && c10::isIntegralType(value.data().toTensor().scalar_type(), false));
    case ParameterType::SymInt:
        return isIndexLike(value);
    case ParameterType::TensorList:
        return isTensorList(value, position);
    case ParameterType::IntList:
        return isIntList(value, parameter.size, failedAt);
    case ParameterType::FloatList:
        return isFloatList(value);
    case ParameterType::ScalarList:
        return isScalarList(value);
    case ParameterType::Generator:
        return value.isData() && value.data().isGenerator();
    case ParameterType::Bool:
        return value.isBool();
    case ParameterType::Storage:
        return value.isData() && value.data().isStorage();
    case ParameterType::Object:
        return true;
    case ParameterType::DType:
        return isLeaf<c10::ScalarType>(value) || isBuiltinNumberType(value);
    case ParameterType::Layout:
        return isLeaf<c10::Layout>(value);
    case ParameterType::MemoryFormat:
        return isLeaf<c10::MemoryFormat>(value);
    case ParameterType::Device:
        return isPythonInt(value) || value.isString() || (value.isData() && value.data().isDevice());
    case ParameterType::Stream:
        return value.isData() && value.data().isStream();
    case ParameterType::Text:
        return value.isString();
    }
    return false;
}

/// By its name, or by the name that NumPy has for it.
const Value* findKeyword(const NamedValues& kwargs, std::string_view parameter) {
    static constexpr std::pair<std::string_view, std::string_view> kNumpyNames[] = {
        {"dim", "axis"}, {"keepdim", "keepdims"}, {"input", "x"},
        {"input", "a"},  {"input", "x1"},         {"other", "x2"}};
    const auto find = [&](std::string_view name) -> const Value* {
        for (const auto& [key, value] : kwargs)
            if (key == name)
                return &value;
        return nullptr;
    };
    if (const Value* found = find(parameter))
        return found;
    for (const auto& [name, other] : kNumpyNames)
        if (name == parameter)
            if (const Value* found = find(other))
                return found;
    return nullptr;
}

/// Tries one overload. What does not fit is thrown where `raises`, else it is told by false.
class Attempt {
public:
    Attempt(const CallSignature& signature, const Values& args, const NamedValues& kwargs, bool raises)
        : m_signature(signature), m_args(args), m_kwargs(kwargs), m_raises(raises) {}

    bool run(ParsedCall& call) {
        call.signature = &m_signature;
        call.values.clear();
        call.sizes = nullptr;
        const auto& parameters = m_signature.parameters;
        const bool mayGather = m_signature.mostPositional == 1 && !m_args.empty() &&
                               parameters[0].type == ParameterType::IntList && areInts(m_args, m_ignored);
        if (m_args.size() > m_signature.mostPositional && !mayGather)
            return refuse([&] { raiseExtraArguments(m_signature, m_args.size()); });
        size_t keywordsLeft = m_kwargs.size();
        for (size_t i = 0; i < parameters.size(); ++i) {
            const bool isPositional = m_next < m_args.size();
            if (isPositional && parameters[i].isKeywordOnly)
                return refuse([&] { raiseExtraArguments(m_signature, m_args.size()); });
            const Value* given = isPositional       ? &m_args[m_next]
                                 : m_kwargs.empty() ? nullptr
                                                    : findKeyword(m_kwargs, parameters[i].name);
            if (!take(call, i, given, isPositional, mayGather))
                return false;
            if (isPositional && !call.sizes)
                ++m_next;
            else if (!isPositional && given)
                --keywordsLeft;
        }
        return keywordsLeft == 0 || refuse([&] { raiseExtraKeywords(m_signature, m_kwargs, m_args.size()); });
    }

private:
    template <class Raise>
    bool refuse(Raise raiseIt) const {
        if (m_raises)
            raiseIt();
        return false;
    }

    bool take(ParsedCall& call, size_t i, const Value* given, bool isPositional, bool mayGather) {
        const SignatureParameter& parameter = m_signature.parameters[i];
        int64_t failedAt = kNone;
        if (given ? parameter.allowsNone && given->isNone() : parameter.isOptional()) {
            call.values.push_back(nullptr);
        } else if (!given) {
            return refuse([&] { raiseMissingArguments(m_signature, i); });
        } else if (accepts(parameter, *given, i, failedAt)) {
            call.values.push_back(given);
        } else if (mayGather && isPositional && m_next == 0 && areInts(m_args, failedAt)) {
            call.values.push_back(nullptr);
            call.sizes = &m_args;
            m_next = m_args.size();
        } else {
            return refuse([&] {
                raiseWrongType(m_signature, parameter, *given, isPositional ? m_next + 1 : 0, failedAt);
            });
        }
        return true;
    }

    const CallSignature& m_signature;
    const Values& m_args;
    const NamedValues& m_kwargs;
    const bool m_raises;
    size_t m_next = 0;
    int64_t m_ignored = kNone;
};

} // namespace

ParsedCall parseArguments(const SignatureGroup& group, const Values& args, const NamedValues& kwargs) {
    ParsedCall call;
    const bool isOne = group.signatures.size() == 1;
    for (const CallSignature& signature : group.signatures)
        if (Attempt(signature, args, kwargs, isOne).run(call))
            return call;
    // With one overload that the number of arguments fits, its own fault says most.
    const size_t count = args.size() + kwargs.size();
    const CallSignature* plausible = nullptr;
    size_t plausibles = 0;
    for (const CallSignature& signature : group.signatures) {
        if (count < signature.least || count > signature.parameters.size() || signature.isHidden)
            continue;
        plausible = &signature;
        ++plausibles;
    }
    if (plausibles == 1)
        Attempt(*plausible, args, kwargs, true).run(call);
    raiseNoOverload(group, args, kwargs);
}

} // namespace fx
