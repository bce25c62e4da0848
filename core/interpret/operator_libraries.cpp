// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/operator_libraries.h"

#include "core/base/current_work.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/module/known_faults.h"
#include "core/torch/bind/operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <set>
#include <unordered_map>

namespace fx {

namespace {

struct KnownLibrary {
    std::string path;
    std::set<std::string> operators; ///< "mine::scaled", of one that was declared
};

std::mutex knownMutex;
std::vector<KnownLibrary> known;

void note(const std::string& path, std::set<std::string> operators = {}) {
    const std::string whole = std::filesystem::absolute(path).string();
    const std::lock_guard lock(knownMutex);
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const KnownLibrary& each) { return each.path == whole; });
    if (found == known.end())
        known.push_back({whole, std::move(operators)});
    else
        found->operators.merge(operators);
}

/// Of all operators that the dispatcher has, by name.
std::unordered_map<c10::OperatorName, std::string> registeredSchemas() {
    std::unordered_map<c10::OperatorName, std::string> out;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames())
        if (const auto op = c10::Dispatcher::singleton().findSchema(name))
            out.emplace(name, c10::toString(op->schema()));
    return out;
}

} // namespace

std::vector<std::string> knownOperatorLibraries() {
    const std::lock_guard lock(knownMutex);
    std::vector<std::string> out;
    for (const KnownLibrary& library : known)
        out.push_back(library.path);
    return out;
}

std::vector<std::string> operatorLibrariesOf(const Model& model) {
    std::set<std::string> called;
    for (const ModuleId graph : graphsOf(model))
        for (const Node& node : model.graph(graph))
            if (const auto parts = split(node.target.name(), '.'); node.opcode == Opcode::CallFunction &&
                                                                   parts.size() > 3 && parts[0] == "torch" &&
                                                                   parts[1] == "ops")
                called.insert(std::string(parts[2]) + "::" + std::string(parts[3]));
    const std::lock_guard lock(knownMutex);
    std::vector<std::string> out;
    for (const KnownLibrary& library : known)
        if (std::any_of(called.begin(), called.end(),
                        [&](const std::string& name) { return library.operators.contains(name); }))
            out.push_back(library.path);
    return out;
}

std::vector<std::string> loadAndListOperators(const std::string& path) {
    const auto before = registeredSchemas();
    loadOperatorLibrary(path);
    std::vector<std::string> out;
    for (auto& [name, schema] : registeredSchemas())
        if (!before.contains(name))
            out.push_back(std::move(schema));
    return out;
}

void declareOperatorLibrary(const std::string& path, const std::vector<std::string>& schemas) {
    std::set<std::string> operators;
    for (const std::string& schema : schemas) {
        operators.insert(schema.substr(0, schema.find_first_of(".(")));
        try {
            declareOperator(schema);
        } catch (const std::exception&) {
            // It names classes of the library's own: such an operator is shown as one that is not known.
        }
    }
    note(path, std::move(operators));
}

void loadOperatorLibrary(const std::string& path) {
    namespace fs = std::filesystem;
    if (!fs::is_regular_file(path))
        throw Error(path, "is no library: there is no such file");
    const NotedScope noted(currentWork.call, path.c_str());
    void* handle = nullptr;
    try {
        // By its whole path: a bare name would be looked for among the libraries of the system.
        handle = ::dlopen(fs::absolute(path).c_str(), RTLD_NOW | RTLD_GLOBAL);
    } catch (const c10::Error& error) {
        throw Error(path, "registers what LibTorch refuses: " + std::string(error.what_without_backtrace()));
    } catch (const std::exception& error) {
        throw Error(path, "fails while it loads: " + std::string(error.what()));
    }
    if (handle) {
        note(path);
        return;
    }
    const char* said = ::dlerror();
    std::string reason = said ? said : "it cannot be loaded";
    const std::string prefix = fs::absolute(path).string() + ": ";
    if (reason.starts_with(prefix))
        reason = reason.substr(prefix.size());
    throw Error(path, "cannot be loaded: " + reason)
        .hint("build it against the LibTorch that fxscope runs with, PyTorch " TORCH_VERSION);
}

} // namespace fx
