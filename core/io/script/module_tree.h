// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of a TorchScript program: each module of a model with its tensors, plain attributes and whether it
// trains, under its class's name. Methods are added by module_lowering.h.
#pragma once

#include "core/module/model.h"

#include <torch/csrc/jit/api/module.h>

#include <map>
#include <unordered_map>

namespace fx {

class ScriptModuleTree {
public:
    /// Throws an Error for what such a program cannot hold. The model must outlive this.
    explicit ScriptModuleTree(const Model& model);

    const torch::jit::Module& at(ModuleId id) const { return m_modules.at(id); }
    torch::jit::CompilationUnit& unit() { return *m_unit; }

private:
    torch::jit::Module make(ModuleId id, const std::string& path);
    void addTensor(torch::jit::Module& module, const NamedTensor& entry, const std::string& path);

    const Model& m_model;
    std::shared_ptr<torch::jit::CompilationUnit> m_unit = std::make_shared<torch::jit::CompilationUnit>();
    std::unordered_map<ModuleId, torch::jit::Module> m_modules;
    std::map<const void*, at::Tensor> m_tensors; ///< by what handles of one tensor share
};

/// The name that a class or function has in the program: "__torch__.torch.nn.modules.linear.Linear".
c10::QualifiedName scriptName(const std::string& qualified);

} // namespace fx
