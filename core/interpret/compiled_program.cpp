// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/compiled_program.h"

#include <ATen/core/jit_type.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/onednn_graph_fuser.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <mutex>

namespace fx {

namespace {

class InductorProgram : public CompiledProgram {
public:
    explicit InductorProgram(const std::string& path) : m_package(path) {}
    std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) override {
        return m_package.run(inputs);
    }

private:
    torch::inductor::AOTIModelPackageLoader m_package;
};

void addTensors(std::vector<at::Tensor>& out, const c10::IValue& value) {
    if (value.isTensor())
        out.push_back(value.toTensor());
    else if (value.isTuple())
        for (const c10::IValue& element : value.toTupleRef().elements())
            addTensors(out, element);
    else if (value.isList())
        for (const c10::IValue& element : value.toListRef())
            addTensors(out, element);
    else if (value.isGenericDict())
        for (const auto& entry : value.toGenericDict())
            addTensors(out, entry.value());
}

class ScriptProgram : public CompiledProgram {
public:
    explicit ScriptProgram(torch::jit::Module program) : m_program(std::move(program)) {}
    std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) override {
        std::vector<at::Tensor> out;
        addTensors(out, m_program.forward({inputs.begin(), inputs.end()}));
        return out;
    }

private:
    torch::jit::Module m_program;
};

/// The switch is the process's: any other program that first runs meanwhile is fused as well.
class FusingScriptProgram : public ScriptProgram {
public:
    using ScriptProgram::ScriptProgram;
    std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) override {
        if (m_runs == kRunsThatPlan)
            return ScriptProgram::run(inputs);
        ++m_runs;
        static std::mutex fusing;
        const std::lock_guard lock(fusing);
        const struct Fusing {
            const bool before = torch::jit::RegisterLlgaFuseGraph::setEnabled(true);
            ~Fusing() { torch::jit::RegisterLlgaFuseGraph::setEnabled(before); }
        } on;
        return ScriptProgram::run(inputs);
    }

private:
    int m_runs = 0;
};

torch::jit::Module loaded(const std::string& path) {
    return torch::jit::load(path, at::kCPU);
}

constexpr CompiledForm kForms[] = {
    {kInductorForm, kInductorForm, ".pt2",
     [](const std::string& path) -> std::unique_ptr<CompiledProgram> {
         return std::make_unique<InductorProgram>(path);
     }},
    {kScriptForm, kScriptForm, ".pt",
     [](const std::string& path) -> std::unique_ptr<CompiledProgram> {
         return std::make_unique<ScriptProgram>(loaded(path));
     }},
    {kFrozenForm, kFrozenForm, ".pt",
     [](const std::string& path) -> std::unique_ptr<CompiledProgram> {
         return std::make_unique<ScriptProgram>(loaded(path));
     }},
    {kOptimizedForm, kFrozenForm, ".pt",
     [](const std::string& path) -> std::unique_ptr<CompiledProgram> {
         torch::jit::Module program = loaded(path);
         return std::make_unique<ScriptProgram>(torch::jit::optimize_for_inference(program));
     }},
    {kFusedForm, kFrozenForm, ".pt",
     [](const std::string& path) -> std::unique_ptr<CompiledProgram> {
         return std::make_unique<FusingScriptProgram>(loaded(path));
     }},
};

} // namespace

const CompiledForm* compiledForm(std::string_view word) {
    const auto* found = std::ranges::find(kForms, word, &CompiledForm::word);
    return found == std::end(kForms) ? nullptr : found;
}

} // namespace fx
