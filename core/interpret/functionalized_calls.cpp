// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/functionalized_calls.h"

#include "core/base/error.h"
#include "core/torch/bind/call.h"
#include "core/torch/bind/operators.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

const c10::Argument* nextWritten(const c10::FunctionSchema& schema, size_t& at) {
    for (; at < schema.arguments().size(); ++at) {
        const c10::Argument& argument = schema.arguments()[at];
        if (argument.alias_info() && argument.alias_info()->isWrite())
            return &schema.arguments()[at++];
    }
    return nullptr;
}

Target operatorOf(const Values& args) {
    const auto* function = args.size() == 1 ? args[0].as<FunctionObject>() : nullptr;
    if (!function || !function->target.isOperatorOverload())
        throw Error("", "takes an operator and its arguments by keyword");
    if (!findOperator(function->target))
        throw Error("", "calls an operator that is not known here: " + function->target.name())
            .hint("load the library that registers it, or run the graph in Python")
            .code(ErrorCode::NeedsLibrary);
    return function->target;
}

/// A copy with the strides and the offset of the tensor, and all between its elements.
at::Tensor cloned(const at::Tensor& tensor) {
    if (tensor.numel() == 0)
        return tensor.clone();
    int64_t length = tensor.storage_offset() + 1;
    for (int64_t i = 0; i < tensor.dim(); ++i)
        length += (tensor.size(i) - 1) * tensor.stride(i);
    return at::as_strided(at::as_strided(tensor, {length}, {1}, 0).clone(), tensor.sizes(), tensor.strides(),
                          tensor.storage_offset());
}

Value clonedValue(const Value& value) {
    if (value.isTensor())
        return c10::IValue(cloned(value.data().toTensor()));
    const std::optional<Values> items = itemsOf(value);
    if (!items)
        return value; // None
    Values out;
    std::ranges::transform(*items, std::back_inserter(out), clonedValue);
    return makeList(std::move(out));
}

/// The results of the operator, then the values.
Value resultsAnd(const Value& result, const Values& more) {
    const std::optional<Values> several = itemsOf(result);
    Values out = several ? *several : Values{result};
    out.insert(out.end(), more.begin(), more.end());
    return makeTuple(std::move(out));
}

/// The views of the bases that are the arguments of the operator.
class ArgumentViews {
public:
    ArgumentViews(NamedValues keywords, Values bases)
        : m_keywords(std::move(keywords)), m_bases(std::move(bases)) {}

    Value argument(const c10::Argument& parameter) {
        const std::string name = '_' + parameter.name();
        if (parameter.real_type()->kind() != c10::TypeKind::ListType)
            return view(name);
        const Value length = take(name + "_length");
        if (length.isNone())
            return {};
        Values out;
        for (int64_t i = 0; i < length.data().toInt(); ++i)
            out.push_back(view(name + '_' + std::to_string(i)));
        return makeList(std::move(out));
    }

    /// Whether the operator only writes the argument (torch.Tag.out): there is no base, but what to allocate.
    bool isAllocated(const c10::Argument& parameter) const { return has('_' + parameter.name() + "_dtype"); }

    Value allocated(const c10::Argument& parameter) {
        const std::string name = '_' + parameter.name();
        const Value sizes = take(name + "_size"), strides = take(name + "_stride");
        const Value dtype = take(name + "_dtype");
        return callFunction("torch.empty_strided", {sizes, strides},
                            {{"dtype", dtype}, {"device", take(name + "_device")}});
    }

    /// What is left when each view was taken.
    const NamedValues& rest() const { return m_keywords; }

private:
    bool has(const std::string& name) const {
        return std::ranges::find(m_keywords, name, &NamedValues::value_type::first) != m_keywords.end();
    }

    Value take(const std::string& name) {
        const auto found = std::ranges::find(m_keywords, name, &NamedValues::value_type::first);
        if (found == m_keywords.end())
            throw Error("", "lacks the argument " + name);
        const Value out = found->second;
        m_keywords.erase(found);
        return out;
    }

    Value view(const std::string& name) {
        const Value index = take(name + "_base_index");
        if (index.isNone())
            return {};
        const int64_t at = index.data().toInt();
        if (at < 0 || at >= static_cast<int64_t>(m_bases.size()))
            throw Error("", "has no base " + std::to_string(at));
        const Value& base = m_bases[static_cast<size_t>(at)];
        if (has(name + "_alias")) {
            take(name + "_alias");
            return callFunction("torch.ops.aten.alias.default", {base}, {});
        }
        if (has(name + "_storage_offset")) {
            const Value sizes = take(name + "_size"), strides = take(name + "_stride");
            return callFunction("torch.ops.aten.as_strided.default",
                                {base, sizes, strides, take(name + "_storage_offset")}, {});
        }
        if (has(name + "_slice_dim")) {
            const Value dim = take(name + "_slice_dim"), start = take(name + "_slice_start");
            return callFunction("torch.ops.aten.slice.Tensor", {base, dim, start, take(name + "_slice_end")},
                                {});
        }
        return base;
    }

    NamedValues m_keywords;
    Values m_bases;
};

} // namespace

Value autoFunctionalized(const CallGraph&, const Values& args, const NamedValues& kwargs) {
    const Target target = operatorOf(args);
    NamedValues given = kwargs;
    Values copies;
    size_t at = 0;
    while (const c10::Argument* written = nextWritten(*findOperator(target)->schema, at))
        for (auto& [name, value] : given)
            if (name == written->name())
                copies.push_back(value = clonedValue(value));
    return resultsAnd(callFunction(target, {}, given), copies);
}

Value autoFunctionalizedV2(const CallGraph&, const Values& args, const NamedValues& kwargs) {
    const Target target = operatorOf(args);
    NamedValues given = kwargs;
    Values bases;
    const auto all = std::ranges::find(given, "_all_bases", &NamedValues::value_type::first);
    if (all != given.end()) {
        for (const Value& base : itemsOf(all->second).value_or(Values()))
            bases.push_back(clonedValue(base));
        given.erase(all);
    }
    ArgumentViews views(std::move(given), bases);
    NamedValues written;
    bool isOut = false;
    size_t at = 0;
    while (const c10::Argument* parameter = nextWritten(*findOperator(target)->schema, at)) {
        isOut = isOut || views.isAllocated(*parameter);
        written.emplace_back(parameter->name(), views.isAllocated(*parameter) ? views.allocated(*parameter)
                                                                              : views.argument(*parameter));
    }
    written.insert(written.end(), views.rest().begin(), views.rest().end());
    const Value result = callFunction(target, {}, written);
    return isOut ? result : resultsAnd(result, bases);
}

} // namespace fx
