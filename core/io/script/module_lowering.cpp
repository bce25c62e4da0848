// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/script/module_lowering.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/interpret/library_calls.h"
#include "core/io/script/call_parameters.h"
#include "core/io/script/called_operators.h"
#include "core/io/script/code_ranges.h"
#include "core/io/script/module_tree.h"
#include "core/io/script/script_parameters.h"
#include "core/io/torch/plain_call.h"
#include "core/ir/graph_text.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/frontend/schema_matching.h>

#include <algorithm>
#include <set>

namespace fx {

namespace {

JitValue* attributeAt(torch::jit::Graph& to, JitValue* self, std::string_view path) {
    for (const std::string_view atom : split(path, '.'))
        self = to.insertGetAttr(self, std::string(atom));
    return self;
}

/// What is known of a node's value before a run.
std::optional<Value> exampleOf(const Node& node) {
    const ValueMeta* known = knownValue(node.meta);
    if (!known)
        return std::nullopt;
    if (const auto* tensor = std::get_if<TensorMeta>(&known->value))
        return c10::IValue(withoutData(*tensor));
    if (const auto* constant = std::get_if<Argument>(&known->value))
        return makeValue(*constant, nullptr);
    const auto* scalar = std::get_if<SymbolicScalar>(&known->value);
    if (!scalar || !scalar->hint || scalar->kind != SymbolicScalar::Kind::Int)
        return std::nullopt;
    return makeInt(static_cast<int64_t>(*scalar->hint));
}

/// Puts values where no graph of ours is.
class Inserter {
public:
    explicit Inserter(torch::jit::Graph& to) : m_lowering(m_none, to, m_nowhere) {}
    GraphLowering* operator->() { return &m_lowering; }

private:
    const Graph m_none;
    const GraphLowering::Place m_nowhere;
    GraphLowering m_lowering;
};

class ModelLowering {
public:
    explicit ModelLowering(Model model) : m_model(std::move(model)), m_tree(m_model), m_library(m_model) {}

    ScriptedModel make(const std::vector<ScriptParameter>& parameters) {
        torch::jit::Function& forward =
            addMethod(m_model.root(), "forward", [&](torch::jit::Graph& to, JitValue* self) {
                std::vector<Lowered> values;
                for (const ScriptParameter& parameter : parameters)
                    values.push_back(parameter.valueIn(to));
                return lowerGraph(to, m_model.root(), self, std::move(values));
            });
        addDefaults(forward, parameters);
        return {m_tree.at(m_model.root()), std::move(m_notes)};
    }

    std::unordered_map<NodeId, ScriptedCall> calls(ModuleId id) {
        std::unordered_map<NodeId, ScriptedCall> out;
        torch::jit::Graph to;
        JitValue* self = to.addInput("self");
        self->setType(m_tree.at(id)._ivalue()->type());
        std::vector<Lowered> inputs;
        for (const NodeId input : m_model.graph(id).findNodes(Opcode::Placeholder))
            inputs.push_back(standIn(to, m_model.graph(id).node(input)));
        lowerGraph(to, id, self, std::move(inputs), [&](GraphLowering::Place& place) {
            place.became = [&](const Node& node, torch::jit::Node* before) {
                for (torch::jit::Node* made = before->next(); made != to.insertPoint(); made = made->next())
                    addOperators(*made, out[node.id].operators);
            };
            place.missing = [&](const Node& node, const Error& why) {
                // What follows the first line shows the source.
                const std::string said = why.message().substr(0, why.message().find('\n'));
                const std::string reason = why.place().empty() ? said : why.place() + ": " + said;
                out[node.id].whyNot = reason;
                if (node.opcode == Opcode::GetAttr) // it is who reads it that has no form
                    for (const NodeId reader : node.users)
                        out[reader].whyNot = node.name + ' ' + reason;
                return standIn(to, node);
            };
        });
        return out;
    }

private:
    using Body = std::function<Lowered(torch::jit::Graph& to, JitValue* self)>;
    using BodyOfInputs =
        std::function<Lowered(torch::jit::Graph& to, JitValue* self, const std::vector<Lowered>& inputs)>;

    // --- Methods and functions

    torch::jit::Function& addMethod(ModuleId id, const std::string& name, const Body& body) {
        const torch::jit::Module& module = m_tree.at(id);
        const auto graph = std::make_shared<torch::jit::Graph>();
        JitValue* self = graph->addInput("self");
        self->setType(module._ivalue()->type());
        const Lowered result = body(*graph, self);
        try {
            graph->registerOutput(Inserter(*graph)->single(result));
        } catch (const Error& error) {
            throw Error("output", error.message());
        }
        graph->lint();
        torch::jit::Function* made =
            m_tree.unit().create_function(c10::QualifiedName(*module.type()->name(), name), graph);
        module.type()->addMethod(made);
        return *made;
    }

    /// The defaults of the graph's inputs.
    static void addDefaults(torch::jit::Function& method, const std::vector<ScriptParameter>& parameters) {
        const c10::FunctionSchema& schema = method.getSchema();
        std::vector<c10::Argument> arguments{schema.arguments()[0]};
        for (size_t i = 0; i < parameters.size(); ++i) {
            const c10::Argument& before = schema.arguments()[i + 1];
            arguments.emplace_back(before.name(), before.type(), std::nullopt, parameters[i].otherwise);
        }
        method.setSchema(c10::FunctionSchema(schema.name(), schema.overload_name(), std::move(arguments),
                                             schema.returns()));
    }

    /// A call of a method of a module below `self`. It is made where none was that does the same: `does`.
    Lowered callMethod(GraphLowering& caller, const Node& node, ModuleId id, JitValue* self,
                       const std::string& does, const BodyOfInputs& body) {
        const CallParameters parameters(caller, node);
        const std::pair key(id, does + parameters.key());
        if (!m_methods.contains(key)) {
            const int count = m_methodCounts[id]++;
            const std::string name = count == 0 ? "forward" : "forward__" + std::to_string(count);
            addMethod(id, name, [&](torch::jit::Graph& to, JitValue* inner) {
                return body(to, inner, parameters.inputsIn(to));
            });
            m_methods[key] = name;
        }
        const std::string& called = m_methods.at(key);
        std::vector<torch::jit::NamedValue> args{attributeAt(caller.to(), self, node.target.name())};
        for (JitValue* value : parameters.values())
            args.emplace_back(value);
        const c10::FunctionSchema& schema = m_tree.at(id).type()->getMethod(called).getSchema();
        return made(caller,
                    caller.to().insertMethodCall(
                        called, torch::jit::matchSchema(schema, caller.range(), caller.to(), args, {})));
    }

    Lowered
    callFunction(GraphLowering& caller, const Node& node, const std::string& does,
                 const std::function<Lowered(torch::jit::Graph&, const std::vector<Lowered>&)>& body) {
        const CallParameters parameters(caller, node);
        torch::jit::Function*& function = m_functions[node.target.name() + '\n' + does + parameters.key()];
        if (!function) {
            const auto graph = std::make_shared<torch::jit::Graph>();
            graph->registerOutput(Inserter(*graph)->single(body(*graph, parameters.inputsIn(*graph))));
            graph->lint();
            function =
                m_tree.unit().create_function(scriptName(node.target.name()), graph, /*shouldMangle=*/true);
        }
        std::vector<torch::jit::NamedValue> args;
        for (JitValue* value : parameters.values())
            args.emplace_back(value);
        return made(caller, caller.to().insertFunctionCall(
                                function, torch::jit::matchSchema(function->getSchema(), caller.range(),
                                                                  caller.to(), args, {})));
    }

    static Lowered made(const GraphLowering& caller, JitValue* result) {
        result->node()->setSourceRange(caller.range());
        return loweredValue(result);
    }

    // --- Graphs

    /// A graph on the way to TorchScript, which knows no graph that calls itself.
    class Entered {
    public:
        Entered(std::set<ModuleId>& entered, ModuleId id) : m_entered(entered), m_id(id) {
            if (!entered.insert(id).second)
                throw Error("", "calls the graph that it is in");
        }
        ~Entered() { m_entered.erase(m_id); }
        Entered(const Entered&) = delete;
        Entered& operator=(const Entered&) = delete;

    private:
        std::set<ModuleId>& m_entered;
        ModuleId m_id;
    };

    Lowered lowerGraph(torch::jit::Graph& to, ModuleId id, JitValue* self, std::vector<Lowered> inputs,
                       const std::function<void(GraphLowering::Place&)>& listen = nullptr) {
        const Entered entered(m_entered, id);
        const Graph& graph = m_model.graph(id);
        const CodeRanges code(m_model, id);
        GraphLowering::Place place;
        place.attribute = [&](GraphLowering& lowering, const Node& node) {
            return attribute(lowering, node, id, self);
        };
        place.call = [&](GraphLowering& lowering, const Node& node) {
            return call(lowering, node, id, self);
        };
        place.inlined = [&](GraphLowering& lowering, const Lowered& inner, std::vector<Lowered> values) {
            const ModuleId module =
                inner.graph.empty() ? ModuleId() : m_model.resolve(id, inner.graph).module;
            if (!module || !m_model.module(module).graph)
                throw Error("", "is given something else than a graph where it wants one");
            return lowerGraph(lowering.to(), module, attributeAt(lowering.to(), self, inner.graph),
                              std::move(values));
        };
        place.source = [&](NodeId node) { return code.rangeOf(node); };
        if (listen)
            listen(place);
        if (graph.findNodes(Opcode::Placeholder).size() != inputs.size())
            throw Error("", "calls a graph with another number of inputs than it has");
        return GraphLowering(graph, to, place).run(std::move(inputs));
    }

    Lowered attribute(GraphLowering& lowering, const Node& node, ModuleId id, JitValue* self) {
        const std::string& path = node.target.name();
        const Attribute found = m_model.resolve(id, path);
        if (found.tensor)
            return loweredValue(attributeAt(lowering.to(), self, path));
        if (found.value)
            return lowering.lowered(*found.value);
        if (!found.module || path.empty())
            throw Error("", "reads an attribute that is not there");
        Lowered out;
        out.graph = path;
        return out;
    }

    std::optional<Lowered> call(GraphLowering& lowering, const Node& node, ModuleId id, JitValue* self) {
        const auto examples = [&](NodeId input) { return exampleOf(m_model.graph(id).node(input)); };
        if (node.opcode == Opcode::CallModule) {
            const ModuleId called = m_model.resolve(id, node.target.name()).module;
            if (!called)
                throw Error("", "calls a module that is not there");
            return m_model.module(called).graph ? callGraph(lowering, node, called, self)
                                                : callLeaf(lowering, node, called, self, examples);
        }
        if (!m_library.knows(node))
            return std::nullopt;
        const CallBody body = m_library.body(node, examples);
        noteSizes(node, body);
        if (!CallParameters::areNamed(node)) {
            std::vector<Lowered> inputs;
            for (const NodeId input : nodesIn(node))
                inputs.push_back(lowering.valueOf(input));
            return lowerBody(lowering.to(), body, nullptr, inputs, lowering.range());
        }
        return callFunction(lowering, node, does(body),
                            [&](torch::jit::Graph& to, const std::vector<Lowered>& inputs) {
                                return lowerBody(to, body, nullptr, inputs, {});
                            });
    }

    Lowered callGraph(GraphLowering& lowering, const Node& node, ModuleId called, JitValue* self) {
        const bool isByPosition =
            node.kwargs.empty() &&
            std::ranges::all_of(node.args, [](const Argument& argument) { return bool(argument.node()); });
        if (!isByPosition)
            throw Error("", "calls a graph with something else than values of nodes, by position");
        return callMethod(lowering, node, called, self, "",
                          [&](torch::jit::Graph& to, JitValue* inner, const std::vector<Lowered>& inputs) {
                              std::vector<Lowered> given; // a node may be given twice
                              const std::vector<NodeId> nodes = nodesIn(node);
                              for (const Argument& argument : node.args)
                                  given.push_back(inputs[static_cast<size_t>(
                                      std::ranges::find(nodes, argument.node()) - nodes.begin())]);
                              return lowerGraph(to, called, inner, std::move(given));
                          });
    }

    /// A module of torch.nn does one thing while it trains and another where it does not.
    Lowered callLeaf(GraphLowering& lowering, const Node& node, ModuleId called, JitValue* self,
                     const LibraryCalls::Examples& examples) {
        std::vector<CallBody> bodies;
        std::string doing;
        if (isOneMode(called))
            for (const bool isTraining : {true, false})
                try {
                    bodies.push_back(m_library.body(node, called, isTraining, examples));
                } catch (const Error&) {
                    bodies.clear();
                    m_notes.push_back("'" + node.target.name() + "' stays in the mode that it is in");
                    break;
                }
        if (bodies.empty())
            bodies.push_back(m_library.body(node, called, std::nullopt, examples));
        if (bodies.size() == 2 && does(bodies[0]) == does(bodies[1]))
            bodies.pop_back();
        for (const CallBody& body : bodies) {
            doing += does(body);
            noteSizes(node, body);
        }
        return callMethod(lowering, node, called, self, doing,
                          [&](torch::jit::Graph& to, JitValue* inner, const std::vector<Lowered>& inputs) {
                              if (bodies.size() == 1)
                                  return lowerBody(to, bodies[0], inner, inputs, {});
                              return Inserter(to)->branch(
                                  to.insertGetAttr(inner, "training"), [&](bool isTraining) {
                                      return lowerBody(to, bodies[isTraining ? 0 : 1], inner, inputs, {});
                                  });
                          });
    }

    bool isOneMode(ModuleId called) const {
        bool isOne = true;
        m_model.forEachModule(called, [&](ModuleId below, const std::string&) {
            isOne &= m_model.module(below).isTraining == m_model.module(called).isTraining;
        });
        return isOne;
    }

    /// Two bodies of which this is the same do the same.
    std::string does(const CallBody& body) {
        return graphText(body.model.graph()) +
               (body.constants.empty() ? "" : std::to_string(++m_bodiesWithConstants));
    }

    void noteSizes(const Node& node, const CallBody& body) {
        if (body.hasFixedSizes)
            m_notes.push_back("'" + node.name +
                              "' keeps sizes that it found in the example; for other sizes it may fail");
    }

    /// The graph of a call of torch's Python.
    static Lowered lowerBody(torch::jit::Graph& to, const CallBody& body, JitValue* self,
                             const std::vector<Lowered>& inputs, const torch::jit::SourceRange& range) {
        GraphLowering::Place place;
        place.attribute = [&](GraphLowering& lowering, const Node& node) {
            const auto held = body.constants.find(node.target.name());
            return held != body.constants.end() ? lowering.constant(held->second)
                                                : loweredValue(attributeAt(to, self, node.target.name()));
        };
        place.call = [](GraphLowering&, const Node&) { return std::nullopt; };
        place.inlined = [](GraphLowering&, const Lowered&, std::vector<Lowered>) -> Lowered {
            throw Error("", "calls a graph");
        };
        place.source = [&](NodeId) { return range; };
        try {
            return GraphLowering(body.model.graph(), to, place).run(inputs);
        } catch (const Error& error) {
            throw Error("", error.message()).hint(error.advice()); // its nodes are none of the user's
        }
    }

    const Model m_model;
    ScriptModuleTree m_tree;
    LibraryCalls m_library;
    std::map<std::pair<ModuleId, std::string>, std::string> m_methods; ///< by what they do
    std::map<ModuleId, int> m_methodCounts;
    std::set<ModuleId> m_entered;                             ///< whose graphs are on the way
    std::map<std::string, torch::jit::Function*> m_functions; ///< by what they do
    int m_bodiesWithConstants = 0;
    std::vector<std::string> m_notes;
};

} // namespace

ScriptedModel scripted(const Model& model) {
    const at::NoGradGuard noGrad;
    Model plain = withPlainCalls(model);
    const std::vector<ScriptParameter> parameters = scriptParameters(model, plain);
    return ModelLowering(std::move(plain)).make(parameters);
}

std::unordered_map<NodeId, ScriptedCall> scriptedCalls(const Model& model, ModuleId module) {
    const at::NoGradGuard noGrad;
    return ModelLowering(model).calls(module);
}

} // namespace fx
