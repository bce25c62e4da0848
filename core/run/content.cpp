// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/content.h"

#include "core/interpret/structure.h"
#include "core/torch/values/value_text.h"

#include <ATen/ATen.h>

#include <functional>
#include <string_view>

namespace fx {

namespace {

size_t elementsOf(const at::Tensor& tensor) {
    const bool isPlain = tensor.defined() && tensor.layout() == at::kStrided && !tensor.is_meta() &&
                         !tensor.is_quantized() && !tensor.is_neg() && !tensor.is_conj();
    if (!isPlain)
        return 0;
    const at::Tensor here = tensor.detach().cpu().contiguous();
    return std::hash<std::string_view>()({static_cast<const char*>(here.const_data_ptr()), here.nbytes()});
}

} // namespace

uint64_t contentOf(const Value& value) {
    uint64_t content = std::hash<std::string>()(valueText(value));
    for (const Value& leaf : flattened(value))
        if (leaf.isTensor())
            content = content * 31 + elementsOf(leaf.data().toTensor());
    return content;
}

} // namespace fx
