// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of which the source says nothing: as functions of torch or methods of tensors, whichever is
// written more often. Arguments at their defaults go.
#include "core/trace/script/script_calls.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

namespace {

template <size_t Size>
bool holds(const std::string_view (&names)[Size], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// In programs without source: what is written as a method more often than not.
constexpr std::string_view kMethods[] = {
    "view",      "reshape", "permute",     "transpose", "contiguous", "size",    "expand",
    "expand_as", "repeat",  "unsqueeze",   "squeeze",   "to",         "type_as", "view_as",
    "t",         "item",    "clone",       "detach",    "dim",        "numel",   "chunk",
    "split",     "unbind",  "masked_fill", "unfold",    "narrow",     "select",  "is_floating_point"};

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

struct CallArguments {
    Values positional;
    NamedValues keywords;
};

/// What stands at its default is left out; what follows goes by name.
CallArguments withoutDefaults(const std::vector<c10::Argument>& parameters, const Values& given) {
    CallArguments out;
    bool hasGap = false;
    for (size_t i = 0; i < given.size(); ++i) {
        const Value plain = pythonValue(given[i], parameters[i]);
        const Value argument = isSizes(parameters[i]) ? asTuple(plain) : plain;
        if ((parameters[i].kwarg_only() || i > 0) && isDefault(given[i], parameters[i]))
            hasGap = true;
        else if (hasGap || parameters[i].kwarg_only())
            out.keywords.emplace_back(parameters[i].name(), argument);
        else
            out.positional.push_back(argument);
    }
    return out;
}

/// The layout that torch.sparse_csr_tensor and its like give.
std::optional<c10::Layout> sparseLayoutOf(const std::string& name) {
    static constexpr std::pair<std::string_view, c10::Layout> kLayouts[] = {
        {"sparse_coo_tensor", c10::Layout::Sparse},
        {"sparse_csr_tensor", c10::Layout::SparseCsr},
        {"sparse_csc_tensor", c10::Layout::SparseCsc},
        {"sparse_bsr_tensor", c10::Layout::SparseBsr},
        {"sparse_bsc_tensor", c10::Layout::SparseBsc}};
    const auto found = std::ranges::find(kLayouts, name, [](const auto& row) { return row.first; });
    return found == std::end(kLayouts) ? std::nullopt : std::optional(found->second);
}

/// Python's Tensor.to and what makes sparse tensors take neither a layout nor whether memory is pinned. What
/// of them says nothing goes; false if something is left.
bool dropLayout(NamedValues& keywords, c10::Layout implied) {
    const auto isPlain = [&](const auto& keyword) {
        const Value& value = keyword.second;
        if (keyword.first == "pin_memory")
            return value.isBool() && !value.data().toBool();
        const auto* leaf = value.as<Argument>();
        const auto* layout = leaf ? leaf->as<c10::Layout>() : nullptr;
        return layout && *layout == implied;
    };
    const auto isOfStorage = [](const auto& keyword) {
        return keyword.first == "layout" || keyword.first == "pin_memory";
    };
    std::erase_if(keywords, [&](const auto& keyword) { return isOfStorage(keyword) && isPlain(keyword); });
    return std::none_of(keywords.begin(), keywords.end(), isOfStorage);
}

/// x.view((2, 3)) is x.view(2, 3) to most people.
Values withSizesSpread(const std::string& method, Values positional) {
    static constexpr std::string_view kSpreading[] = {"view", "permute", "expand", "repeat", "reshape"};
    const auto* sizes = positional.size() == 2 ? positional[1].as<SequenceObject>() : nullptr;
    if (!sizes || sizes->items.empty() || !holds(kSpreading, method))
        return positional;
    Values out{positional[0]};
    out.insert(out.end(), sizes->items.begin(), sizes->items.end());
    return out;
}

const Parameter* parameterNamed(const FunctionRow& row, const std::string& name) {
    const auto found = std::find_if(row.parameters.begin(), row.parameters.end(),
                                    [&](const Parameter& p) { return p.name == name; });
    return found == row.parameters.end() ? nullptr : &*found;
}

/// What the operator's parameter is called in torch.nn.functional.
std::string pythonName(const c10::Argument& parameter) {
    if (parameter.name() == "self")
        return "input";
    return parameter.name() == "train" ? "training" : parameter.name();
}

/// The operator's arguments for a function of torch.nn.functional; none where one has no place there.
std::optional<ValuesByName> argumentsFor(const FunctionRow& row, const std::vector<c10::Argument>& parameters,
                                         const Values& given) {
    ValuesByName out;
    for (size_t i = 0; i < given.size(); ++i) {
        const std::string name = pythonName(parameters[i]);
        if (!parameterNamed(row, name) && !isDefault(given[i], parameters[i]))
            return std::nullopt;
        out[name] = isSizes(parameters[i]) ? asTuple(given[i]) : pythonValue(given[i], parameters[i]);
    }
    return out;
}

bool isInPlace(const std::string& name) {
    return name.ends_with('_') && !name.ends_with("__");
}

/// F.relu(x, inplace=True) of a traced program.
std::optional<Value> recordInPlaceFunction(const ScriptCall& call) {
    const auto& [state, node, name, given] = call;
    const FunctionRow* row = findFunction("torch.nn.functional." + name.substr(0, name.size() - 1));
    if (!row || row->kind != FunctionKind::Python || !parameterNamed(*row, "inplace"))
        return std::nullopt;
    std::optional<ValuesByName> byName = argumentsFor(*row, node.schema().arguments(), given);
    if (!byName)
        return std::nullopt;
    (*byName)["inplace"] = c10::IValue(true);
    return recordRow(state.tracer, *row, *byName);
}

/// What gives numbers, or works on lists of the program.
std::optional<Value> recordPlain(const ScriptCall& call, const Values& positional,
                                 const NamedValues& keywords) {
    const auto& [state, node, name, given] = call;
    const c10::TypePtr type = node.outputs().size() == 1 ? node.output()->type() : nullptr;
    const bool isNumeric =
        type && !type->isSubtypeOf(*c10::TensorType::get()) && !type->cast<c10::ListType>();
    if (isNumeric && findFunction("math." + name))
        return call.record(Opcode::CallFunction, "math." + name, positional, keywords);
    static constexpr std::string_view kBuiltins[] = {"len", "round", "abs", "hex",   "oct",
                                                     "bin", "chr",   "ord", "divmod"};
    if (isNumeric && holds(kBuiltins, name))
        return call.record(Opcode::CallFunction, name, positional);
    if (name != "slice")
        return std::nullopt;
    const bool isWhole = given[3].isInt() && given[3].data().toInt() == 1;
    const Value slice = Object{SliceObject{given[1], given[2], isWhole ? Value() : given[3]}};
    return call.record(Opcode::CallFunction, "operator.getitem", {given[0], slice});
}

} // namespace

Value recordDefault(const ScriptCall& call) {
    const auto& [state, node, name, given] = call;
    const auto& parameters = node.schema().arguments();
    auto [positional, keywords] = withoutDefaults(parameters, given);
    const bool isOfTensor =
        !positional.empty() && node.inputs()[0]->type()->isSubtypeOf(*c10::TensorType::get());
    const FunctionRow* member = isOfTensor ? findTensorMember(name) : nullptr;
    const bool isMethod = member && member->kind == FunctionKind::Builtin &&
                          (name != "to" || dropLayout(keywords, c10::Layout::Strided));
    if (const auto layout = sparseLayoutOf(name))
        dropLayout(keywords, *layout);
    const auto recordMethod = [&] {
        return call.record(Opcode::CallMethod, name, withSizesSpread(name, positional), keywords);
    };
    if (isInPlace(name))
        if (std::optional<Value> called = recordInPlaceFunction(call))
            return std::move(*called);
    if (isMethod && (isInPlace(name) || holds(kMethods, name)))
        return recordMethod();
    if (!isOfTensor)
        if (std::optional<Value> plain = recordPlain(call, positional, keywords))
            return std::move(*plain);
    if (name == "__getitem__")
        return call.record(Opcode::CallFunction, "operator.getitem", positional);
    if (name == "len")
        return call.record(Opcode::CallMethod, "size", {given[0], makeInt(0)});
    if (const FunctionRow* row = functionOf(name)) {
        const bool isCalledMethod = row->target.name().find('.') == std::string::npos;
        return call.record(isCalledMethod ? Opcode::CallMethod : Opcode::CallFunction, row->target,
                           positional, keywords);
    }
    const FunctionRow* functional = findFunction("torch.nn.functional." + name);
    if (functional && functional->kind == FunctionKind::Python)
        if (const std::optional<ValuesByName> byName = argumentsFor(*functional, parameters, given))
            return recordRow(state.tracer, *functional, *byName);
    if (isMethod)
        return recordMethod();
    if (member && member->kind == FunctionKind::Property)
        return call.record(Opcode::CallFunction, "getattr", {given[0], makeText(name)});
    const std::string overload = node.schema().overload_name();
    return call.record(Opcode::CallFunction,
                       "torch.ops.aten." + name + '.' + (overload.empty() ? "default" : overload), positional,
                       keywords);
}

} // namespace fx
