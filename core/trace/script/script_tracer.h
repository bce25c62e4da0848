// SPDX-License-Identifier: GPL-3.0-or-later
// The Tracer of TorchScript programs: knows the program's modules and tensors by their paths, and stamps each
// node with its place in the Python source and its module stack. What the program does is walked by
// script_interpreter.h.
#pragma once

#include "core/trace/script/script_source.h"
#include "core/trace/tracer.h"

#include <torch/csrc/jit/api/module.h>

#include <map>
#include <set>
#include <unordered_map>

namespace fx {

class ScriptTracer : public Tracer {
public:
    explicit ScriptTracer(torch::jit::Module root);

    /// Nothing is a leaf: each module is traced through.
    void setNoLeaves(bool areNone) { m_areNoneLeaves = areNone; }
    void setLeafTypes(std::vector<std::string> names) { m_leafTypes = std::move(names); }

    Argument createArg(const Value& value) override;
    /// A node with the place and modules of now, as a value.
    Value record(Opcode opcode, Target target, const Values& args, const NamedValues& kwargs = {});
    Value recordPlaceholder(const std::string& name, const Values& defaults);
    void recordOutput(const Value& result);

    /// Whether a graph must read the tensor from the model: a parameter, buffer or other attribute of a
    /// module.
    bool isOfModel(const at::Tensor& tensor) const;
    /// A tensor of the code itself; it is kept as it is.
    void addConstant(const at::Tensor& tensor) { m_programTensors[keyOf(tensor)] = tensor; }
    bool isConstant(const at::Tensor& tensor) const { return m_programTensors.contains(keyOf(tensor)); }
    /// The value of a tensor attribute of a module that the program has just read.
    Value readAttribute(const at::Tensor& tensor);
    /// From now on the tensor, computed while tracing, is a value of the graph: it is changed there.
    Value materialize(const at::Tensor& tensor);
    bool isMaterialized(const at::Tensor& tensor) const {
        return tensor.has_storage() && m_materialized.contains(tensor.storage().unsafeGetStorageImpl());
    }
    /// Those that `isForgotten` takes are values of the graph no more.
    void forgetMaterialized(const std::function<bool(NodeId node, const at::Tensor&)>& isForgotten);

    /// Empty for the root; the first path of a module that has more than one.
    std::string pathOf(const torch::jit::Module& module) const;
    std::optional<torch::jit::Module> moduleAt(const std::string& path) const;
    bool isLeaf(const std::string& type, const std::string& path) const;

    /// While one lives, nodes belong to the call of that module.
    class ModuleScope {
    public:
        ModuleScope(ScriptTracer& tracer, const torch::jit::Module& module);
        ModuleScope(const ModuleScope&) = delete;
        ModuleScope& operator=(const ModuleScope&) = delete;
        ~ModuleScope() { m_tracer.m_modules.pop_back(); }

    private:
        ScriptTracer& m_tracer;
    };
    /// While one lives, nodes come from that node of the program; they nest as calls do.
    class PlaceScope {
    public:
        PlaceScope(ScriptTracer& tracer, const torch::jit::Node& node, const std::string& function)
            : m_tracer(tracer) {
            m_tracer.m_places.push_back({&node, function});
        }
        PlaceScope(const PlaceScope&) = delete;
        PlaceScope& operator=(const PlaceScope&) = delete;
        ~PlaceScope() { m_tracer.m_places.pop_back(); }

    private:
        ScriptTracer& m_tracer;
    };
    /// While one lives, what is recorded is a body (script_bodies.h), whose graphs are counted from 0.
    class BodyScope {
    public:
        explicit BodyScope(ScriptTracer& tracer) : m_tracer(tracer) { m_tracer.m_graphCounts.emplace_back(); }
        BodyScope(const BodyScope&) = delete;
        BodyScope& operator=(const BodyScope&) = delete;
        ~BodyScope() { m_tracer.m_graphCounts.pop_back(); }

    private:
        ScriptTracer& m_tracer;
    };
    bool isInBody() const { return m_graphCounts.size() > 1; }
    /// Whether a node of a body is none of its graph: it reads a tensor, or is the copy of one that is there
    /// before.
    bool staysOutside(NodeId node) const;
    /// A get_attr node that gives a module with a graph, whose name begins with `kind`.
    NodeId readGraph(ModuleId module, const std::string& kind);
    std::optional<ModuleId> graphReadBy(NodeId node) const;

    const ScriptPlace& placeOfNode(const torch::jit::Node& node);
    /// "net.py, line 12" of where the program is, and the line's text.
    ScriptPlace currentPlace();
    /// "layer1.0 (net.Block)"; empty in the root.
    std::string currentModule() const;
    [[noreturn]] void fail(const std::string& kind, const std::string& message,
                           const std::string& advice = {});

    /// Nodes of numbers and the like are removed at the end where nobody reads them, and reads of tensors.
    void setErasable(NodeId node) { m_erasable.insert(node); }
    bool isErasable(NodeId node) const { return m_erasable.contains(node); }
    void removeUnread();
    /// An attribute that the module has in Python, and the program does not keep.
    void addValue(std::string path, std::optional<Argument> value) {
        m_values.emplace_back(std::move(path), std::move(value));
    }
    /// Copies the module tree, tensors and constants into the traced model (script_model.cpp).
    void copyModel();

private:
    /// Tensors that are the same part of the same memory are one.
    using TensorKey =
        std::tuple<const void*, int64_t, std::vector<int64_t>, std::vector<int64_t>, c10::ScalarType>;
    static TensorKey keyOf(const at::Tensor& tensor);
    static std::string typeOf(const torch::jit::Module& module);
    struct Place {
        const torch::jit::Node* node;
        std::string function;
    };
    void findPaths(const torch::jit::Module& module, const std::string& path);
    void stamp(NodeId first);
    std::optional<std::string> trace();
    NodeId getAttr(const std::string& path);
    Argument tensorArgument(const at::Tensor& tensor);

    torch::jit::Module m_root;
    bool m_areNoneLeaves = false;
    std::vector<std::string> m_leafTypes;
    std::map<TensorKey, std::string> m_parameters, m_buffers;
    std::map<TensorKey, at::Tensor> m_programTensors;
    std::map<const void*, std::string> m_paths;   ///< by the module's object
    std::map<const void*, std::string> m_objects; ///< those of torch.classes, by the object
    std::map<std::string, Value> m_parameterReads;
    std::map<std::pair<const void*, int64_t>, std::string> m_constantPaths; ///< by tensor and version
    std::vector<std::pair<std::string, at::Tensor>> m_constants;
    std::vector<std::pair<std::string, Value>> m_objectConstants;
    std::vector<at::Tensor> m_kept;                                     ///< tensors whose addresses are keys
    std::map<const void*, std::pair<at::Tensor, Value>> m_materialized; ///< by memory
    ModuleStack m_modules;
    std::map<std::string, int> m_calls;
    std::vector<Place> m_places;
    std::unordered_map<const torch::jit::Node*, ScriptPlace> m_knownPlaces;
    std::set<NodeId> m_erasable;
    std::map<NodeId, ModuleId> m_graphs; ///< by the get_attr that reads it
    std::vector<std::map<std::string, int>> m_graphCounts{1};
    std::vector<std::pair<std::string, std::optional<Argument>>> m_values;
};

} // namespace fx
