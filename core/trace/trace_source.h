// SPDX-License-Identifier: GPL-3.0-or-later
// From Python source to a graph: `net.py` and the expression that makes the model, traced as torch.fx does.
#pragma once

#include "core/trace/load_state.h"
#include "core/trace/tracer.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct SourceRequest {
    std::string path;
    /// Instead of what the file has; `path` is then what errors name.
    std::optional<std::string> text;
    std::string prelude;    ///< of a text: imports that run before it, and count for no line of it
    std::string expression; ///< "Net(depth=3)", "forward"; empty: the one model that the file defines
    std::vector<std::pair<std::string, std::string>> concrete; ///< argument and an expression for its value
    std::string concreteTuple;                                 ///< an expression for all of them by position
    std::vector<std::string> leaves; ///< further class names that are not traced through
    std::optional<bool> isTraining;  ///< --train, --eval; none: as the model was made
    uint64_t seed = 0;
    std::optional<GivenState> state; ///< a state_dict to load before tracing
    TracerOptions tracer;
    std::string
        tracerExpression; ///< a subclass of torch.fx.Tracer in the file, or what makes one; empty: none
    /// Of the tracer "meta": the name of an argument and an expression for an example; torch's functions may
    /// stand in it without "torch.".
    std::vector<std::pair<std::string, std::string>> metaArguments;
    bool keepsPartial = false;        ///< where tracing fails, what was recorded is given with the fault
    std::vector<std::string> wrapped; ///< as wrapNames() takes them
    std::vector<std::string> packageFolders;             ///< where packages are found, after the source's own
    std::function<std::vector<std::string>()> installed; ///< more of them, asked when they are needed
    /// Loads the file of torch.load(path); null: no file is read.
    std::function<Value(Evaluator&, const std::string& path)> loadBeside;
    EvaluationLimits limits;
};

/// Names of functions, or of modules of functions, as `names` has them: calls of them with traced values are
/// recorded as they stand. A builtin is recorded where this source calls it, as torch.fx.wrap("len") has it.
void wrapNames(Tracer& tracer, Evaluator& evaluator, const Value& names,
               const std::vector<std::string>& wrapped);

/// Reads the file, evaluates the expression and traces what it gives. Errors carry the place in the source.
Traced traceSource(const SourceRequest& request);

/// The models that the source makes, as expressions (model_builders.h). Of the request its path, its folders
/// and its limits count.
std::vector<std::string> modelsIn(const SourceRequest& request);

} // namespace fx
