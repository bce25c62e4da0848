// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a TorchScript program that become graphs of their own, as data decides whether or how often they
// run. A body is recorded in the graph around it, so that each node has one number, and then copied into the
// graph of a module. What it reads from outside becomes its inputs; reads of the model's tensors stay
// outside.
#pragma once

#include "core/trace/script/script_state.h"

#include <map>
#include <unordered_set>

namespace fx {

struct Body {
    std::vector<NodeId> nodes; ///< as they were recorded; those that stay outside are not among them
    Argument result;
};

/// Whether both are the same object, or the same text.
bool isSameValue(const Value& one, const Value& other);
/// Whether a graph can give or take the value by itself: a proxy, a tensor, a number or a bool.
bool isGraphValue(const Value& value);
/// Two values of one structure as one: lists, tuples and dicts are entered; `leaf` gives what stands for two
/// values that are none, or of which the structures differ.
using MergeLeaves = std::function<Value(const Value& one, const Value& other)>;
Value merged(const Value& one, const Value& other, const MergeLeaves& leaf);
/// A proxy that stands for as many values as `like` has, taken apart as that is; other values as they are.
Value takenApart(ScriptTracer& tracer, const Value& value, const Value& like);

/// Whether both are tensors of one shape and dtype; a shape that is not known is none.
bool areSameShapes(const std::optional<Value>& one, const std::optional<Value>& other);

/// The node of the value without conversions of a tensor to a number or bool, which is what branches ask of.
NodeId withoutConversions(const ScriptTracer& tracer, NodeId node);

class ScriptBodies {
public:
    explicit ScriptBodies(ScriptState& state) : m_state(state) {}

    /// What `run` records. Throws where it changes a list, dict or attribute of the program that is there
    /// before: whether that happens is not known.
    std::vector<NodeId> record(const std::function<void()>& run);
    /// What `run` records besides, which changes nothing.
    void recordMore(Body& body, const std::function<void()>& run);
    /// The nodes that the bodies read and do not make, each once, in the order of reading.
    std::vector<NodeId> readOutside(const std::vector<const Body*>& bodies) const;
    /// A get_attr node for a new module whose graph is the body; `kind` is the beginning of its name. The
    /// inputs are nodes outside, and placeholders of a loop. A node of `standsFor` is an input as well, the
    /// one of that index.
    NodeId makeGraph(const char* kind, const Body& body, const std::vector<NodeId>& inputs,
                     const std::map<NodeId, size_t>& standsFor = {});
    void erase(const std::vector<NodeId>& nodes);

private:
    std::vector<NodeId> nodesSince(NodeId first) const;

    ScriptState& m_state;
};

} // namespace fx
