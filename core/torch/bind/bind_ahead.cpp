// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/bind_ahead.h"

#include "core/base/error.h"
#include "core/torch/bind/argument_kinds.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/unpack.h"

#include <algorithm>

namespace fx {

namespace {

using Source = AheadSource;

template <class Fits>
bool areItems(const Value& value, Fits fits) {
    const ListItems items(value);
    return items.isList() && !items.values().empty() && std::ranges::all_of(items.values(), fits);
}

bool isTensor(const Value& value) {
    return value.isTensor();
}

bool isWholeNumber(const Value& value) {
    return value.isInt() || value.isBool() || (value.isTensor() && isIndexLike(value));
}

/// A value that is known when the call is made, for a parameter that has taken its stand-in.
std::optional<Source> openSource(const SignatureParameter& parameter, const Value& standIn) {
    const auto source = [&](Source::Kind kind) {
        return std::optional(Source{kind, &standIn, &parameter, {}});
    };
    const bool isNumber = standIn.isInt() || standIn.isBool() || standIn.isDouble() ||
                          (standIn.isData() && standIn.data().isComplexDouble());
    const auto orUnpacked = [&](bool isTakenAsItIs) {
        return source(isTakenAsItIs ? Source::Kind::AsItIs : Source::Kind::Unpacked);
    };
    switch (parameter.type) {
    case ParameterType::Tensor:
        return orUnpacked(standIn.isTensor());
    case ParameterType::Int:
    case ParameterType::SymInt:
        return orUnpacked(standIn.isInt());
    case ParameterType::Scalar:
        return orUnpacked(isNumber);
    case ParameterType::Float:
        return orUnpacked(standIn.isDouble());
    case ParameterType::Bool:
        return source(Source::Kind::AsItIs);
    case ParameterType::DType:
    case ParameterType::Layout:
    case ParameterType::MemoryFormat:
    case ParameterType::Device:
    case ParameterType::Text:
        return source(Source::Kind::Unpacked);
    case ParameterType::TensorList:
        return areItems(standIn, isTensor) ? source(Source::Kind::Tensors) : std::nullopt;
    case ParameterType::IntList:
        if (standIn.isTensor() || standIn.isInt() || standIn.as<SizeObject>())
            return source(Source::Kind::Unpacked);
        return areItems(standIn, isWholeNumber) ? source(Source::Kind::Ints) : std::nullopt;
    default:
        return std::nullopt;
    }
}

std::optional<Source> aheadSource(const ArgumentSource& source, const ParsedCall& call,
                                  const AheadArguments& arguments) {
    const bool isSelf = source.kind == ArgumentSource::Kind::Self;
    if (source.kind == ArgumentSource::Kind::OutItem || (isSelf && !arguments.self))
        return std::nullopt;
    if (isSelf)
        return Source{Source::Kind::AsItIs, arguments.self, nullptr, {}};
    if (source.kind == ArgumentSource::Kind::Constant || !call.isGiven(source.parameter))
        return Source{Source::Kind::Constant, nullptr, nullptr, source.constant};
    const SignatureParameter& parameter = call.signature->parameters[source.parameter];
    const Value* given = call.values[source.parameter];
    const auto isOpen = [&](const Value& value) { return arguments.isOpen(&value); };
    if (source.isOptionalList || parameter.type == ParameterType::Generator ||
        parameter.type == ParameterType::Object || parameter.type == ParameterType::Storage)
        return std::nullopt;
    if (given && isOpen(*given))
        return openSource(parameter, *given);
    if (!given && std::ranges::any_of(*call.sizes, isOpen))
        return std::ranges::all_of(*call.sizes, isWholeNumber)
                   ? std::optional(Source{Source::Kind::Sizes, nullptr, &parameter, {}})
                   : std::nullopt;
    return Source{Source::Kind::Constant, nullptr, nullptr, unpack(call, source.parameter)};
}

std::optional<AheadCall> bindTo(const SignatureGroup& group, const AheadArguments& arguments) {
    const ParsedCall call = parseArguments(group, arguments.args, arguments.kwargs);
    if (call.signature->op.empty()) {
        const HandBound function = findHandBound(arguments.self != nullptr, group.name);
        return function && !call.sizes ? std::optional(AheadCall{nullptr, {}, false, function, call})
                                       : std::nullopt;
    }
    const CallPlan& plan = planOf(*call.signature, false);
    const bool hasOut = plan.results && call.isGiven(*plan.results);
    if (hasOut || plan.returnsFirst || (plan.requiresGrad && call.isGiven(*plan.requiresGrad)))
        return std::nullopt;
    AheadCall out{&plan, {}, call.signature == &group.signatures.front(), nullptr, {}};
    for (const ArgumentSource& source : plan.sources) {
        std::optional<Source> ahead = aheadSource(source, call, arguments);
        if (!ahead)
            return std::nullopt;
        out.sources.push_back(std::move(*ahead));
    }
    return out;
}

} // namespace

std::optional<AheadCall> bindAhead(const std::string& function, const AheadArguments& arguments) {
    if (arguments.self && !arguments.self->isTensor())
        return std::nullopt;
    const SignatureGroup* group =
        arguments.self ? findSignatures("torch.Tensor", function) : signaturesOfFunction(function);
    if (!group || (group->takesNothing && arguments.args.size() + arguments.kwargs.size() > 0))
        return std::nullopt;
    try {
        return bindTo(*group, arguments);
    } catch (const Error&) { // the run says why
        return std::nullopt;
    } catch (const c10::Error&) {
        return std::nullopt;
    }
}

} // namespace fx
