// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/meta.h"

#include "core/base/text.h"
#include "core/ir/argument_text.h"
#include "core/ir/dtype.h"

#include <algorithm>

namespace fx {

std::string dimensionText(const Dimension& dimension) {
    if (const auto* number = std::get_if<int64_t>(&dimension))
        return std::to_string(*number);
    return std::get<SymbolicInt>(dimension).formula;
}

std::string shapeText(const std::vector<Dimension>& shape) {
    std::vector<std::string> parts;
    for (const Dimension& dimension : shape)
        parts.push_back(dimensionText(dimension));
    return '[' + join(parts, ", ") + ']';
}

std::string valueMetaText(const ValueMeta& meta) {
    if (const auto* tensor = std::get_if<TensorMeta>(&meta.value))
        return std::string(dtypeAbbreviation(tensor->dtype)) + shapeText(tensor->shape);
    if (const auto* scalar = std::get_if<SymbolicScalar>(&meta.value))
        return scalar->formula;
    if (const auto* constant = std::get_if<Argument>(&meta.value))
        return reprText(*constant, [](NodeId) { return std::string(); });
    if (const auto* items = std::get_if<std::vector<ValueMeta>>(&meta.value)) {
        std::vector<std::string> parts;
        for (const ValueMeta& item : *items)
            parts.push_back(valueMetaText(item));
        return '(' + join(parts, ", ") + (parts.size() == 1 ? ",)" : ")");
    }
    return "None";
}

SharedMeta Meta::shared(std::string_view key) const {
    for (const auto& [name, value] : m_entries)
        if (name == key)
            return value;
    return {};
}

bool ModuleStack::operator==(const ModuleStack& other) const {
    return std::equal(m_frames.begin(), m_frames.end(), other.m_frames.begin(), other.m_frames.end(),
                      [](const auto& a, const auto& b) { return a == b || *a == *b; });
}

void Meta::set(std::string_view key, SharedMeta value) {
    const auto at = std::find_if(m_entries.begin(), m_entries.end(),
                                 [key](const auto& entry) { return entry.first == key; });
    if (!value) {
        if (at != m_entries.end())
            m_entries.erase(at);
    } else if (at != m_entries.end()) {
        at->second = std::move(value);
    } else {
        if (m_entries.empty())
            m_entries.reserve(2); // the traced and the captured nodes have two and more
        m_entries.emplace_back(key, std::move(value));
    }
}

const ValueMeta* knownValue(const Meta& meta) {
    if (const auto* measured = meta.find<ValueMeta>(meta::kTensorMeta))
        return measured;
    return meta.find<ValueMeta>(meta::kValue);
}

} // namespace fx
