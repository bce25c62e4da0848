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

using enum CallFamily;

struct FamilyRow {
    CallFamily family;
    std::string_view pattern;
};

// The first pattern that fits counts. Names stand without namespace and overload, and without the underscore
// of calls in place. What no row names is told by the operator's tags and schema.
constexpr FamilyRow kFunctions[] = {
    {Attention, "*attention*"},
    {Collective, "all_reduce*"},
    {Collective, "all_gather*"},
    {Collective, "reduce_scatter*"},
    {Collective, "all_to_all*"},
    {Collective, "broadcast_coalesced"},
    {Collective, "wait_tensor"},
    {Random, "*dropout*"},
    {Random, "rand*"},
    {Random, "bernoulli"},
    {Random, "multinomial"},
    {Random, "normal"},
    {Random, "uniform"},
    {Random, "poisson"},
    {Random, "exponential"},
    {Embedding, "embedding*"},
    {Embedding, "one_hot"},
    {Elementwise, "*convert*"},
    {Layer, "*conv*"},
    {Layer, "*linear"},
    {Layer, "linear_*"},
    {Layer, "bilinear"},
    {Layer, "*mm"},
    {Layer, "matmul"},
    {Layer, "mv"},
    {Layer, "addmv"},
    {Layer, "dot"},
    {Layer, "vdot"},
    {Layer, "einsum"},
    {Layer, "tensordot"},
    {Layer, "inner"},
    {Layer, "outer"},
    {Layer, "lstm*"},
    {Layer, "gru*"},
    {Layer, "rnn_*"},
    {Reduction, "norm"},
    {Reduction, "*vector_norm"},
    {Reduction, "*matrix_norm"},
    {Reduction, "linalg_norm"},
    {Normalisation, "*norm"},
    {Normalisation, "*norm_*"},
    {Normalisation, "normalize"},
    {Activation, "*relu*"},
    {Activation, "*elu"},
    {Activation, "*glu"},
    {Activation, "*sigmoid"},
    {Activation, "*tanh"},
    {Activation, "*softmax*"},
    {Activation, "softmin"},
    {Activation, "silu"},
    {Activation, "mish"},
    {Activation, "hardswish"},
    {Activation, "soft*"},
    {Activation, "hardshrink"},
    {Activation, "tanhshrink"},
    {Activation, "threshold"},
    {Reduction, "*pool*"},
    {Reduction, "sum*"},
    {Reduction, "mean"},
    {Reduction, "median"},
    {Reduction, "std*"},
    {Reduction, "var*"},
    {Reduction, "prod"},
    {Reduction, "all"},
    {Reduction, "any"},
    {Reduction, "amax"},
    {Reduction, "amin"},
    {Reduction, "aminmax"},
    {Reduction, "arg*"},
    {Reduction, "max"},
    {Reduction, "min"},
    {Reduction, "logsumexp"},
    {Reduction, "cum*"},
    {Reduction, "topk"},
    {Reduction, "sort"},
    {Reduction, "count_nonzero"},
    {Reduction, "*_loss"},
    {Reduction, "cross_entropy"},
    {Constant, "arange"},
    {Constant, "full"},
    {Constant, "full_like"},
    {Constant, "zeros*"},
    {Constant, "ones*"},
    {Constant, "empty*"},
    {Constant, "eye"},
    {Constant, "linspace"},
    {Constant, "logspace"},
    {Constant, "new_*"},
    {Constant, "tensor"},
    {Constant, "as_tensor"},
    {Constant, "scalar_tensor"},
    {Constant, "lift_fresh*"},
    {Constant, "tri*_indices"},
    {Shape, "cat"},
    {Shape, "concat*"},
    {Shape, "*stack"},
    {Shape, "split*"},
    {Shape, "chunk"},
    {Shape, "getitem"},
    {Shape, "getattr"},
    {Shape, "size"},
    {Shape, "sym_size"},
    {Shape, "numel"},
    {Shape, "dim"},
    {Shape, "slice*"},
    {Shape, "select*"},
    {Shape, "index*"},
    {Shape, "gather"},
    {Shape, "scatter*"},
    {Shape, "take*"},
    {Shape, "*pad"},
    {Shape, "pad_*"},
    {Shape, "roll"},
    {Shape, "flip*"},
    {Shape, "rot90"},
    {Shape, "repeat*"},
    {Shape, "tile"},
    {Shape, "tril"},
    {Shape, "triu"},
    {Shape, "*shuffle"},
    {Shape, "unfold"},
    {Shape, "fold"},
    {Shape, "im2col"},
    {Shape, "col2im"},
    {Shape, "upsample*"},
    {Shape, "interpolate"},
    {Shape, "grid_sample*"},
    {Shape, "contiguous"},
    {Shape, "clone"},
    {Shape, "reshape*"},
    {Shape, "view*"},
    {Shape, "flatten"},
    {Shape, "expand*"},
    {Shape, "permute*"},
    {Shape, "*transpose"},
    {Shape, "squeeze*"},
    {Shape, "unsqueeze*"},
    {Elementwise, "to"},
    {Elementwise, "_to_copy"},
    {Elementwise, "float"},
    {Elementwise, "half"},
    {Elementwise, "bfloat16"},
    {Elementwise, "double"},
    {Elementwise, "int"},
    {Elementwise, "long"},
    {Elementwise, "bool"},
    {Elementwise, "type_as"},
    {Elementwise, "copy"},
    {Elementwise, "where"},
    {Elementwise, "__and*"},
    {Elementwise, "__or*"},
    {Elementwise, "__xor*"},
    {Elementwise, "masked_fill"},
    {Elementwise, "quantize*"},
    {Elementwise, "dequantize*"},
    {Elementwise, "fake_quantize*"},
};

// Classes of torch.nn and of others are sorted by their names.
constexpr FamilyRow kClasses[] = {
    {Attention, "*Attention*"},
    {Normalisation, "*Norm*"},
    {Embedding, "*Embedding*"},
    {Random, "*Dropout*"},
    {Random, "*DropPath*"},
    {Random, "*StochasticDepth*"},
    {Reduction, "*Pool*"},
    {Reduction, "*Loss"},
    {Reduction, "*Similarity"},
    {Reduction, "*Distance"},
    {Layer, "*Conv*"},
    {Layer, "*Linear*"},
    {Layer, "*LSTM*"},
    {Layer, "*GRU*"},
    {Layer, "RNN*"},
    {Layer, "*Transformer*"},
    {Layer, "*Bilinear"},
    {Activation, "*LU*"},
    {Activation, "*Sigmoid"},
    {Activation, "*Tanh"},
    {Activation, "*Softmax*"},
    {Activation, "Soft*"},
    {Activation, "Hard*"},
    {Activation, "Mish"},
    {Activation, "*Swish"},
    {Activation, "Threshold"},
    {Activation, "*shrink"},
    {Activation, "*Activation*"},
    {Activation, "*Act"},
    {Shape, "*Pad*"},
    {Shape, "*Flatten"},
    {Shape, "Identity"},
    {Shape, "*Shuffle*"},
    {Shape, "Upsample*"},
    {Shape, "*Fold"},
};

CallFamily familyIn(std::span<const FamilyRow> rows, std::string_view name) {
    const auto row =
        std::ranges::find_if(rows, [&](const FamilyRow& each) { return matchesPattern(each.pattern, name); });
    return row == rows.end() ? Other : row->family;
}

/// By what PyTorch says of the operator of this name: elementwise by its tag, a view by its schema.
CallFamily familyBySchema(const std::string& name) {
    auto& dispatcher = c10::Dispatcher::singleton();
    for (const std::string& overload : {"", "Tensor", "default", "dim"})
        if (const auto found = dispatcher.findSchema({"aten::" + name, overload})) {
            if (found->hasTag(at::Tag::pointwise))
                return Elementwise;
            const auto& returns = found->schema().returns();
            const bool isView =
                !returns.empty() && returns[0].alias_info() && !returns[0].alias_info()->isWrite();
            return isView ? Shape : Other;
        }
    return Other;
}

CallFamily familyOfFunction(Target target) {
    std::string_view name = target.functionName();
    if (contains(target.name(), "_c10d") || contains(target.name(), ".distributed."))
        return Collective;
    name = name.substr(0, name.find('.'));
    while (name.size() > 1 && name.ends_with('_'))
        name.remove_suffix(1);
    if (const CallFamily family = familyIn(kFunctions, name); family != Other)
        return family;
    if (target.name().starts_with("operator.") || target.name().starts_with("math."))
        return Elementwise;
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
        return InOut;
    case Opcode::GetAttr:
        return Weight;
    case Opcode::CallModule:
        return familyIn(kClasses, className);
    case Opcode::CallFunction:
    case Opcode::CallMethod:
        break;
    }
    thread_local std::unordered_map<Target, CallFamily> known;
    const auto [entry, isNew] = known.try_emplace(node.target, Other);
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
           (familyOf(node) == Constant &&
            (name.ends_with("_like") || (name.starts_with("new_") && name != "new_tensor")));
}

} // namespace fx
