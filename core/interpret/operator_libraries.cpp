// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interpret/operator_libraries.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <c10/util/Exception.h>
#include <torch/version.h>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <mutex>

namespace fx {

namespace {

std::mutex loadedMutex;
std::vector<std::string> loaded;

void note(const std::string& path) {
    const std::lock_guard lock(loadedMutex);
    if (std::find(loaded.begin(), loaded.end(), path) == loaded.end())
        loaded.push_back(path);
}

} // namespace

std::vector<std::string> loadedOperatorLibraries() {
    const std::lock_guard lock(loadedMutex);
    return loaded;
}

void loadOperatorLibrary(const std::string& path) {
    namespace fs = std::filesystem;
    if (!fs::is_regular_file(path))
        throw Error(path, "is no library: there is no such file");
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
        note(fs::absolute(path).string());
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
