// SPDX-License-Identifier: GPL-3.0-or-later
// A graph as nodes of a TorchScript program, node by node: operators by the schemas that a run would call
// (core/interpret/bind_node.h), Python's own functions by TorchScript's (python_lowering.cpp, subscripts in
// subscript_lowering.cpp), operators that take graphs as its branches and loops (control_lowering.cpp). What
// modules are is module_lowering.h's business.
#pragma once

#include "core/io/script/lowered.h"
#include "core/ir/graph.h"

#include <c10/util/ArrayRef.h>
#include <torch/csrc/jit/ir/named_value.h>

#include <functional>
#include <optional>
#include <unordered_map>

namespace fx {

struct BoundNode;
class Error;
struct Operand;

class GraphLowering {
public:
    /// What a graph needs of where it stands.
    struct Place {
        /// The value of what a get_attr node reads.
        std::function<Lowered(GraphLowering&, const Node&)> attribute;
        /// A call of a module, or of what is Python in PyTorch; none for what is neither.
        std::function<std::optional<Lowered>(GraphLowering&, const Node&)> call;
        /// What the graph of a module gives, which a node has read, put here.
        std::function<Lowered(GraphLowering&, const Lowered& graph, std::vector<Lowered>)> inlined;
        /// Where the node is written; may be null.
        std::function<torch::jit::SourceRange(NodeId)> source;
        /// Hears what a node has become: what stands in the program behind `before`; may be null.
        std::function<void(const Node&, torch::jit::Node* before)> became = nullptr;
        /// Gives what stands for the value of a node that has no form; null: the error is thrown.
        std::function<Lowered(const Node&, const Error& why)> missing = nullptr;
    };

    GraphLowering(const Graph& from, torch::jit::Graph& to, const Place& place)
        : m_from(from), m_to(to), m_place(place) {}

    /// Puts the graph's nodes at the insert point; gives what it returns. Throws an Error that names the
    /// node.
    Lowered run(std::vector<Lowered> inputs);

    // --- For those who lower calls.
    torch::jit::Graph& to() { return m_to; }
    const torch::jit::SourceRange& range() const { return m_range; }
    const Lowered& valueOf(NodeId node) const { return m_values.at(node); }
    Lowered lowered(const Argument& argument);
    /// One value of the program, for a parameter of that type; null: for anybody.
    JitValue* single(const Lowered& value, const c10::Type* wanted = nullptr);
    JitValue* single(const Argument& argument) { return single(lowered(argument)); }
    /// A constant.
    Lowered constant(const c10::IValue& value);
    /// A call of the operator, with a value for each of its parameters.
    Lowered call(const c10::FunctionSchema& schema, const std::vector<Lowered>& args);
    /// A call of TorchScript's function, which chooses the overload; throws what it throws.
    Lowered callNamed(const std::string& name, const std::vector<Lowered>& args,
                      const std::vector<std::pair<std::string, Lowered>>& kwargs = {});
    bool isTensor(const Lowered& value) const;
    std::optional<std::vector<Lowered>> itemsOf(const Lowered& value);
    /// A branch of the program; gives what the one that is taken gives.
    Lowered branch(JitValue* condition, const std::function<Lowered(bool isTaken)>& body);

private:
    Lowered lower(const Node& node);
    void fail(const Node& node, const Error& error);
    std::optional<Lowered> bound(const Node& node);
    Lowered ofOperand(const Operand& operand);
    JitValue* asNumber(JitValue* value, const c10::Type* wanted);
    /// By the name of the function alone.
    std::optional<Lowered> byName(const Node& node);

    // --- python_lowering.cpp
    std::optional<Lowered> pythonFunction(const Node& node);
    std::optional<Lowered> pythonMethod(const Node& node);
    std::optional<Lowered> attributeOf(const Lowered& value, const std::string& name);
    std::optional<Lowered> numbers(const std::string& name, const std::vector<Lowered>& args);
    Lowered converted(const Node& node, const Lowered& self);
    void require(JitValue* condition, const std::string& message);

    // --- subscript_lowering.cpp
    Lowered subscript(const Lowered& object, const Argument& index);
    void setSubscript(const Lowered& object, const Argument& index, const Argument& value);
    struct Indexed;
    Indexed indexed(const Lowered& tensor, const Argument& index);

    // --- control_lowering.cpp
    std::optional<Lowered> control(const Node& node);
    Lowered branch(const Node& node);
    Lowered loop(const Node& node);
    JitValue* truth(const Lowered& value);
    std::vector<Lowered> spread(const Argument& argument);

    const Graph& m_from;
    torch::jit::Graph& m_to;
    const Place& m_place;
    torch::jit::SourceRange m_range;
    std::unordered_map<NodeId, Lowered> m_values;
};

} // namespace fx
