// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind_ahead.h"

#include "core/base/error.h"
#include "core/torch/call.h"
#include "core/torch/unpack.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

bool isUnknown(const Value& value) {
    return value.isTensor() && !value.data().toTensor().defined();
}

bool areUnknown(const Value& value) {
    const ListItems items(value);
    return items.isList() && !items.values().empty() && std::ranges::all_of(items.values(), isUnknown);
}

/// Anything that the run may put elsewhere, or that is not the same each time.
bool isBoundLate(const SignatureParameter& parameter) {
    return parameter.type == ParameterType::Device || parameter.type == ParameterType::Generator ||
           parameter.type == ParameterType::Object || parameter.type == ParameterType::Storage;
}

std::optional<AheadSource> aheadSource(const ArgumentSource& source, const ParsedCall& call,
                                       const Value* self) {
    if (source.kind == ArgumentSource::Kind::Self)
        return AheadSource{self, {}};
    if (source.kind == ArgumentSource::Kind::OutItem)
        return std::nullopt;
    if (source.kind == ArgumentSource::Kind::Constant || !call.isGiven(source.parameter))
        return AheadSource{nullptr, source.constant};
    const SignatureParameter& parameter = call.signature->parameters[source.parameter];
    const Value* given = call.values[source.parameter];
    if (isBoundLate(parameter) || source.isOptionalList)
        return std::nullopt;
    if (parameter.type == ParameterType::Tensor && isUnknown(*given))
        return AheadSource{given, {}};
    if (parameter.type == ParameterType::TensorList)
        return areUnknown(*given) ? std::optional(AheadSource{given, {}}) : std::nullopt;
    return AheadSource{nullptr, unpack(call, source.parameter)};
}

std::optional<AheadCall> bindAhead(const SignatureGroup* group, const Value* self, const Values& args,
                                   const NamedValues& kwargs) {
    if (!group || (group->takesNothing && args.size() + kwargs.size() > 0))
        return std::nullopt;
    try {
        const ParsedCall call = parseArguments(*group, args, kwargs);
        if (call.signature->op.empty())
            return std::nullopt;
        AheadCall out{&planOf(*call.signature, false), {}, call.signature == &group->signatures.front()};
        const CallPlan& plan = *out.plan;
        const bool hasOut = plan.results && call.isGiven(*plan.results);
        if (hasOut || plan.returnsFirst || (plan.requiresGrad && call.isGiven(*plan.requiresGrad)))
            return std::nullopt;
        for (const ArgumentSource& source : plan.sources) {
            std::optional<AheadSource> ahead = aheadSource(source, call, self);
            if (!ahead)
                return std::nullopt;
            out.sources.push_back(std::move(*ahead));
        }
        return out;
    } catch (const Error&) { // the run says why
        return std::nullopt;
    } catch (const c10::Error&) {
        return std::nullopt;
    }
}

constexpr std::pair<std::string_view, std::string_view> kOperators[] = {{"add", "add"},
                                                                        {"sub", "sub"},
                                                                        {"mul", "mul"},
                                                                        {"truediv", "div"},
                                                                        {"floordiv", "floor_divide"},
                                                                        {"mod", "remainder"},
                                                                        {"matmul", "matmul"},
                                                                        {"and_", "__and__"},
                                                                        {"or_", "__or__"},
                                                                        {"xor", "__xor__"},
                                                                        {"lt", "lt"},
                                                                        {"le", "le"},
                                                                        {"gt", "gt"},
                                                                        {"ge", "ge"},
                                                                        {"eq", "eq"},
                                                                        {"ne", "ne"},
                                                                        {"neg", "neg"},
                                                                        {"abs", "abs"},
                                                                        {"iadd", "add_"},
                                                                        {"isub", "sub_"},
                                                                        {"imul", "mul_"},
                                                                        {"itruediv", "div_"}};

} // namespace

std::optional<AheadCall> bindFunctionAhead(const std::string& name, const Values& args,
                                           const NamedValues& kwargs) {
    return bindAhead(signaturesOfFunction(name), nullptr, args, kwargs);
}

std::optional<AheadCall> bindMethodAhead(const std::string& name, const Values& args,
                                         const NamedValues& kwargs) {
    if (args.empty() || !isUnknown(args[0]))
        return std::nullopt;
    // What is bound points at the arguments, so that self must stay among them.
    const Values rest(args.begin() + 1, args.end());
    std::optional<AheadCall> out = bindAhead(findSignatures("torch.Tensor", name), &args[0], rest, kwargs);
    if (!out)
        return std::nullopt;
    for (AheadSource& source : out->sources)
        if (source.value >= rest.data() && source.value < rest.data() + rest.size())
            source.value = &args[static_cast<size_t>(source.value - rest.data()) + 1];
    return out;
}

std::string_view methodOfOperator(std::string_view name) {
    if (!name.starts_with("operator."))
        return {};
    const auto* row =
        std::ranges::find(kOperators, name.substr(9), &std::pair<std::string_view, std::string_view>::first);
    return row == std::end(kOperators) ? std::string_view() : row->second;
}

bool isPlainTensor(const Value& value) {
    if (!value.isTensor())
        return false;
    const at::Tensor& tensor = value.data().toTensor();
    return tensor.defined() && tensor.dim() > 0 &&
           (tensor.numel() != 1 || !c10::isIntegralType(tensor.scalar_type(), true));
}

} // namespace fx
