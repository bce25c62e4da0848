// SPDX-License-Identifier: GPL-3.0-or-later
// Opens Python source: traces the model that an expression makes.
#pragma once

#include "core/base/error.h"
#include "core/base/limits.h"
#include "core/io/opened_model.h"
#include "core/trace/tracer.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

/// What a model's source is traced with, and what gives weights to it.
struct TraceOptions {
    std::string expression; ///< what follows "net.py:"; empty: the one model that the file defines
    /// Name of an argument and an expression for its value; all without names: by position.
    std::vector<std::pair<std::string, std::string>> concrete;
    std::vector<std::string> leafTypes; ///< class names whose calls are recorded, beside those of torch.nn
    TracerOptions tracer;
    std::string tracerExpression; ///< "MyTracer": a subclass of torch.fx.Tracer in the source; "meta"
    std::vector<std::pair<std::string, std::string>> metaArguments; ///< of the tracer "meta", as `concrete`
    bool keepsPartial = false; ///< where tracing fails, the graph so far is opened (OpenedModel::traceFault)
    /// Functions, or modules of functions, whose calls are recorded, by their names in the source.
    std::vector<std::string> wrapped;
    bool areNoneLeaves = false; ///< of TorchScript: modules of torch.nn are traced through as well
    std::string stateFile;      ///< a state_dict to load before tracing
    std::string sourceFile;     ///< defines the classes of a pickled module
    std::vector<std::string> packageFolders; ///< where packages lie that the source imports
    std::optional<bool> isTraining;          ///< none: as the model was made
    uint64_t seed = 0;
    OpeningLimits limits;
};

/// What is wrong with what an option says is not the file's fault, and the error does not name the file.
template <class Work>
auto inOption(const Work& work) {
    try {
        return work();
    } catch (Error& error) {
        std::move(error).code(ErrorCode::InOption);
        throw;
    }
}

/// Splits "net.py:Net(depth=3)" where the part before the colon is a Python file, and
/// "timm:create_model('x')" where it names a package in one of the folders, or an installed one; else the
/// expression is empty. "timm" alone is the package where there is no such file.
std::pair<std::string, std::string> splitExpression(const std::string& model,
                                                    const std::vector<std::string>& packageFolders);
/// Whether the part before the colon names a package, not a file.
bool namesPackage(const std::string& model);

/// Whether the model was traced by us, from its source.
bool isTracedSource(const OpenedModel& opened);
OpenedModel openPythonSource(const std::string& path, const TraceOptions& options);
/// The models that the source at `path` makes, as expressions (core/trace/model_builders.h).
std::vector<std::string> modelsIn(const std::string& path, const TraceOptions& options);

} // namespace fx
