// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/clean/recorded.h"

namespace fx {

namespace {

void copyMeta(Edit& edit, NodeId from, NodeId to, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        if (const SharedMeta known = edit.node(from).meta.shared(key))
            edit.setMeta(to, key, known);
}

} // namespace

const TensorMeta* recordedTensor(const Node& node) {
    const ValueMeta* value = knownValue(node.meta);
    return value ? std::get_if<TensorMeta>(&value->value) : nullptr;
}

void copyPlace(Edit& edit, NodeId from, NodeId to) {
    copyMeta(edit, from, to, {meta::kModuleStack, meta::kStackTrace});
}

void copyRecorded(Edit& edit, NodeId from, NodeId to) {
    copyMeta(edit, from, to, {meta::kValue, meta::kTensorMeta});
}

} // namespace fx
