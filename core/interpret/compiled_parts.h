// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs that another system has compiled. A model holds no machine code: a module with a graph is marked, by
// an attribute, as compiled in the state in which it is, and the package of that state lies in the user's
// cache, where we alone write. A run takes the package only where module, inputs and machine are those that
// the mark tells, and interprets the graph where they are not: it stays what it says, edited or not.
#pragma once

#include "core/interpret/graph_inputs.h"
#include "core/module/model.h"

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

class CompiledProgram;

/// The attribute of a marked module: a list of the four texts of its CompiledKey.
inline constexpr const char* kCompiledMark = "_fxscope_compiled";

/// What a package is for.
struct CompiledKey {
    std::string form;    ///< the word of a CompiledForm (compiled_program.h)
    std::string module;  ///< digest of code, weights and attributes of the module and all in it
    std::string inputs;  ///< dtype, device, sizes and strides of each: "torch.float32 cpu [2, 8] [8, 1]"
    std::string machine; ///< digest of processor and PyTorch

    Argument mark() const;
    /// Where the package lies in the user's cache. Throws an Error where there is no folder for it.
    std::string packagePath() const;
};

/// Throws an Error for inputs that are not tensors, given by position.
CompiledKey compiledKey(const std::string& form, const Model& model, ModuleId module,
                        const GraphInputs& inputs);

/// The packages of one run.
class CompiledParts {
public:
    explicit CompiledParts(const Model& model);
    ~CompiledParts();

    /// Whether the module is marked.
    bool isMarked(ModuleId module) const;
    /// What the package of a marked module gives; none where its graph is to be interpreted.
    std::optional<Value> run(ModuleId module, const GraphInputs& inputs);
    /// Why marked modules were interpreted, each reason once: for people.
    const std::vector<std::string>& notes() const { return m_notes; }

private:
    struct Part {
        std::optional<CompiledKey> key; ///< none: the mark cannot be read
        bool wasLoaded = false;         ///< or it was tried
        std::unique_ptr<CompiledProgram> package;
    };
    std::unique_ptr<CompiledProgram> load(ModuleId module, const CompiledKey& key);
    void note(ModuleId module, const std::string& why);
    Value resultOf(ModuleId module, const std::vector<at::Tensor>& outputs) const;

    const Model& m_model;
    std::unordered_map<ModuleId, Part> m_parts;
    std::vector<std::string> m_notes;
};

} // namespace fx
