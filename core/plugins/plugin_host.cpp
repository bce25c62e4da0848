// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugins/plugin_host.h"

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/unicode.h"
#include "core/passes/registry.h"
#include "core/plugins/plugin_file.h"
#include "core/process/channel.h"
#include "core/process/crash_report.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

namespace fx {

namespace {

namespace fs = std::filesystem;

std::deque<PluginPane>& panes() {
    static std::deque<PluginPane> kPanes;
    return kPanes;
}

/// Time in which a plugin has to be loaded, in a process that is only to show that it can be.
constexpr std::chrono::seconds kLoadLimit(5);
/// Characters of a text of a plugin in an error line.
constexpr size_t kLongestPluginText = 100;
/// Names for the programs that this one starts the plugins whose loading ended a process, with colons between
/// them.
constexpr const char* kEndedVariable = "FXSCOPE_PLUGINS_LEFT_OUT";

/// Thrown for a plugin that has ended the process that loaded it.
class PluginEnded : public Error {
public:
    using Error::Error;
};

std::string cutOff(const std::string& text) {
    return text.size() <= kLongestPluginText ? text : text.substr(0, kLongestPluginText) + "...";
}

/// Its faults are Errors without a place.
PluginRegistry registryOf(const std::string& path) {
    // Its symbols are its own: two plugins may call things alike.
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* said = ::dlerror();
        std::string reason = said ? said : "it cannot be loaded";
        if (reason.starts_with(path + ": "))
            reason = reason.substr(path.size() + 2);
        throw Error("", reason);
    }
    const auto fill = reinterpret_cast<PluginFunction>(::dlsym(library, kPluginFunction));
    if (!fill)
        throw Error("", "it is no plugin: it has no function " + std::string(kPluginFunction));
    PluginRegistry registry;
    const char* version = fill(&registry);
    if (!version || std::string_view(version) != kPluginVersion)
        throw Error("", "it was built for version " + cutOff(version ? version : "(none)") +
                            ", and this is version " + kPluginVersion)
            .hint("build it anew against this fxscope");
    return registry;
}

/// Throws where one of the rows could not be used, before any is taken.
void requireRows(const PluginRegistry& registry, PluginKind kind) {
    std::set<std::string> names;
    for (const Pass& pass : registry.passes) {
        requireUsable(pass);
        if (!names.insert(pass.name).second)
            throw Error("", "it has two passes called '" + pass.name + "'");
    }
    names.clear();
    if (kind != PluginKind::Window && !registry.panes.empty())
        throw Error("", "it has panes, for which there is a window alone")
            .hint("put it into the folder 'window' beside it");
    for (const PluginPane& pane : registry.panes) {
        const bool isTaken = std::any_of(panes().begin(), panes().end(),
                                         [&](const PluginPane& other) { return other.name == pane.name; });
        if (pane.name.empty() || pane.title.empty() || !pane.make || isTaken ||
            !names.insert(pane.name).second)
            throw Error("", "its pane '" + pane.name + "' lacks something, or its name is taken");
    }
    for (const AddedFormat& format : registry.formats)
        requireUsable(format);
    names.clear();
    for (const auto& [name, function] : registry.functions) {
        requireUsable(name, function);
        if (!names.insert(name).second)
            throw Error("", "it has two functions called '" + name + "'");
    }
}

/// Loads it in a process of its own first, which may crash or wait for ever.
void requireLoadable(const FoundPlugin& plugin) {
    requirePluginFile(plugin.path, kPluginFunction);
    const std::shared_ptr<const Descriptor> said = memoryFile("fxscope plugin");
    const ProcessEnd end = runInChild(
        [&] {
            const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
            for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
                ::dup2(nowhere, standard);
            std::string fault;
            try {
                requireRows(registryOf(plugin.path), plugin.kind);
            } catch (const std::exception& error) {
                fault = error.what();
            } catch (...) {
                fault = "it throws what is no std::exception";
            }
            return ::write(said->number(), fault.data(), fault.size()) < 0 ? 1 : 0;
        },
        kLoadLimit);
    if (end.isLate || end.signal != 0 || end.exitStatus != 0)
        throw PluginEnded("", "the process that loaded it " + endText(end, kLoadLimit));
    std::array<char, 4096> fault;
    if (const ssize_t size = ::pread(said->number(), fault.data(), fault.size(), 0); size > 0)
        throw Error("", std::string(fault.data(), static_cast<size_t>(size)));
}

void load(FoundPlugin& plugin) {
    requireLoadable(plugin);
    PluginRegistry registry = registryOf(plugin.path);
    requireRows(registry, plugin.kind);
    for (Pass& pass : registry.passes) {
        plugin.passes.push_back(pass.name);
        addPass(std::move(pass));
    }
    for (AddedFormat& format : registry.formats) {
        plugin.formats.push_back(format.name);
        addFormat(std::move(format));
    }
    for (auto& [name, function] : registry.functions) {
        plugin.functions.push_back(name);
        addPythonFunction(name, std::move(function));
    }
    for (PluginPane& pane : registry.panes) {
        plugin.panes.push_back(pane.name);
        panes().push_back(std::move(pane));
    }
}

/// In the order of their names.
std::vector<std::string> pluginsIn(const fs::path& folder) {
    std::vector<std::string> out;
    std::error_code fault;
    for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
        if (at->path().extension() == ".so")
            out.push_back(at->path().string());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

std::string userDataFolder() {
    if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data)
        return data + std::string("/fxscope");
    if (const char* home = std::getenv("HOME"); home && *home)
        return home + std::string("/.local/share/fxscope");
    return {};
}

std::vector<std::string> pluginFolders() {
    std::vector<std::string> out;
    if (const char* given = std::getenv("FXSCOPE_PLUGIN_PATH"))
        for (const std::string_view folder : split(given, ':'))
            if (!folder.empty())
                out.emplace_back(folder);
    if (const std::string data = userDataFolder(); !data.empty())
        out.push_back(data + "/plugins");
    std::error_code fault;
    const fs::path program = fs::read_symlink("/proc/self/exe", fault);
    // Programs lie in lib/fxscope/bin.
    out.push_back((program.parent_path().parent_path() / "plugins").string());
    return out;
}

std::vector<FoundPlugin> loadPlugins(bool hasWindow) {
    std::vector<FoundPlugin> found;
    std::map<std::string, std::string> loaded; // path by name
    std::set<std::string> leftOut;
    if (const char* given = std::getenv(kEndedVariable))
        for (const std::string_view path : split(given, ':'))
            leftOut.emplace(path);
    for (const std::string& folder : pluginFolders())
        for (const PluginKind kind : {PluginKind::Any, PluginKind::Window}) {
            if (kind == PluginKind::Window && !hasWindow)
                continue;
            for (const std::string& path :
                 pluginsIn(kind == PluginKind::Window ? folder + "/window" : folder)) {
                FoundPlugin& plugin = found.emplace_back();
                plugin.path = path;
                plugin.kind = kind;
                const auto [other, isFirst] = loaded.emplace(fs::path(path).filename().string(), path);
                if (!isFirst) {
                    plugin.fault = other->second + " has the same name and was found first";
                    continue;
                }
                try {
                    if (leftOut.contains(path))
                        throw Error("", "loading it ended a process before");
                    load(plugin);
                } catch (const PluginEnded& error) {
                    plugin.fault = error.what();
                    leftOut.insert(path);
                } catch (const std::exception& error) {
                    plugin.fault = error.what();
                } catch (...) {
                    plugin.fault = "it throws what is no std::exception";
                }
            }
        }
    if (!leftOut.empty())
        ::setenv(kEndedVariable, join(std::vector<std::string>(leftOut.begin(), leftOut.end()), ":").c_str(),
                 1);
    return found;
}

std::vector<std::string> faultLines(const std::vector<FoundPlugin>& found) {
    std::vector<std::string> out;
    for (const FoundPlugin& plugin : found)
        if (!plugin.fault.empty())
            out.push_back(oneLine("plugin " + plugin.path + " is left out: " + plugin.fault));
    return out;
}

const std::deque<PluginPane>& pluginPanes() {
    return panes();
}

} // namespace fx
