// SPDX-License-Identifier: GPL-3.0-or-later
// A model: a tree of modules with their tensors and plain attributes, where any module may have a graph.
// A module with a graph is torch.fx's GraphModule; graphs nest (the branches of `cond`, the parts of a
// split). A model is read freely and changed by core/module/edit.h alone.
#pragma once

#include "core/base/box.h"
#include "core/ir/graph.h"
#include "core/module/change.h"
#include "core/module/source_text.h"
#include "core/module/tensor_slot.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The class of a module that only holds others.
inline constexpr const char* kPlainModule = "torch.nn.modules.module.Module";

struct Module {
    ModuleId id;
    std::string type; ///< qualified class name: "torch.nn.modules.linear.Linear", "GraphModule"
    std::vector<NamedModule> children;
    std::vector<NamedTensor> tensors;
    std::vector<NamedValue> values; ///< attributes that are neither modules nor tensors
    bool isTraining = false;
    Box<Graph> graph; ///< most modules have none

    ModuleId child(std::string_view name) const;
    const NamedTensor* tensor(std::string_view name) const;
    const Argument* value(std::string_view name) const;
};

/// What a dotted path leads to; nothing of it is set where the path breaks off.
struct Attribute {
    ModuleId module;
    TensorId tensor;
    TensorRole role = TensorRole::Constant;
    const Argument* value = nullptr;

    explicit operator bool() const { return module || tensor || value; }
};

class Model {
public:
    /// A root module of the given class with an empty graph.
    explicit Model(std::string rootType = "GraphModule");

    /// The same model, but for the root's graph, which is empty.
    Model withEmptyRootGraph() const;

    ModuleId root() const { return ModuleId{0}; }
    const Module& module(ModuleId id) const { return m_modules[id.value]; }
    const Graph& graph(ModuleId id) const { return *module(id).graph; }
    const Graph& graph() const { return graph(root()); }
    const TensorSlot& tensor(TensorId id) const { return m_tensors[id.value]; }
    /// All that there ever were, those that nothing names any more too: their ids lie below.
    size_t moduleCount() const { return m_modules.size(); }
    size_t tensorCount() const { return m_tensors.size(); }

    /// Follows "layer1.0.weight" from a module. The empty path is the module itself.
    Attribute resolve(ModuleId from, std::string_view path) const;
    /// The longest prefix of the path that leads somewhere: what lint and errors name.
    std::string existingPrefix(ModuleId from, std::string_view path) const;

    /// The source of the functions and classes that the graphs call and torch does not have. It belongs to no
    /// edit: whoever opens a model gives it, and copies share it.
    const std::vector<SourceText>& sources() const;
    void setSources(std::vector<SourceText> sources);

    /// Calls `visit` for each module once, parents first, with its path from `from`.
    void forEachModule(ModuleId from,
                       const std::function<void(ModuleId, const std::string& path)>& visit) const;

private:
    friend class Edit;
    friend void undo(Model& model, const Changes& changes);
    friend void redo(Model& model, const Changes& changes);
    friend class Follower;
    friend Module moduleBefore(const Model& model, ModuleId id, const Changes& changes);
    void apply(const Change& change) { apply(m_modules[change.module.value], change); }
    void revert(const Change& change) { revert(m_modules[change.module.value], change); }
    static void apply(Module& module, const Change& change);
    static void revert(Module& module, const Change& change);

    std::deque<Module> m_modules;
    std::deque<TensorSlot> m_tensors;
    std::shared_ptr<const std::vector<SourceText>> m_sources;
};

/// Takes all steps back, last first, and does them again, first first. The same ids and texts return.
void undo(Model& model, const Changes& changes);
void redo(Model& model, const Changes& changes);

} // namespace fx
