// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/costs/operator_cost.h"

#include "core/capture/operator_arguments.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace fx {

namespace {

using at::IntArrayRef;
using c10::IValue;
using IValues = at::ArrayRef<IValue>;

IntArrayRef sizesOf(const IValue& value) {
    return value.toTensor().sizes();
}

uint64_t product(IntArrayRef sizes) {
    uint64_t out = 1;
    for (const int64_t size : sizes)
        out *= static_cast<uint64_t>(size);
    return out;
}

/// Of (.., m, k) and (.., k, n).
uint64_t ofMatrices(IntArrayRef left, IntArrayRef right) {
    return 2 * product(left) * static_cast<uint64_t>(right.back());
}

template <size_t at>
uint64_t matrices(IValues args, IValues) {
    return ofMatrices(sizesOf(args[at]), sizesOf(args[at + 1]));
}

/// Each place of the smaller side, the output or of a transposed one the input, meets the whole weight.
uint64_t ofConvolution(IntArrayRef input, IntArrayRef weight, IntArrayRef output, bool isTransposed) {
    const IntArrayRef places = isTransposed ? input : output;
    return 2 * static_cast<uint64_t>(input[0]) * product(places.slice(2)) * product(weight);
}

uint64_t convolution(IValues args, IValues results) {
    return ofConvolution(sizesOf(args[0]), sizesOf(args[1]), sizesOf(results[0]), args[6].toBool());
}

/// Of (gradient, input, weight, ...): the gradient of the input is a convolution with the weight, that of the
/// weight one of the input with the gradient, where batch and channels change their places.
uint64_t convolutionBackward(IValues args, IValues results) {
    const auto swapped = [](IntArrayRef sizes) {
        std::vector<int64_t> out = sizes.vec();
        std::swap(out[0], out[1]);
        return out;
    };
    const bool isTransposed = args[7].toBool();
    const auto mask = args[10].toBoolList();
    const IntArrayRef gradient = sizesOf(args[0]), input = sizesOf(args[1]), weight = sizesOf(args[2]);
    uint64_t out = 0;
    if (mask.get(0))
        out += ofConvolution(gradient, weight, sizesOf(results[0]), !isTransposed);
    if (mask.get(1)) {
        const std::vector<int64_t> made = swapped(sizesOf(results[1]));
        out += isTransposed ? ofConvolution(swapped(gradient), swapped(input), made, false)
                            : ofConvolution(swapped(input), swapped(gradient), made, false);
    }
    return out;
}

uint64_t ofAttention(IntArrayRef query, IntArrayRef key, IntArrayRef value) {
    const uint64_t scores =
        product(query.slice(0, query.size() - 1)) * static_cast<uint64_t>(key[key.size() - 2]);
    return 2 * scores * static_cast<uint64_t>(query.back() + value.back());
}

uint64_t attention(IValues args, IValues) {
    return ofAttention(sizesOf(args[0]), sizesOf(args[1]), sizesOf(args[2]));
}

/// Of (gradient, query, key, value, ...): the scores once more, and two products for each of the two before.
uint64_t attentionBackward(IValues args, IValues) {
    const IntArrayRef query = sizesOf(args[1]), key = sizesOf(args[2]), value = sizesOf(args[3]);
    const uint64_t scores = product(query.slice(0, query.size() - 1)) * static_cast<uint64_t>(key[2]);
    return 2 * scores * static_cast<uint64_t>(3 * query.back() + 2 * value.back());
}

struct Row {
    std::string_view name; ///< all overloads
    uint64_t (*flops)(IValues args, IValues results);
};

constexpr std::array kRows{
    Row{"aten::mm", matrices<0>},
    Row{"aten::bmm", matrices<0>},
    Row{"aten::_scaled_mm", matrices<0>},
    Row{"aten::_int_mm", matrices<0>},
    Row{"aten::addmm", matrices<1>},
    Row{"aten::baddbmm", matrices<1>},
    Row{"aten::convolution", convolution},
    Row{"aten::_convolution", convolution},
    Row{"aten::cudnn_convolution", convolution},
    Row{"aten::convolution_overrideable", convolution},
    Row{"aten::convolution_backward", convolutionBackward},
    Row{"aten::scaled_dot_product_attention", attention},
    Row{"aten::_scaled_dot_product_flash_attention", attention},
    Row{"aten::_scaled_dot_product_flash_attention_for_cpu", attention},
    Row{"aten::_scaled_dot_product_efficient_attention", attention},
    Row{"aten::_scaled_dot_product_cudnn_attention", attention},
    Row{"aten::_scaled_dot_product_flash_attention_backward", attentionBackward},
    Row{"aten::_scaled_dot_product_flash_attention_for_cpu_backward", attentionBackward},
    Row{"aten::_scaled_dot_product_efficient_attention_backward", attentionBackward},
    Row{"aten::_scaled_dot_product_cudnn_attention_backward", attentionBackward},
};

const Row* findRow(std::string_view name) {
    const auto* found = std::ranges::find(kRows, name, &Row::name);
    return found == kRows.end() ? nullptr : found;
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

/// What they give is not written by them.
bool givesUnwritten(std::string_view name) {
    return isOneOf(name, {"aten::empty", "aten::empty_like", "aten::empty_strided", "aten::new_empty",
                          "aten::new_empty_strided"});
}

/// Those read of their first argument only what they give.
bool isLookup(std::string_view name) {
    return isOneOf(name,
                   {"aten::embedding", "aten::index_select", "aten::gather", "aten::index", "aten::take"});
}

/// What they write was not read before.
bool overwrites(const c10::OperatorHandle& op, std::string_view name) {
    return isOneOf(name, {"aten::copy_", "aten::fill_", "aten::zero_"}) ||
           op.hasTag(at::Tag::nondeterministic_seeded);
}

/// Of the numbers that are there: what was expanded is one, and a number that the call names is none.
uint64_t bytesOf(const at::Tensor& tensor) {
    uint64_t count = tensor.unsafeGetTensorImpl()->is_wrapped_number() ? 0 : 1;
    for (int64_t i = 0; i < tensor.dim(); ++i)
        if (tensor.size(i) == 0 || tensor.stride(i) != 0)
            count *= static_cast<uint64_t>(tensor.size(i));
    return count * tensor.element_size();
}

const void* memoryOf(const at::Tensor& tensor) {
    return tensor.has_storage() ? static_cast<const void*>(tensor.storage().unsafeGetStorageImpl())
                                : tensor.unsafeGetTensorImpl();
}

struct Counter {
    OperatorCost& cost;
    Traffic& of(const at::Tensor& tensor) {
        return c10::isFloatingType(tensor.scalar_type()) || tensor.is_complex() ? cost.floating : cost.other;
    }
    void reads(const at::Tensor& tensor, uint64_t most) {
        of(tensor).read += std::min(bytesOf(tensor), most);
    }
    void writes(const at::Tensor& tensor) { of(tensor).written += bytesOf(tensor); }
};

} // namespace

bool isCountedWhole(const c10::OperatorHandle& op) {
    return findRow(op.schema().name()) != nullptr;
}

OperatorCost costOf(const c10::OperatorHandle& op, IValues args, IValues results) {
    const c10::FunctionSchema& schema = op.schema();
    const std::string& name = schema.name();
    OperatorCost cost{.name = name};
    if (const Row* row = findRow(name))
        cost.flops = row->flops(args, results);
    Counter counter{cost};
    std::set<const void*> given, written;
    uint64_t made = 0;
    for (size_t i = 0; i < args.size(); ++i)
        forEachTensor(args[i], [&](const at::Tensor& tensor) {
            given.insert(memoryOf(tensor));
            if (cost.dtype == c10::ScalarType::Undefined)
                cost.dtype = tensor.scalar_type();
            const auto* alias = schema.arguments()[i].alias_info();
            if (alias && alias->isWrite() && written.insert(memoryOf(tensor)).second)
                counter.writes(tensor);
        });
    for (const IValue& result : results)
        forEachTensor(result, [&](const at::Tensor& tensor) {
            if (cost.dtype == c10::ScalarType::Undefined)
                cost.dtype = tensor.scalar_type();
            if (given.contains(memoryOf(tensor)) || !written.insert(memoryOf(tensor)).second)
                return;
            made += bytesOf(tensor);
            if (!givesUnwritten(name))
                counter.writes(tensor);
        });
    const bool isView = written.empty() && !results.empty() && results[0].isTensor();
    if (isView || givesUnwritten(name))
        return cost;
    std::set<const void*> read;
    for (size_t i = 0; i < args.size(); ++i)
        forEachTensor(args[i], [&](const at::Tensor& tensor) {
            const auto* alias = schema.arguments()[i].alias_info();
            const bool isTarget =
                alias && alias->isWrite() && (schema.arguments()[i].kwarg_only() || overwrites(op, name));
            if (!isTarget && read.insert(tensor.unsafeGetTensorImpl()).second)
                counter.reads(tensor, i == 0 && isLookup(name) ? made : UINT64_MAX);
        });
    return cost;
}

} // namespace fx
