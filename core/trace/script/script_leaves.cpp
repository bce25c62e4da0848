// SPDX-License-Identifier: GPL-3.0-or-later
// A scripted module holds its
// hyper-parameters; of a traced one they are found in its code, as arguments of the one operator that it
// calls. What cannot be told is traced through.
#include "core/trace/script/script_leaves.h"

#include "core/base/text.h"
#include "core/module/scopes.h"
#include "core/trace/script/script_values.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>

namespace fx {

namespace {

struct Recipe {
    std::string_view types;      ///< names of classes, separated by spaces; `Conv*` with any ending
    std::string_view operators;  ///< one of these is all that the code calls
    std::string_view parameters; ///< argument=attribute, separated by spaces
};
constexpr Recipe kRecipes[] = {
    {"Conv1d Conv2d Conv3d", "_convolution convolution conv1d conv2d conv3d",
     "stride=stride padding=padding dilation=dilation groups=groups output_padding=output_padding "
     "transposed=transposed"},
    {"ConvTranspose1d ConvTranspose2d ConvTranspose3d", "_convolution convolution",
     "stride=stride padding=padding dilation=dilation groups=groups output_padding=output_padding "
     "transposed=transposed"},
    {"Linear NonDynamicallyQuantizableLinear", "linear", ""},
    {"BatchNorm1d BatchNorm2d BatchNorm3d", "batch_norm", "eps=eps momentum=momentum"},
    {"LayerNorm", "layer_norm", "normalized_shape=normalized_shape eps=eps"},
    {"GroupNorm", "group_norm", "num_groups=num_groups eps=eps"},
    {"ReLU SiLU Hardswish Hardsigmoid Mish SELU ReLU6",
     "relu relu_ silu silu_ hardswish hardswish_ hardsigmoid hardsigmoid_ mish mish_ selu selu_ relu6 relu6_",
     "inplace=inplace"},
    {"Sigmoid Tanh Softsign LogSigmoid Tanhshrink", "sigmoid tanh softsign log_sigmoid tanhshrink", ""},
    {"GELU", "gelu", "approximate=approximate"},
    {"LeakyReLU", "leaky_relu leaky_relu_", "negative_slope=negative_slope inplace=inplace"},
    {"ELU", "elu elu_", "alpha=alpha inplace=inplace"},
    {"Softplus", "softplus", "beta=beta threshold=threshold"},
    {"Softmax", "softmax", "dim=dim"},
    {"LogSoftmax", "log_softmax", "dim=dim"},
    {"Dropout", "dropout", "p=p"},
    {"Dropout1d Dropout2d Dropout3d", "feature_dropout", "p=p"},
    {"MaxPool1d MaxPool2d MaxPool3d", "max_pool1d max_pool2d max_pool3d",
     "kernel_size=kernel_size stride=stride padding=padding dilation=dilation ceil_mode=ceil_mode"},
    {"AvgPool1d AvgPool2d AvgPool3d", "avg_pool1d avg_pool2d avg_pool3d",
     "kernel_size=kernel_size stride=stride padding=padding ceil_mode=ceil_mode "
     "count_include_pad=count_include_pad "
     "divisor_override=divisor_override"},
    {"AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d",
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d", "output_size=output_size"},
    {"Embedding", "embedding", "padding_idx=padding_idx scale_grad_by_freq=scale_grad_by_freq sparse=sparse"},
    {"Flatten", "flatten", "start_dim=start_dim end_dim=end_dim"},
    {"PixelShuffle", "pixel_shuffle", "upscale_factor=upscale_factor"},
    {"PixelUnshuffle", "pixel_unshuffle", "downscale_factor=downscale_factor"},
    {"ChannelShuffle", "channel_shuffle", "groups=groups"},
    {"Identity", "", ""},
};

bool lists(std::string_view words, std::string_view word) {
    for (const std::string_view each : split(words, ' '))
        if (each == word)
            return true;
    return false;
}

/// The value of a constant, or a list of constants, in the code.
std::optional<Value> constantOf(const torch::jit::Value* value) {
    if (const std::optional<c10::IValue> constant = torch::jit::toIValue(value))
        return fromIValue(*constant);
    if (value->node()->kind() != c10::prim::ListConstruct)
        return std::nullopt;
    Values items;
    for (const torch::jit::Value* input : value->node()->inputs()) {
        std::optional<Value> item = constantOf(input);
        if (!item)
            return std::nullopt;
        items.push_back(std::move(*item));
    }
    return makeTuple(std::move(items));
}

/// A traced module keeps tensors and children alone.
bool isBare(const torch::jit::Module& module) {
    const c10::ClassTypePtr type = module.type();
    if (type->numConstants() > 0)
        return false;
    for (size_t i = 0; i < type->numAttributes(); ++i) {
        const c10::IValue& value = module._ivalue()->getSlot(i);
        const std::string& name = type->getAttributeName(i);
        if (!value.isTensor() && !value.isModule() && !value.isNone() && name != "training" &&
            name != "_is_full_backward_hook")
            return false;
    }
    return true;
}

Value sizesFrom(const at::Tensor& weight, int64_t first) {
    Values items;
    for (int64_t i = first; i < weight.dim(); ++i)
        items.push_back(makeInt(weight.size(i)));
    return makeTuple(std::move(items));
}

using Attributes = std::vector<std::pair<std::string, Value>>;

/// What the shapes of the tensors tell.
void addShapes(Attributes& out, const torch::jit::Module& module, const std::string& name,
               bool isTransposed) {
    const auto tensor = [&](const char* key) {
        const bool isThere = module.hasattr(key) && module.attr(key).isTensor();
        return isThere ? module.attr(key).toTensor() : at::Tensor();
    };
    const at::Tensor weight = tensor("weight"), mean = tensor("running_mean");
    if (name.find("Linear") != std::string::npos && weight.dim() == 2) {
        out.emplace_back("in_features", makeInt(weight.size(1)));
        out.emplace_back("out_features", makeInt(weight.size(0)));
    } else if (name.starts_with("Conv") && weight.dim() > 2) {
        int64_t groups = 1;
        for (const auto& [key, value] : out)
            groups = key == "groups" && value.isInt() ? value.data().toInt() : groups;
        out.emplace_back("kernel_size", sizesFrom(weight, 2));
        out.emplace_back("in_channels", makeInt(isTransposed ? weight.size(0) : weight.size(1) * groups));
        out.emplace_back("out_channels", makeInt(isTransposed ? weight.size(1) * groups : weight.size(0)));
        out.emplace_back("padding_mode", makeText("zeros"));
    } else if (name == "Embedding" && weight.dim() == 2) {
        out.emplace_back("num_embeddings", makeInt(weight.size(0)));
        out.emplace_back("embedding_dim", makeInt(weight.size(1)));
        out.emplace_back("max_norm", Value());
        out.emplace_back("norm_type", c10::IValue(2.0));
    } else if (name.starts_with("BatchNorm")) {
        out.emplace_back("num_features", makeInt(mean.defined()     ? mean.size(0)
                                                 : weight.defined() ? weight.size(0)
                                                                    : 0));
        out.emplace_back("affine", c10::IValue(weight.defined()));
        out.emplace_back("track_running_stats", c10::IValue(mean.defined()));
    } else if (name == "LayerNorm" || name == "GroupNorm") {
        out.emplace_back(name == "LayerNorm" ? "elementwise_affine" : "affine",
                         c10::IValue(weight.defined()));
        if (name == "GroupNorm" && weight.defined())
            out.emplace_back("num_channels", makeInt(weight.size(0)));
    } else if (name.starts_with("MaxPool")) {
        out.emplace_back("return_indices", c10::IValue(false));
    }
    // What is absent is None in Python.
    for (const char* key : {"weight", "bias", "running_mean", "running_var", "num_batches_tracked"})
        if (!module.hasattr(key) && (name.starts_with("Conv") || name.find("Linear") != std::string::npos ||
                                     name.ends_with("Norm") || name.starts_with("BatchNorm")))
            out.emplace_back(key, Value());
}

std::optional<Attributes> recover(const torch::jit::Module& module, const std::string& name) {
    const auto* recipe = std::find_if(std::begin(kRecipes), std::end(kRecipes),
                                      [&](const Recipe& r) { return lists(r.types, name); });
    const auto method = module.find_method("forward");
    if (recipe == std::end(kRecipes) || !method || method->graph()->inputs().size() != 2)
        return std::nullopt;
    const torch::jit::Node* found = nullptr;
    for (const torch::jit::Node* node : method->graph()->nodes()) {
        const auto kind = node->kind();
        if (kind == c10::prim::Constant || kind == c10::prim::GetAttr || kind == c10::prim::ListConstruct)
            continue;
        if (found || !kind.is_aten() || !node->maybeSchema() ||
            !lists(recipe->operators, kind.toUnqualString()))
            return std::nullopt;
        found = node;
    }
    if (method->graph()->outputs().size() != 1 ||
        (found ? found->outputs().size() != 1 || method->graph()->outputs()[0] != found->output() ||
                     found->inputs()[name == "Embedding" ? 1 : 0] != method->graph()->inputs()[1]
               : method->graph()->outputs()[0] != method->graph()->inputs()[1]))
        return std::nullopt;
    if (!found && name != "Identity")
        return std::nullopt;
    Attributes out;
    bool isTransposed = false;
    for (const std::string_view pair : split(recipe->parameters, ' ')) {
        const size_t equals = pair.find('=');
        if (equals == std::string_view::npos)
            continue;
        const std::string argument(pair.substr(0, equals)), attribute(pair.substr(equals + 1));
        const auto index = found->schema().argumentIndexWithName(argument);
        if (!index) {
            if (argument == "inplace")
                out.emplace_back(attribute,
                                 c10::IValue(std::string(found->kind().toUnqualString()).ends_with('_')));
            else if (argument == "transposed")
                out.emplace_back(attribute, c10::IValue(false));
            continue;
        }
        std::optional<Value> value = constantOf(found->inputs()[static_cast<size_t>(*index)]);
        if (!value)
            return std::nullopt;
        if (argument == "transposed")
            isTransposed = value->isBool() && value->data().toBool();
        if (argument == "padding_idx" && value->isInt() && value->data().toInt() < 0)
            value = Value();
        const auto* list = value->as<SequenceObject>();
        if (argument == "stride" && list && list->items.empty())
            value = constantOf(
                found->inputs()[static_cast<size_t>(*found->schema().argumentIndexWithName("kernel_size"))]);
        if (list && list->isList)
            value = makeTuple(list->items);
        // Pools are made with one number as a rule.
        const auto* sizes = name.find("Pool") != std::string::npos ? value->as<SequenceObject>() : nullptr;
        if (sizes && !sizes->items.empty() &&
            std::all_of(sizes->items.begin(), sizes->items.end(),
                        [&](const Value& v) { return areEqual(v, sizes->items[0]); }))
            value = Value(sizes->items[0]);
        out.emplace_back(attribute, std::move(*value));
    }
    if (name.starts_with("ConvTranspose") != isTransposed)
        return std::nullopt;
    if (name == "ReLU6") {
        out.emplace_back("min_val", c10::IValue(0.0));
        out.emplace_back("max_val", c10::IValue(6.0));
    }
    if (name.starts_with("Dropout"))
        out.emplace_back("inplace", c10::IValue(false));
    addShapes(out, module, name, isTransposed);
    return out;
}

} // namespace

bool ScriptLeaves::complete(const torch::jit::Module& module, const std::string& type,
                            const std::string& path) {
    const auto [known, isNew] = m_known.try_emplace(path, true);
    if (isNew && !type.starts_with("torch.")) {
        known->second = false;
        m_state.tracer.note(
            "calls of " + path + " (" + type +
            ") are traced through: a TorchScript program keeps no class that could be called");
    }
    if (!isNew || !known->second || !isBare(module))
        return known->second;
    const std::string name = shortTypeName(type);
    if (const std::optional<Attributes> attributes = recover(module, name)) {
        for (const auto& [key, value] : *attributes)
            if (!module.hasattr(key))
                m_state.tracer.addValue(path + '.' + key, plainArgument(value));
        return true;
    }
    known->second = false;
    return false;
}

Value ScriptLeaves::record(const torch::jit::Node& node, const std::string& path,
                           const torch::jit::Function& method, Values args) {
    args.erase(args.begin());
    const auto& parameters = method.getSchema().arguments(); // the first is self
    Values positional;
    NamedValues keywords;
    const std::optional<WrittenCall> call = writtenCall(m_state.tracer.placeOfNode(node).text);
    bool isWritten = call && !call->hasStar() && call->arguments.size() <= args.size();
    if (isWritten) {
        for (const WrittenCall::Argument& argument : call->arguments) {
            if (argument.keyword.empty()) {
                positional.push_back(args[positional.size()]);
                continue;
            }
            size_t at = 1;
            while (at < parameters.size() && parameters[at].name() != argument.keyword)
                ++at;
            if (at - 1 >= args.size())
                isWritten = false;
            else
                keywords.emplace_back(argument.keyword, args[at - 1]);
        }
        // Each argument that is not at its default must stand there.
        for (size_t i = positional.size(); i < args.size() && isWritten; ++i) {
            const auto& otherwise =
                i + 1 < parameters.size() ? parameters[i + 1].default_value() : std::nullopt;
            const bool isNamed = std::any_of(keywords.begin(), keywords.end(), [&](const auto& k) {
                return k.first == parameters[i + 1].name();
            });
            isWritten = isNamed || (otherwise && m_state.knowledge.isKnown(args[i]) &&
                                    areEqual(args[i], fromIValue(*otherwise)));
        }
    }
    if (!isWritten) {
        keywords.clear();
        positional = args;
        while (!positional.empty() && positional.size() < parameters.size()) {
            const auto& otherwise = parameters[positional.size()].default_value();
            if (!otherwise || !m_state.knowledge.isKnown(positional.back()) ||
                holdsTensor(positional.back()) || !areEqual(positional.back(), fromIValue(*otherwise)))
                break;
            positional.pop_back();
        }
    }
    return m_state.tracer.record(Opcode::CallModule, path, positional, keywords);
}

} // namespace fx
