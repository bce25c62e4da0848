// SPDX-License-Identifier: GPL-3.0-or-later
// They compute what PyTorch computes for them without a compiler, in the same order of operations.
#include "core/interpret/higher_order.h"

#include "core/base/error.h"
#include "core/interpret/functionalized_calls.h"
#include "core/interpret/recorded_regions.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <iostream>
#include <unordered_map>

namespace fx {

namespace {

using c10::IValue;

ModuleId graphOf(const Values& args, size_t index) {
    const auto* module = index < args.size() ? args[index].as<ModuleObject>() : nullptr;
    if (!module)
        throw Error("", "argument " + std::to_string(index) + " should be a graph");
    return module->module;
}

Values listOf(const Values& args, size_t index) {
    const std::optional<Values> items = index < args.size() ? itemsOf(args[index]) : std::nullopt;
    if (!items)
        throw Error("", "argument " + std::to_string(index) + " should be a list or tuple");
    return *items;
}

at::Tensor tensorOf(const Value& value) {
    if (!value.isTensor())
        throw Error("", "expected a Tensor, got " + typeName(value));
    return value.data().toTensor();
}

Values concatenated(std::initializer_list<Values> parts) {
    Values out;
    for (const Values& part : parts)
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

/// The results of a graph as a list, also where it returns one value alone.
Values results(const Value& value) {
    const std::optional<Values> items = itemsOf(value);
    return items ? *items : Values{value};
}

Value cond(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    if (args.size() < 3)
        throw Error("", "cond takes a predicate, two graphs and operands");
    const Values operands = args.size() > 3 ? listOf(args, 3) : Values();
    return callGraph(graphOf(args, isTrue(args[0]) ? 1 : 2), operands);
}

/// The i-th slice of each tensor along its first dimension.
Values slices(const Values& tensors, int64_t i) {
    Values out;
    for (const Value& tensor : tensors)
        out.emplace_back(IValue(tensorOf(tensor).select(0, i)));
    return out;
}

Value map(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    const Values xs = listOf(args, 1), others = listOf(args, 2);
    if (xs.empty())
        throw Error("", "map takes at least one tensor to map over");
    std::vector<Values> rows;
    for (int64_t i = 0; i < tensorOf(xs[0]).size(0); ++i)
        rows.push_back(results(callGraph(graphOf(args, 0), concatenated({slices(xs, i), others}))));
    if (rows.empty())
        throw Error("", "map over a tensor without rows has no result");
    Values out;
    for (size_t column = 0; column < rows[0].size(); ++column) {
        if (!rows[0][column].isTensor()) {
            out.push_back(rows[0][column]);
            continue;
        }
        std::vector<at::Tensor> parts;
        for (const Values& row : rows)
            parts.push_back(tensorOf(row[column]));
        out.emplace_back(IValue(at::stack(parts)));
    }
    return makeSequence(std::move(out), false);
}

Value whileLoop(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    Values carried = listOf(args, 2);
    const Values others = args.size() > 3 ? listOf(args, 3) : Values();
    const auto goesOn = [&] {
        return isTrue(results(callGraph(graphOf(args, 0), concatenated({carried, others})))[0]);
    };
    if (!goesOn()) {
        for (Value& value : carried)
            if (value.isTensor())
                value = IValue(tensorOf(value).clone());
        return makeSequence(std::move(carried), false);
    }
    do
        carried = results(callGraph(graphOf(args, 1), concatenated({carried, others})));
    while (goesOn());
    return makeSequence(std::move(carried), false);
}

Value scan(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    Values carry = listOf(args, 1);
    const Values xs = listOf(args, 2), others = args.size() > 3 ? listOf(args, 3) : Values();
    const size_t carried = carry.size();
    if (xs.empty())
        return makeSequence(std::move(carry), false);
    std::vector<Values> rows;
    for (int64_t i = 0; i < tensorOf(xs[0]).size(0); ++i) {
        const Values out = results(callGraph(graphOf(args, 0), concatenated({carry, slices(xs, i), others})));
        if (out.size() < carried)
            throw Error("", "scan's graph returns fewer values than it carries");
        carry.assign(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(carried));
        rows.emplace_back(out.begin() + static_cast<std::ptrdiff_t>(carried), out.end());
    }
    for (size_t column = 0; !rows.empty() && column < rows[0].size(); ++column) {
        std::vector<at::Tensor> parts;
        for (const Values& row : rows)
            parts.push_back(tensorOf(row[column]));
        carry.emplace_back(IValue(at::stack(parts)));
    }
    return makeSequence(std::move(carry), false);
}

/// Items at even places from the first list, at odd ones from the second, which may be one shorter.
at::Tensor interleaved(const at::Tensor& even, const at::Tensor& odd) {
    std::vector<int64_t> shape = even.sizes().vec();
    shape[0] += odd.size(0);
    at::Tensor out = at::empty(shape, even.options());
    out.slice(0, 0, std::nullopt, 2).copy_(even);
    out.slice(0, 1, std::nullopt, 2).copy_(odd);
    return out;
}

Value associativeScan(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    const Values others = args.size() > 2 ? listOf(args, 2) : Values();
    const auto sliced = [](const Values& values, int64_t start, std::optional<int64_t> end, int64_t step) {
        Values out;
        for (const Value& value : values)
            out.emplace_back(IValue(tensorOf(value).slice(0, start, end, step)));
        return out;
    };
    const auto combine = [&](const Values& left, const Values& right) {
        return results(callGraph(graphOf(args, 0), concatenated({left, right, others})));
    };
    const std::function<Values(const Values&)> run = [&](const Values& items) -> Values {
        const int64_t count = tensorOf(items[0]).size(0);
        if (count < 2)
            return items;
        const Values odd = run(combine(sliced(items, 0, -1, 2), sliced(items, 1, std::nullopt, 2)));
        const Values even =
            combine(count % 2 == 0 ? sliced(odd, 0, -1, 1) : odd, sliced(items, 2, std::nullopt, 2));
        Values out;
        for (size_t i = 0; i < items.size(); ++i) {
            const at::Tensor first = tensorOf(items[i]).slice(0, 0, 1);
            const at::Tensor rest = tensorOf(even[i]);
            out.emplace_back(
                IValue(interleaved(rest.numel() > 0 ? at::cat({first, rest}) : first, tensorOf(odd[i]))));
        }
        return out;
    };
    return makeSequence(run(listOf(args, 1)), true);
}

/// A graph called with the arguments that follow it.
Value callWithRest(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    return callGraph(graphOf(args, 0), Values(args.begin() + 1, args.end()));
}

Value callWithList(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    return callGraph(graphOf(args, 0), listOf(args, 1));
}

/// invoke_subgraph(graph, identifier, *operands).
Value invokeSubgraph(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    return callGraph(
        graphOf(args, 0),
        Values(args.begin() + std::min<std::ptrdiff_t>(2, std::ptrdiff_t(args.size())), args.end()));
}

/// wrap_with_autocast(device_type, dtype, enabled, cache_enabled, graph, *operands).
Value withAutocast(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    if (args.size() < 5 || !args[0].isString())
        throw Error("", "wrap_with_autocast takes a device type, dtype, two flags and a graph");
    const auto* leaf = args[1].as<Argument>();
    const auto* dtype = leaf ? leaf->as<c10::ScalarType>() : nullptr;
    struct Region : AutocastRegion {
        using AutocastRegion::AutocastRegion;
        ~Region() { leave(); }
    } region(args[0].text(), dtype ? std::optional(*dtype) : std::nullopt, isTrue(args[2]),
             args[3].isNone() ? std::nullopt : std::optional(isTrue(args[3])));
    return callGraph(graphOf(args, 4), Values(args.begin() + 5, args.end()));
}

/// wrap_with_set_grad_enabled(enabled, graph, *operands).
Value withGradMode(const CallGraph& callGraph, const Values& args, const NamedValues&) {
    if (args.size() < 2)
        throw Error("", "wrap_with_set_grad_enabled takes a flag and a graph");
    const at::AutoGradMode mode(isTrue(args[0]));
    return callGraph(graphOf(args, 1), Values(args.begin() + 2, args.end()));
}

} // namespace

HigherOrderFunction findHigherOrder(Target target) {
    static const std::unordered_map<std::string_view, HigherOrderFunction> kTable = {
        {"auto_functionalized", autoFunctionalized},
        {"auto_functionalized_v2", autoFunctionalizedV2},
        {"cond", cond},
        {"map_impl", map},
        {"while_loop", whileLoop},
        {"scan", scan},
        {"associative_scan", associativeScan},
        {"wrap", callWithRest},
        {"wrap_with_set_grad_enabled", withGradMode},
        {"wrap_with_autocast", withAutocast},
        {"wrap_activation_checkpoint", callWithRest},
        {"tag_activation_checkpoint", callWithRest},
        {"invoke_subgraph", invokeSubgraph},
        {"strict_mode", callWithList},
        {"run_const_graph", callWithList},
        {"hints_wrapper", callWithList},
    };
    if (!target.isHigherOrder())
        return nullptr;
    const auto found = kTable.find(target.functionName());
    return found == kTable.end() ? nullptr : found->second;
}

} // namespace fx
