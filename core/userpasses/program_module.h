// SPDX-License-Identifier: GPL-3.0-or-later
// A model as a GraphModule of a Python program, and what the program has made of it as an edit of the model.
// The program works on copies, of tensors too, so that whatever stops it leaves the model as it was.
#pragma once

#include "core/interpret/module_instances.h"
#include "core/module/edit.h"
#include "core/trace/record_module.h"
#include "core/trace/tracing_host.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace fx {

class ProgramModule {
public:
    /// All of them must outlive this.
    ProgramModule(Evaluator& evaluator, TracingHost& tracing, SourceModules& sources, const Model& model,
                  ModuleId root, bool hidesStackTraces = false);
    /// The GraphModule; the modules below it are those of the model, too.
    const Value& value() const { return m_value; }
    /// Makes the edit's model what `result` is, a GraphModule of the program: this one or another. Gives what
    /// of it no model can hold.
    std::vector<std::string> commit(Edit& edit, const Value& result);

    /// What the program has been given otherwise than it is; empty: nothing.
    const std::string& warning() const { return m_warning; }

private:
    at::Tensor copyOf(const TensorSlot& slot);
    Value makeGraphModule(ModuleId module);
    /// Moves the tensors in arguments of the graphs from the attributes of the modules into the graphs.
    void moveTensorArguments();

    Evaluator& m_evaluator;
    TracingHost& m_tracing;
    const Model& m_model;
    bool m_hidesStackTraces;
    std::string m_warning;
    std::unordered_map<ModuleId, std::pair<std::shared_ptr<ProgramGraph>, NodeMap>>
        m_graphs; ///< with the nodes of the program by those of the model
    struct Given {
        int64_t version = 0;
        const void* data = nullptr;
        TensorMeta meta;
    };
    std::unordered_map<const void*, Given> m_given; ///< tensors of the program as it was given them
    std::optional<ModuleInstances> m_instances;
    Value m_value;
    RecordedModule m_before;
};

} // namespace fx
