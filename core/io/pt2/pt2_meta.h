// SPDX-License-Identifier: GPL-3.0-or-later
// What a .pt2 records about values and nodes: shapes with symbolic sizes, stack traces, module stacks.
#pragma once

#include "core/io/json.h"
#include "core/io/pt2/symbolic_text.h"
#include "core/io/tensor_bytes.h"
#include "core/ir/meta.h"

#include <functional>
#include <string>
#include <unordered_map>

namespace fx {

/// The values of one graph by name. Graphs nest, and each has its own.
class Pt2Values {
public:
    Pt2Values(const JsonDocument& json, const Json& graph, SymbolicText& symbols);

    bool contains(const std::string& name) const { return m_values.contains(name); }
    ValueMeta meta(const std::string& name) const;

private:
    enum class Kind { Tensor, Int, Float, Bool, Object };
    const JsonDocument& m_json;
    SymbolicText& m_symbols;
    std::unordered_map<std::string, std::pair<Kind, const Json*>> m_values;
};

c10::ScalarType pt2Dtype(const JsonDocument& json, const Json& code);
c10::Layout pt2Layout(const JsonDocument& json, const Json& code);
c10::MemoryFormat pt2MemoryFormat(const JsonDocument& json, const Json& code);
c10::Device pt2Device(const JsonDocument& json, const Json& device);
/// A tensor's description with fixed sizes, as weights have.
StridedShape pt2Shape(const JsonDocument& json, const Json& tensorMeta);

/// Calls `set` for each entry of a node's "metadata" that is understood.
void forEachPt2Meta(const JsonDocument& json, const Json& metadata,
                    const std::function<void(std::string_view key, MetaValue value)>& set);

} // namespace fx
