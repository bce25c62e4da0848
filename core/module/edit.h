// SPDX-License-Identifier: GPL-3.0-or-later
// The one door through which a graph or a module tree changes. The verbs are torch.fx's; each is made of a
// few invertible changes, and finish() hands out the list of them for undo, for diffs and for everyone who
// follows. An Edit that is dropped unfinished, by an exception too, takes back all that it did.
#pragma once

#include "core/module/model.h"

#include <c10/util/flat_hash_map.h>

#include <functional>

namespace at {
class Tensor;
}

namespace fx {

/// Which node of one graph stands for which of another.
using NodeMap = ska::flat_hash_map<NodeId, NodeId>;

class Edit {
public:
    /// Verbs on nodes speak of the graph of `module`, the root at first.
    explicit Edit(Model& model);
    /// For a model that is thrown away where its making fails: keeps no changes, and takes none back.
    struct WithoutHistory {};
    Edit(Model& model, WithoutHistory) : Edit(model) { m_keepsHistory = false; }
    Edit(Model& model, ModuleId module);
    Edit(const Edit&) = delete;
    Edit& operator=(const Edit&) = delete;
    ~Edit();

    /// Keeps what was done. Nothing may be done after it.
    Changes finish();

    const Model& model() const { return m_model; }
    ModuleId module() const { return m_module; }
    const Graph& graph() const { return m_model.graph(m_module); }
    const Node& node(NodeId id) const { return graph().node(id); }
    /// Turns to the graph of another module of the same model; the insertion point becomes its end.
    void enter(ModuleId module);
    /// What torch.fx would have warned of.
    const std::vector<std::string>& warnings() const { return m_warnings; }

    // --- Where new nodes go: the end of the graph, unless one of these is alive.
    class [[nodiscard]] InsertPoint {
    public:
        InsertPoint(Edit& edit, NodeId anchor, bool isAfter);
        InsertPoint(const InsertPoint&) = delete;
        InsertPoint& operator=(const InsertPoint&) = delete;
        ~InsertPoint();

    private:
        Edit& m_edit;
        NodeId m_anchor;
        bool m_isAfter;
    };
    /// Each new node goes directly before `anchor`; without an anchor, to the very beginning.
    InsertPoint insertingBefore(NodeId anchor);
    /// Each new node goes directly after `anchor`, so that the second comes before the first; without an
    /// anchor, to the end.
    InsertPoint insertingAfter(NodeId anchor);

    // --- Creating nodes. The name given is a wish; without one it is derived from the target.
    NodeId createNode(Opcode opcode, Target target, Arguments args = {}, Keywords kwargs = {},
                      std::optional<std::string_view> name = std::nullopt,
                      std::optional<std::string> type = std::nullopt, Meta meta = {});
    NodeId placeholder(std::string_view name, std::optional<Argument> defaultValue = std::nullopt);
    /// Warns where nothing is registered under the path, as torch.fx does.
    NodeId getAttr(std::string_view path);
    NodeId callFunction(Target function, Arguments args = {}, Keywords kwargs = {});
    /// The object is args[0].
    NodeId callMethod(std::string_view method, Arguments args, Keywords kwargs = {});
    /// Throws where there is no such submodule.
    NodeId callModule(std::string_view path, Arguments args = {}, Keywords kwargs = {});
    NodeId output(Argument result);
    /// Copies a node of any graph with its name, type and metadata; `map` gives what its inputs are here.
    NodeId nodeCopy(const Node& source, const std::function<Argument(NodeId)>& map);
    /// Copies all nodes but the output, and fills `map` (source to copy; what it holds already is not
    /// copied). Gives the mapped value of the output, if the source has one.
    std::optional<Argument> graphCopy(const Graph& source, NodeMap& map);

    // --- Removing and moving.
    /// Refuses while the node has users.
    void eraseNode(NodeId node);
    ///   before  p  self | bx x ax      after  p  x self | bx ax
    void moveBefore(NodeId node, NodeId self);
    void moveAfter(NodeId node, NodeId self);

    // --- Rewiring.
    /// Makes every reader of `old` read `fresh` instead; `old` stays, unread. Gives the readers changed.
    ///   before  b = relu(a)   c = add(b, b)
    ///   after   b = relu(a)   c = add(n, n)
    std::vector<NodeId> replaceAllUsesWith(NodeId old, NodeId fresh,
                                           const std::function<bool(NodeId user)>& filter = nullptr);
    /// The same for one reader.
    void replaceInputWith(NodeId node, NodeId old, NodeId fresh);
    void setArgs(NodeId node, Arguments args);
    void setKwargs(NodeId node, Keywords kwargs);
    void updateArg(NodeId node, size_t index, Argument value);
    void insertArg(NodeId node, size_t index, Argument value);
    void updateKwarg(NodeId node, std::string_view key, Argument value);

    // --- The node itself.
    /// Takes a free name like the candidate (torch.fx's Node._rename).
    void rename(NodeId node, std::string_view candidate);
    /// Sets the name as it is, even if it is taken; lint reports the clash.
    void setName(NodeId node, std::string_view name);
    void setTarget(NodeId node, Target target);
    void setCallee(NodeId node, Opcode opcode, Target target);
    void setType(NodeId node, std::optional<std::string> type);
    void setMeta(NodeId node, std::string_view key, SharedMeta value);
    void setSignature(std::optional<Signature> signature);

    // --- The module tree. Paths start at the current module; missing parents are made as plain Modules.
    ModuleId createModule(std::string type, bool withGraph = false);
    /// All that a module holds, at once; for one that was just created, and that no parent names yet.
    void fillModule(ModuleId fresh, Module contents);
    /// A whole graph in the place of the current one, which is empty: its nodes keep their ids. For a model
    /// without history.
    void fillGraph(Graph graph);
    TensorId createTensor(TensorSlot slot);
    /// False, and nothing happens, where a part of the path is something else than a module.
    bool addSubmodule(std::string_view path, ModuleId module);
    /// False where there is no such submodule.
    bool deleteSubmodule(std::string_view path);
    /// Removes what no call_module or get_attr of the graph reaches.
    void deleteAllUnusedSubmodules();
    /// Registers or replaces; an invalid tensor registers None.
    void setTensor(std::string_view path, TensorId tensor, TensorRole role);
    bool deleteTensor(std::string_view path);
    void setValue(std::string_view path, std::optional<Argument> value);
    void setTraining(bool isTraining);

private:
    /// Records the step, made in place, and does it.
    template <class Step>
    void perform(Step step) {
        Change& change = nextChange();
        change.module = m_module;
        change.step.emplace<GraphChange>(std::move(step));
        m_model.apply(change);
    }
    Change& nextChange() { return m_keepsHistory ? m_changes.emplace_back() : m_change; }
    void perform(ModuleId module, ModuleChange change);
    /// The arguments of a node of that name, with the nodes among them.
    CallArguments readingArguments(const std::string& name, Arguments args, Keywords kwargs) const;
    void changeArguments(NodeId node, Arguments args, Keywords kwargs);
    void requireMember(NodeId node, std::string_view verb) const;
    /// The node before which the next new node goes.
    NodeId insertionPoint() const;
    ModuleId makeParent(std::string_view path, std::string& leaf);

    Model& m_model;
    ModuleId m_module;
    NodeId m_anchor;
    bool m_isAfterAnchor = true;
    bool m_isFinished = false;
    bool m_keepsHistory = true;
    Changes m_changes;
    Change m_change; ///< the last one, without history
    std::vector<std::string> m_warnings;
};

} // namespace fx
