// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/restored_hooks.h"

namespace fx {

namespace {

void addHook(Evaluator& evaluator, const Value& instance, const char* qualifiedName, Values args) {
    const std::optional<Value> type = evaluator.libraryClass(qualifiedName);
    if (type)
        evaluator.callMethod(instance, "register_forward_pre_hook", {evaluator.call(*type, std::move(args))});
}

} // namespace

void restoreNormHooks(Evaluator& evaluator, const Module& module, const Value& instance) {
    const auto has = [&](const std::string& name) { return module.tensor(name) != nullptr; };
    for (const NamedTensor& entry : module.tensors) {
        const std::string& name = entry.name;
        const std::string base = name.substr(0, name.rfind('_'));
        if (name.ends_with("_orig") && has(base + "_u") && has(base + "_v")) {
            // As spectral_norm chooses it: the outputs of a transposed convolution are its second dimension.
            const int64_t dim = module.type.find("ConvTranspose") != std::string::npos ? 1 : 0;
            addHook(evaluator, instance, "torch.nn.utils.spectral_norm.SpectralNorm",
                    {makeText(base), makeInt(1), makeInt(dim)});
        } else if (name.ends_with("_g") && has(base + "_v") && entry.role == TensorRole::Parameter) {
            addHook(evaluator, instance, "torch.nn.utils.weight_norm.WeightNorm",
                    {makeText(base), makeInt(0)});
        }
    }
}

} // namespace fx
