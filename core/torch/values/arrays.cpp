// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/values/arrays.h"

#include "core/python/evaluator.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace fx {

static const char* const kModule = "numpy";

std::optional<at::Tensor> tensorOfArray(const Value& value) {
    const auto* instance = value.as<InstanceObject>();
    const auto* type = instance ? instance->type.as<ClassObject>() : nullptr;
    if (!type || type->data->module != kModule)
        return std::nullopt;
    const Value* held = instance->dict.as<DictObject>()->find("_tensor");
    return held && held->isTensor() ? std::optional(held->data().toTensor()) : std::nullopt;
}

bool isArray(const Value& value) {
    return tensorOfArray(value) &&
           value.as<InstanceObject>()->type.as<ClassObject>()->data->name == "ndarray";
}

Value withoutArrays(const Value& index) {
    if (isArray(index))
        return c10::IValue(*tensorOfArray(index));
    const auto* tuple = index.as<SequenceObject>();
    if (!tuple || tuple->isList || std::none_of(tuple->items.begin(), tuple->items.end(), isArray))
        return index;
    Values items;
    for (const Value& item : tuple->items)
        items.push_back(withoutArrays(item));
    return makeTuple(std::move(items));
}

bool takesArrays(const std::string& function) {
    return function == "torch.tensor" || function == "torch.as_tensor" || function == "torch.asarray";
}

Value arrayOfTensor(Evaluator& evaluator, const Value& tensor, const Values& args,
                    const NamedValues& kwargs) {
    Values given{tensor};
    given.insert(given.end(), args.begin(), args.end());
    return evaluator.call(evaluator.attribute(evaluator.modules().importModule(kModule), "_from_tensor"),
                          given, kwargs);
}

Value tensorFromArray(const Values& args) {
    if (args.size() != 1 || !isArray(args[0])) {
        const bool isScalar = args.size() == 1 && tensorOfArray(args[0]);
        raise("TypeError",
              args.size() != 1
                  ? "from_numpy() takes exactly one argument (" + std::to_string(args.size()) + " given)"
                  : "expected np.ndarray (got " + std::string(isScalar ? "numpy." : "") + typeName(args[0]) +
                        ')');
    }
    return c10::IValue(*tensorOfArray(args[0]));
}

} // namespace fx
