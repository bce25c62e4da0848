// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/open/python_source.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/torch/state_dict.h"
#include "core/open/files_beside.h"
#include "core/open/installed_packages.h"
#include "core/trace/trace_source.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <filesystem>

namespace fx {

namespace {

const char* const kTracedSource = "Python source, traced";

/// The place of the colon in "net.py:Net()" and "net.ipynb:Net()"; npos: there is none.
size_t endOfSource(const std::string& model) {
    size_t end = std::string::npos;
    for (const std::string_view ending : {".py", ".ipynb"})
        if (const size_t at = model.find(std::string(ending) + ':'); at != std::string::npos)
            end = std::min(end, at + ending.size());
    return end;
}

} // namespace

bool isTracedSource(const OpenedModel& opened) {
    return opened.format == kTracedSource;
}

bool namesPackage(const std::string& model) {
    return model.find(':') != std::string::npos && endOfSource(model) == std::string::npos &&
           isPackageName(model.substr(0, model.find(':'))) && !std::filesystem::exists(model) &&
           !std::filesystem::is_regular_file(model.substr(0, model.find(':')));
}

std::pair<std::string, std::string> splitExpression(const std::string& model,
                                                    const std::vector<std::string>& packageFolders) {
    if (namesPackage(model)) {
        const size_t colon = model.find(':');
        const std::string name = model.substr(0, colon);
        const std::optional<std::string> file = findPackage(name, packageFolders);
        if (!file)
            throw Error(model, "names no package that is installed: there is no '" + name + '\'')
                .hint("--path DIR searches the packages of another folder");
        return {*file, std::string(trim(model.substr(colon + 1)))};
    }
    if (!std::filesystem::exists(model) && isPackageName(model))
        if (const std::optional<std::string> file = findPackage(model, packageFolders))
            return {*file, {}};
    const size_t end = endOfSource(model);
    if (std::filesystem::exists(model))
        return {model, {}};
    if (end == std::string::npos) {
        // One of several in a file that is no source.
        const size_t colon = model.find(':');
        const std::string file = model.substr(0, colon);
        return colon != std::string::npos && std::filesystem::is_regular_file(file)
                   ? std::pair(file, std::string(trim(model.substr(colon + 1))))
                   : std::pair(model, std::string());
    }
    return {model.substr(0, end), std::string(trim(model.substr(end + 1)))};
}

static SourceRequest requestOf(const std::string& path, const TraceOptions& options) {
    SourceRequest request;
    request.path = path;
    request.packageFolders = options.packageFolders;
    request.installed = installedFolders;
    request.loadBeside = [files = FilesBeside(path)](Evaluator& evaluator, const std::string& named) {
        return files.load(evaluator, named);
    };
    request.limits.bytes = options.limits.bytes;
    return request;
}

std::vector<std::string> modelsIn(const std::string& path, const TraceOptions& options) {
    return modelsIn(requestOf(path, options));
}

OpenedModel openPythonSource(const std::string& path, const TraceOptions& options) {
    SourceRequest request = requestOf(path, options);
    request.expression = options.expression;
    request.leaves = options.leafTypes;
    request.isTraining = options.isTraining;
    request.seed = options.seed;
    request.tracer = options.tracer;
    request.tracerExpression = options.tracerExpression;
    request.metaArguments = options.metaArguments;
    request.keepsPartial = options.keepsPartial;
    request.wrapped = options.wrapped;
    std::vector<std::string> positional;
    for (const auto& [name, value] : options.concrete) {
        if (name.empty())
            positional.push_back(value);
        else
            request.concrete.emplace_back(name, value);
    }
    if (!positional.empty()) {
        if (!request.concrete.empty())
            throw Error("--concrete-args", "values by position and by name cannot be mixed");
        request.concreteTuple = '(' + join(positional, ", ") + ",)";
    }
    OpenedModel out;
    if (!options.stateFile.empty()) {
        const StateDict state = readStateDict(options.stateFile);
        request.state = state.given();
        out.notes = state.notes;
    }
    Traced traced = traceSource(request);
    out.model = std::move(traced.model);
    out.traceFault = std::move(traced.fault);
    out.path = path;
    out.format = kTracedSource;
    out.notes.insert(out.notes.end(), traced.notes.begin(), traced.notes.end());
    return out;
}

} // namespace fx
