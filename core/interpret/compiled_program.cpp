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

using Loaded = std::unique_ptr<CompiledProgram>;

Loaded loadInductor(const std::string& path) {
    return std::make_unique<InductorProgram>(path);
}

template <class Program>
Loaded loadScript(const std::string& path) {
    return std::make_unique<Program>(torch::jit::load(path, at::kCPU));
}

Loaded loadOptimized(const std::string& path) {
    torch::jit::Module program = torch::jit::load(path, at::kCPU);
    return std::make_unique<ScriptProgram>(torch::jit::optimize_for_inference(program));
}

constexpr CompiledForm kForms[] = {
    {kInductorForm, kInductorForm, ".pt2", loadInductor},
    {kScriptForm, kScriptForm, ".pt", loadScript<ScriptProgram>},
    {kFrozenForm, kFrozenForm, ".pt", loadScript<ScriptProgram>},
    {kOptimizedForm, kFrozenForm, ".pt", loadOptimized},
    {kFusedForm, kFrozenForm, ".pt", loadScript<FusingScriptProgram>},
};

} // namespace

const CompiledForm* compiledForm(std::string_view word) {
    const auto* found = std::ranges::find(kForms, word, &CompiledForm::word);
    return found == std::end(kForms) ? nullptr : found;
}

} // namespace fx
