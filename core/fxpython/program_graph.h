// SPDX-License-Identifier: GPL-3.0-or-later
// A graph that a Python program holds: torch.fx's Graph and Node, whose classes are text
// (core/torch/library/torch/fx/graph.py and node.py) over a Model of their own that one Edit changes. What of
// a program's values a graph has no kind for (functions, tensors, objects) is kept beside it, so that the
// program gets the very object back.
#pragma once

#include "core/module/edit.h"
#include "core/python/evaluator.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

class SymbolEnvironment;

class ProgramGraph : public std::enable_shared_from_this<ProgramGraph> {
public:
    explicit ProgramGraph(std::string rootType = "GraphModule");
    ProgramGraph(const ProgramGraph&) = delete;
    ProgramGraph& operator=(const ProgramGraph&) = delete;

    Edit& edit() { return *m_edit; }
    const Model& model() const { return m_model; }
    const Graph& graph() const { return m_model.graph(); }
    /// The model; what stays is an empty graph.
    Model take();

    // --- The program's objects. Node and Graph have a handle of this as an attribute.
    /// The Node of the program, made when it is first asked for; of no node the one that stands before the
    /// first and after the last.
    Value node(Evaluator& evaluator, NodeId id);
    Value nodes(Evaluator& evaluator, const std::vector<NodeId>& ids);
    /// Makes `instance` the Node of the program for a node that it has not met.
    void setNode(NodeId id, const Value& instance);
    const Value& self() const { return m_self; }
    /// Makes `instance` the Graph of the program.
    void setSelf(const Value& instance);
    /// The Graph of the program; made without __init__ having run where there is none.
    Value graphObject(Evaluator& evaluator);
    /// Lets go of all objects, which refer to each other.
    void clear();

    // --- Values of a program as arguments, and back. Lists and dicts are immutable, as in torch.fx.
    Value value(Evaluator& evaluator, const Argument& argument);
    Value tuple(Evaluator& evaluator, const Arguments& arguments);
    Value dict(Evaluator& evaluator, const Keywords& keywords);
    /// Throws RuntimeError for a node of another graph.
    Argument argument(Evaluator& evaluator, const Value& value);
    Arguments arguments(Evaluator& evaluator, const Value& tuple);
    Keywords keywords(Evaluator& evaluator, const Value& dict);
    /// Tensors that the program has put into arguments, by the attributes that the OpaqueValues name.
    std::vector<std::pair<std::string, Value>> tensorArguments() const;
    /// The names of the tensors in arguments, whether the tensors are known or not.
    std::vector<const OpaqueValue*> namedTensors() const;
    /// Sets the tensor of such a name. No tensor gets this name afterwards, in any graph of the process.
    void setTensorArgument(const std::string& name, const Value& tensor);
    /// What a call_function calls: the very object that the program gave, where it gave one.
    Value function(Evaluator& evaluator, Target target);
    /// `mayLackName`: an object without __name__ is called by its class.
    Target target(Evaluator& evaluator, const Value& function, bool mayLackName = false);
    /// Whether the program gave the function itself.
    bool knows(Target function) const { return m_functions.contains(function); }
    /// A type annotation as a node keeps it: its text. type() gives the very object that the text is of,
    /// where a program gave one; none where there is no such name here.
    std::optional<std::string> typeText(Evaluator& evaluator, const Value& type);
    std::optional<Value> type(Evaluator& evaluator, const std::string& text) const;
    /// What the other graph knows of functions and objects, this knows too.
    void learn(const ProgramGraph& other);
    /// The object that a name in the graph is of.
    void learn(Target name, const Value& function) { m_functions[name] = function; }

    /// Where a graph comes from that was opened; the model outlives this.
    struct Opened {
        const Model* model = nullptr;
        ModuleId module;
    };
    void setOpened(Opened opened) { m_opened = opened; }
    const Opened& opened() const { return m_opened; }

    /// Whether stack traces are ours alone: a program sees none, as its own tracing would have left none.
    void setHidesStackTraces(bool hides) { m_hidesStackTraces = hides; }

    // --- Metadata: Node.meta is a dict of the program, made when it is first read.
    Value meta(Evaluator& evaluator, const Value& node, NodeId id);
    /// Writes what the program has put into these dicts back; what no file could hold is left out and named
    /// in `lost`.
    void storeMeta(Evaluator& evaluator, std::vector<std::string>* lost = nullptr);
    /// Of sizes in the metadata: what is computed with them in one graph belongs together.
    const std::shared_ptr<SymbolEnvironment>& symbols();
    /// Those of a graph that is recorded.
    void setSymbols(std::shared_ptr<SymbolEnvironment> symbols) { m_symbols = std::move(symbols); }

    /// Where the next node goes: torch.fx's insert point.
    struct InsertPoint {
        NodeId anchor;
        bool isAfter = true;
    };
    InsertPoint insertPoint;
    NodeId create(Opcode opcode, Target target, Arguments args, Keywords kwargs,
                  std::optional<std::string_view> name, std::optional<std::string> type, Meta meta = {});

private:
    Argument tensorArgument(const Value& value, std::string text);
    /// Where the program's Node is kept.
    Value& object(NodeId id);
    /// What torch.export has written down of a value: a FakeTensor for each tensor.
    Value exportedValue(Evaluator& evaluator, const ValueMeta& meta);
    bool isExported();

    Model m_model;
    std::unique_ptr<Edit> m_edit;
    Value m_self, m_end;
    Opened m_opened;
    std::shared_ptr<SymbolEnvironment> m_symbols;
    std::optional<bool> m_isExported;
    Value m_fakeMode;
    bool m_hidesStackTraces = false;
    std::vector<Value> m_nodes; ///< by id; None where the program has not met the node
    std::unordered_map<Target, Value> m_functions;
    std::unordered_map<std::string, Value> m_types;   ///< by their texts
    std::unordered_map<std::string, Value> m_objects; ///< by the text that stands for them
    std::unordered_map<const void*, std::pair<Value, SharedMeta>> m_metaValues; ///< what a value was made of
};

/// A node of a program.
struct NodeHandle {
    std::shared_ptr<ProgramGraph> graph;
    NodeId id;
    const Node& node() const { return graph->graph().node(id); }
};

/// The handles behind a Node and a Graph of a program; null for any other value.
NodeHandle* nodeHandle(const Value& value);
const std::shared_ptr<ProgramGraph>* graphHandle(const Value& value);
/// The same where nothing else is of use: they throw TypeError.
NodeHandle& requireNode(const Value& value);
ProgramGraph& requireGraph(const Value& value);

/// An immutable_list or immutable_dict with that in it.
Value immutableList(Evaluator& evaluator, Values items);
Value immutableDict(Evaluator& evaluator, DictObject entries);
/// A class of the library's text of torch.fx: classOfFx(evaluator, "torch.fx.node", "Node").
Value classOfFx(Evaluator& evaluator, const char* module, const char* name);

} // namespace fx
