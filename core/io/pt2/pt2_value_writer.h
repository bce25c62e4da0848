// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a graph and arguments of its nodes as the schema of .pt2 has them.
#pragma once

#include "core/io/json.h"
#include "core/io/pt2/pt2_record.h"
#include "core/ir/graph.h"

#include <c10/core/Device.h>

#include <functional>
#include <string>

namespace c10 {
struct Type;
}

namespace fx {

Json pt2DeviceJson(c10::Device device);
/// A description whose sizes may be formulas. Throws an Error at `place` for a dtype or formula without form.
Json pt2TensorJson(const TensorMeta& meta, int64_t offset, const Pt2Record& record, const std::string& place);
/// A number, with PyTorch's words for those that JSON lacks.
Json pt2Number(double value);

/// What a node gives.
enum class Pt2Kind { None, Tensor, Int, Float, Bool, Several };
Pt2Kind pt2KindOf(const ValueMeta* value);

/// The values of one graph, gathered while its nodes are written.
class Pt2ValueTables {
public:
    explicit Pt2ValueTables(const Pt2Record& record) : m_record(record) {}
    /// Notes the value `name` and gives the argument that stands for it: {"as_tensor": {"name": name}}.
    Json define(const std::string& name, const ValueMeta& value, const std::string& place);
    /// Adds the tables to a graph.
    void addTo(Json& graph) const;

private:
    const Pt2Record& m_record;
    Json m_tensors = Json::object(), m_ints = Json::object(), m_bools = Json::object(),
         m_floats = Json::object();
};

/// Writes arguments.
class Pt2Arguments {
public:
    /// `nestedGraph`: what a get_attr node reads.
    Pt2Arguments(const Graph& graph, std::function<Json(const Node& node)> nestedGraph)
        : m_graph(graph), m_nestedGraph(std::move(nestedGraph)) {}

    /// `type`: of the parameter in a schema; null: not known. Throws an Error at `place`.
    Json write(const Argument& argument, const c10::Type* type, const std::string& place) const;

private:
    Json node(NodeId id, const std::string& place) const;
    Json list(const Arguments& items, const c10::Type* type, const std::string& place) const;
    Json dict(const DictValue& value, const std::string& place) const;
    Pt2Kind kindOf(const Argument& argument) const;
    Json named(NodeId id) const;

    const Graph& m_graph;
    std::function<Json(const Node& node)> m_nestedGraph;
};

} // namespace fx
