// SPDX-License-Identifier: GPL-3.0-or-later
// The functions in C under torch.vmap: LibTorch maps an operator over a hidden dimension. torch.export
// records them; torch.vmap itself is the library's text.
#include "core/torch/bind/python_functions.h"

#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>

namespace fx {

namespace {

using c10::IValue;
namespace functorch = at::functorch;

Value enterVmap(const Values& args, const NamedValues&) {
    requireArguments("_vmap_increment_nesting", args, 2, 2);
    static const std::unordered_map<std::string, functorch::RandomnessType> kRandomness = {
        {"error", functorch::RandomnessType::Error},
        {"same", functorch::RandomnessType::Same},
        {"different", functorch::RandomnessType::Different}};
    const auto found = kRandomness.find(args[1].isString() ? args[1].text() : std::string());
    if (!args[0].isInt() || found == kRandomness.end())
        raise("RuntimeError", "randomness argument must be error, same, or different.");
    return makeInt(functorch::initAndPushDynamicLayer(functorch::TransformType::Vmap, args[0].data().toInt(),
                                                      found->second));
}

Value leaveVmap(const Values&, const NamedValues&) {
    if (functorch::getDynamicLayerStack().empty())
        raise("RuntimeError", "vmap is left, but was not entered");
    return makeInt(functorch::popDynamicLayerAndDeleteMetadata().layerId());
}

Value addBatchDim(const Values& args, const NamedValues&) {
    requireArguments("_add_batch_dim", args, 3, 3);
    if (!plainOf(args[0]).isTensor() || !args[1].isInt() || !args[2].isInt())
        raise("TypeError", "_add_batch_dim() takes a tensor and two ints");
    const at::Tensor& tensor = plainOf(args[0]).data().toTensor();
    return IValue(functorch::addBatchDim(tensor, c10::maybe_wrap_dim(args[1].data().toInt(), tensor.dim()),
                                         args[2].data().toInt()));
}

/// (tensor, level, size, dim): what was mapped at the level has a dimension again, else it is repeated.
Value removeBatchDim(const Values& args, const NamedValues&) {
    requireArguments("_remove_batch_dim", args, 4, 4);
    if (!plainOf(args[0]).isTensor() || !args[1].isInt() || !args[2].isInt() || !args[3].isInt())
        raise("TypeError", "_remove_batch_dim() takes a tensor and three ints");
    const at::Tensor& tensor = plainOf(args[0]).data().toTensor();
    const int64_t dim = c10::maybe_wrap_dim(args[3].data().toInt(), tensor.dim() + 1);
    const auto* batched = functorch::maybeGetBatchedImpl(tensor);
    if (batched && batched->level() == args[1].data().toInt())
        return IValue(batched->bdim() == dim ? batched->value()
                                             : batched->value().movedim(batched->bdim(), dim));
    std::vector<int64_t> sizes = tensor.sizes().vec();
    sizes.insert(sizes.begin() + dim, args[2].data().toInt());
    return IValue(tensor.unsqueeze(dim).expand(sizes));
}

} // namespace

void addVmapFunctions(PythonFunctions& table) {
    const std::string home = "torch._functorch.predispatch.";
    table[home + "_vmap_increment_nesting"] = enterVmap;
    table[home + "_vmap_decrement_nesting"] = leaveVmap;
    table[home + "_add_batch_dim"] = addBatchDim;
    table[home + "_remove_batch_dim"] = removeBatchDim;
    // No-op: the decompositions are registered at load time (vmap_rules.cpp).
    table[home + "lazy_load_decompositions"] = [](const Values&, const NamedValues&) { return Value(); };
}

} // namespace fx
