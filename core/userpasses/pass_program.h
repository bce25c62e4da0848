// SPDX-License-Identifier: GPL-3.0-or-later
// What a user's file is run with: the evaluator with all of torch.fx.
#pragma once

#include "core/base/error.h"
#include "core/interpret/source_modules.h"
#include "core/trace/model_sources.h"
#include "core/trace/tracing_host.h"
#include "core/userpasses/layout_module.h"
#include "core/userpasses/rewriting_module.h"
#include "core/userpasses/user_pass.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace fx {

/// An evaluator with torch, torch.fx and the sources of a model, that runs a file of a user.
struct PassProgram {
    TorchHosts torch;
    TracingHost tracing{torch};
    RewritingModule rewriting;
    LayoutModule layout;
    SourceModules sources;
    Evaluator evaluator;

    explicit PassProgram(const std::vector<SourceText>& texts) : sources(texts) {
        torch.addTo(evaluator);
        tracing.addTo(evaluator);
        rewriting.addTo(evaluator);
        layout.addTo(evaluator);
        sources.addTo(evaluator);
        // What runs models may time them.
        evaluator.builtins().set(
            "_elapsed_nanoseconds", makeNative("time_ns", [begin = std::chrono::steady_clock::now()](
                                                              Evaluator&, Values&, NamedValues&) {
                return makeInt(std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count());
            }));
    }
    Value load(const std::string& path) {
        return evaluator.modules().importFile(path, std::filesystem::path(path).stem().string());
    }
    /// What the file calls so; throws an Error where it has nothing of that name.
    Value named(const UserPassName& name) { return named(load(name.path), name); }
    Value named(const Value& file, const UserPassName& name) {
        if (std::optional<Value> found = evaluator.findAttribute(file, name.name))
            return *found;
        throw Error(name.path, "has no '" + name.name + '\'').hint("write FILE.py:NAME");
    }
    Value helper(const std::string& name) {
        return *evaluator.modules().libraryClass("torch.fx._apply." + name);
    }
};

} // namespace fx
