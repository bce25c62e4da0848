// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that hold for many operators. Those of a single family are in bounds_families.h.
#include "core/torch/bind/bounds_rules.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/torch/bind/bounds_families.h"
#include "core/torch/bind/bounds_formula.h"
#include "core/torch/bind/bounds_values.h"

#include <ATen/EmptyTensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <unordered_map>

namespace fx {

using c10::IValue;

namespace {
namespace rules {

using Words = std::vector<std::string_view>;

std::string sizesText(const at::Tensor& tensor) {
    return c10::str(tensor.sizes());
}

// --- The rules. Each is given the words after its own.

struct RuleWords {
    const Words& words;
    const c10::FunctionSchema& schema;

    std::optional<std::vector<size_t>> arguments(size_t from) const {
        std::vector<size_t> out;
        for (size_t i = from; i < words.size(); ++i) {
            const std::optional<size_t> at = argumentNamed(schema, words[i]);
            if (!at)
                return std::nullopt;
            out.push_back(*at);
        }
        return out;
    }
};

/// Asks `isAlike` of the first tensor among the arguments and each after it. `why` says what is wrong.
std::optional<BoundsCheck> alike(const RuleWords& rule,
                                 bool (*isAlike)(const at::Tensor& first, const at::Tensor& other),
                                 std::string (*why)(const at::Tensor& first, const at::Tensor& other)) {
    const auto at = rule.arguments(0);
    if (!at)
        return std::nullopt;
    return [at = *at, isAlike, why](const BoundedCall& call) {
        const at::Tensor* first = nullptr;
        for (const size_t i : at)
            if (const at::Tensor* tensor = tensorIn(call.args[i])) {
                first = first ? first : tensor;
                if (!isAlike(*first, *tensor))
                    refuseArgument(call, i, why(*first, *tensor));
            }
    };
}

/// `same A B...`: tensors of the same sizes.
std::optional<BoundsCheck> same(const RuleWords& rule) {
    return alike(
        rule, [](const at::Tensor& first, const at::Tensor& other) { return first.sizes() == other.sizes(); },
        [](const at::Tensor& first, const at::Tensor& other) {
            return "has sizes " + sizesText(other) + " and not " + sizesText(first);
        });
}

/// `dtype A B...`: tensors of the same dtype.
std::optional<BoundsCheck> dtype(const RuleWords& rule) {
    return alike(
        rule,
        [](const at::Tensor& first, const at::Tensor& other) {
            return first.scalar_type() == other.scalar_type();
        },
        [](const at::Tensor& first, const at::Tensor& other) {
            return std::string("has dtype ") + c10::toString(other.scalar_type()) + " and not " +
                   c10::toString(first.scalar_type());
        });
}

/// `dims N A...`: tensors of N axes.
std::optional<BoundsCheck> dims(const RuleWords& rule) {
    const auto at = rule.arguments(1);
    if (!at)
        return std::nullopt;
    return [at = *at, wanted = boundsNumber(rule.words[0])](const BoundedCall& call) {
        for (const size_t i : at)
            if (const at::Tensor* tensor = tensorIn(call.args[i]); tensor && tensor->dim() != wanted)
                refuseArgument(call, i,
                               "has sizes " + sizesText(*tensor) + " and not " + std::to_string(wanted) +
                                   " axes");
    };
}

/// `lead N A B`: the same sizes but for the last N axes.
std::optional<BoundsCheck> lead(const RuleWords& rule) {
    const auto at = rule.arguments(1);
    if (!at)
        return std::nullopt;
    return [a = at->at(0), b = at->at(1), last = boundsNumber(rule.words[0])](const BoundedCall& call) {
        const at::Tensor *first = tensorIn(call.args[a]), *second = tensorIn(call.args[b]);
        if (!first || !second)
            return;
        const auto count = static_cast<size_t>(std::max<int64_t>(first->dim() - last, 0));
        if (first->dim() != second->dim() ||
            first->sizes().slice(0, count) != second->sizes().slice(0, count))
            refuseArgument(call, a,
                           "has sizes " + sizesText(*first) + ", which do not fit " + sizesText(*second) +
                               " of '" + call.schema.arguments()[b].name() + '\'');
    };
}

/// `index A LIMIT [except B]`: integers from 0 up to LIMIT - 1, or the int B.
std::optional<BoundsCheck> index(const RuleWords& rule) {
    const std::optional<size_t> at = argumentNamed(rule.schema, rule.words[0]);
    const std::optional<BoundsFormula> limit = boundsFormula(rule.words[1], rule.schema);
    const std::optional<size_t> except =
        rule.words.size() > 3 ? argumentNamed(rule.schema, rule.words[3]) : std::nullopt;
    if (!at || !limit || (rule.words.size() > 3 && !except))
        return std::nullopt;
    return [at = *at, limit = *limit, except](const BoundedCall& call) {
        const at::Tensor* tensor = tensorIn(call.args[at]);
        if (!tensor || tensor->numel() == 0)
            return;
        const std::optional<int64_t> allowed =
            except && call.args[*except].isInt() ? std::optional(call.args[*except].toInt()) : std::nullopt;
        requireWithin(call, at, 0, limit(call).value_or(0), allowed);
    };
}

/// `count A FORMULA`: the number of elements of a tensor that is given.
std::optional<BoundsCheck> count(const RuleWords& rule) {
    const std::optional<size_t> at = argumentNamed(rule.schema, rule.words[0]);
    const std::optional<BoundsFormula> wanted = boundsFormula(rule.words[1], rule.schema);
    if (!at || !wanted)
        return std::nullopt;
    return [at = *at, wanted = *wanted](const BoundedCall& call) {
        const at::Tensor* tensor = tensorIn(call.args[at]);
        const std::optional<int64_t> number = tensor ? wanted(call) : std::nullopt;
        if (tensor && tensor->numel() != number)
            refuseArgument(call, at,
                           "has " + std::to_string(tensor->numel()) + " elements and not " +
                               (number ? std::to_string(*number) : "as many as it needs"));
    };
}

/// `equal A FORMULA FORMULA`: a size of tensor A is what another argument needs.
std::optional<BoundsCheck> equal(const RuleWords& rule) {
    const std::optional<size_t> at = argumentNamed(rule.schema, rule.words[0]);
    const std::optional<BoundsFormula> first = boundsFormula(rule.words[1], rule.schema),
                                       second = boundsFormula(rule.words[2], rule.schema);
    if (!at || !first || !second)
        return std::nullopt;
    return [at = *at, first = *first, second = *second](const BoundedCall& call) {
        const std::optional<int64_t> has = first(call), wanted = second(call);
        if (tensorIn(call.args[at]) && has != wanted)
            refuseArgument(call, at,
                           "has a size of " + std::to_string(has.value_or(0)) + " where " +
                               std::to_string(wanted.value_or(0)) + " is needed");
    };
}

/// `length A LEAST MOST`: the number of items of a list.
std::optional<BoundsCheck> length(const RuleWords& rule) {
    const std::optional<size_t> at = argumentNamed(rule.schema, rule.words[0]);
    if (!at)
        return std::nullopt;
    return [at = *at, least = boundsNumber(rule.words[1]),
            most = boundsNumber(rule.words[2])](const BoundedCall& call) {
        if (!call.args[at].isList())
            return;
        const auto items = static_cast<int64_t>(call.args[at].toListRef().size());
        if (items < least || items > most)
            refuseArgument(call, at,
                           "has " + std::to_string(items) + " items and not " + std::to_string(least) +
                               (most > least ? " to " + std::to_string(most) : ""));
    };
}

/// `number A LEAST MOST`: an int, or each int of a list.
std::optional<BoundsCheck> number(const RuleWords& rule) {
    const std::optional<size_t> at = argumentNamed(rule.schema, rule.words[0]);
    if (!at)
        return std::nullopt;
    return [at = *at, least = boundsNumber(rule.words[1]),
            most = boundsNumber(rule.words[2])](const BoundedCall& call) {
        for (const int64_t value : intsIn(call.args[at]))
            if (value < least || value > most)
                refuseArgument(call, at,
                               "holds " + std::to_string(value) + ", which is not from " +
                                   std::to_string(least) + " to " + std::to_string(most));
    };
}

/// `axes A T`: an int, or each of a list, is an axis of tensor T.
std::optional<BoundsCheck> axes(const RuleWords& rule) {
    const auto at = rule.arguments(0);
    if (!at)
        return std::nullopt;
    return [a = at->at(0), t = at->at(1)](const BoundedCall& call) {
        const at::Tensor* tensor = tensorIn(call.args[t]);
        if (!tensor)
            return;
        const int64_t dims = std::max<int64_t>(tensor->dim(), 1);
        for (const int64_t axis : intsIn(call.args[a]))
            if (axis < -dims || axis >= dims)
                refuseArgument(call, a,
                               "holds axis " + std::to_string(axis) + ", and the tensor has " +
                                   std::to_string(tensor->dim()));
    };
}

/// `given A...`: tensors that may not be left out.
std::optional<BoundsCheck> given(const RuleWords& rule) {
    const auto at = rule.arguments(0);
    if (!at)
        return std::nullopt;
    return [at = *at](const BoundedCall& call) {
        for (const size_t i : at)
            if (!tensorIn(call.args[i]))
                refuseArgument(call, i, "is left out");
    };
}

/// `some A...`: of those that the overload has, one may not be left out.
std::optional<BoundsCheck> some(const RuleWords& rule) {
    std::vector<size_t> known;
    for (const std::string_view word : rule.words)
        if (const std::optional<size_t> at = argumentNamed(rule.schema, word))
            known.push_back(*at);
    if (known.empty())
        return std::nullopt;
    return [known](const BoundedCall& call) {
        if (std::ranges::all_of(known, [&](size_t i) { return call.args[i].isNone(); }))
            refuseArgument(call, known[0], "is left out");
    };
}

/// `plain A...`: tensors that are neither quantized nor packed by oneDNN.
std::optional<BoundsCheck> plain(const RuleWords& rule) {
    const auto at = rule.arguments(0);
    if (!at)
        return std::nullopt;
    return [at = *at](const BoundedCall& call) {
        for (const size_t i : at)
            if (const at::Tensor* tensor = tensorIn(call.args[i]);
                tensor && (tensor->is_quantized() || tensor->is_mkldnn()))
                refuseArgument(call, i, "is quantized, or packed by oneDNN");
    };
}

/// `true A`: a flag that has to be set.
std::optional<BoundsCheck> flag(const RuleWords& rule) {
    const auto at = rule.arguments(0);
    if (!at)
        return std::nullopt;
    return [at = at->at(0)](const BoundedCall& call) {
        if (call.args[at].isBool() && !call.args[at].toBool())
            refuseArgument(call, at, "is False");
    };
}

IValue onMeta(const IValue& value) {
    const at::Tensor* tensor = tensorIn(value);
    return tensor ? IValue(at::Tensor(at::detail::empty_strided_meta(tensor->sizes(), tensor->strides(),
                                                                     tensor->scalar_type())))
                  : value;
}

/// `forward OP A`: A has the sizes of the first result of OP, worked out from the arguments of the same
/// names.
std::optional<BoundsCheck> forward(const RuleWords& rule) {
    const std::optional<size_t> at = argumentNamed(rule.schema, rule.words[1]);
    const auto op = c10::Dispatcher::singleton().findSchema({std::string(rule.words[0]), ""});
    if (!op)
        throw Error("", "no operator " + std::string(rule.words[0]));
    if (!at)
        return std::nullopt;
    std::vector<std::optional<size_t>> sources;
    for (const c10::Argument& argument : op->schema().arguments()) {
        std::optional<size_t> source = argumentNamed(rule.schema, argument.name());
        if (!source && (argument.name() == "self" || argument.name() == "input"))
            source = argumentNamed(rule.schema, argument.name() == "self" ? "input" : "self");
        if (!source && !argument.default_value())
            return std::nullopt;
        sources.push_back(source);
    }
    return [at = *at, op = *op, sources](const BoundedCall& call) {
        const at::Tensor* tensor = tensorIn(call.args[at]);
        if (!tensor)
            return;
        torch::jit::Stack stack;
        for (size_t i = 0; i < sources.size(); ++i)
            stack.push_back(sources[i] ? onMeta(call.args[*sources[i]])
                                       : *op.schema().arguments()[i].default_value());
        op.callBoxed(stack);
        if (const at::Tensor& wanted = stack[0].toTensor(); wanted.sizes() != tensor->sizes())
            refuseArgument(call, at,
                           "has sizes " + sizesText(*tensor) + ", and the forward operator gives " +
                               sizesText(wanted));
    };
}

using Reader = std::optional<BoundsCheck> (*)(const RuleWords&);

const std::unordered_map<std::string_view, Reader>& readers() {
    static const std::unordered_map<std::string_view, Reader> kReaders = {
        {"same", same},       {"dtype", dtype},   {"dims", dims},     {"lead", lead},   {"index", index},
        {"count", count},     {"length", length}, {"number", number}, {"axes", axes},   {"given", given},
        {"forward", forward}, {"equal", equal},   {"some", some},     {"plain", plain}, {"true", flag}};
    return kReaders;
}

} // namespace rules
} // namespace

std::optional<BoundsCheck> boundsRule(std::string_view rule, const c10::FunctionSchema& schema) {
    rules::Words words = split(rule, ' ');
    const std::string_view name = words.front();
    words.erase(words.begin());
    if (const auto reader = rules::readers().find(name); reader != rules::readers().end())
        return reader->second({words, schema});
    if (std::optional<BoundsCheck> family = boundsOfFamily(name, schema))
        return family;
    if (isBoundsFamily(name))
        return std::nullopt;
    throw Error("", "no rule for bounds is named '" + std::string(name) + "'");
}

} // namespace fx
