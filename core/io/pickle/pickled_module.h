// SPDX-License-Identifier: GPL-3.0-or-later
// Modules that torch.save(module) pickled, as far as they can be read without running anything: the tree with
// class names, tensors and plain attributes. A pickled GraphModule keeps the code of its graph.
#pragma once

#include "core/io/opened_model.h"
#include "core/io/torch/torch_container.h"
#include "core/ir/tree_spec.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

class Edit;

/// What a GraphModule keeps instead of its graph: torch.fx traces the code anew when it loads it.
struct PickledGraph {
    std::string importBlock;               ///< the lines that import what `code` names; empty before 1.8
    std::string code;                      ///< "def forward(self, x): ..."
    std::string className = "GraphModule"; ///< of the GraphModule
    std::string tracer;                    ///< "torch.fx._symbolic_trace.Tracer"
    std::optional<TreeSpec> inputSpec, outputSpec; ///< _in_spec and _out_spec
};

struct PickledModule;
using PickledModuleRef = std::shared_ptr<const PickledModule>;

struct PickledModule {
    struct Tensor {
        std::string name;
        std::optional<TensorSlot> slot; ///< none: registered as None
        TensorRole role;
    };
    struct Child {
        std::string name;
        PickledModuleRef module; ///< null: registered as None; the same for modules that are one object
    };
    struct Attribute {
        std::string name;
        const PickleValue* value; ///< of the container's document
    };

    const PickleValue* record = nullptr; ///< of the container's document
    std::string className;               ///< "torch.nn.modules.linear.Linear"
    bool isTraining = true;
    std::vector<Tensor> tensors; ///< parameters, then buffers, then plain attributes that are tensors
    std::vector<Child> children;
    std::vector<Attribute> attributes;
    std::optional<PickledGraph> graph;
    /// The text of its class and the file it came from, which legacy files keep; else empty.
    std::string source, sourceFile;
    /// Set where the object is no plain instance with a __dict__: how it would have been made.
    std::string odd;
};

/// A pickled module, with all that its attributes point to.
struct PickledModel {
    std::shared_ptr<const TorchContainer> container;
    PickledModuleRef root;
    std::vector<std::string> notes;
    /// Functions that are forward hooks of a module, each once: kept where a source defines them.
    std::vector<std::string> hookFunctions;
};

/// The code that a pickled GraphModule keeps; none where the value is no GraphModule. Throws at `place` for
/// one without code.
std::optional<PickledGraph> pickledGraph(const PickleValue& value, const std::string& place);
/// Whether the value is an instance of a module class, or a GraphModule.
bool isPickledModule(const PickleValue& value);
/// Of the entries of a module's __dict__: hooks that saving and loading call, and nothing else.
bool isStateHooks(std::string_view name);
/// Reads the module that the value, for which isPickledModule() is true, stands for.
PickledModel readPickledModel(std::shared_ptr<const TorchContainer> container, const PickleValue& value);

/// Adds a module with all that is below it; gives the id. Attributes are shown as far as they are plain.
ModuleId addPickledModule(Edit& edit, const PickledModule& module);
/// The tree without graphs, and the reason why.
OpenedModel modelOfPickle(const PickledModel& pickled);

/// Classes that are no part of torch.nn, each once, in order of first use: what `--source` must define.
std::vector<std::string> foreignClasses(const PickledModule& root);

} // namespace fx
