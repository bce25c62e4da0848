// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/bind/call_family.h"

#include "core/base/text.h"
#include "core/base/wildcards.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>

namespace fx {

namespace {

struct FamilyRow {
    CallFamily family;
    std::string_view pattern;
};

// The first pattern that fits counts. Names stand without namespace and overload, and without the underscore
// of calls in place. What no row names is told by the operator's tags and schema.
constexpr FamilyRow kFamilyFunctions[] = {
    {CallFamily::Attention, "*attention*"},
    {CallFamily::Collective, "all_reduce*"},
    {CallFamily::Collective, "all_gather*"},
    {CallFamily::Collective, "reduce_scatter*"},
    {CallFamily::Collective, "all_to_all*"},
    {CallFamily::Collective, "broadcast_coalesced"},
    {CallFamily::Collective, "wait_tensor"},
    {CallFamily::Random, "*dropout*"},
    {CallFamily::Random, "rand*"},
    {CallFamily::Random, "bernoulli"},
    {CallFamily::Random, "multinomial"},
    {CallFamily::Random, "normal"},
    {CallFamily::Random, "uniform"},
    {CallFamily::Random, "poisson"},
    {CallFamily::Random, "exponential"},
    {CallFamily::Embedding, "embedding*"},
    {CallFamily::Embedding, "one_hot"},
    {CallFamily::Elementwise, "*convert*"},
    {CallFamily::Layer, "*conv*"},
    {CallFamily::Layer, "*linear"},
    {CallFamily::Layer, "linear_*"},
    {CallFamily::Layer, "bilinear"},
    {CallFamily::Layer, "*mm"},
    {CallFamily::Layer, "matmul"},
    {CallFamily::Layer, "mv"},
    {CallFamily::Layer, "addmv"},
    {CallFamily::Layer, "dot"},
    {CallFamily::Layer, "vdot"},
    {CallFamily::Layer, "einsum"},
    {CallFamily::Layer, "tensordot"},
    {CallFamily::Layer, "inner"},
    {CallFamily::Layer, "outer"},
    {CallFamily::Layer, "lstm*"},
    {CallFamily::Layer, "gru*"},
    {CallFamily::Layer, "rnn_*"},
    {CallFamily::Reduction, "norm"},
    {CallFamily::Reduction, "*vector_norm"},
    {CallFamily::Reduction, "*matrix_norm"},
    {CallFamily::Reduction, "linalg_norm"},
    {CallFamily::Normalisation, "*norm"},
    {CallFamily::Normalisation, "*norm_*"},
    {CallFamily::Normalisation, "normalize"},
    {CallFamily::Activation, "*relu*"},
    {CallFamily::Activation, "*elu"},
    {CallFamily::Activation, "*glu"},
    {CallFamily::Activation, "*sigmoid"},
    {CallFamily::Activation, "*tanh"},
    {CallFamily::Activation, "*softmax*"},
    {CallFamily::Activation, "softmin"},
    {CallFamily::Activation, "silu"},
    {CallFamily::Activation, "mish"},
    {CallFamily::Activation, "hardswish"},
    {CallFamily::Activation, "soft*"},
    {CallFamily::Activation, "hardshrink"},
    {CallFamily::Activation, "tanhshrink"},
    {CallFamily::Activation, "threshold"},
    {CallFamily::Reduction, "*pool*"},
    {CallFamily::Reduction, "sum*"},
    {CallFamily::Reduction, "mean"},
    {CallFamily::Reduction, "median"},
    {CallFamily::Reduction, "std*"},
    {CallFamily::Reduction, "var*"},
    {CallFamily::Reduction, "prod"},
    {CallFamily::Reduction, "all"},
    {CallFamily::Reduction, "any"},
    {CallFamily::Reduction, "amax"},
    {CallFamily::Reduction, "amin"},
    {CallFamily::Reduction, "aminmax"},
    {CallFamily::Reduction, "arg*"},
    {CallFamily::Reduction, "max"},
    {CallFamily::Reduction, "min"},
    {CallFamily::Reduction, "logsumexp"},
    {CallFamily::Reduction, "cum*"},
    {CallFamily::Reduction, "topk"},
    {CallFamily::Reduction, "sort"},
    {CallFamily::Reduction, "count_nonzero"},
    {CallFamily::Reduction, "*_loss"},
    {CallFamily::Reduction, "cross_entropy"},
    {CallFamily::Constant, "arange"},
    {CallFamily::Constant, "full"},
    {CallFamily::Constant, "full_like"},
    {CallFamily::Constant, "zeros*"},
    {CallFamily::Constant, "ones*"},
    {CallFamily::Constant, "empty*"},
    {CallFamily::Constant, "eye"},
    {CallFamily::Constant, "linspace"},
    {CallFamily::Constant, "logspace"},
    {CallFamily::Constant, "new_*"},
    {CallFamily::Constant, "tensor"},
    {CallFamily::Constant, "as_tensor"},
    {CallFamily::Constant, "scalar_tensor"},
    {CallFamily::Constant, "lift_fresh*"},
    {CallFamily::Constant, "tri*_indices"},
    {CallFamily::Shape, "cat"},
    {CallFamily::Shape, "concat*"},
    {CallFamily::Shape, "*stack"},
    {CallFamily::Shape, "split*"},
    {CallFamily::Shape, "chunk"},
    {CallFamily::Shape, "getitem"},
    {CallFamily::Shape, "getattr"},
    {CallFamily::Shape, "size"},
    {CallFamily::Shape, "sym_size"},
    {CallFamily::Shape, "numel"},
    {CallFamily::Shape, "dim"},
    {CallFamily::Shape, "slice*"},
    {CallFamily::Shape, "select*"},
    {CallFamily::Shape, "index*"},
    {CallFamily::Shape, "gather"},
    {CallFamily::Shape, "scatter*"},
    {CallFamily::Shape, "take*"},
    {CallFamily::Shape, "*pad"},
    {CallFamily::Shape, "pad_*"},
    {CallFamily::Shape, "roll"},
    {CallFamily::Shape, "flip*"},
    {CallFamily::Shape, "rot90"},
    {CallFamily::Shape, "repeat*"},
    {CallFamily::Shape, "tile"},
    {CallFamily::Shape, "tril"},
    {CallFamily::Shape, "triu"},
    {CallFamily::Shape, "*shuffle"},
    {CallFamily::Shape, "unfold"},
    {CallFamily::Shape, "fold"},
    {CallFamily::Shape, "im2col"},
    {CallFamily::Shape, "col2im"},
    {CallFamily::Shape, "upsample*"},
    {CallFamily::Shape, "interpolate"},
    {CallFamily::Shape, "grid_sample*"},
    {CallFamily::Shape, "contiguous"},
    {CallFamily::Shape, "clone"},
    {CallFamily::Shape, "reshape*"},
    {CallFamily::Shape, "view*"},
    {CallFamily::Shape, "flatten"},
    {CallFamily::Shape, "expand*"},
    {CallFamily::Shape, "permute*"},
    {CallFamily::Shape, "*transpose"},
    {CallFamily::Shape, "squeeze*"},
    {CallFamily::Shape, "unsqueeze*"},
    {CallFamily::Elementwise, "to"},
    {CallFamily::Elementwise, "_to_copy"},
    {CallFamily::Elementwise, "float"},
    {CallFamily::Elementwise, "half"},
    {CallFamily::Elementwise, "bfloat16"},
    {CallFamily::Elementwise, "double"},
    {CallFamily::Elementwise, "int"},
    {CallFamily::Elementwise, "long"},
    {CallFamily::Elementwise, "bool"},
    {CallFamily::Elementwise, "type_as"},
    {CallFamily::Elementwise, "copy"},
    {CallFamily::Elementwise, "where"},
    {CallFamily::Elementwise, "__and*"},
    {CallFamily::Elementwise, "__or*"},
    {CallFamily::Elementwise, "__xor*"},
    {CallFamily::Elementwise, "masked_fill"},
    {CallFamily::Elementwise, "quantize*"},
    {CallFamily::Elementwise, "dequantize*"},
    {CallFamily::Elementwise, "fake_quantize*"},
};

// Classes of torch.nn and of others are sorted by their names.
constexpr FamilyRow kFamilyClasses[] = {
    {CallFamily::Attention, "*Attention*"},
    {CallFamily::Normalisation, "*Norm*"},
    {CallFamily::Embedding, "*Embedding*"},
    {CallFamily::Random, "*Dropout*"},
    {CallFamily::Random, "*DropPath*"},
    {CallFamily::Random, "*StochasticDepth*"},
    {CallFamily::Reduction, "*Pool*"},
    {CallFamily::Reduction, "*Loss"},
    {CallFamily::Reduction, "*Similarity"},
    {CallFamily::Reduction, "*Distance"},
    {CallFamily::Layer, "*Conv*"},
    {CallFamily::Layer, "*Linear*"},
    {CallFamily::Layer, "*LSTM*"},
    {CallFamily::Layer, "*GRU*"},
    {CallFamily::Layer, "RNN*"},
    {CallFamily::Layer, "*Transformer*"},
    {CallFamily::Layer, "*Bilinear"},
    {CallFamily::Activation, "*LU*"},
    {CallFamily::Activation, "*Sigmoid"},
    {CallFamily::Activation, "*Tanh"},
    {CallFamily::Activation, "*Softmax*"},
    {CallFamily::Activation, "Soft*"},
    {CallFamily::Activation, "Hard*"},
    {CallFamily::Activation, "Mish"},
    {CallFamily::Activation, "*Swish"},
    {CallFamily::Activation, "Threshold"},
    {CallFamily::Activation, "*shrink"},
    {CallFamily::Activation, "*Activation*"},
    {CallFamily::Activation, "*Act"},
    {CallFamily::Shape, "*Pad*"},
    {CallFamily::Shape, "*Flatten"},
    {CallFamily::Shape, "Identity"},
    {CallFamily::Shape, "*Shuffle*"},
    {CallFamily::Shape, "Upsample*"},
    {CallFamily::Shape, "*Fold"},
};

CallFamily familyIn(std::span<const FamilyRow> rows, std::string_view name) {
    const auto row =
        std::ranges::find_if(rows, [&](const FamilyRow& each) { return matchesPattern(each.pattern, name); });
    return row == rows.end() ? CallFamily::Other : row->family;
}

/// By what PyTorch says of the operator of this name: elementwise by its tag, a view by its schema.
CallFamily familyBySchema(const std::string& name) {
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const std::string& overload : {"", "Tensor", "default", "dim"})
        if (const auto found = dispatcher.findSchema({"aten::" + name, overload})) {
            if (found->hasTag(at::Tag::pointwise))
                return CallFamily::Elementwise;
            const auto& returns = found->schema().returns();
            const bool isView =
                !returns.empty() && returns[0].alias_info() && !returns[0].alias_info()->isWrite();
            return isView ? CallFamily::Shape : CallFamily::Other;
        }
    return CallFamily::Other;
}

CallFamily familyOfFunction(Target target) {
    std::string_view name = target.functionName();
    if (contains(target.name(), "_c10d") || contains(target.name(), ".distributed."))
        return CallFamily::Collective;
    name = name.substr(0, name.find('.'));
    while (name.size() > 1 && name.ends_with('_'))
        name.remove_suffix(1);
    if (const CallFamily family = familyIn(kFamilyFunctions, name); family != CallFamily::Other)
        return family;
    if (target.name().starts_with("operator.") || target.name().starts_with("math."))
        return CallFamily::Elementwise;
    return familyBySchema(std::string(name));
}

} // namespace

std::string_view familyName(CallFamily family) {
    static constexpr std::array<std::string_view, static_cast<size_t>(kLastCallFamily) + 1> kNames = {
        "input, output", "weight", "convolution, linear", "normalisation", "activation", "attention",
        "elementwise",   "shape",  "reduction",           "embedding",     "random",     "collective",
        "constant",      "other"};
    return kNames[static_cast<size_t>(family)];
}

CallFamily familyOf(const Node& node, std::string_view className) {
    switch (node.opcode) {
    case Opcode::Placeholder:
    case Opcode::Output:
        return CallFamily::InOut;
    case Opcode::GetAttr:
        return CallFamily::Weight;
    case Opcode::CallModule:
        return familyIn(kFamilyClasses, className);
    case Opcode::CallFunction:
    case Opcode::CallMethod:
        break;
    }
    thread_local std::unordered_map<Target, CallFamily> known;
    const auto [entry, isNew] = known.try_emplace(node.target, CallFamily::Other);
    if (isNew)
        entry->second = familyOfFunction(node.target);
    return entry->second;
}

bool readsSizesAlone(const Node& node) {
    static constexpr std::string_view kSizes[] = {"sym_size", "size",       "sym_numel", "numel",
                                                  "dim",      "sym_stride", "stride"};
    static constexpr std::string_view kAttributes[] = {"shape", "dtype", "device", "ndim"};
    if (node.opcode != Opcode::CallFunction && node.opcode != Opcode::CallMethod)
        return false;
    std::string_view name = node.target.functionName();
    name = name.substr(0, name.find('.'));
    if (const auto* attribute = node.args.size() > 1 ? node.args[1].as<std::string>() : nullptr;
        attribute && name == "getattr")
        return std::ranges::find(kAttributes, *attribute) != std::end(kAttributes);
    return std::ranges::find(kSizes, name) != std::end(kSizes) ||
           (familyOf(node) == CallFamily::Constant &&
            (name.ends_with("_like") || (name.starts_with("new_") && name != "new_tensor")));
}

} // namespace fx
